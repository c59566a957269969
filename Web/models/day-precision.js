/** @import { Cell } from "./asset-pages.js" */
import { pageSize } from "./asset-pages.js";

/**
 * Returns what is known of a day's date: "month" or "year" if no photo that is loaded has a more
 * exact date. The photos of a month or a year are on its first day.
 *
 *     precisionOfDay({ first: 3, end: 9 }, (index) => pages.at(index))  // "month"
 *
 * @param {{first: number, end: number}} day its assets
 * @param {(index: number) => Cell | undefined} cellAt
 * @returns {"year" | "month" | "day"}
 */
export function precisionOfDay({ first, end }, cellAt) {
  let shared;
  for (let index = first; index < end; index++) {
    const precision = cellAt(index)?.datePrecision;
    // A page is loaded as a whole.
    if (!cellAt(index)) index += pageSize - 1 - (index % pageSize);
    else if (precision !== "year" && precision !== "month") return "day";
    else shared = shared === "month" ? shared : precision;
  }
  return shared ?? "day";
}
