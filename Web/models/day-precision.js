/** @import { Cell } from "./asset-pages.js" */
import { pageSize } from "./asset-pages.js";

/**
 * Returns the precision of a day's date: "month" or "year" if the loaded photos have no more exact
 * date, else "day". Photos of which only the month or the year is known are on its first day.
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
