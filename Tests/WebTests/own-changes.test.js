import assert from "node:assert/strict";
import { test } from "node:test";
import { OwnChanges } from "../../Web/models/own-changes.js";

function noted(...transactions) {
  const own = new OwnChanges();
  for (const transaction of transactions) own.note([{ type: "setAssets", assets: ["1"], title: "Norway" }], { transaction });
  return own;
}

test("changes of texts by this page lead from one revision to another", () => {
  assert.equal(noted(18).leads("A-B-17", "A-B-18"), true);
  assert.equal(noted(18, 19).leads("A-B-17", "A-B-19"), true);
});

test("another transaction in between is not this page's", () => {
  assert.equal(noted(18).leads("A-B-17", "A-B-19"), false);
  assert.equal(noted(18, 20).leads("A-B-17", "A-B-20"), false);
  assert.equal(noted(18).leads("A-B-16", "A-B-18"), false);
});

test("nothing leads back, or from a revision that can't be read", () => {
  assert.equal(noted(18).leads("A-B-18", "A-B-17"), false);
  assert.equal(noted(18).leads("", "A-B-18"), false);
});

const moving = [{ type: "setAssets", assets: ["1"], title: "Norway", moveCreationDate: 60 }, { type: "deleteAssets", assets: ["1"] }];
for (const change of moving) {
  test(`${JSON.stringify(change)} may move an asset`, () => {
    const own = new OwnChanges();
    own.note([{ type: "setAssets", assets: ["2"], caption: "Oslo" }, change], { transaction: 18 });
    assert.equal(own.leads("A-B-17", "A-B-18"), false);
  });
}
