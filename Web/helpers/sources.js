import { words } from "../words.js";

/**
 * Returns a text like "Date from the camera, zone guessed from the location". Unknown names stay as
 * they are.
 * @param {string | null | undefined} dateSource
 * @param {string | null | undefined} zoneSource
 * @returns {string}
 */
export function sourceWords(dateSource, zoneSource) {
  return [words.dates.sources[dateSource] ?? dateSource, words.dates.zones[zoneSource] ?? zoneSource].filter(Boolean).join(", ");
}
