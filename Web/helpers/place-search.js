import { citySearch, placeOfSearch } from "../models/city-search.js";
import { kilometersOf } from "../models/world-map.js";
import { loadWorld } from "./world.js";

/** The distance from a city's middle, in kilometers, within which photos are near it. */
const radius = 30;

/**
 * Reads a search such as `video near Oslo 2019`.
 * @param {string} query
 * @returns {Promise<{filter: import("./api.js").Filter, city: string, text: string} | null>} null
 *   if it names no city
 */
export async function readPlace(query) {
  const world = await loadWorld();
  const place = world && placeOfSearch(query, world);
  if (!place) return null;
  const { city, text } = place;
  const [north, east] = [radius / kilometersOf(1), radius / kilometersOf(Math.cos((city.latitude * Math.PI) / 180))];
  const between = (key, middle, reach) => `${key} BETWEEN {${(middle - reach).toFixed(3)}, ${(middle + reach).toFixed(3)}}`;
  const where = `${between("latitude", city.latitude, north)} AND ${between("longitude", city.longitude, east)}`;
  return { filter: text ? { where, q: text } : { where }, city: city.name, text };
}

/**
 * Returns the search near a city that a query names: `video oslo 2019` is also `video near Oslo
 * 2019`.
 * @param {string} query
 * @returns {Promise<{city: string, query: string} | null>}
 */
export async function nearbySearch(query) {
  const world = await loadWorld();
  return world && citySearch(query, world);
}
