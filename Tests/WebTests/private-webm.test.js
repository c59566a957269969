import assert from "node:assert/strict";
import { test } from "node:test";
import { privateWebM } from "../../Web/models/private-webm.js";

const text = (words) => [...words].map((letter) => letter.charCodeAt(0));
const element = (id, ...content) => {
  const bytes = content.flat();
  return [...id, 0x40 | (bytes.length >> 8), bytes.length & 255, ...bytes];
};
const ids = {
  header: [0x1a, 0x45, 0xdf, 0xa3], segment: [0x18, 0x53, 0x80, 0x67], information: [0x15, 0x49, 0xa9, 0x66], title: [0x7b, 0xa9],
  tags: [0x12, 0x54, 0xc3, 0x67], attachments: [0x19, 0x41, 0xa4, 0x69], cluster: [0x1f, 0x43, 0xb6, 0x75], block: [0xa3],
};
const header = element(ids.header, text("webm"));
const place = text("+52.5200+013.4050/");
const webM = (...parts) => new Uint8Array([...header, ...element(ids.segment, ...parts)]);
const copyOf = async (bytes) => {
  const copy = await privateWebM(new Blob([new Uint8Array(bytes)]));
  return copy && new Uint8Array(await copy.arrayBuffer());
};
const count = (bytes, part) => Buffer.from(bytes).toString("latin1").split(String.fromCharCode(...part)).length - 1;

test("T-13: a WebM's tags, attachments and title become elements that players skip, of the same size", async () => {
  const information = element(ids.information, element(ids.title, text("Home")), element([0x44, 0x89], [1]));
  const samples = element(ids.cluster, element(ids.block, place));
  const movie = webM(information, element(ids.tags, place), samples, element(ids.attachments, place));
  const copy = await copyOf(movie);
  assert.equal(copy.length, movie.length);
  // Samples are not texts.
  assert.deepEqual([count(copy, place), count(copy, text("Home")), count(copy, [0x44, 0x89, 0x40, 1, 1])], [1, 0, 1]);
  assert.deepEqual([count(copy, ids.tags), count(copy, ids.attachments), count(copy, ids.title)], [0, 0, 0]);
  assert.deepEqual(await copyOf(copy), copy);
});

test("a recording of a browser, whose segment and clusters have no size, loses its tags too", async () => {
  const open = [1, 255, 255, 255, 255, 255, 255, 255];
  const movie = [...header, ...ids.segment, ...open, ...ids.cluster, ...open, ...element(ids.block, [1, 2]),
    ...ids.cluster, 255, ...element(ids.block, [3]), ...element(ids.tags, place)];
  const copy = await copyOf(movie);
  assert.deepEqual([copy.length, count(copy, place), count(copy, ids.cluster)], [movie.length, 0, 2]);
});

test("an empty title and a long one keep their sizes", async () => {
  for (const title of [[], Array(6).fill(66), Array(300).fill(66)]) {
    const movie = webM(element(ids.information, [...ids.title, ...(title.length > 6 ? [0x41, 0x2c] : [0x80 | title.length]), ...title]), element([0xec], [7, 7]));
    const copy = await copyOf(movie);
    assert.deepEqual([copy.length, count(copy, [66]), [...copy.slice(-5)]], [movie.length, 0, [0xec, 0x40, 2, 7, 7]]);
  }
});

for (const [what, bytes] of [
  ["no WebM", text("GIF89a")],
  ["a WebM without a segment", header],
  ["a WebM whose tags are larger than its file", [...header, ...ids.segment, 255, ...ids.tags, 0x44, 0]],
  ["a WebM with tags without a size", [...header, ...ids.segment, 255, ...ids.tags, 255, 1]],
  ["a WebM that is cut in a header", [...header, ...ids.segment, 255, 0x12, 0x54]],
  ["nothing", []],
]) {
  test(`there is no copy of ${what}`, async () => assert.equal(await copyOf(bytes), null));
}
