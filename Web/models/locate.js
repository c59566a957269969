/** @import { AssetPages } from "./asset-pages.js" */
/** @import { Day } from "./day-layout.js" */

/** The greatest distance in assets at which an asset is looked for in the loaded pages. */
const reach = 100;

/**
 * Returns the index in a later snapshot of an asset in an earlier one. Assets added to a day are
 * usually newer than its others, so the same distance from the day's end is tried first.
 *
 * @param {number} index the asset's index in the earlier snapshot
 * @param {import("./library.js").Snapshot} before
 * @param {import("./library.js").Snapshot} after
 * @returns {Promise<{index: number, isSame: boolean}>} the likeliest index if the asset is gone; -1
 *   in an empty view
 */
export async function follow(index, before, after) {
  const asset = before.pages.at(index);
  const likely = Math.min(likelyIndex(index, before.days, after.days), after.total - 1);
  if (!asset || likely < 0) return { index: likely, isSame: false };
  const near = await nearest(asset.id, likely, after.pages);
  if (near >= 0) return { index: near, isSame: true };
  const found = await after.indexOf(asset);
  if (found < 0) return { index: likely, isSame: false };
  // The server may have answered at a later revision than that of the pages.
  const shown = await nearest(asset.id, found, after.pages);
  return { index: shown >= 0 ? shown : found, isSame: true };
}

/**
 * Returns the index of an asset in the page around an index, or -1. A page may be of a later
 * revision than the days, so that its assets are a few places further on.
 *
 * @param {string} id
 * @param {number} index
 * @param {AssetPages} pages
 * @returns {Promise<number>}
 */
export async function nearest(id, index, pages) {
  await pages.load(index);
  for (let distance = 0; distance < reach; distance++) {
    for (const place of [index + distance, index - distance]) if (pages.at(place)?.id === id) return place;
  }
  return -1;
}

/**
 * @param {number} index
 * @param {Day[]} before
 * @param {Day[]} after in the same order, the newest or the oldest first
 * @returns {number} the index at the same distance from the end of the day, or the place where the
 *   day would be; -1 for an empty view
 */
export function likelyIndex(index, before, after) {
  let day = 0;
  let end = before[0]?.[1] ?? 0;
  while (end <= index && day + 1 < before.length) end += before[++day][1];
  const name = before[day]?.[0] ?? "";
  if (name === "") return Math.min(index, (after[0]?.[1] ?? 0) - 1);

  const isOldestFirst = before[0][0] < before.at(-1)[0];
  const isBefore = (other) => (isOldestFirst ? other < name : other > name);
  let first = 0;
  let place = 0;
  while (place < after.length && isBefore(after[place][0])) first += after[place++][1];
  if (place === after.length) return first - 1;
  const [found, count] = after[place];
  return found === name ? Math.max(first, first + count - (end - index)) : first;
}
