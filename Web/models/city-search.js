/** @import { City, World } from "./world-map.js" */

/** The largest number of words in a city's name. */
const mostWords = 4;

const wordsOf = (query) => query.trim().split(/\s+/).filter(Boolean);

/** Returns the city that is named by the longest run of words from `start` on. */
function cityAt(words, start, world) {
  for (let end = Math.min(start + mostWords, words.length); end > start; end--) {
    const city = world.cityNamed(words.slice(start, end).join(" "));
    if (city) return { city, end };
  }
  return null;
}

const nearIn = (words) => words.findIndex((word) => word.toLowerCase() === "near");

/**
 * Reads the city after `near` in a search, and its other words.
 *
 *     placeOfSearch("video near Oslo 2019", world)  // { city: Oslo, text: "video 2019" }
 *
 * @param {string} query
 * @param {World} world
 * @returns {{city: City, text: string} | null}
 */
export function placeOfSearch(query, world) {
  const words = wordsOf(query);
  const near = nearIn(words);
  const found = near >= 0 ? cityAt(words, near + 1, world) : null;
  return found && { city: found.city, text: [...words.slice(0, near), ...words.slice(found.end)].join(" ") };
}

/**
 * Returns the search near the city that a query names, wherever it stands; null if it names none.
 * @param {string} query
 * @param {World} world
 * @returns {{city: string, query: string} | null}
 */
export function citySearch(query, world) {
  const words = wordsOf(query);
  if (nearIn(words) >= 0) return null;
  for (let start = 0; start < words.length; start++) {
    const found = cityAt(words, start, world);
    if (found) return { city: found.city.name, query: [...words.slice(0, start), "near", found.city.name, ...words.slice(found.end)].join(" ") };
  }
  return null;
}
