import { seen } from "./view-as.js";

/** The server did not answer, or it answered with an error. */
export class ServerError extends Error {
  /**
   * @param {string} message
   * @param {number} status 0 if the server did not answer
   */
  constructor(message, status) {
    super(message);
    this.name = "ServerError";
    this.status = status;
  }
}

/** The header fields of a request. `attended.js` has others, and is loaded after the first page. */
export const attention = { fields: () => ({}) };

/**
 * Returns the answer to a request. Throws a `ServerError` if there is none, or it is an error.
 * @param {string} path
 * @param {{signal?: AbortSignal}} [options]
 */
export async function ask(path, { signal } = {}) {
  let response;
  try {
    response = await fetch(seen(path), { signal, headers: attention.fields() });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError(`${path}: the server does not answer`, 0);
  }
  if (!response.ok) throw new ServerError(`${path}: ${response.status}`, response.status);
  return response;
}

const get = async (path, options) => (await ask(path, options)).json();

const api = "/api/v1";
export const collectionPath = (id) => `${api}/collections/${encodeURIComponent(id)}`;

/** @returns {Promise<{isEncrypted: boolean}>} */
export const fetchSession = () => get("/api/v1/session");

/**
 * @returns {Promise<{name: string, assetCount: number, revision: string, features: string[],
 *   isOwner: boolean}>}
 */
export const fetchLibrary = () => get(`${api}/library`);

/**
 * Returns all collections in the order of their tree.
 * @returns {Promise<{revision: string,
 *   collections: import("../models/collections.js").Collection[]}>}
 */
export const fetchCollections = () => get(`${api}/collections`);

/**
 * Limits a collection to the assets that match a predicate (docs/PREDICATES.md) and a search.
 * @typedef {{where?: string, q?: string}} Filter
 */

/**
 * Returns the days of a collection in an order.
 * @param {string} collection
 * @param {import("../models/places.js").Order} order
 * @param {Filter} [filter]
 * @returns {Promise<{revision: string, total: number,
 *   days: import("../models/day-layout.js").Day[]}>}
 */
export const fetchDays = (collection, order, filter) => get(`${collectionPath(collection)}/days?${new URLSearchParams({ order, ...filter })}`);

/**
 * Returns a function that fetches pages of a collection in an order.
 * @param {string} collection
 * @param {import("../models/places.js").Order} order
 * @param {Filter} [filter]
 * @returns {import("../models/asset-pages.js").FetchPage}
 */
export const assetsOf = (collection, order, filter) => (offset, limit, signal) =>
  get(`${collectionPath(collection)}/assets?${new URLSearchParams({ offset, limit, order, ...filter })}`, { signal });

/**
 * Returns the index of an asset in a collection in an order, or -1.
 * @param {string} collection
 * @param {import("../models/places.js").Order} order
 * @param {string} id
 * @param {Filter} [filter]
 * @returns {Promise<number>}
 */
export async function fetchIndex(collection, order, id, filter) {
  const { index } = await get(`${collectionPath(collection)}/assets?${new URLSearchParams({ at: id, order, ...filter })}`);
  return index ?? -1;
}

/**
 * Returns the objects that have changed since a revision.
 * @param {string} since
 * @returns {Promise<{revision: string, assets: import("../models/renewal.js").Changed,
 *   collections: import("../models/renewal.js").Changed}>}
 */
export const fetchChanges = (since) => get(`${api}/changes?${new URLSearchParams({ since })}`);

/**
 * Returns what the server says about a collection in an order now.
 * @param {string} collection
 * @param {import("../models/places.js").Order} order
 * @returns {import("../models/renewal.js").Present}
 */
export const presentOf = (collection, order) => ({
  changesSince: fetchChanges,
  positionOf: (id) => get(`${collectionPath(collection)}/assets?${new URLSearchParams({ at: id, order })}`),
  count: () => assetsOf(collection, order)(0, 1),
});

/**
 * Returns a part of the assets that match a search.
 * @param {string} query
 * @param {number} offset
 * @param {number} limit
 * @param {AbortSignal} [signal]
 */
export const search = (query, offset, limit, signal) =>
  get(`${api}/search?${new URLSearchParams({ q: query, offset, limit })}`, { signal });

/** Returns all properties of an asset. @param {string} id @returns {Promise<object>} */
export const fetchAsset = (id) => get(`${api}/assets/${encodeURIComponent(id)}`);

/** Opens the stream of changes after a token. @param {string} since @returns {EventSource} */
export const openChanges = (since) => new EventSource(`${api}/changes/stream?${new URLSearchParams({ since })}`);

/**
 * Returns the address of a rendition.
 * @param {{id: string, version: string}} asset
 * @param {"grid" | "screen" | "full" | "video"} kind
 * @returns {string}
 */
export function renditionURL({ id, version }, kind) {
  return `${api}/renditions/${encodeURIComponent(id)}/${encodeURIComponent(version)}/${kind}`;
}

/**
 * Returns the address of an original.
 * @param {string} id
 * @param {number} index
 * @returns {string}
 */
export function resourceURL(id, index) {
  return `${api}/resources/${encodeURIComponent(id)}/${index}`;
}
