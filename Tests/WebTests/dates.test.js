import assert from "node:assert/strict";
import { test } from "node:test";
import * as dates from "../../Web/helpers/dates.js";
import * as times from "../../Web/helpers/times.js";

const now = new Date(2026, 10, 21, 0, 30);
/** Removes commas, in which versions of the locale data differ. */
const plain = (text) => text.replaceAll(",", "");
const heading = (day, locale = "en-GB", isShort = false) => plain(dates.dayHeading(day, now, { locale, isShort }));

test("today and yesterday are called so, in the reader's language", () => {
  assert.equal(heading("2026-11-21"), "Today");
  assert.equal(heading("2026-11-20"), "Yesterday");
  assert.equal(heading("2026-11-20", "de"), "Gestern");
  assert.equal(heading("2026-11-22"), "Sunday 22 November", "a clock that is ahead");
});

test("a day of this year has no year, another has", () => {
  assert.equal(heading("2026-03-04"), "Wednesday 4 March");
  assert.equal(heading("2019-03-04"), "Monday 4 March 2019");
  assert.equal(heading("2019-03-04", "en-US"), "Monday March 4 2019");
  assert.equal(heading("2019-03-04", "fr"), "Lundi 4 mars 2019");
});

test("short headings fit a cell", () => {
  assert.equal(heading("2026-03-04", "en-GB", true), "Wed 4 Mar");
  assert.equal(heading("2019-03-04", "en-GB", true), "4 Mar 2019");
});

test("narrow headings have the day and the month, or one of them", () => {
  const narrow = (day, isFirstOfMonth, locale = "en-GB") => dates.narrowHeadings(day, { locale, isFirstOfMonth });
  assert.deepEqual(narrow("2019-03-04", true), ["4 Mar", "Mar"]);
  assert.deepEqual(narrow("2019-03-04", false), ["4 Mar", "4"]);
  assert.deepEqual(narrow("2019-03-04", true, "en-US"), ["Mar 4", "Mar"]);
  assert.deepEqual(narrow(null, true), ["No date"]);
});

test("a text that is no day has no date", () => {
  assert.equal(heading(null), "No date");
  assert.equal(heading("nonsense"), "No date");
  assert.equal(times.monthAndYear(null), "No date");
});

test("times are those of the place, whatever the reader's zone", () => {
  const iso = "2019-03-04T23:20:11.250-06:00";
  assert.equal(dates.dateAndTime(iso, "en-GB"), "4 March 2019 at 23:20");
  assert.equal(plain(times.fullDate(iso, "en-GB")), "Monday 4 March 2019");
  assert.equal(times.weekdayAndTime(iso, "en-GB"), "Monday 23:20");
  assert.equal(times.timeOfDay(iso, "en-GB"), "23:20:11");
  assert.equal(times.monthAndYear("2019-03-04", "en-GB"), "March 2019");
});

test("a date is shown without the parts that are not known", () => {
  const known = (precision) => plain(dates.knownDate("1985-06-01T12:00:00.000+02:00", precision, "en-GB"));
  assert.deepEqual(["year", "month", "day", "time", null].map(known), ["1985", "June 1985", "1 June 1985", "1 June 1985", "1 June 1985"]);
  assert.equal(dates.knownDate(null, "year"), "No date");
});

test("an hour and its minute are whole, whether the clock has 12 or 24 hours", () => {
  const iso = "2019-03-04T06:58:11-06:00";
  assert.equal(times.hourAndMinute(iso, "en-GB"), "06:58");
  assert.equal(times.hourAndMinute(iso, "de"), "06:58");
  // The space before the letters differs between versions of the locale data.
  assert.equal(times.hourAndMinute(iso, "en-US").replace(/\s/u, " "), "6:58 AM");
  assert.equal(times.hourAndMinute("2019-03-04"), "");
});

test("offsets have names", () => {
  assert.equal(times.offsetName("2019-03-04T17:20:11-06:00"), "UTC−06:00");
  assert.equal(times.offsetName("2019-03-04T17:20:11+05:45"), "UTC+05:45");
  assert.equal(times.offsetName("2019-03-04T17:20:11Z"), "UTC");
  assert.equal(times.offsetName("2019-03-04T17:20:11+00:00"), "UTC");
  assert.equal(times.offsetName(null), "");
});
