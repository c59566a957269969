/** @import { Order, Place } from "../models/places.js" */
/** @import { Source } from "../models/library.js" */
import { everything } from "../models/places.js";
import { words } from "../words.js";
import { pageSize } from "../models/asset-pages.js";
import { assetsOf, fetchDays, fetchIndex, search } from "./api.js";
import { preferences } from "./preferences.js";

/** Whether the page of a folder shows the photos of its albums, besides its collections. */
export const folderPhotos = {
  get areShown() {
    return preferences.get("folderPhotos", false);
  },
  set areShown(areShown) {
    preferences.set("folderPhotos", areShown);
  },
};

/**
 * Returns where the days and assets of a place come from.
 * @param {Place} place
 * @param {Order} order
 * @returns {Source}
 */
export function sourceOf(place, order) {
  if (place.kind === "search") return searchSource(place.query, order);
  return {
    fetchDays: async () => {
      const answer = await fetchDays(place.id, order);
      return place.kind === "folder" && !folderPhotos.areShown ? { ...answer, total: 0, days: [] } : answer;
    },
    fetchAssets: assetsOf(place.id, order),
    indexOf: ({ id }) => fetchIndex(place.id, order, id),
  };
}

/**
 * The results of a search. In the order newest first, one answer has their days and the first page.
 */
function searchSource(query, order) {
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
