const headerSize = 54;

/**
 * Returns the address of a small BMP for a placeholder, which is base64 of a width byte, a height
 * byte and RGB. Every browser draws BMP and enlarges it smoothly. Returns null for an invalid
 * placeholder.
 *
 * @param {string | null} placeholder
 * @returns {string | null}
 */
export function placeholderURL(placeholder) {
  if (!placeholder) return null;
  let bytes;
  try {
    bytes = Uint8Array.from(atob(placeholder), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
  const [width, height] = bytes;
  if (!(width >= 1 && width <= 6 && height >= 1 && height <= 6)) return null;
  if (bytes.length !== 2 + width * height * 3) return null;
  return `data:image/bmp;base64,${btoa(String.fromCharCode(...bitmap(width, height, bytes.subarray(2))))}`;
}

/**
 * Returns a 24-bit BMP file.
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} rgb from the top left
 * @returns {Uint8Array}
 */
export function bitmap(width, height, rgb) {
  const rowSize = Math.ceil((width * 3) / 4) * 4;
  const file = new Uint8Array(headerSize + rowSize * height);
  const view = new DataView(file.buffer);
  file.set([0x42, 0x4d]);
  view.setUint32(2, file.length, true);
  view.setUint32(10, headerSize, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  view.setUint32(34, rowSize * height, true);
  for (let y = 0; y < height; y++) {
    const row = headerSize + (height - 1 - y) * rowSize;
    for (let x = 0; x < width; x++) {
      const [from, to] = [(y * width + x) * 3, row + x * 3];
      for (let color = 0; color < 3; color++) file[to + color] = rgb[from + 2 - color];
    }
  }
  return file;
}
