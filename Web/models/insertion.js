/** @import { Ranges } from "./ranges.js" */

/**
 * Returns the place between two assets that is nearest to a point, and the position of its mark.
 * @param {{assetAtPoint: (x: number, y: number) => number,
 *   cellAt: (index: number) => object | undefined}} grid
 * @param {number} x
 * @param {number} y
 * @returns {{index: number, x: number, top: number, height: number} | null}
 */
export function insertionAt(grid, x, y) {
  const place = grid.assetAtPoint(x, y);
  const box = grid.cellAt(place)?.element.getBoundingClientRect();
  if (!box) return null;
  const isAfter = x > box.left + box.width / 2;
  return { index: place + (isAfter ? 1 : 0), x: isAfter ? box.right : box.left, top: box.top, height: box.height };
}

/**
 * Returns the index of an insertion once the moved assets were taken out.
 *
 *     indexWithout(Ranges.of([2, 4]), 5)  // 3
 *
 * @param {Ranges} places the moved assets
 * @param {number} index
 * @returns {number}
 */
export const indexWithout = (places, index) => index - places.within(0, index).size;

/**
 * Returns the place of what comes after an insertion: the inverse of `indexWithout`.
 *
 *     placeAt(Ranges.of([2, 4]), 3)  // 5
 *
 * @param {Ranges} places the moved assets
 * @param {number} index after they were taken out
 * @returns {number}
 */
export function placeAt(places, index) {
  let place = index;
  for (const [first, end] of places.list) if (first <= place) place += end - first;
  return place;
}
