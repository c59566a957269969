import assert from "node:assert/strict";
import { test } from "node:test";
import { departureOf, undoableOf } from "../../Web/models/departure.js";

const mine = { transaction: 7, client: null, isUndoable: true };
const change = ({ updated = [], deleted = [], collections = [], transactions = [mine] }) =>
  ({ assets: { updated, deleted }, collections: { updated: collections }, transactions });

test("G-04 the transaction of the latest change that touches the asset or the collection", () => {
  const other = { ...mine, transaction: 8 };
  assert.equal(departureOf([change({ updated: ["a"] }), change({ updated: ["b"], transactions: [other] })], "a", "N"), mine);
  assert.equal(departureOf([change({ deleted: ["a"] })], "a", "N"), mine);
  assert.equal(departureOf([change({ collections: ["N"] }), change({ collections: ["N"], transactions: [other] })], "a", "N"), other);
});

test("G-04 of several transactions in one change, none is named", () => {
  assert.equal(departureOf([change({ updated: ["a"], transactions: [mine, mine] })], "a", "N"), null);
  assert.equal(departureOf([change({ updated: ["b"] })], "a", "N"), null);
  assert.equal(departureOf([{ transactions: [mine] }], "a", "N"), null);
});

test("only a change of one transaction of the owner is offered to be undone", () => {
  assert.equal(undoableOf({ transactions: [mine] }), 7);
  assert.equal(undoableOf({ transactions: [mine, { ...mine, transaction: 8 }] }), undefined);
  assert.equal(undoableOf({ transactions: [mine, { ...mine, client: { name: "Slideshow" } }] }), undefined);
  assert.equal(undoableOf({ transactions: [{ ...mine, isUndoable: false }] }), undefined);
  assert.equal(undoableOf({}), undefined);
});
