import { AssetPages } from "../models/asset-pages.js";
import { assetsOf } from "./api.js";

/**
 * Returns the index in an album's own order at which assets come before another one, after they
 * were taken out. They come last if there is no other one.
 *
 * @param {{id: string, count: number}} album
 * @param {string[]} moved
 * @param {string | null} next
 * @returns {Promise<number>}
 */
export async function indexInOwnOrder(album, moved, next) {
  const pages = new AssetPages(assetsOf(album.id, "custom"));
  await pages.loadRange({ first: 0, end: album.count });
  const isMoved = new Set(moved);
  let index = 0;
  for (let place = 0; place < album.count; place++) {
    const id = pages.at(place)?.id;
    if (id === next) break;
    if (id !== undefined && !isMoved.has(id)) index++;
  }
  return index;
}
