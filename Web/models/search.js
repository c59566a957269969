/**
 * Returns the last index in a sorted list whose value is at most `value`, or -1 if there is none.
 *
 *     lastAtMost([0, 10, 20], 15)  // 1
 *
 * @param {ArrayLike<number>} sorted
 * @param {number} value
 * @returns {number}
 */
export function lastAtMost(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
