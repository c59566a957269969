/** Bytes as text. */

/** @param {Uint8Array} bytes @param {number} at @param {number} length */
export const ascii = (bytes, at, length) => String.fromCharCode(...bytes.subarray(at, at + length));

/** @param {Uint8Array} bytes @param {number} at @param {string} text */
export const startsWith = (bytes, at, text) => ascii(bytes, at, text.length) === text;

/** @param {Uint8Array} bytes */
export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
