import { kilometersOf } from "../models/world-map.js";
import { loadWorld } from "./world.js";

/** The distance from a city's middle, in kilometers, within which photos are near it. */
const radius = 30;
/** The largest number of words in a city's name. */
const mostWords = 4;

/**
 * Reads a search such as `video near Oslo`.
 * @param {string} query
 * @returns {Promise<{filter: import("./api.js").Filter, city: string, text: string} | null>} null
 *   if it names no city
 */
export async function readPlace(query) {
  const [, text = "", name] = /^(?:(.*)\s)?near\s+(\S.*)$/i.exec(query.trim()) ?? [];
  const city = name && (await loadWorld())?.cityNamed(name);
  if (!city) return null;
  const [north, east] = [radius / kilometersOf(1), radius / kilometersOf(Math.cos((city.latitude * Math.PI) / 180))];
  const between = (key, middle, reach) => `${key} BETWEEN {${(middle - reach).toFixed(3)}, ${(middle + reach).toFixed(3)}}`;
  const where = `${between("latitude", city.latitude, north)} AND ${between("longitude", city.longitude, east)}`;
  const q = text.trim();
  return { filter: q ? { where, q } : { where }, city: city.name, text: q };
}

/**
 * Returns the search near a city whose name ends a query: `video oslo` is also `video near Oslo`.
 * @param {string} query
 * @returns {Promise<{city: string, query: string} | null>}
 */
export async function nearbySearch(query) {
  const spoken = query.trim().split(/\s+/);
  if (/\bnear\s/i.test(query)) return null;
  const world = await loadWorld();
  for (let count = Math.min(mostWords, spoken.length); count > 0; count--) {
    const city = world?.cityNamed(spoken.slice(-count).join(" "));
    if (city) return { city: city.name, query: [...spoken.slice(0, -count), "near", city.name].join(" ") };
  }
  return null;
}
