import assert from "node:assert/strict";
import { test } from "node:test";
import { Ranges } from "../../Web/models/ranges.js";

const some = Ranges.of([2, 5], [8, 9]);

test("ranges are sorted and joined", () => {
  assert.deepEqual(Ranges.of([8, 9], [2, 4], [4, 5], [3, 3]).list, [[2, 5], [8, 9]]);
  assert.deepEqual(Ranges.ofPlaces([4, 8, 3, 2]).list, [[2, 5], [8, 9]]);
});

test("a set knows its places", () => {
  assert.deepEqual([1, 2, 4, 5, 8, 9].map((place) => some.has(place)), [false, true, true, false, true, false]);
  assert.equal(some.size, 4);
  assert.equal(some.first, 2);
  assert.deepEqual([...some.places()], [2, 3, 4, 8]);
});

test("a set says how much of a range it has", () => {
  assert.deepEqual([some.coverage(2, 5), some.coverage(0, 3), some.coverage(5, 8)], ["all", "some", "none"]);
});

test("sets are added and removed", () => {
  assert.deepEqual(some.add(5, 8).list, [[2, 9]]);
  assert.deepEqual(some.remove(3, 4).list, [[2, 3], [4, 5], [8, 9]]);
  assert.deepEqual(some.remove(0, 20).list, []);
  assert.deepEqual(some.union(Ranges.of([0, 3])).list, [[0, 5], [8, 9]]);
  assert.deepEqual(some.minus(Ranges.of([4, 9])).list, [[2, 4]]);
  assert.deepEqual(some.within(4, 20).list, [[4, 5], [8, 9]]);
  assert.deepEqual(some.list, [[2, 5], [8, 9]], "the set itself stays the same");
});
