import assert from "node:assert/strict";
import { test } from "node:test";
import { AssetPages, Outdated } from "../../Web/models/asset-pages.js";
import { Choice } from "../../Web/models/choice.js";

/** Makes a choice among 40 assets, a0 to a39, in pages of ten. Only the first two are loaded. */
async function choiceAmong(before) {
  const all = Array.from({ length: 40 }, (_, place) => ({ id: `a${place}` }));
  const pages = new AssetPages(async (offset, limit) => ({ assets: all.slice(offset, offset + limit) }), { pageSize: 10 });
  await pages.loadRange({ first: 0, end: 20 });
  return new Choice(pages, before);
}

test("chosen assets are returned in the order of choosing, after those chosen before", async () => {
  const choice = await choiceAmong(["x", "a3"]);
  for (const place of [5, 2, 3]) choice.toggle(place);
  assert.deepEqual(await choice.all(), ["x", "a5", "a2"]);
  assert.deepEqual([2, 3, 5].map((place) => choice.has(place)), [true, false, true]);
});

test("a range that shrinks keeps what was chosen before", async () => {
  const choice = await choiceAmong(["a7"]);
  choice.toggle(5);
  choice.toggle(9, true);
  assert.equal((await choice.all()).length, 5);
  choice.toggle(6, true);
  assert.deepEqual((await choice.all()).sort(), ["a5", "a6", "a7"]);
  assert.ok(choice.has(7));
});

test("an asset from before is unchosen by a click, also inside a range", async () => {
  const choice = await choiceAmong(["a7"]);
  choice.toggle(5);
  choice.toggle(8, true);
  choice.toggle(7);
  assert.deepEqual(await choice.all(), ["a5", "a6", "a8"]);
});

test("a range over what is not loaded is loaded before the answer", async () => {
  const choice = await choiceAmong([]);
  choice.toggle(18);
  choice.toggle(10, true);
  choice.toggle(19, true);
  assert.deepEqual(await choice.all(), ["a18", "a19"]);
});

test("pages that the server did not answer are requested again", async () => {
  let isDown = true;
  const pages = new AssetPages(async (offset, limit) => {
    if (isDown && offset > 0) throw new TypeError("no network");
    return { assets: Array.from({ length: limit }, (_, index) => ({ id: `a${offset + index}` })) };
  }, { pageSize: 10 });
  await pages.loadRange({ first: 0, end: 10 });
  const choice = new Choice(pages);
  choice.toggle(9);
  choice.toggle(0);
  pages.at = ((at) => (place) => (place === 12 ? { id: "a12" } : at(place)))(pages.at.bind(pages));
  choice.toggle(12, true);
  await assert.rejects(choice.all(), TypeError);
  isDown = false;
  assert.equal((await choice.all()).length, 13);
});

/** Makes a choice among 40 assets. Its list gets a new first asset once `change` is called. */
async function changingChoice() {
  let assets = Array.from({ length: 40 }, (_, place) => ({ id: `a${place}` }));
  let revision = "1";
  const pagesNow = () => new AssetPages(
    async (offset, limit) => ({ revision, assets: assets.slice(offset, offset + limit) }), { pageSize: 10, revision });
  const change = () => {
    assets = [{ id: "new" }, ...assets];
    revision = "2";
  };
  const pages = pagesNow();
  await pages.loadRange({ first: 0, end: 10 });
  await pages.loadRange({ first: 30, end: 40 });
  return { choice: new Choice(pages), pages, pagesNow, change };
}

test("a range over a list that has changed meanwhile takes no other asset", async () => {
  const { choice, pagesNow, change } = await changingChoice();
  choice.toggle(9);
  assert.deepEqual(await choice.all(), ["a9"]);
  change();
  choice.toggle(30, true);
  await assert.rejects(choice.all(), Outdated);
  assert.equal(choice.renew(pagesNow()), true, "some were left out");
  assert.deepEqual(await choice.all(), ["a9"]);
});

test("chosen assets keep their marks when the list changes", async () => {
  const { choice, pages, pagesNow, change } = await changingChoice();
  choice.toggle(9);
  choice.toggle(3);
  await choice.all();
  change();
  await pages.load(10);
  assert.deepEqual([choice.has(9), choice.has(10)], [true, true], "a9 is at its place, and in a later page at the next one");
  choice.toggle(10);
  assert.deepEqual(await choice.all(), ["a9", "a3"], "a cell of a later page is not clicked");
  const after = pagesNow();
  await after.loadRange({ first: 0, end: 20 });
  assert.equal(choice.renew(after), false);
  assert.deepEqual([3, 4, 9, 10].map((place) => choice.has(place)), [false, true, false, true]);
});
