/** Copies of WebM movies without places and texts. */

const [header, segment, cluster, information] = [0x1a45dfa3, 0x18538067, 0x1f43b675, 0x1549a966];
/** Tags, attachments such as a cover, and the title. */
const descriptive = new Set([0x1254c367, 0x1941a469, 0x7ba9]);
/** The elements whose content is looked at. A cluster without a size ends at the next element. */
const containers = new Set([segment, information]);
const largestHeader = 12;

/**
 * Returns a WebM in whose descriptions there are elements that players skip. All else keeps its
 * bytes, and offsets stay valid. Only headers are read. Returns null if the bytes are no WebM.
 * @param {Blob} movie
 * @returns {Promise<Blob | null>}
 */
export async function privateWebM(movie) {
  const parts = [];
  let [at, copied, hasSegment] = [0, 0, false];
  while (at < movie.size) {
    const element = elementOf(new Uint8Array(await movie.slice(at, at + largestHeader).arrayBuffer()));
    if (!element || (at === 0 && element.id !== header)) return null;
    const { id, length, size } = element;
    const isOpen = size === null;
    if (isOpen && id !== segment && id !== cluster) return null;
    if (!isOpen && at + length + size > movie.size) return null;
    hasSegment ||= id === segment;
    if (descriptive.has(id)) {
      parts.push(movie.slice(copied, at), ...voidElement(length + size));
      copied = at + length + size;
    }
    at += length + (isOpen || containers.has(id) ? 0 : size);
  }
  return hasSegment ? new Blob([...parts, movie.slice(copied)]) : null;
}

/**
 * Reads the header of an element.
 * @returns {{id: number, length: number, size: number | null} | null} the header's length, and the
 *   content's size, which is null if it is not known
 */
function elementOf(bytes) {
  const idLength = Math.clz32(bytes[0]) - 23;
  const sizeLength = Math.clz32(bytes[idLength]) - 23;
  if (!(idLength <= 4) || !(sizeLength <= 8) || idLength + sizeLength > bytes.length) return null;
  const number = (first, count, start) => bytes.subarray(first, first + count).reduce((value, byte) => value * 256 + byte, start);
  const mask = 0xff >> sizeLength;
  const size = number(idLength + 1, sizeLength - 1, bytes[idLength] & mask);
  return { id: number(0, idLength, 0), length: idLength + sizeLength, size: size === 2 ** (7 * sizeLength) - 1 ? null : size };
}

/** Returns the parts of an element of a size that players skip, with zeros for its content. */
function voidElement(size) {
  const sizeLength = size < 9 ? 1 : 8;
  const start = new Uint8Array(1 + sizeLength);
  let left = size - start.length;
  for (let at = sizeLength, value = left; at > 0; at--, value = Math.floor(value / 256)) start[at] = value % 256;
  start[0] = 0xec;
  start[1] |= 0x80 >> (sizeLength - 1);
  const parts = [start];
  const zeros = new Uint8Array(Math.min(left, 1 << 16));
  for (; left > 0; left -= zeros.length) parts.push(zeros.subarray(0, left));
  return parts;
}
