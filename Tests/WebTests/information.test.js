import assert from "node:assert/strict";
import { test } from "node:test";
import { dateOf, fieldsOf, keywordsIn, leadingDate, moveOf, placeIn, shared, sharedKeywords } from "../../Web/models/information.js";

test("equal values are shown and others are mixed", () => {
  assert.deepEqual(shared([{ title: "a" }, { title: "a" }], "title"), { value: "a", isMixed: false });
  assert.deepEqual(shared([{ title: "a" }, {}], "title"), { value: null, isMixed: true });
  assert.deepEqual(shared([{}, {}], "title"), { value: null, isMixed: false });
});

test("keywords say whether all assets have them", () => {
  const assets = [{ keywords: ["sea", "sun"] }, { keywords: ["sea"] }];
  assert.deepEqual(sharedKeywords(assets), [{ keyword: "sea", isShared: true }, { keyword: "sun", isShared: false }]);
});

test("commas separate keywords", () => {
  assert.deepEqual(keywordsIn("sea"), ["sea"]);
  assert.deepEqual(keywordsIn(" sea, two words,sea,, "), ["sea", "two words"]);
  assert.deepEqual(keywordsIn(" , "), []);
});

test("H-14 a date keeps its place's clock, and its fraction while the time stays", () => {
  const iso = "2019-03-04T17:20:11.250-06:00";
  assert.deepEqual(fieldsOf(iso), { local: "2019-03-04T17:20:11", offset: "-06:00" });
  assert.equal(dateOf("2019-03-04T17:20:11", "-05:00", iso), "2019-03-04T17:20:11.250-05:00");
  assert.equal(dateOf("2019-03-04T17:21", "-06:00", iso), "2019-03-04T17:21:00-06:00");
  assert.equal(dateOf("", "-06:00"), null);
  assert.deepEqual(fieldsOf(null), { local: "", offset: "+00:00" });
});

test("several dates move by as much as the first one", () => {
  const move = moveOf("2019-03-04T17:20:00.250-06:00", "2019-03-04T18:20:00-05:00");
  assert.deepEqual(move, { moveCreationDate: -0.25, timeZone: "-05:00" });
});

test("several dates follow the first exact one, or the first one if all are partial", () => {
  const [year, month] = [["1985-01-01T12:00:00+01:00", "year"], ["1985-06-01T12:00:00+02:00", "month"]];
  const [time, later] = [["2019-03-04T17:20:00Z", "time"], ["2020-03-04T17:20:00Z", "time"]];
  const leading = (...dates) => leadingDate(dates.map(([creationDate, datePrecision]) => ({ creationDate, datePrecision })));
  assert.equal(leading(year, month), year[0]);
  assert.equal(leading(month, year), month[0]);
  assert.equal(leading(year, time, later), time[0]);
  assert.equal(leading([null, "time"], month), month[0]);
  assert.equal(leading([null, "time"]), null);
  assert.equal(leading(), null);
});

test("several dates that move keep their time zones", () => {
  assert.deepEqual(moveOf("2019-03-04T17:20:00-06:00", "2019-03-04T18:20:00-06:00"), { moveCreationDate: 3_600 });
  assert.deepEqual(moveOf("2019-03-04T17:20:00Z", "2019-03-04T17:20:00+00:00"), { moveCreationDate: 0 });
});

test("if not all assets are compared, their values count as different", () => {
  const assets = [{ title: "a", keywords: ["sea"] }, { title: "a", keywords: ["sea"] }];
  assert.deepEqual(shared(assets, "title", 2), { value: "a", isMixed: false });
  assert.deepEqual(shared(assets, "title", 3), { value: null, isMixed: true });
  assert.deepEqual(sharedKeywords(assets, 3), [{ keyword: "sea", isShared: false }]);
});

const places = [
  ["59.91, 10.75", { latitude: 59.91, longitude: 10.75 }], ["-33.9 151.2", { latitude: -33.9, longitude: 151.2 }],
  ["", null], ["Oslo", undefined], ["91, 10", undefined], ["59.91", undefined],
];
for (const [text, expected] of places) test(`"${text}" as a place`, () => assert.deepEqual(placeIn(text), expected));
