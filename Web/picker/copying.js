import { fetchAsset, renditionURL, resourceURL } from "../helpers/api.js";
import { clearEXIF } from "../models/exif.js";
import { exifOf, privateCopy } from "../models/private-copy.js";
import { formOf, isMadeMovie, isMovie, isShrunk, isWhole, keepsSize, madeMovieForm, mediaTypeOf, nameOf, removable } from "../models/handed-form.js";
import { jpegWithEXIF } from "../models/private-jpeg.js";
import { privateMovie } from "../models/private-movie.js";
import { privateWebM } from "../models/private-webm.js";
import { cellsOf } from "./identifiers.js";

const jpegQuality = 0.92;
/** The bytes of a file that is being loaded which are held in memory. */
const mostHeld = 1 << 24;
/** The largest number of assets whose details are requested before Add is pressed. */
const mostPrefetched = 100;

/** A reason for which a file is not handed over. The page gets it, so it says nothing private. */
export class NotCopied extends Error {
  /** @param {string} message @param {"gone" | "unreadable"} [code] */
  constructor(message, code = "unreadable") {
    super(message);
    this.code = code;
  }
}

/** The library did not send a file. */
class LoadError extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`the library answers ${status}`);
    this.status = status;
  }
}

/** The details of assets, since each change of a continuous selection describes all of it. */
const described = new Map();

function detailsOf(id) {
  if (!described.has(id)) described.set(id, fetchAsset(id).catch((error) => (described.delete(id), Promise.reject(error))));
  return described.get(id);
}

/**
 * Asks for the details of chosen assets, so that Add need not wait for them.
 * @param {string[]} ids
 */
export function prefetchDetails(ids) {
  for (const id of ids.slice(0, mostPrefetched)) detailsOf(id).catch(() => {});
}

/**
 * Describes an asset for the page: no date, place, caption or album.
 * @param {string} item the random name by which the page asks for it
 * @param {import("../models/asset-pages.js").Cell} cell
 * @param {import("../models/handed-form.js").Wishes} wishes
 */
export async function describe(item, cell, wishes) {
  const asset = await detailsOf(cell.id);
  const isLivePhoto = cell.mediaSubtypes.includes("photoLive");
  const types = (isLivePhoto ? ["main", "pairedVideo"] : ["main"]).map((kind) => {
    const resource = resourceOf(asset, kind);
    const uniformType = resource ? formOf(cell, kind, resource, wishes) : "public.data";
    const hasSize = resource?.uniformTypeIdentifier === uniformType && keepsSize(cell, kind, wishes) && resource.bytes !== null;
    return { kind, type: mediaTypeOf(uniformType), uniformType, ...(hasSize && { bytes: resource.bytes }) };
  });
  return {
    item, mediaType: cell.mediaType, isLivePhoto, name: nameOf(asset, types[0].uniformType), types,
    pixelWidth: cell.pixelWidth, pixelHeight: cell.pixelHeight, duration: cell.duration,
  };
}

/** Returns the resource that shows the asset as it is now. */
function resourceOf({ resources }, kind) {
  const wanted = kind === "pairedVideo" ? ["fullSizePairedVideo", "pairedVideo"] : ["fullSizePhoto", "fullSizeVideo", "photo", "video"];
  return wanted.map((type) => resources.find((resource) => resource.type === type)).find(Boolean);
}

/**
 * Makes the file that a page has asked for.
 * @param {import("../models/asset-pages.js").Cell} cell
 * @param {"main" | "pairedVideo"} kind
 * @param {import("../models/handed-form.js").Wishes} wishes
 * @param {{signal: AbortSignal, onprogress: (completed: number, total: number | null) => void}}
 *   options
 * @returns {Promise<{file: File, bytes?: Uint8Array}>} with its bytes, if they are in memory
 */
export async function copy(cell, kind, wishes, options) {
  // It may have been deleted or hidden since it was chosen.
  const [[isShown], asset] = await Promise.all([cellsOf([cell.id]), fetchAsset(cell.id)]);
  if (!isShown) throw new NotCopied("it was deleted or hidden", "gone");
  const resource = resourceOf(asset, kind);
  if (!resource) throw new NotCopied("there is no such file");
  const original = resourceURL(cell.id, asset.resources.indexOf(resource));
  const form = formOf(cell, kind, resource, wishes);
  const file = (parts, type = form) => new File(parts, nameOf(asset, type), { type: mediaTypeOf(type) });
  const kept = { keepsPlace: wishes.includesLocation, keepsTexts: wishes.includesCaptions };
  if (isMovie(cell, kind)) {
    const isMade = isMadeMovie(cell, resource, wishes);
    const movie = await (isMade ? loadMade(`${renditionURL(cell, "video")}?once`, options) : load(original, options));
    const type = isMade ? madeMovieForm(movie.type) : form;
    const copy = isWhole(wishes) ? movie : ((await privateMovie(movie)) ?? (await privateWebM(movie)));
    if (!copy) throw new NotCopied("the movie’s place can’t be removed");
    return { file: file([copy], type) };
  }
  const isCopied = form === resource.uniformTypeIdentifier && !isShrunk(cell, wishes);
  if (isCopied && isWhole(wishes)) return { file: file([await load(original, options)]) };
  let exif = null;
  if (removable.has(resource.uniformTypeIdentifier)) {
    const picture = await loadBytes(original, options);
    const parts = isCopied ? privateCopy(picture, kept) : null;
    if (parts) {
      const bytes = joined(parts);
      return { file: file([bytes]), bytes };
    }
    exif = exifOf(picture);
  }
  const type = form === "public.png" ? form : "public.jpeg";
  const drawing = await drawn(await loadMade(renditionURL(cell, "full"), options), mediaTypeOf(type), wishes.maxPixelSize);
  const isDated = exif && type === "public.jpeg" && clearEXIF(exif, { ...kept, isUpright: true });
  return { file: file(isDated ? jpegWithEXIF(new Uint8Array(await drawing.arrayBuffer()), exif) : [drawing], type) };
}

/** Draws a picture and encodes it again, which keeps nothing but its pixels. */
async function drawn(blob, type, maxPixelSize) {
  const picture = await createImageBitmap(blob);
  const scale = Math.min(1, (maxPixelSize ?? Infinity) / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  const context = canvas.getContext("2d", { alpha: type === "image/png" });
  context.imageSmoothingQuality = "high";
  if (type !== "image/png") {
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.convertToBlob({ type, quality: jpegQuality });
}

/** Loads a file that the server may have to make first. */
function loadMade(url, options) {
  options.onprogress(0, null, "making");
  return load(url, options);
}

/** Loads a file, and holds only a part of it in memory. @returns {Promise<Blob>} */
async function load(url, options) {
  const response = await open(url, options);
  const chunks = [];
  let held = 0;
  for await (const chunk of chunksOf(response, options)) {
    chunks.push(chunk);
    held += chunk.length;
    if (held < mostHeld) continue;
    // The browser keeps a large blob on disk.
    chunks.splice(0, Infinity, new Blob(chunks));
    held = 0;
  }
  return new Blob(chunks, { type: response.headers.get("Content-Type") ?? "" });
}

/** Loads a file into memory. @returns {Promise<Uint8Array>} */
async function loadBytes(url, options) {
  const chunks = [];
  for await (const chunk of chunksOf(await open(url, options), options)) chunks.push(chunk);
  return joined(chunks);
}

async function open(url, { signal }) {
  // Each file is loaded once, so that a copy in the browser's cache would only cost time.
  const response = await fetch(url, { signal, cache: "no-store" });
  if (!response.ok) throw new LoadError(response.status);
  return response;
}

/** Returns the parts of a file as they arrive. Reports progress at most ten times a second. */
async function* chunksOf(response, { onprogress }) {
  const total = Number(response.headers.get("Content-Length")) || null;
  // Safari's streams have no iterator for `for await`.
  const reader = response.body.getReader();
  let [completed, told] = [0, 0];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      yield part.value;
      completed += part.value.length;
      if (performance.now() - told < 100) continue;
      told = performance.now();
      onprogress(completed, total, "sending");
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}
