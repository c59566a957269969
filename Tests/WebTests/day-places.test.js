import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOfDay } from "../../Web/models/day-places.js";

const names = { "59.91 10.75": "Oslo", "60.39 5.32": "Bergen", "63.43 10.4": "Trondheim", "58.97 5.73": "Stavanger", "0 0": "" };
const nameOf = (latitude, longitude) => names[`${latitude} ${longitude}`];
const at = (name) => {
  const [latitude, longitude] = Object.keys(names).find((key) => names[key] === name).split(" ").map(Number);
  return { latitude, longitude };
};
const placesOf = (cells, range = { first: 0, end: cells.length }) => placesOfDay(range, (index) => cells[index], nameOf);

for (const [what, cells, expected] of [
  ["each once, in the order of the photos", [at("Bergen"), at("Oslo"), at("Bergen")], ["Bergen", "Oslo"]],
  ["nothing of photos without a place, and of those that are not loaded", [undefined, {}, at("Oslo")], ["Oslo"]],
  ["nothing of a place without a name", [at("")], []],
  ["three at most", [at("Oslo"), at("Bergen"), at("Trondheim"), at("Stavanger")], ["Oslo", "Bergen", "Trondheim"]],
]) test(`the places of a day: ${what}`, () => assert.deepEqual(placesOf(cells), expected));

test("the places of a day are those of its own photos", () => {
  assert.deepEqual(placesOf([at("Oslo"), at("Bergen"), at("Trondheim")], { first: 1, end: 2 }), ["Bergen"]);
});

test("a day of 20,000 is not read whole", () => {
  let reads = 0;
  const cellAt = () => ((reads += 1), at("Oslo"));
  assert.deepEqual(placesOfDay({ first: 7, end: 20_007 }, cellAt, nameOf), ["Oslo"]);
  assert.equal(reads, 500);
});
