import assert from "node:assert/strict";
import { test } from "node:test";
import { dropOn, isWithin, placesFor, stepIn } from "../../Web/models/collection-moves.js";

const all = [
  { id: "norway", kind: "album", parent: null }, { id: "receipts", kind: "album", parent: null },
  { id: "travels", kind: "folder", parent: null }, { id: "japan", kind: "album", parent: "travels" },
  { id: "europe", kind: "folder", parent: "travels" }, { id: "rome", kind: "album", parent: "europe" },
].map((one) => ({ ...one, title: one.id }));
const collections = {
  all,
  at: (id) => all.find((one) => one.id === id),
  childrenOf: (parent) => all.filter((one) => one.parent === parent),
  parentsOf: (id) => {
    const parent = collections.at(collections.at(id).parent);
    return parent ? [parent, ...collections.parentsOf(parent.id)] : [];
  },
};
const drop = (moved, over, part) => {
  const result = dropOn(collections, collections.at(moved), collections.at(over), part);
  return result && [result.parent, result.index ?? null, result.edge ?? "on"];
};

const table = [
  ["E-03 an album goes into a folder", "receipts", "travels", 0.5, ["travels", null, "on"]],
  ["an album goes before another", "receipts", "norway", 0.2, [null, 0, "before"]],
  ["an album goes after another", "norway", "receipts", 0.8, [null, 1, "after"]],
  ["an album goes between those of a folder", "norway", "japan", 0.8, ["travels", 1, "after"]],
  ["an album does not move to where it is", "norway", "receipts", 0.2, null],
  ["an album does not go into the folder that it is in", "japan", "travels", 0.5, null],
  ["E-03 a folder does not go into itself", "travels", "travels", 0.5, null],
  ["E-03 a folder does not go into a folder in it", "travels", "europe", 0.5, null],
  ["E-03 a folder does not go beside an album in it", "travels", "rome", 0.2, null],
];
for (const [name, moved, over, part, expected] of table) test(name, () => assert.deepEqual(drop(moved, over, part), expected));

test("a collection is within its folders", () => {
  assert.ok(isWithin(collections, "rome", "travels"));
  assert.ok(!isWithin(collections, "travels", "rome"));
});

test("E-04 a step stays among the siblings", () => {
  const siblings = collections.childrenOf(null);
  assert.deepEqual([stepIn(siblings, "norway", -1), stepIn(siblings, "norway", 1), stepIn(siblings, "travels", 1)], [null, 1, null]);
});

const moves = [
  ["an album at the top goes into any folder", "receipts", ["travels", "travels europe"]],
  ["an album in a folder goes to the top and into other folders", "japan", ["", "travels europe"]],
  ["a folder goes neither into itself nor into a folder in it", "travels", []],
  ["a folder in another goes to the top", "europe", [""]],
];
for (const [name, moved, expected] of moves) {
  test(name, () => assert.deepEqual(placesFor(collections, collections.at(moved)).map(({ path }) => path.join(" ")), expected));
}
