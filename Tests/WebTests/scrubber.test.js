import assert from "node:assert/strict";
import { test } from "node:test";
import { DayLayout } from "../../Web/models/day-layout.js";
import { ScrubberScale } from "../../Web/models/scrubber-scale.js";

const metrics = { width: 398, columns: 4, gutter: 2, headingHeight: 40, bandGap: 10, topInset: 0, bottomInset: 0 };
const windowHeight = 500;
const days = [];
for (const year of [2026, 2025, 2024, 2019]) {
  for (const month of ["12", "06", "01"]) days.push([`${year}-${month}-20`, 10], [`${year}-${month}-03`, 10]);
}
const layout = new DayLayout(days, metrics); // 24 bands of 350 pixels
const scale = new ScrubberScale(layout, windowHeight);

test("the whole track is the whole library", () => {
  assert.equal(scale.yAt(0), 0);
  assert.equal(scale.yAt(1), layout.height - windowHeight);
  assert.equal(scale.yAt(7), layout.height - windowHeight);
  for (const fraction of [0, 0.25, 0.9, 1]) assert.ok(Math.abs(scale.fractionOf(scale.yAt(fraction)) - fraction) < 1e-9);
});

test("a fraction tells the day at the top of the window, the end the last one", () => {
  assert.equal(scale.dayAt(0), 0);
  assert.equal(days[scale.dayAt(scale.fractionOf(350 * 6))][0], "2025-12-20");
  assert.equal(days[scale.dayAt(scale.fractionOf(350 * 6 - 51))][0], "2026-01-03");
  assert.equal(days[scale.dayAt(scale.fractionOf(350 * 6 - 49))][0], "2025-12-20", "the end of a day is below its heading");
  assert.equal(days[scale.dayAt(1)][0], "2019-01-03");
});

test("years are marked where they begin, those that would overlap are left out", () => {
  const marks = scale.yearMarks(800, 20);
  assert.deepEqual(marks.map(({ year }) => year), ["2026", "2025", "2024", "2019"]);
  assert.equal(scale.yAt(marks[1].fraction), 350 * 6);
  assert.deepEqual(scale.yearMarks(60, 20).map(({ year }) => year), ["2026", "2024"]);
});

test("steps go to the next and previous month and year", () => {
  const stepped = (day, step, unit) => days[scale.dayStepped(day, step, unit)][0];
  assert.equal(stepped(0, 1, "month"), "2026-06-20");
  assert.equal(stepped(1, 1, "year"), "2025-12-20");
  assert.equal(stepped(3, -1, "month"), "2026-06-20", "first to the beginning of the month");
  assert.equal(stepped(2, -1, "month"), "2026-12-20");
  assert.equal(stepped(8, -1, "year"), "2025-12-20");
  assert.equal(stepped(6, -1, "year"), "2026-12-20");
  assert.equal(stepped(23, 1, "year"), "2019-01-03", "there is no older year");
});

test("a library that fits its window has nowhere to go", () => {
  const short = new ScrubberScale(new DayLayout([["2026-11-20", 2]], metrics), windowHeight);
  assert.equal(short.yAt(1), 0);
  assert.equal(short.fractionOf(100), 0);
});

test("W-06 a typed year leads to where it begins, or to the next one that has days", () => {
  const dayOf = (year) => days[scale.dayOfYear(year)][0];
  assert.deepEqual(["2025", "2024", "2022", "2030", "1999"].map(dayOf), ["2025-12-20", "2024-12-20", "2019-12-20", "2026-12-20", "2019-01-03"]);
  const reversed = new ScrubberScale(new DayLayout([...days].reverse(), metrics), windowHeight);
  assert.equal(reversed.layout.days[reversed.dayOfYear("2025")][0], "2025-01-03");
});

test("W-02 a month has the assets of all its days", () => {
  assert.deepEqual(scale.assetsOfMonth(2), { first: 20, end: 40 });
  assert.deepEqual(scale.assetsOfMonth(3), { first: 20, end: 40 });
});

test("months are marked between the labels of years, and leave them and each other room", () => {
  const labels = scale.yearMarks(800, 20);
  const months = (track, gap, clearance) => scale.monthMarks(track, gap, { labels: scale.yearMarks(track, 20), clearance });
  const named = (fractions) => fractions.map((fraction) => days[scale.dayAt(fraction)][0].slice(0, 7));
  assert.deepEqual(named(months(800, 6, 12)), ["2026-06", "2026-01", "2025-06", "2025-01", "2024-06", "2024-01", "2019-06", "2019-01"]);
  for (const month of months(800, 6, 12)) assert.ok(labels.every(({ fraction }) => Math.abs(fraction - month) * 800 >= 12));
  assert.deepEqual(named(months(200, 20, 12)), ["2026-06", "2025-06", "2024-06", "2019-06"], "every other one has no room");
  assert.deepEqual(months(60, 6, 30), []);
});
