/**
 * Copies of pictures without place and texts. Everything else keeps its bytes: pixels are not
 * encoded again, and frames stay.
 */

import { startsWith } from "./bytes.js";
import { exifOfHEIF, privateHEIF } from "./private-heif.js";
import { exifOfJPEG, privateJPEG } from "./private-jpeg.js";
import { exifOfPNG, privateGIF, privatePNG, privateWebP } from "./private-picture.js";

const isJPEG = (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8;
const isPNG = (bytes) => startsWith(bytes, 1, "PNG\r\n");
const isHEIF = (bytes) => startsWith(bytes, 4, "ftyp");

/**
 * Returns the parts of a picture's copy, or null if the picture can't be read.
 *
 *     new Blob(privateCopy(bytes, { keepsTexts: true }))
 *
 * @param {Uint8Array} bytes
 * @param {import("./exif.js").Kept} [kept]
 * @returns {Uint8Array[] | null}
 */
export function privateCopy(bytes, kept) {
  if (isJPEG(bytes)) return privateJPEG(bytes, kept);
  if (isPNG(bytes)) return privatePNG(bytes, kept);
  return isHEIF(bytes) ? privateHEIF(bytes, kept) : (privateGIF(bytes) ?? privateWebP(bytes, kept));
}

/** Returns a copy of a picture's EXIF, or null if it has none. @param {Uint8Array} bytes */
export function exifOf(bytes) {
  if (isJPEG(bytes)) return exifOfJPEG(bytes);
  if (isPNG(bytes)) return exifOfPNG(bytes);
  return isHEIF(bytes) ? exifOfHEIF(bytes) : null;
}
