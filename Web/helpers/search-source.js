/** @import { Order } from "../models/places.js" */
/** @import { Source } from "../models/library.js" */
import { pageSize } from "../models/asset-pages.js";
import { everything } from "../models/places.js";
import { words } from "../words.js";
import { assetsOf, fetchDays, fetchIndex, search } from "./api.js";

/**
 * Returns where the results of a search come from. In the order newest first, one answer has their
 * days and the first page.
 * @param {string} query
 * @param {Order} order
 * @returns {Source}
 */
export function searchSource(query, order) {
  const nearby = /\bnear\s/i.test(query) ? import("./place-search.js").then(({ readPlace }) => readPlace(query)) : null;
  const filter = async () => (await nearby)?.filter ?? { q: query };
  return {
    fetchDays: async () => {
      const near = await nearby;
      if (near) {
        const answer = await fetchDays(everything.id, order, near.filter);
        return { ...answer, understood: [near.text, words.search.near(near.city)].filter(Boolean) };
      }
      const { understood, assets, ...answer } = await search(query, 0, pageSize);
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
