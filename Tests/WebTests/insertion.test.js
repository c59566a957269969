import assert from "node:assert/strict";
import { test } from "node:test";
import { indexWithout, placeAt } from "../../Web/models/insertion.js";
import { Ranges } from "../../Web/models/ranges.js";

test("N-06 what comes after an insertion is found again", () => {
  const moved = Ranges.of([2, 4], [6, 7]);
  for (const place of [0, 1, 4, 5, 7, 8]) assert.equal(placeAt(moved, indexWithout(moved, place)), place);
});
