/**
 * Copies of HEIC and AVIF pictures without places and texts. Offsets stay valid, and pixels keep
 * their bytes.
 */

import { ascii, startsWith, viewOf } from "./bytes.js";
import { clearEXIF } from "./exif.js";

const emptyXMP = new TextEncoder().encode('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
/** Boxes of a file that hold pictures, or nothing. Others may hold a movie or texts. */
const known = new Set(["ftyp", "meta", "mdat", "free", "skip", "wide", "idat"]);

/**
 * Returns the parts of a picture, without XMP. Returns null if the bytes are no whole picture, or
 * if its EXIF can't be read.
 * @param {Uint8Array} bytes
 * @param {import("./exif.js").Kept} [kept]
 */
export function privateHEIF(bytes, kept) {
  const copy = bytes.slice();
  try {
    const items = itemsOf(copy);
    if (!items) return null;
    for (const { type, data } of items) {
      if (type === "mime") data.fill(0x20).set(emptyXMP.subarray(0, data.length < emptyXMP.length ? 0 : undefined));
      else if (!clearEXIF(tiffIn(data), kept)) return null;
    }
    for (const { type, start, at } of boxesIn(copy, 0, copy.length)) {
      if (known.has(type)) continue;
      copy.set([0x66, 0x72, 0x65, 0x65], start + 4);
      copy.fill(0, at, boxEnd(copy, start));
    }
    return [copy];
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the EXIF of a picture, or null. @param {Uint8Array} bytes */
export function exifOfHEIF(bytes) {
  try {
    const exif = itemsOf(bytes)?.find(({ type }) => type === "Exif");
    return exif ? tiffIn(exif.data).slice() : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** An item with EXIF begins with the offset of its TIFF header. */
const tiffIn = (data) => data.subarray(4 + viewOf(data).getUint32(0));

function boxEnd(bytes, start) {
  const size = viewOf(bytes).getUint32(start);
  return size === 0 ? bytes.length : start + (size === 1 ? Number(viewOf(bytes).getBigUint64(start + 8)) : size);
}

/** Returns the boxes of a range: where each starts, where its content is, and where it ends. */
function boxesIn(bytes, first, last) {
  const boxes = [];
  for (let start = first; start + 8 <= last; start = boxes.at(-1).end) {
    const at = start + (viewOf(bytes).getUint32(start) === 1 ? 16 : 8);
    const end = boxEnd(bytes, start);
    if (end < at || end > last) throw new RangeError("a box outside of its container");
    boxes.push({ type: ascii(bytes, start + 4, 4), start, at, end });
  }
  return boxes;
}

/** Returns the items with EXIF and XMP, as parts of the bytes; null if the bytes are no picture. */
function itemsOf(bytes) {
  if (!startsWith(bytes, 4, "ftyp")) return null;
  const files = boxesIn(bytes, 0, bytes.length);
  const meta = files.find(({ type }) => type === "meta");
  // A sequence of pictures is a movie.
  if (!meta || files.some(({ type }) => type === "moov")) return null;
  const boxes = boxesIn(bytes, meta.at + 4, meta.end);
  const find = (type) => boxes.find((box) => box.type === type);
  const [names, places, idat] = [find("iinf"), find("iloc"), find("idat")];
  if (!names || !places) return null;
  const types = typesIn(bytes, names);
  return placesIn(bytes, places).filter(({ id }) => types.has(id)).map(({ id, method, extents }) => {
    if (method > 1 || (method === 1 && !idat) || extents.length !== 1) throw new RangeError("an item in pieces");
    const offset = extents[0].offset + (method === 1 ? idat.at : 0);
    const length = extents[0].length || bytes.length - offset;
    if (offset + length > bytes.length) throw new RangeError("an item outside of the file");
    return { type: types.get(id), data: bytes.subarray(offset, offset + length) };
  });
}

/** Returns the types of the items with EXIF and XMP by their numbers. */
function typesIn(bytes, { at, end }) {
  const types = new Map();
  const isShort = bytes[at] === 0;
  for (const entry of boxesIn(bytes, at + (isShort ? 6 : 8), end)) {
    if (entry.type !== "infe" || bytes[entry.at] < 2) continue;
    const isWide = bytes[entry.at] > 2;
    const view = viewOf(bytes);
    const id = isWide ? view.getUint32(entry.at + 4) : view.getUint16(entry.at + 4);
    const type = ascii(bytes, entry.at + (isWide ? 10 : 8), 4);
    if (type === "Exif" || type === "mime") types.set(id, type);
  }
  return types;
}

/** Returns where the items are. */
function placesIn(bytes, { at: start }) {
  const view = viewOf(bytes);
  const version = bytes[start];
  let at = start + 4;
  const [offsetSize, lengthSize] = [bytes[at] >> 4, bytes[at] & 15];
  if (offsetSize + lengthSize === 0) throw new RangeError("extents without a place");
  const [baseSize, indexSize] = [bytes[at + 1] >> 4, version > 0 ? bytes[at + 1] & 15 : 0];
  at += 2;
  const count = read(version < 2 ? 2 : 4);
  const places = [];
  for (let index = 0; index < count; index++) {
    const id = read(version < 2 ? 2 : 4);
    const method = version > 0 ? read(2) & 15 : 0;
    at += 2;
    const base = read(baseSize);
    const extents = [];
    for (let left = read(2); left > 0; left--) {
      at += indexSize;
      extents.push({ offset: base + read(offsetSize), length: read(lengthSize) });
    }
    places.push({ id, method, extents });
  }
  return places;

  function read(size) {
    at += size;
    if (size === 0) return 0;
    if (size === 8) return Number(view.getBigUint64(at - 8));
    return size === 4 ? view.getUint32(at - 4) : view.getUint16(at - 2);
  }
}
