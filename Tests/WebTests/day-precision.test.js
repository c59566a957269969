import assert from "node:assert/strict";
import { test } from "node:test";
import { precisionOfDay } from "../../Web/models/day-precision.js";

const month = { datePrecision: "month" };
const year = { datePrecision: "year" };
const day = { datePrecision: "day" };
const exact = {};

for (const [what, cells, expected] of [
  ["photos of a month are in the month", [month, month], "month"],
  ["photos of a year are in the year", [year, year], "year"],
  ["photos of a month and of its year are in the month", [year, month, year], "month"],
  ["photos of which one has a day are on the day", [month, day], "day"],
  ["photos of which one has a time are on the day", [year, exact], "day"],
  ["photos that are not loaded do not count", [undefined], "day"],
]) test(what, () => assert.equal(precisionOfDay({ first: 0, end: cells.length }, (index) => cells[index]), expected));

test("only the photos of the day count", () => {
  const cells = [exact, year, year, exact];
  assert.equal(precisionOfDay({ first: 1, end: 3 }, (index) => cells[index]), "year");
});

test("pages that are not loaded are left out at once", () => {
  let reads = 0;
  const cellAt = (index) => ((reads += 1), index >= 500_000 && index < 500_100 ? month : undefined);
  assert.equal(precisionOfDay({ first: 7, end: 1_000_000 }, cellAt), "month");
  assert.ok(reads < 30_000, `${reads} reads`);
});

test("a photo after a page that is not loaded counts", () => {
  const cells = { 5: month, 100: exact };
  assert.equal(precisionOfDay({ first: 5, end: 101 }, (index) => cells[index]), "day");
});
