import assert from "node:assert/strict";
import { test } from "node:test";
import { citySearch, placeOfSearch } from "../../Web/models/city-search.js";
import { World } from "../../Web/models/world-map.js";

const world = new World({ scale: 1, countries: [], cities: [["York", 54, -1], ["New York", 41, -74], ["Oslo", 60, 11]] });

for (const [query, city, text] of [
  ["near oslo", "Oslo", ""],
  ["video near OSLO", "Oslo", "video"],
  ["video near new york 2019", "New York", "video 2019"],
  ["near york june 2019", "York", "june 2019"],
]) {
  test(`Y-04 “${query}” is near ${city}`, () => {
    const place = placeOfSearch(query, world);
    assert.deepEqual([place.city.name, place.text], [city, text]);
  });
}

for (const query of ["", "near", "near nowhere", "oslo", "a near b oslo"]) {
  test(`Y-04 “${query}” is near no city`, () => assert.equal(placeOfSearch(query, world), null));
}

for (const [query, suggested] of [
  ["oslo", "near Oslo"],
  ["oslo 2019", "near Oslo 2019"],
  ["video new york 2019", "video near New York 2019"],
]) {
  test(`Y-04 “${query}” is also “${suggested}”`, () => assert.equal(citySearch(query, world).query, suggested));
}

for (const query of ["", "fjord", "near Oslo"]) {
  test(`Y-04 “${query}” names no other city`, () => assert.equal(citySearch(query, world), null));
}
