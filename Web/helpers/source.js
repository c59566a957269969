/** @import { Order, Place } from "../models/places.js" */
/** @import { Source } from "../models/library.js" */
import { assetsOf, fetchDays, fetchIndex } from "./api.js";
import { preferences } from "./preferences.js";

/** @type {Promise<typeof import("./search-source.js")> | undefined} */
let searching;

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
  if (place.kind === "search") {
    // Imports of their own would be ready in any order, and so the requests of fast typing.
    searching ??= import("./search-source.js").catch((error) => {
      searching = undefined;
      throw error;
    });
    return whenLoaded(searching.then(({ searchSource }) => searchSource(place.query, order)));
  }
  return {
    fetchDays: async () => {
      const answer = await fetchDays(place.id, order);
      return place.kind === "folder" && !folderPhotos.areShown ? { ...answer, total: 0, days: [] } : answer;
    },
    fetchAssets: assetsOf(place.id, order),
    indexOf: ({ id }) => fetchIndex(place.id, order, id),
  };
}

/** @param {Promise<Source>} source @returns {Source} */
function whenLoaded(source) {
  return {
    fetchDays: async () => (await source).fetchDays(),
    fetchAssets: async (...range) => (await source).fetchAssets(...range),
    indexOf: async (asset) => (await source).indexOf(asset),
    filter: async () => (await source).filter(),
  };
}
