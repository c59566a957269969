import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { clearEXIF } from "../../Web/models/exif.js";
import { exifOf, privateCopy } from "../../Web/models/private-copy.js";
import { jpegWithEXIF, privateJPEG } from "../../Web/models/private-jpeg.js";
import { privateMovie } from "../../Web/models/private-movie.js";

const text = (words) => [...words].map((letter) => letter.charCodeAt(0));
const segment = (marker, bytes) => [0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255, ...bytes];
const u16 = (value) => [value & 255, value >> 8];
const u32 = (value) => [...u16(value & 0xffff), ...u16(value >>> 16)];

/** A little-endian EXIF block: a description, a pointer to EXIF with a date, and a latitude. */
function exif() {
  const entry = (tag, type, count, value) => [...u16(tag), ...u16(type), ...u32(count), ...value];
  const [main, capture, place, values] = [8, 8 + 2 + 36 + 4, 8 + 42 + 2 + 12 + 4, 8 + 42 + 18 + 2 + 24 + 4];
  return [
    ...text("II"), 42, 0, ...u32(main),
    ...u16(3), ...entry(0x010e, 2, 6, u32(values)), ...entry(0x8769, 4, 1, u32(capture)), ...entry(0x8825, 4, 1, u32(place)), ...u32(0),
    ...u16(1), ...entry(0x9003, 2, 20, u32(values + 6)), ...u32(0),
    ...u16(2), ...entry(1, 2, 2, [...text("N"), 0, 0, 0]), ...entry(2, 5, 3, u32(values + 26)), ...u32(0),
    ...text("Home!\0"), ...text("2019:03:04 17:20:11\0"), ...Array(24).fill(59),
  ];
}

const scan = [0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9];
const profile = segment(0xe2, text("ICC_PROFILE"));
const jpeg = (...segments) => new Uint8Array([0xff, 0xd8, ...segments.flat(), ...scan]);
const joined = (parts) => [...parts].flatMap((part) => [...part]);
const contains = (bytes, part) => Buffer.from(bytes).includes(Buffer.from(part));

test("a JPEG's place and texts are cleared, and its date stays", () => {
  const copy = joined(privateJPEG(jpeg(segment(0xe1, [...text("Exif\0\0"), ...exif()]), profile)));
  assert.equal(contains(copy, Array(24).fill(59)), false);
  assert.equal(contains(copy, text("Home!")), false);
  assert.equal(contains(copy, text("2019:03:04 17:20:11")), true);
  assert.equal(contains(copy, u16(0x8825)), false);
});

test("XMP and IPTC in EXIF are cleared, whatever is kept", () => {
  const entry = (tag, type, count, at) => [...u16(tag), ...u16(type), ...u32(count), ...u32(at)];
  const block = [
    ...text("II"), 42, 0, ...u32(8), ...u16(2), ...entry(0x02bc, 1, 8, 38), ...entry(0x83bb, 4, 2, 46), ...u32(0),
    ...text("xmp:Oslo"), ...text("iptcOslo"),
  ];
  const copy = joined(privateJPEG(jpeg(segment(0xe1, [...text("Exif\0\0"), ...block]), profile), { keepsPlace: true, keepsTexts: true }));
  assert.equal(contains(copy, text("Oslo")), false);
  assert.equal(contains(copy, u16(0x02bc)), false);
});

test("texts are kept if they are wanted", () => {
  const copy = joined(privateJPEG(jpeg(segment(0xe1, [...text("Exif\0\0"), ...exif()])), { keepsTexts: true }));
  assert.equal(contains(copy, text("Home!")), true);
  assert.equal(contains(copy, Array(24).fill(59)), false);
});

test("the place is kept if it is wanted", () => {
  const copy = joined(privateJPEG(jpeg(segment(0xe1, [...text("Exif\0\0"), ...exif()])), { keepsPlace: true }));
  assert.equal(contains(copy, text("Home!")), false);
  assert.equal(contains(copy, Array(24).fill(59)), true);
});

/** EXIF whose first directory has one entry, the bytes of a packet. */
const exifWith = (tag, packet) => [...text("II"), 42, 0, ...u32(8), ...u16(1), ...u16(tag), ...u16(1), ...u32(packet.length), ...u32(26), ...u32(0), ...packet];

for (const [what, tag] of [["XMP", 0x02bc], ["IPTC", 0x83bb]]) {
  for (const kept of [{}, { keepsPlace: true }, { keepsTexts: true }]) {
    test(`T-13: ${what} in EXIF goes, whatever is kept: ${JSON.stringify(kept)}`, () => {
      const copy = joined(privateJPEG(jpeg(segment(0xe1, [...text("Exif\0\0"), ...exifWith(tag, text("52,31N Home"))])), kept));
      assert.equal(contains(copy, text("Home")), false);
      assert.equal(contains(copy, u16(tag)), false);
    });
  }
}

test("XMP, IPTC and comments go, and everything else keeps its bytes", () => {
  const xmp = segment(0xe1, text("http://ns.adobe.com/xap/1.0/\0<x/>"));
  const copy = joined(privateJPEG(jpeg(xmp, profile, segment(0xed, text("Photoshop 3.0\0")), segment(0xfe, text("hi")))));
  assert.deepEqual(copy, [...jpeg(profile)]);
});

test("bytes after the picture are removed, such as the movie of a motion photo", () => {
  const copy = joined(privateJPEG(new Uint8Array([...jpeg(profile), ...text("ftypmoov")])));
  assert.deepEqual(copy, [...jpeg(profile)]);
});

test("a table between two scans may contain the bytes of an end", () => {
  const scans = [0xff, 0xda, 0, 2, 1, 0xff, 0, 2, ...segment(0xc4, [0xff, 0xd9, 1]), 0xff, 0xda, 0, 2, 3, 0xff, 0xd0, 4, 0xff, 0xd9];
  const progressive = new Uint8Array([0xff, 0xd8, ...profile, ...scans]);
  assert.deepEqual(joined(privateJPEG(progressive)), [...progressive]);
});

for (const [what, bytes] of [
  ["no JPEG", text("GIF89a")],
  ["a cut one", [0xff, 0xd8, 0xff, 0xe0, 0, 200, 1]],
  ["EXIF of another order", [...jpeg(segment(0xe1, text("Exif\0\0XX*\0")))]],
  ["EXIF with a directory outside", [...jpeg(segment(0xe1, [...text("Exif\0\0II*\0"), ...u32(9_000)]))]],
]) {
  test(`there is no copy of ${what}`, () => assert.equal(privateJPEG(new Uint8Array(bytes)), null));
}

const box = (type, ...content) => {
  const bytes = content.flat();
  return [...big(bytes.length + 8), ...text(type), ...bytes];
};

const big = (value) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());

test("a movie's descriptions become boxes that players skip, of the same size", async () => {
  const place = text("+52.5200+013.4050/");
  const track = box("trak", box("tkhd", [1, 2]), box("udta", place));
  const movie = new Uint8Array([...box("ftyp", text("qt  ")), ...box("mdat", place), ...box("moov", box("mvhd", [0]), track, box("meta", place))]);
  const copy = await bytesOf(await privateMovie(new Blob([movie])));
  assert.equal(copy.length, movie.length);
  // Samples are not texts.
  assert.equal(Buffer.from(copy).toString("latin1").split("+52.5200").length, 2);
  assert.equal(contains(copy, text("free")), true);
  assert.deepEqual(await bytesOf(await privateMovie(new Blob([copy]))), copy);
});

/** The metadata of a QuickTime movie: texts by their keys. */
function quickTimeMetadata(values, handlerSize = 14) {
  const keys = Object.keys(values).flatMap((key) => box(`mdta`, text(`com.apple.quicktime.${key}`)));
  const texts = Object.values(values).flatMap((value, index) => [...big(value.length + 24), ...big(index + 1), ...box("data", big(1), big(0), text(value))]);
  const handler = box("hdlr", big(0), big(0), text("mdta"), Array(handlerSize).fill(0));
  return box("meta", handler, box("keys", big(0), big(Object.keys(values).length), keys), box("ilst", texts));
}

const movieWith = (...content) => new Uint8Array([...box("ftyp", text("qt  ")), ...box("moov", box("mvhd", [0]), ...content)]);
const pair = "4F6C2A61-0E7B-4E8D-9A53-0C6F5B9C7E11";

for (const [what, values, handlerSize] of [
  ["a place before it", { "location.ISO6709": "+52.5200+013.4050/", "content.identifier": pair }],
  ["a title behind it", { "content.identifier": pair, title: "Home", description: "Our house" }],
  ["nothing else", { "content.identifier": pair }, 13],
  ["less than a box to spare", { "content.identifier": pair }, 17],
]) {
  test(`the movie of a Live Photo with ${what} keeps its pairing identifier alone`, async () => {
    const movie = movieWith(quickTimeMetadata(values, handlerSize));
    const copy = await bytesOf(await privateMovie(new Blob([movie])));
    assert.equal(copy.length, movie.length);
    // The copy's own box can be read.
    const again = await bytesOf(await privateMovie(new Blob([copy])));
    assert.deepEqual(again, copy);
    for (const kept of ["meta", "mdta", "com.apple.quicktime.content.identifier", pair]) assert.equal(contains(copy, text(kept)), true, kept);
    for (const removed of ["52.52", "ISO6709", "title", "Home", "house"]) assert.equal(contains(copy, text(removed)), false, removed);
  });
}

for (const [what, metadata] of [
  ["a text in place of the identifier", quickTimeMetadata({ "content.identifier": "Our house, Karl Johans gate 22, Oslo" })],
  ["an identifier with a wrong character", quickTimeMetadata({ "content.identifier": pair }).toSpliced(-1, 1, 0x80)],
  ["boxes that are too large", box("meta", box("hdlr", big(0)), [0, 0, 1, 0], text("keys"), text(pair))],
]) {
  test(`metadata with ${what} becomes a box that players skip`, async () => {
    const movie = movieWith(metadata);
    const copy = await bytesOf(await privateMovie(new Blob([movie])));
    assert.equal(copy.length, movie.length);
    for (const removed of ["meta", "Oslo", pair.slice(0, 30)]) assert.equal(contains(copy, text(removed)), false, removed);
  });
}

test("a track of a camera's places becomes a box that players skip", async () => {
  const entry = (type) => box("trak", box("tkhd", [1]), box("mdia", box("mdhd", [2]), box("minf", box("stbl", box("stsd", [0, 0, 0, 0, 0, 0, 0, 1], box(type, [3]))))));
  const movie = new Uint8Array([...box("ftyp", text("qt  ")), ...box("moov", entry("avc1"), entry("gpmd"), entry("camm"))]);
  const copy = await bytesOf(await privateMovie(new Blob([movie])));
  assert.equal(copy.length, movie.length);
  assert.deepEqual(["avc1", "gpmd", "camm"].map((type) => contains(copy, text(type))), [true, false, false]);
});

/** A description of samples with values for one key. */
const timed = (key) => box("mebx", Array(8).fill(0), box("keys", box("\0\0\0\x01", box("keyd", text("mdta"), text(key)))));

/**
 * A movie with three places between its frames. They are the samples of the second track, in two
 * chunks.
 */
function movieWithPlaces(description, { isFragmented = false, isFar = false, others = [] } = {}) {
  const track = (...tables) => box("trak", box("mdia", box("minf", box("stbl", ...tables))));
  const table = (type, ...numbers) => box(type, ...numbers.map(big));
  const places = ["+48.8584+002.2945/", "+48.8585+002.2946+35/", "+48.8586+002.2947/"].map(text);
  const [beginning, frame, rest] = [box("ftyp", text("qt  ")), text("a frame"), text("another")];
  const first = beginning.length + 8 + frame.length;
  const second = first + places[0].length + places[1].length + rest.length;
  const described = (samples) => box("stsd", big(0), big(1), samples);
  const offsets = isFar ? table("co64", 0, 2, 0, first, 0, second) : table("stco", 0, 2, first, second);
  const timedTrack = track(
    described(description), table("stsc", 0, 2, 1, 2, 1, 2, 1, 1), table("stsz", 0, 0, 3, ...places.map(({ length }) => length)), offsets, others,
  );
  const index = box("moov", track(described(box("avc1", big(0)))), timedTrack, isFragmented ? box("mvex") : []);
  return new Uint8Array([...beginning, ...box("mdat", frame, places[0], places[1], rest, places[2]), ...index]);
}

const timedPlace = timed("com.apple.quicktime.location.ISO6709");

for (const [what, movie] of [
  ["timed metadata", movieWithPlaces(timedPlace)],
  ["timed metadata of a large movie", movieWithPlaces(timedPlace, { isFar: true })],
  ["a camera's track", movieWithPlaces(box("gpmd", big(0)))],
]) {
  test(`places in the samples of ${what} are removed, and the frames between them stay`, async () => {
    const copy = await bytesOf(await privateMovie(new Blob([movie])));
    assert.equal(copy.length, movie.length);
    assert.equal(contains(movie, text("+48.858")), true);
    for (const removed of ["+48.858", "location", "mebx", "gpmd"]) assert.equal(contains(copy, text(removed)), false, removed);
    const at = (bytes, words) => Buffer.from(bytes).indexOf(words);
    for (const kept of ["a frame", "another", "avc1"]) assert.equal(at(copy, kept), at(movie, kept));
  });
}

test("timed metadata without places and texts stays", async () => {
  const movie = movieWithPlaces(timed("com.apple.quicktime.still-image-time"));
  assert.deepEqual(await bytesOf(await privateMovie(new Blob([movie]))), movie);
});

for (const [what, parts] of [
  ["in fragments", [movieWithPlaces(timedPlace, { isFragmented: true })]],
  ["with a fragment behind it", [movieWithPlaces(timedPlace), new Uint8Array(box("moof"))]],
  ["with two lists of chunks", [movieWithPlaces(timedPlace, { others: box("stco", big(0), big(0)) })]],
]) {
  test(`there is no copy of a movie ${what} with places in its samples`, async () =>
    assert.equal(await privateMovie(new Blob(parts)), null));
}

test("a damaged movie gives no copy or one of the same size, and no error", async () => {
  const movie = movieWithPlaces(timedPlace);
  let state = 7;
  const random = (count) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % count;
  for (let round = 0; round < 300; round++) {
    const bytes = movie.slice();
    for (let change = 0; change < 4; change++) bytes[random(bytes.length)] = [0, 1, 127, 255, random(256)][random(5)];
    const copy = await privateMovie(new Blob([bytes]));
    assert.ok(copy === null || copy.size === bytes.length);
  }
});

/**
 * A blob of three gigabytes of which only the ends hold something. It counts the bytes that are
 * read.
 */
class LargeBlob extends Blob {
  read = 0;
  constructor(beginning, size, end) {
    super();
    Object.assign(this, { beginning, end });
    Object.defineProperty(this, "size", { value: size });
  }
  slice(start = 0, end = this.size) {
    const rest = this.size - this.end.length;
    if (end - start > 100) return new Blob();
    this.read += end - start;
    const part = start >= rest ? this.end.slice(start - rest, end - rest) : this.beginning.slice(start, end);
    return new Blob([new Uint8Array(part)]);
  }
}

test("T-20: only headers of a movie of three gigabytes are read", async () => {
  const size = 3 * 2 ** 30;
  const moov = box("moov", box("mvhd", [0]), box("udta", text("+52.5200+013.4050/")));
  const samples = size - moov.length - 8;
  const wide = [0, 0, 0, 1, ...text("mdat"), 0, 0, 0, 0, samples >>> 24, (samples >> 16) & 255, (samples >> 8) & 255, samples & 255];
  const movie = new LargeBlob([...box("ftyp"), ...wide], size, moov);
  assert.notEqual(await privateMovie(movie), null);
  assert.ok(movie.read < 200, `${movie.read} bytes were read`);
});

for (const [what, bytes] of [
  ["no movie", text("GIF89a")],
  ["a movie whose box is larger than its file", [...box("ftyp"), 0, 0, 1, 0, ...text("moov")]],
  ["a movie with a compressed index, which may have a place", box("moov", box("cmov", text("dcom")))],
  ["a movie with a box of 4 bytes", [...box("moov", [0, 0, 0, 4, ...text("udta")])]],
]) {
  test(`there is no copy of ${what}`, async () => assert.equal(await privateMovie(new Blob([new Uint8Array(bytes)])), null));
}

const chunk = (type, bytes) => [...big(bytes.length), ...text(type), ...bytes, ...big(crc32(new Uint8Array([...text(type), ...bytes])))];
const png = (...chunks) => new Uint8Array([0x89, ...text("PNG\r\n\x1a\n"), ...chunks.flat(), ...chunk("IDAT", [1, 2, 3]), ...chunk("IEND", [])]);

test("a PNG keeps its pixels and its transparency, and its texts and place go", () => {
  const transparent = chunk("tRNS", [0]);
  assert.deepEqual(joined(privateCopy(png(transparent, chunk("tEXt", text("Comment\0Home")), chunk("iTXt", text("XML:com.adobe.xmp"))))), [...png(transparent)]);
  const copy = joined(privateCopy(png(chunk("eXIf", exif()))));
  assert.equal(contains(copy, Array(24).fill(59)), false);
  assert.equal(contains(copy, text("2019:03:04 17:20:11")), true);
  const block = copy.slice(8 + 4, 8 + 8 + exif().length);
  assert.deepEqual(copy.slice(8 + 8 + exif().length, 8 + 12 + exif().length), big(crc32(new Uint8Array(block))));
});

const frame = [0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0];
const gif = (...blocks) => new Uint8Array([...text("GIF89a"), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, ...blocks.flat(), 0x3b]);
const repeats = [0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0];

test("a GIF keeps its frames, and its comments and XMP go", () => {
  const xmp = [0x21, 0xff, 11, ...text("XMP DataXMP"), 4, ...text("Home"), 0];
  const comment = [0x21, 0xfe, 4, ...text("Home"), 0];
  assert.deepEqual(joined(privateCopy(gif(repeats, comment, frame, xmp, frame))), [...gif(repeats, frame, frame)]);
});

const webp = (...chunks) => new Uint8Array([...text("RIFF"), ...u32(4 + chunks.flat().length), ...text("WEBP"), ...chunks.flat()]);
const riff = (type, bytes) => [...text(type), ...u32(bytes.length), ...bytes, ...(bytes.length % 2 ? [0] : [])];

test("a WebP keeps its frames, and its XMP and place go", () => {
  const copy = joined(privateCopy(webp(riff("VP8X", [0x0e, 0, 0, 0, 0, 0, 0, 0, 0, 0]), riff("ANMF", [1, 2, 3]), riff("EXIF", exif()), riff("XMP ", text("Home")))));
  assert.equal(contains(copy, Array(24).fill(59)), false);
  assert.deepEqual(copy.slice(0, 42), [...webp(riff("VP8X", [0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0]), riff("ANMF", [1, 2, 3]), riff("EXIF", exif()))].slice(0, 42));
  assert.equal(contains(copy, text("XMP ")), false);
});

/** A HEIC whose items 1 and 2 are EXIF and XMP, behind each other in `mdat`. */
function heic(block, xmp) {
  const entry = (id, ...rest) => box("infe", [2, 0, 0, 0, 0, id, 0, 0], ...rest);
  const names = box("iinf", [0, 0, 0, 0, 0, 2], entry(1, text("Exif\0")), entry(2, text("mime\0application/rdf+xml\0")));
  const item = [...big(0), ...block];
  const ftyp = box("ftyp", text("heic"));
  const metaWith = (offset) => box("meta", [0, 0, 0, 0], names, box("iloc", [0, 0, 0, 0, 0x44, 0, 0, 2, 0, 1, 0, 0, 0, 1, ...big(offset), ...big(item.length), 0, 2, 0, 0, 0, 1, ...big(offset + item.length), ...big(xmp.length)]));
  const offset = ftyp.length + metaWith(0).length + 8;
  return new Uint8Array([...ftyp, ...metaWith(offset), ...box("mdat", item, xmp, [9, 8, 7]), ...box("mpvd", text("Home"))]);
}

test("a HEIC keeps its pixels, its size and its date, and its texts and place go", () => {
  const picture = heic(exif(), text("<x:xmpmeta>Home</x:xmpmeta>"));
  const copy = joined(privateCopy(picture));
  assert.equal(copy.length, picture.length);
  assert.equal(contains(copy, Array(24).fill(59)), false);
  assert.equal(contains(copy, text("Home")), false);
  assert.equal(contains(copy, text("2019:03:04 17:20:11")), true);
  assert.equal(contains(copy, [9, 8, 7]), true);
  assert.equal(contains(copy, text("mpvd")), false);
});

for (const [what, bytes] of [
  ["a PNG without its end", [...png()].slice(0, -12)],
  ["a GIF without its end", [...gif(frame)].slice(0, -1)],
  ["a WebP with a chunk outside", [...webp([...text("EXIF"), ...u32(900)])]],
  ["a HEIC whose item is outside", [...heic(exif(), [])].slice(0, -80)],
  ["a HEIC that is a movie", [...heic(exif(), []), ...box("moov")]],
  ["nothing", []],
]) {
  test(`there is no private copy of ${what}`, () => assert.equal(privateCopy(new Uint8Array(bytes)), null));
}

test("the EXIF of a picture goes on to the JPEG that is drawn from it, and says that it is upright", () => {
  const turned = exif();
  turned.splice(10, 12, 0x12, 1, ...u16(3), ...u32(1), ...u32(6));
  for (const picture of [jpeg(segment(0xe1, [...text("Exif\0\0"), ...turned])), png(chunk("eXIf", turned)), heic(turned, [])]) {
    const block = exifOf(picture);
    assert.ok(clearEXIF(block, { keepsPlace: true, isUpright: true }));
    assert.deepEqual([...block.slice(18, 20)], u16(1));
    const copy = joined(jpegWithEXIF(jpeg(profile), block));
    assert.deepEqual(copy, [...jpeg(segment(0xe1, [...text("Exif\0\0"), ...block]), profile)]);
    assert.equal(contains(copy, Array(24).fill(59)), true);
  }
  assert.equal(exifOf(gif(frame)), null);
});
