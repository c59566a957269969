import { ColorLattice } from "../models/color-lattice.js";
import { renditionURL } from "./api.js";
import { request } from "./attended.js";
import { send } from "./send.js";

/** The largest number of pixels of a preview, so that a filter is shown within a blink. */
const mostPixels = 1_500_000;

/** @type {Map<string, Promise<ColorLattice>>} */
const lattices = new Map();

/**
 * Returns the colors of a filter. They are loaded once.
 * @param {string} filter
 */
export function latticeOf(filter) {
  if (!lattices.has(filter)) {
    const lattice = fetchBytes(`/api/v1/filters/${filter}/lattice`).then((bytes) => new ColorLattice(new Uint8Array(bytes)));
    lattices.set(filter, lattice);
    lattice.catch(() => lattices.delete(filter));
  }
  return lattices.get(filter);
}

async function fetchBytes(path) {
  const answer = await request(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** Returns the names of the filters. @returns {Promise<string[]>} */
export const fetchFilters = async () => (await send("GET", "/api/v1/filters")).filters;

/**
 * Returns the edits that are being rendered.
 * @returns {Promise<{id: string, assets: string[], progress: number}[]>}
 */
export const fetchEdits = async () => (await send("GET", "/api/v1/edits")).edits;

/** Cancels an edit that is being rendered. Nothing of its change is done. @param {string} id */
export const cancelEdit = (id) => send("DELETE", `/api/v1/edits/${encodeURIComponent(id)}`);

/**
 * Returns the picture on which a filter is shown: the current one, or the original if that has a
 * filter already. The original lacks the edit's other steps, which are saved nevertheless.
 * @param {{id: string, version: string, edit?: {steps?: object} | null}} asset
 * @param {number} side the longest side that is shown, in pixels
 * @returns {Promise<ImageBitmap>}
 */
export async function fetchBase(asset, side) {
  if (!asset.edit?.steps?.filter) return decoded(await request(renditionURL(asset, "screen")));
  const body = JSON.stringify({ asset: asset.id, width: side, height: side, contentMode: "aspectFit", version: "original" });
  return decoded(await request("/api/v1/images", { method: "POST", body, headers: { "Content-Type": "application/json" } }));
}

async function decoded(answer) {
  if (!answer.ok) throw new Error(`the picture: ${answer.status}`);
  return createImageBitmap(await answer.blob());
}

/**
 * Draws a picture, with a filter if there is one, into a canvas of the picture's shape.
 * @param {HTMLCanvasElement} canvas
 * @param {ImageBitmap} picture
 * @param {ColorLattice | null} lattice
 * @param {number} [most] the largest number of pixels
 */
export function draw(canvas, picture, lattice, most = mostPixels) {
  const scale = Math.min(1, Math.sqrt(most / (picture.width * picture.height)));
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  if (!lattice) return;
  const data = context.getImageData(0, 0, canvas.width, canvas.height);
  lattice.apply(data.data);
  context.putImageData(data, 0, 0);
}
