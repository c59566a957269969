/** @import { AssetPages, Cell } from "./asset-pages.js" */
/** @import { Day } from "./day-layout.js" */

/**
 * Returns the index of an asset in the library, or -1. The date names the day, within which the
 * newest asset is first.
 *
 *     await locate({ id, creationDate }, days, pages)  // 4711, or -1
 *
 * @param {{id: string, creationDate: string | null}} asset
 * @param {Day[]} days
 * @param {AssetPages} pages
 * @returns {Promise<number>}
 */
export async function locate(asset, days, pages) {
  const name = asset.creationDate?.slice(0, 10);
  let first = 0;
  let day = 0;
  while (day < days.length && days[day][0] !== name) first += days[day++][1];
  if (day === days.length) return -1;
  const end = first + days[day][1];

  const time = Date.parse(asset.creationDate);
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const cell = await pages.load(middle);
    if (!cell) return -1;
    if (cell.id === asset.id) return middle;
    if (Date.parse(cell.creationDate) > time) low = middle + 1;
    else high = middle;
  }
  for (let index = low; index < end; index++) {
    const cell = await pages.load(index);
    if (cell?.id === asset.id) return index;
    if (!cell || Date.parse(cell.creationDate) < time) return -1;
  }
  return -1;
}

/**
 * Returns the index in a later snapshot of an asset in an earlier one. Assets added to a day are
 * usually newer than its others, so the same distance from the day's end is tried first.
 *
 * @param {number} index the asset's index in the earlier snapshot
 * @param {{days: Day[], pages: AssetPages}} before
 * @param {{days: Day[], pages: AssetPages}} after
 * @returns {Promise<number>} the likeliest index if the asset is gone; -1 for an empty library
 */
export async function follow(index, before, after) {
  const asset = before.pages.at(index);
  const likely = likelyIndex(index, before.days, after.days);
  if (!asset || likely < 0) return likely;
  if ((await after.pages.load(likely))?.id === asset.id) return likely;
  const found = await locate(asset, after.days, after.pages);
  return found >= 0 ? found : likely;
}

/**
 * @param {number} index
 * @param {Day[]} before
 * @param {Day[]} after
 * @returns {number} the index at the same distance from the end of the day, or the place where the
 *   day would be; -1 for an empty library
 */
export function likelyIndex(index, before, after) {
  let day = 0;
  let end = before[0]?.[1] ?? 0;
  while (end <= index && day + 1 < before.length) end += before[++day][1];
  const name = before[day]?.[0] ?? "";

  let first = 0;
  let place = 0;
  while (place < after.length && after[place][0] > name) first += after[place++][1];
  if (place === after.length) return first - 1;
  const [found, count] = after[place];
  return found === name ? Math.max(first, first + count - (end - index)) : first;
}
