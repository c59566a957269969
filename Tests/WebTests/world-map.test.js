import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { World, mapHeights, mapWindow, roundDistance } from "../../Web/models/world-map.js";

const file = new URL("../../Web/world.json", import.meta.url);
const world = new World(JSON.parse(readFileSync(file, "utf8")));

for (const [latitude, longitude, city, country] of [
  [59.9139, 10.7522, "Oslo", "Norway"],
  [41.8781, -87.6298, "Chicago", "United States"],
  [35.6762, 139.6503, "Tokyo", "Japan"],
  [60.39, 5.32, null, "Norway"], // Bergen is at the coast, and no city of the file
  [-29.6, 28.2, null, "Lesotho"], // South Africa is all around it
  [66, -179.9, null, "Russia"],
  [0, -30, null, null],
]) {
  test(`H-12: ${latitude}, ${longitude} is in ${city ?? "no city"}, ${country ?? "no country"}`, () => {
    assert.deepEqual(world.nameOf(latitude, longitude), { city, country });
  });
}

test("H-13: a map has its place in the middle at each zoom", () => {
  for (const zoom of mapHeights.keys()) {
    const { left, top, width, height } = mapWindow({ latitude: 20, longitude: 10 }, zoom, 1.6);
    assert.ok(Math.abs(left + width / 2 - 10) < 1e-9 && Math.abs(top + height / 2 + 20) < 1e-9);
  }
});

test("a map does not go beyond the poles", () => {
  const { top, height } = mapWindow({ latitude: 89, longitude: 0 }, 1, 1.6);
  assert.equal(top, -90);
  assert.ok(height <= 180);
});

for (const [kilometers, expected] of [[999, 500], [210, 200], [1, 1], [0.7, 0.5], [5000, 5000]]) {
  test(`the scale of ${kilometers} km says ${expected}`, () => assert.ok(Math.abs(roundDistance(kilometers) - expected) < 1e-9));
}

test("the path has each ring", () => {
  const rings = world.countries.reduce((sum, country) => sum + country.rings.length, 0);
  assert.equal(world.path.split("M").length - 1, rings);
});

for (const [name, expected] of [["oslo", "Oslo"], ["SAO  paulo", "São Paulo"], ["osl", undefined]]) {
  test(`the city named ${name} is ${expected}`, () => assert.equal(world.cityNamed(name)?.name, expected));
}

test("AX-03 a short name is the city, or else the country", () => {
  const places = [[59.91, 10.75], [60.39, 5.32], [0, -30]];
  assert.deepEqual(places.map(([latitude, longitude]) => world.shortNameOf(latitude, longitude)), ["Oslo", "Norway", ""]);
});
