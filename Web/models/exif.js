/** EXIF blocks: places, texts and a date in the form of a TIFF file. */

import { ascii } from "./bytes.js";

const gpsPointer = 0x8825;
const exifPointer = 0x8769;
const orientation = 0x0112;
/** ImageDescription, XPTitle, XPComment, XPAuthor, XPKeywords, XPSubject, and UserComment. */
const textTags = new Set([0x010e, 0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f, 0x9286]);
/** XMP and IPTC, which may repeat the place and the texts. */
const packetTags = new Set([0x02bc, 0x83bb]);
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

/** @typedef {{keepsPlace?: boolean, keepsTexts?: boolean}} Kept */

/**
 * Clears the place and the texts of a block, unless they are kept, and its XMP and IPTC. Returns
 * false if it can't be read.
 * @param {Uint8Array} tiff
 * @param {Kept & {isUpright?: boolean}} [options] isUpright: its picture was drawn upright
 */
export function clearEXIF(tiff, { keepsPlace = false, keepsTexts = false, isUpright = false } = {}) {
  const order = ascii(tiff, 0, 2);
  if (order !== "II" && order !== "MM") return false;
  const isLittle = order === "II";
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const directories = [];
  try {
    visit(view.getUint32(4, isLittle), false);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
  return true;

  function visit(offset, isPlace) {
    if (offset === 0 || directories.includes(offset) || directories.length > 16) return;
    directories.push(offset);
    const count = view.getUint16(offset, isLittle);
    for (let entry = offset + 2; entry < offset + 2 + count * 12; entry += 12) {
      const tag = view.getUint16(entry, isLittle);
      if (tag === orientation && isUpright) view.setUint16(entry + 8, 1, isLittle);
      if (tag === exifPointer) visit(view.getUint32(entry + 8, isLittle), isPlace);
      if (tag === gpsPointer && keepsPlace) continue;
      if (tag === gpsPointer) visit(view.getUint32(entry + 8, isLittle), true);
      if (isPlace || tag === gpsPointer || packetTags.has(tag) || (!keepsTexts && textTags.has(tag))) clear(entry, tag === gpsPointer);
    }
    const next = view.getUint32(offset + 2 + count * 12, isLittle);
    if (!isPlace) visit(next, false);
  }

  /** Clears a value. A pointer to a directory becomes an entry without one. */
  function clear(entry, isPointer) {
    const bytes = (sizes[view.getUint16(entry + 2, isLittle)] ?? 1) * view.getUint32(entry + 4, isLittle);
    if (bytes > 4) {
      const at = view.getUint32(entry + 8, isLittle);
      if (at + bytes > tiff.length) throw new RangeError("a value outside of the block");
      tiff.fill(0, at, at + bytes);
    } else tiff.fill(0, entry + 8, entry + 12);
    // The tag of padding. A count of one byte has no value elsewhere.
    if (isPointer || bytes > 4) {
      view.setUint16(entry, 0xea1c, isLittle);
      view.setUint16(entry + 2, 1, isLittle);
      view.setUint32(entry + 4, 1, isLittle);
      tiff.fill(0, entry + 8, entry + 12);
    }
  }
}
