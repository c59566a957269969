/**
 * Copies of PNGs, GIFs and WebPs without places and texts. Their frames and pixels keep their
 * bytes.
 */

import { ascii, startsWith, viewOf } from "./bytes.js";
import { clearEXIF } from "./exif.js";

const pngTexts = new Set(["tEXt", "zTXt", "iTXt"]);

/**
 * Returns the parts of a PNG. Its texts, among them XMP, are left out in any case. Returns null if
 * the bytes are no whole PNG.
 * @param {Uint8Array} png
 * @param {import("./exif.js").Kept} [kept]
 */
export function privatePNG(png, kept) {
  if (!startsWith(png, 1, "PNG\r\n")) return null;
  const parts = [png.subarray(0, 8)];
  for (const { type, chunk } of pngChunks(png)) {
    if (type === "eXIf") {
      const copy = chunk.slice();
      if (!clearEXIF(copy.subarray(8, -4), kept)) continue;
      viewOf(copy).setUint32(copy.length - 4, crc32(copy.subarray(4, -4)));
      parts.push(copy);
    } else if (!pngTexts.has(type)) parts.push(chunk);
    if (type === "IEND") return parts;
  }
  return null;
}

function* pngChunks(png) {
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 12 + viewOf(png).getUint32(at);
    if (end > png.length) return;
    yield { type: ascii(png, at + 4, 4), chunk: png.subarray(at, end) };
    at = end;
  }
}

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const gif = { extension: 0x21, image: 0x2c, end: 0x3b, comment: 0xfe, application: 0xff };
/** Extensions that say how often a GIF plays, and its color profile. */
const gifKept = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);

/**
 * Returns the parts of a GIF, without comments and XMP. Returns null if the bytes are no whole GIF.
 * @param {Uint8Array} bytes
 */
export function privateGIF(bytes) {
  if (!startsWith(bytes, 0, "GIF8")) return null;
  let at = 13 + tableOf(bytes[10]);
  const parts = [bytes.subarray(0, at)];
  while (at < bytes.length) {
    const [kind, label] = bytes.subarray(at, at + 2);
    if (kind === gif.end) return [...parts, bytes.subarray(at, at + 1)];
    if (kind !== gif.extension && kind !== gif.image) return null;
    const data = kind === gif.extension ? at + 2 : at + 11 + tableOf(bytes[at + 9]);
    const end = endOfBlocks(data);
    if (end === null) return null;
    const isDropped = kind === gif.extension && (label === gif.comment || (label === gif.application && !gifKept.has(ascii(bytes, at + 3, 11))));
    if (!isDropped) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return null;

  function endOfBlocks(start) {
    for (let block = start; block < bytes.length; block += bytes[block] + 1) if (bytes[block] === 0) return block + 1;
    return null;
  }
}

/** The bytes of a table of colors, as its flags say. */
const tableOf = (flags) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

const xmpFlag = 0x04;

/**
 * Returns the parts of a WebP, without XMP. Returns null if the bytes are no whole WebP.
 * @param {Uint8Array} bytes
 * @param {import("./exif.js").Kept} [kept]
 */
export function privateWebP(bytes, kept) {
  if (!startsWith(bytes, 0, "RIFF") || !startsWith(bytes, 8, "WEBP")) return null;
  const end = 8 + viewOf(bytes).getUint32(4, true);
  if (end > bytes.length) return null;
  const parts = [];
  for (let at = 12; at < end; ) {
    if (at + 8 > end) return null;
    const size = viewOf(bytes).getUint32(at + 4, true);
    const next = at + 8 + size + (size % 2);
    if (next > end) return null;
    const type = ascii(bytes, at, 4);
    const chunk = bytes.slice(at, next);
    if (type === "VP8X") chunk[8] &= ~xmpFlag;
    const tiff = chunk.subarray(startsWith(chunk, 8, "Exif\0\0") ? 14 : 8);
    if (type !== "XMP " && (type !== "EXIF" || clearEXIF(tiff, kept))) parts.push(chunk);
    at = next;
  }
  const header = bytes.slice(0, 12);
  viewOf(header).setUint32(4, 4 + parts.reduce((sum, { length }) => sum + length, 0), true);
  return [header, ...parts];
}

/** Returns the EXIF of a PNG, or null. @param {Uint8Array} png */
export function exifOfPNG(png) {
  for (const { type, chunk } of pngChunks(png)) if (type === "eXIf") return chunk.slice(8, -4);
  return null;
}
