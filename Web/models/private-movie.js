/** Copies of MP4 and QuickTime movies without places and texts. */

import { ascii, viewOf } from "./bytes.js";

const containers = new Set(["moov", "trak", "mdia", "minf", "stbl", "moof", "traf"]);
/** The boxes on the way to the samples of a track. */
const single = new Set(["mdia", "minf", "stbl", "stsd", "stsc", "stsz", "stco", "co64"]);
const descriptive = new Set(["udta", "meta", "uuid", "XMP_"]);
/** The types of samples with places and movements: of GoPro, Android's cameras, Sony and DJI. */
const sensors = new Set(["gpmd", "camm", "rtmd", "djmd"]);
/** The type of samples that contain values. The track's description declares their keys. */
const timedMetadata = "mebx";
const privateKey = /location|gps|©(xyz|nam|cmt|des|inf|key)|\.(title|displayname|description|comment|keywords|information|caption)/i;
/** The size in bytes of the largest table that is read. */
const largestTable = 1 << 26;
/** A camera writes less than one kilobyte. */
const largestMetadata = 1 << 20;
/** The largest number of changed ranges in a copy. The browser keeps each piece between them. */
const mostChanges = 20_000;
/** The key of the value that pairs the movie of a Live Photo with its picture. */
const pairingKey = "mdtacom.apple.quicktime.content.identifier";
const free = new Uint8Array([0x66, 0x72, 0x65, 0x65]);
const zeros = new Uint8Array(1 << 16);

/**
 * Returns a copy of a movie without its place and texts. Boxes that players skip replace them, and
 * zeros replace samples with places or texts. All else keeps its bytes, and offsets stay valid. The
 * movie of a Live Photo keeps the identifier that its picture has too.
 * Only headers and tables are read, so that a movie may be larger than the memory. Returns null if
 * the bytes are no movie, or if the private parts can't be found.
 * @param {Blob} movie
 * @returns {Promise<Blob | null>}
 */
export async function privateMovie(movie) {
  const reading = new Reading(movie);
  try {
    await reading.find(0, movie.size);
    return reading.hasMovie ? changed(movie, reading.changes) : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Finds the private bytes of a movie. Throws a `RangeError` if the movie is malformed. */
class Reading {
  /** The ranges to replace: with `bytes`, or with zeros if there are none. */
  changes = [];
  hasMovie = false;
  #movie;
  #isFragmented = false;
  #hasPrivateTrack = false;

  constructor(movie) {
    this.#movie = movie;
  }

  async find(start, end) {
    for await (const box of this.#boxes(start, end)) {
      if (box.type === "moov") this.hasMovie = true;
      if (box.type === "cmov") throw new RangeError("a compressed index may contain a place");
      if (["mvex", "moof"].includes(box.type)) this.#isFragmented = true;
      const isPrivateTrack = box.type === "trak" && (await this.#clearSamples(box));
      this.#hasPrivateTrack ||= isPrivateTrack;
      const pairing = box.type === "meta" ? await this.#pairing(box) : null;
      if (pairing) this.changes.push({ start: box.content, end: box.end, bytes: pairing });
      else if (isPrivateTrack || descriptive.has(box.type)) this.changes.push({ start: box.start + 4, end: box.start + 8, bytes: free }, { start: box.content, end: box.end });
      else if (containers.has(box.type)) await this.find(box.content, box.end);
    }
    // A track's tables do not list the samples in fragments, so they can't be cleared.
    if (this.#isFragmented && this.#hasPrivateTrack) throw new RangeError("samples in fragments");
  }

  async *#boxes(start, end) {
    for (let at = start; at + 8 <= end; ) {
      const bytes = await this.#read(at, Math.min(at + 16, end));
      let size = bytes.getUint32(0);
      let header = 8;
      if (size === 1) [size, header] = [Number(bytes.getBigUint64(8)), 16];
      else if (size === 0) size = end - at;
      if (size < header || at + size > end) throw new RangeError("a box is larger than the one around it");
      yield { type: ascii(new Uint8Array(bytes.buffer), 4, 4), start: at, content: at + header, end: at + size };
      at += size;
    }
  }

  /** Returns the content of a metadata box with its pairing identifier alone; null without one. */
  async #pairing(metadata) {
    if (metadata.end - metadata.content > largestMetadata) return null;
    try {
      const inner = new Map();
      for await (const box of this.#boxes(metadata.content, metadata.end)) inner.set(box.type, box);
      const [keys, values] = [inner.get("keys"), inner.get("ilst")];
      if (!keys || !values) return null;
      let [number, found] = [0, 0];
      // The version and the number of keys come first. A key begins with the type of its box.
      for await (const { start, end } of this.#boxes(keys.content + 8, keys.end)) {
        number++;
        if (textOf(await this.#read(start + 4, end)) === pairingKey) found ||= number;
      }
      for await (const { start, content, end } of this.#boxes(values.content, values.end)) {
        if (found === 0 || (await this.#read(start, content)).getUint32(4) !== found) continue;
        // The size of the data, its type, the type of the text, and the language.
        const identifier = textOf(await this.#read(content + 16, end));
        return /^[0-9a-f-]{36}$/i.test(identifier) ? pairingMetadata(identifier, metadata.end - metadata.content) : null;
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    return null;
  }

  async #read(start, end) {
    if (end - start > largestTable) throw new RangeError("a table is too large");
    return new DataView(await this.#movie.slice(start, end).arrayBuffer());
  }

  /** Clears the samples of a track if they have places or texts. Returns whether they do. */
  async #clearSamples(track) {
    let tables = new Map([["trak", track]]);
    for (const type of ["trak", "mdia", "minf", "stbl"]) {
      const box = tables.get(type);
      if (!box) return false;
      tables = new Map();
      for await (const inner of this.#boxes(box.content, box.end)) {
        // Players may use any of several.
        if (tables.has(inner.type) && single.has(inner.type)) throw new RangeError(`two boxes ${inner.type}`);
        tables.set(inner.type, inner);
      }
    }
    if (!(await this.#isPrivate(tables.get("stsd")))) return false;
    await this.#clearChunks(tables);
    return true;
  }

  /** Returns whether a table describes samples with a place or a text. */
  async #isPrivate(descriptions) {
    if (!descriptions) return false;
    // The version and the number of descriptions come first.
    for await (const { type, content, end } of this.#boxes(descriptions.content + 8, descriptions.end)) {
      if (sensors.has(type)) return true;
      if (type === timedMetadata && privateKey.test(textOf(await this.#read(content, end)))) return true;
    }
    return false;
  }

  /** Clears the chunks of a track. */
  async #clearChunks(tables) {
    const table = (type) => {
      const box = tables.get(type);
      if (!box) throw new RangeError(`no ${type}`);
      return this.#read(box.content, box.end);
    };
    if (!tables.has("stco") && !tables.has("co64")) return;
    const places = await table(tables.has("stco") ? "stco" : "co64");
    const count = places.getUint32(4);
    if (count === 0) return;
    if (count > mostChanges) throw new RangeError("too many chunks");
    const [runs, sizes] = [await table("stsc"), await table("stsz")];
    const [runCount, commonSize, sampleCount] = [runs.getUint32(4), sizes.getUint32(4), sizes.getUint32(8)];
    let [run, sample] = [0, 0];
    for (let chunk = 0; chunk < count; chunk++) {
      // Each run begins with the number of its first chunk. Chunks are numbered from 1.
      while (run + 1 < runCount && runs.getUint32(20 + 12 * run) <= chunk + 1) run++;
      const last = Math.min(sample + runs.getUint32(12 + 12 * run), sampleCount);
      let size = commonSize * (last - sample);
      if (commonSize === 0) for (let index = sample; index < last; index++) size += sizes.getUint32(12 + 4 * index);
      sample = last;
      const start = tables.has("stco") ? places.getUint32(8 + 4 * chunk) : Number(places.getBigUint64(8 + 8 * chunk));
      this.changes.push({ start, end: start + size });
    }
  }
}

/** @param {DataView} view */
function textOf(view) {
  return new TextDecoder("latin1").decode(view);
}

/** Returns the content of a metadata box, of exactly `size` bytes; null if that is too little. */
function pairingMetadata(identifier, size) {
  const text = (characters) => Array.from(characters, (character) => character.charCodeAt(0));
  const number = (value) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
  const box = (type, ...content) => [...number(content.flat().length + 8), ...text(type), ...content.flat()];
  const handler = (padding) => box("hdlr", number(0), number(0), text("mdta"), Array(13 + padding).fill(0));
  const keys = box("keys", number(0), number(1), number(8 + pairingKey.length - 4), text(pairingKey));
  const data = box("data", number(1), number(0), text(identifier));
  const values = box("ilst", number(8 + data.length), number(1), data);
  const left = size - handler(0).length - keys.length - values.length;
  if (left < 0) return null;
  // Fewer than eight bytes can't be a box, so the handler's name takes them.
  const content = new Uint8Array(size);
  content.set(left < 8 ? [...handler(left), ...keys, ...values] : [...handler(0), ...keys, ...values, ...number(left), ...free]);
  return content;
}

/** Returns a copy with some ranges replaced. Where two overlap, the first one counts. */
function changed(file, changes) {
  if (changes.length > mostChanges) return null;
  const parts = [];
  let copied = 0;
  for (const { start, end, bytes } of changes.toSorted((one, other) => one.start - other.start)) {
    const [from, to] = [Math.max(start, copied), Math.min(end, file.size)];
    if (from >= to) continue;
    parts.push(file.slice(copied, from));
    if (bytes) parts.push(bytes.subarray(from - start, to - start));
    else for (let left = to - from; left > 0; left -= zeros.length) parts.push(zeros.subarray(0, Math.min(left, zeros.length)));
    copied = to;
  }
  return new Blob([...parts, file.slice(copied)]);
}
