import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf, mediaTypeOf, nameOf } from "../../Web/models/handed-form.js";

const photo = { mediaType: "image", pixelWidth: 400, pixelHeight: 300, duration: 0 };
const movie = { mediaType: "video", pixelWidth: 400, pixelHeight: 300, duration: 20 };
const long = { ...movie, duration: 31 };
const wish = (representation, more = {}) => ({ representation, includesLocation: false, includesCaptions: false, maxPixelSize: null, ...more });
const [jpeg, heic, png, gif, raw] = ["public.jpeg", "public.heic", "public.png", "com.compuserve.gif", "com.adobe.raw-image"];
const [quickTime, mp4, webM] = ["com.apple.quicktime-movie", "public.mpeg-4", "org.webmproject.webm"];
const [avi, matroska, threeGP] = ["public.avi", "org.matroska.mkv", "public.3gpp"];
const everything = { includesLocation: true, includesCaptions: true };

for (const [what, cell, kind, type, wishes, form] of [
  ["current HEIC", photo, "main", heic, wish("current"), heic],
  ["compatible HEIC", photo, "main", heic, wish("compatible"), jpeg],
  ["automatic HEIC", photo, "main", heic, wish("automatic"), jpeg],
  ["compatible GIF", photo, "main", gif, wish("compatible"), gif],
  ["compatible PNG", photo, "main", png, wish("compatible"), png],
  ["a PNG that is larger than wanted", photo, "main", png, wish("current", { maxPixelSize: 200 }), png],
  ["a HEIC that is larger than wanted", photo, "main", heic, wish("current", { maxPixelSize: 200 }), jpeg],
  ["a HEIC that is not larger than wanted", photo, "main", heic, wish("current", { maxPixelSize: 400 }), heic],
  ["RAW, whose place can't be removed", photo, "main", raw, wish("current"), jpeg],
  ["RAW with everything in it", photo, "main", raw, wish("current", everything), raw],
  ["current movie", movie, "main", quickTime, wish("current"), quickTime],
  ["compatible movie", long, "main", quickTime, wish("compatible"), mp4],
  ["automatic movie of 20 s", movie, "main", quickTime, wish("automatic"), mp4],
  ["automatic movie of 31 s", long, "main", quickTime, wish("automatic"), quickTime],
  ["the movie of a Live Photo", photo, "pairedVideo", quickTime, wish("automatic"), mp4],
  ["an AVI, whose place can't be removed", long, "main", avi, wish("current"), mp4],
  ["a Matroska movie, whose place can't be removed", long, "main", matroska, wish("automatic"), mp4],
  ["an AVI with everything in it", long, "main", avi, wish("current", everything), avi],
  ["an AVI with its captions only", long, "main", avi, wish("current", { includesCaptions: true }), mp4],
  ["a 3GP", long, "main", threeGP, wish("current"), threeGP],
  ["a WebM", long, "main", webM, wish("current"), webM],
  ["a compatible WebM, which the server does not convert", long, "main", webM, wish("compatible"), webM],
]) {
  test(`R-14: ${what} is handed over as ${form}`, () => assert.equal(formOf(cell, kind, { uniformTypeIdentifier: type }, wishes), form));
}

for (const [original, type, name] of [
  ["IMG_1.HEIC", heic, "IMG_1.HEIC"],
  ["IMG_1.HEIC", jpeg, "IMG_1.jpg"],
  ["a/b<c>.jpeg", jpeg, "a_b_c_.jpeg"],
  ["IMG_1.MOV", mp4, "IMG_1.mp4"],
  [null, png, "photo.png"],
]) {
  test(`${original} as ${type} is named ${name}`, () => assert.equal(nameOf({ originalFilename: original }, type), name));
}

for (const [type, mediaType] of [
  ["com.apple.m4v-video", "video/x-m4v"],
  ["public.3gpp", "video/3gpp"],
  ["public.3gpp2", "video/3gpp2"],
  [webM, "video/webm"],
  [matroska, "video/x-matroska"],
  [avi, "video/x-msvideo"],
  ["public.mpeg-2-transport-stream", "video/mp2t"],
  ["public.avchd-mpeg-2-transport-stream", "video/mp2t"],
  ["com.microsoft.bmp", "image/bmp"],
  ["public.jpeg-xl", "image/jxl"],
  ["com.nikon.raw-image", "image/x-raw"],
  ["com.example.unknown", "application/octet-stream"],
]) {
  test(`a file of ${type} is handed over as ${mediaType}`, () => assert.equal(mediaTypeOf(type), mediaType));
}

test("a file that is copied as it is keeps its name", () =>
  assert.deepEqual([nameOf({ originalFilename: "MOVIE.VOB" }, "public.mpeg"), nameOf({ originalFilename: "a.dng" }, raw)], ["MOVIE.VOB", "a.dng"]));
