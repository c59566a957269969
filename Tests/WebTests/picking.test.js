import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { configurationOf, mayOpen } from "../../Web/models/picker-configuration.js";
import { filterOfBoth, kindsIn, predicateOf } from "../../Web/models/picker-filter.js";
import { Picking } from "../../Web/models/picking.js";

const nested = (depth) => (depth === 0 ? "images" : { not: nested(depth - 1) });

for (const [filter, predicate] of [
  ["images", "mediaType == 1"],
  ["videos", "mediaType == 2"],
  ["livePhotos", "(mediaSubtypes & 8) != 0"],
  ["bursts", "burstIdentifier != nil"],
  [{ any: ["livePhotos", "videos"] }, "((mediaSubtypes & 8) != 0) OR (mediaType == 2)"],
  [{ all: ["images", { not: "screenshots" }] }, "(mediaType == 1) AND (NOT ((mediaSubtypes & 4) != 0))"],
  [{ any: [] }, "FALSEPREDICATE"],
  [{ all: [] }, "TRUEPREDICATE"],
  [{ playbackStyle: 2 }, "(mediaSubtypes & 64) != 0"],
  [{ playbackStyle: 5 }, "FALSEPREDICATE"],
  [nested(2), "NOT (NOT (mediaType == 1))"],
]) {
  test(`the filter ${JSON.stringify(filter)} is a predicate`, () => assert.equal(predicateOf(filter), predicate));
}

for (const [filter, message] of [
  ["image", "filter: image is not a filter"],
  ["constructor", "filter: constructor is not a filter"],
  [7, "filter: 7 is not a filter"],
  [{}, "filter: {} is not a filter"],
  [[], "filter: [] is not a filter"],
  [{ any: "images" }, 'filter: {"any":"images"} is not a filter'],
  [{ playbackStyle: 6 }, 'filter: {"playbackStyle":6} is not a filter'],
  [{ playbackStyle: "length" }, 'filter: {"playbackStyle":"length"} is not a filter'],
  [{ any: [], all: [] }, "filter: more than one of any, all, not and playbackStyle"],
  [nested(32), "filter: deeper than 32 levels"],
  [{ any: Array(64).fill("images") }, "filter: more than 64 parts"],
]) {
  test(`${JSON.stringify(filter).slice(0, 60)} is refused`, () => assert.throws(() => predicateOf(filter), { name: "TypeError", message }));
}

test("a filter 12 deep is a predicate", () => assert.match(predicateOf(nested(12)), /^(NOT \(){12}mediaType == 1\){12}$/));

test("an empty view can name the kinds of its filter", () => {
  assert.deepEqual(kindsIn({ any: ["videos", { not: "images" }] }), ["videos", "images"]);
});

test("without a key, a configuration has PHPicker's defaults", () => {
  const { selectionLimit, isOrdered, isContinuous, predicate, wantsIdentifiers, representation, includesLocation } = configurationOf({});
  assert.deepEqual(
    { selectionLimit, isOrdered, isContinuous, predicate, wantsIdentifiers, representation, includesLocation },
    { selectionLimit: 1, isOrdered: false, isContinuous: false, predicate: null, wantsIdentifiers: false, representation: "current", includesLocation: false },
  );
});

for (const [asked, message] of [
  [null, "configuration: not an object"],
  [[], "configuration: not an object"],
  [{ selectionlimit: 3 }, "selectionlimit: not a key of the configuration"],
  [{ selectionLimit: -1 }, "selectionLimit: not a whole number from 0 on"],
  [{ selectionLimit: 1.5 }, "selectionLimit: not a whole number from 0 on"],
  [{ selection: "some" }, 'selection: "some" is not one of default, ordered, continuous, continuousAndOrdered'],
  [{ preselected: ["a"] }, "preselected: needs identifiers: true"],
  [{ preselected: "a", identifiers: true }, "preselected: not a list of at most 100000"],
  [{ identifiers: 1 }, "identifiers: not true or false"],
  [{ disabledCapabilities: ["dancing"] }, 'disabledCapabilities: "dancing" is not one of search, stagingArea, collectionNavigation, selectionActions, sensitivityAnalysisIntervention'],
  [{ deliver: "mail" }, 'deliver: "mail" is not one of port, address'],
  [{ purpose: "x".repeat(1001) }, "purpose: not a text of at most 1000 characters"],
]) {
  test(`the configuration ${JSON.stringify(asked).slice(0, 60)} is refused`, () => {
    assert.throws(() => configurationOf(asked), { name: "TypeError", message });
  });
}

// PickerConfigurationCheckTests.swift reads the same table.
for (const { configuration, refused } of JSON.parse(readFileSync(new URL("picker-configurations.json", import.meta.url)))) {
  test(`the window ${refused ? "refuses" : "takes"} what the server does: ${JSON.stringify(configuration)}`, () => {
    if (refused) assert.throws(() => configurationOf(configuration), (error) => error.message.startsWith(`${refused}:`));
    else configurationOf(configuration);
  });
}

test("a purpose is one line of 80 characters without marks of direction (T-17)", () => {
  const { purpose } = configurationOf({ purpose: `a\u202Eb\n${"c".repeat(100)}` });
  assert.equal(purpose, `a b ${"c".repeat(76)}`);
});

const library = { protocol: "http:", hostname: "calotype.localhost" };
for (const [origin, isAllowed] of [
  ["https://photos.example", true],
  ["http://localhost:8101", true],
  ["http://127.0.0.1:8101", true],
  ["http://[::1]:1", true],
  ["http://calotype.localhost:2839", true],
  ["http://photos.example", false],
  ["http://127.0.0.1.evil.example", false],
  ["null", false],
  ["file://", false],
  ["", false],
]) {
  test(`a page of "${origin}" ${isAllowed ? "may" : "may not"} open the picker`, () => assert.equal(mayOpen(origin, library), isAllowed));
}

test("a choice over the limit is refused, and nothing is taken back (R-07)", () => {
  const picking = new Picking([], 2).toggle("a").toggle("b").toggle("c");
  assert.deepEqual([picking.ids, picking.isRefused, picking.isFull], [["a", "b"], true, true]);
});

test("taking one away renumbers the others (R-08)", () => {
  const picking = new Picking(["a", "b", "c"], 0).toggle("a");
  assert.deepEqual([picking.numberOf("b"), picking.numberOf("c"), picking.numberOf("a")], [1, 2, 0]);
});

test("more preselected than allowed are kept until few enough are left (R-11)", () => {
  const picking = new Picking(["a", "b", "c", "d"], 3);
  assert.deepEqual([picking.isOver, picking.toggle("d").isOver], [true, false]);
});

test("a range takes as many as fit", () => {
  const picking = new Picking(["a"], 3).adding(["a", "b", "c", "d"]);
  assert.deepEqual([picking.ids, picking.isRefused], [["a", "b", "c"], true]);
});

test("two selections are the same if their assets and the order are", () => {
  const picking = new Picking(["a", "b"], 0);
  assert.equal(picking.isSame(new Picking(["a", "b"], 3)), true);
  assert.equal(picking.isSame(new Picking(["b", "a"], 0)), false);
  assert.equal(picking.isSame(picking.toggle("c")), false);
});

test("an asset is moved behind another one, or to the beginning (R-21)", () => {
  const picking = new Picking(["a", "b", "c"], 0);
  assert.deepEqual(picking.moving("a", "b").ids, ["b", "a", "c"]);
  assert.deepEqual(picking.moving("c", null).ids, ["c", "a", "b"]);
  assert.deepEqual(picking.moving("x", "a").ids, ["a", "b", "c"]);
  assert.deepEqual(picking.moving("a", "x").ids, ["a", "b", "c"]);
});

test("R-25: a search for a place keeps to the filter of the page", () => {
  assert.deepEqual(filterOfBoth({ where: "mediaType == 1" }, { where: "latitude > 2 OR FALSEPREDICATE", q: "dog" }),
    { where: "(mediaType == 1) AND (latitude > 2 OR FALSEPREDICATE)", q: "dog" });
  assert.deepEqual(filterOfBoth({ where: "mediaType == 1" }, { q: "dog" }), { where: "mediaType == 1", q: "dog" });
  assert.deepEqual(filterOfBoth({}, { where: "latitude > 2" }), { where: "latitude > 2" });
  assert.deepEqual(filterOfBoth({}, {}), {});
});
