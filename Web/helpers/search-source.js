/** @import { Order } from "../models/places.js" */
/** @import { Source } from "../models/library.js" */
import { pageSize } from "../models/asset-pages.js";
import { everything } from "../models/places.js";
import { words } from "../words.js";
import { assetsOf, fetchDays, fetchIndex, search } from "./api.js";

/**
 * Returns where the results of a search come from. In the order newest first, one answer has their
 * days and the first page. If nothing has the words, and they name a city, the results are near it.
 * @param {string} query
 * @param {Order} order
 * @returns {Source}
 */
export function searchSource(query, order) {
  let nearby = /\bnear\s/i.test(query) ? import("./place-search.js").then(({ readPlace }) => readPlace(query)) : null;
  const namesNear = nearby !== null;
  const filter = async () => (await nearby)?.filter ?? { q: query };
  return {
    fetchDays: async () => {
      const named = namesNear && (await nearby);
      if (named) return daysNear(named, order);
      const { understood, assets, ...answer } = await search(query, 0, pageSize);
      const meant = answer.total === 0 && !namesNear ? await cityOf(query) : null;
      const near = meant && (await daysNear(meant, order));
      nearby = near?.total > 0 ? Promise.resolve(meant) : null;
      if (near?.total > 0) return { ...near, suggestions: answer.suggestions };
      const read = { ...answer, understood: understood.map(({ text }) => text) };
      if (order === "newest" || answer.total === 0) return { ...read, assets };
      return { ...read, ...(await fetchDays(everything.id, order, { q: query })) };
    },
    fetchAssets: async (offset, limit, signal) => {
      const isAnswered = order === "newest" && !(await nearby);
      return isAnswered ? search(query, offset, limit, signal) : assetsOf(everything.id, order, await filter())(offset, limit, signal);
    },
    indexOf: async ({ id }) => fetchIndex(everything.id, order, id, await filter()),
    filter,
  };
}

async function daysNear({ filter, city, text }, order) {
  const answer = await fetchDays(everything.id, order, filter);
  return { ...answer, understood: [text, words.search.near(city)].filter(Boolean) };
}

/** Reads the city that a search names without `near`; null if it names none. */
async function cityOf(query) {
  try {
    const { nearbySearch, readPlace } = await import("./place-search.js");
    const meant = await nearbySearch(query);
    return meant && (await readPlace(meant.query));
  } catch {
    return null; // the words alone found nothing
  }
}
