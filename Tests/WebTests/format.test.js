import assert from "node:assert/strict";
import { test } from "node:test";
import * as format from "../../Web/helpers/format.js";
import * as measures from "../../Web/helpers/measures.js";
import { bitmap, placeholderURL } from "../../Web/helpers/placeholder.js";
import { reasonOf } from "../../Web/helpers/reason.js";
import { sourceWords } from "../../Web/helpers/sources.js";

test("durations", () => {
  assert.deepEqual([0.3, 4.2, 63.5, 3723, 3599.6].map(format.duration), ["0:00", "0:04", "1:04", "1:02:03", "1:00:00"]);
});

test("file sizes", () => {
  const sizes = [12, 999, 1000, 999_600, 1_156_851, 24_000_000, 3_400_000_000].map((bytes) => measures.fileSize(bytes, "en"));
  assert.deepEqual(sizes, ["12 bytes", "999 bytes", "1 kB", "1 MB", "1.2 MB", "24 MB", "3.4 GB"]);
});

test("exposures, and what is known of a camera", () => {
  assert.deepEqual([1 / 120, 0.3, 0.5, 2, 2.5].map(measures.exposure), ["1/120 s", "1/3 s", "0.5 s", "2 s", "2.5 s"]);
  const camera = { exposureTime: 1 / 120, fNumber: 1.8, iso: 25, focalLength: 4 };
  assert.equal(measures.exposureLine(camera), "1/120 s · f/1.8 · ISO 25 · 4 mm");
  assert.equal(measures.exposureLine({ ...camera, exposureTime: null, iso: undefined }), "f/1.8 · 4 mm");
  assert.equal(measures.exposureLine({}), "");
});

test("places and pixels", () => {
  assert.equal(measures.coordinates(41.2245, -96.1211), "41.22450° N, 96.12110° W");
  assert.equal(measures.coordinates(-33.8, 151.2), "33.80000° S, 151.20000° E");
  assert.equal(measures.megapixels(4032, 3024), "12.2 MP");
  assert.equal(measures.megapixels(640, 480), "0.31 MP");
  assert.equal(measures.megapixels(48, 36), "");
});

test("the reason of a failed request is a sentence", () => {
  assert.equal(reasonOf({ status: 403, message: "the link has expired" }), "The link has expired.");
  assert.equal(reasonOf({ status: 503, message: "Try again?" }), "Try again?");
  assert.equal(reasonOf({ status: 0, message: "/api: the server does not answer" }), "The server does not answer. Nothing was changed.");
  assert.equal(reasonOf({ status: 0, message: "" }, "No answer."), "No answer.");
});

test("a cell has a label for screen readers", () => {
  const cell = { mediaType: "image", mediaSubtypes: [], creationDate: "2019-03-04T17:20:11-06:00", isFavorite: true };
  assert.equal(format.spokenLabel(cell, { locale: "en-GB" }), "Photo, 4 March 2019 at 17:20, favorite");
  assert.equal(format.spokenLabel(cell, { locale: "en-GB", place: "Oslo" }), "Photo, 4 March 2019 at 17:20, Oslo, favorite");
  const video = { ...cell, mediaType: "video", duration: 63, isFavorite: false, unreadable: true };
  assert.equal(format.spokenLabel(video, { locale: "en-GB" }), "Video, 4 March 2019 at 17:20, 1:03, can’t be read");
  const deleted = { ...cell, isFavorite: false, daysLeft: 1 };
  assert.equal(format.spokenLabel(deleted, { locale: "en-GB" }), "Photo, 4 March 2019 at 17:20, 1 day left");
  const scan = { ...cell, isFavorite: false, creationDate: "1985-06-01T12:00:00+02:00", datePrecision: "month" };
  assert.equal(format.spokenLabel(scan, { locale: "en-GB" }), "Photo, June 1985");
  assert.equal(format.kindOf({ ...cell, mediaSubtypes: ["photoLive"] }), "Live Photo");
});

test("sources in words, unknown ones as they are", () => {
  assert.equal(sourceWords("original", "location"), "Date from the camera, zone guessed from the location");
  assert.equal(sourceWords("gps", null), "Date from GPS");
  assert.equal(sourceWords("name", "machine"), "Date from the file’s name, zone assumed from this computer");
  assert.equal(sourceWords("moon", undefined), "moon");
});

test("a bitmap's exact bytes: two pixels wide, two high, padded rows from the bottom", () => {
  const rgb = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  const expected =
    "424d46000000000000003600000028000000020000000200000001001800000000001000000000000000000000000000000000000000" +
    "0908070c0b0a0000" +
    "0302010605040000";
  assert.equal(Buffer.from(bitmap(2, 2, rgb)).toString("hex"), expected);
});

test("placeholders become addresses, and what is none becomes null", () => {
  const url = placeholderURL(Buffer.from([1, 1, 200, 100, 50]).toString("base64"));
  assert.equal(Buffer.from(url.split(",")[1], "base64").subarray(54).toString("hex"), "3264c800");
  assert.match(url, /^data:image\/bmp;base64,Qk0/);
  assert.equal(placeholderURL(null), null);
  assert.equal(placeholderURL("%%%"), null);
  assert.equal(placeholderURL(Buffer.from([1, 1, 200]).toString("base64")), null, "too short");
  assert.equal(placeholderURL(Buffer.from([7, 1, ...new Array(21).fill(0)]).toString("base64")), null, "too wide");
});
