/** @import { Cell } from "./asset-pages.js" */

/** The largest number of a day's photos whose places are looked up. */
const mostLookUps = 500;
/** The number of names that are enough for a heading. */
const mostNames = 3;

/**
 * Returns the names of the places of a day, in the order of its photos, as far as the photos are
 * loaded.
 *
 *     placesOfDay({ first: 3, end: 9 }, (index) => pages.at(index), (cell) => nameOf(cell))
 *     // ["Oslo", "Bergen"]
 *
 * @param {{first: number, end: number}} day its assets
 * @param {(index: number) => Cell | undefined} cellAt
 * @param {(latitude: number, longitude: number) => string} nameOf returns "" for an unknown place
 * @returns {string[]}
 */
export function placesOfDay({ first, end }, cellAt, nameOf) {
  const names = new Set();
  const step = Math.ceil((end - first) / mostLookUps);
  for (let index = first; index < end && names.size < mostNames; index += step) {
    const cell = cellAt(index);
    if (cell?.latitude === undefined) continue;
    const name = nameOf(cell.latitude, cell.longitude);
    if (name) names.add(name);
  }
  return [...names];
}
