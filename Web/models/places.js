/**
 * A place in the library that has an address:
 *
 * | address            | kind   | id            |
 * | ---                | ---    | ---           |
 * | `/`                | photos | `userLibrary` |
 * | `/smart/favorites` | smart  | `favorites`   |
 * | `/album/ID`        | album  | the album's   |
 * | `/folder/ID`       | folder | the folder's  |
 * | `/search?q=cat`    | search | `search`      |
 * | `/history`         | history | `history`    |
 * | `/access`          | access | `access`      |
 *
 * @typedef {"photos" | "smart" | "album" | "folder" | "search" | "history" | "access"} Kind
 * @typedef {{kind: Kind, id: string, query?: string}} Place
 * @typedef {"newest" | "oldest" | "added" | "custom" | "deleted"} Order
 */

/** The whole library. @type {Place} */
export const everything = Object.freeze({ kind: "photos", id: "userLibrary" });

/**
 * Returns the place that an address names, or all photos for any other address.
 * @param {{pathname: string, search: string}} location
 * @returns {Place}
 */
export function placeOf({ pathname, search }) {
  if (pathname === "/search") return { kind: "search", id: "search", query: new URLSearchParams(search).get("q") ?? "" };
  const [, page] = /^\/(history|access)$/.exec(pathname) ?? [];
  if (page) return { kind: page, id: page };
  const [, kind, id] = /^\/(smart|album|folder)\/([^/]+)$/.exec(pathname) ?? [];
  if (!kind) return everything;
  try {
    return { kind, id: decodeURIComponent(id) };
  } catch {
    return everything;
  }
}

/** @param {Place} place @returns {string} */
export function addressOf({ kind, id, query }) {
  if (kind === "photos") return "/";
  if (kind === "search") return `/search?${new URLSearchParams({ q: query ?? "" })}`;
  if (isPage({ kind })) return `/${kind}`;
  return `/${kind}/${encodeURIComponent(id)}`;
}

/**
 * Returns the place of a collection.
 * @param {{id: string, kind: "smartAlbum" | "album" | "folder"}} collection
 * @returns {Place}
 */
export function placeOfCollection({ id, kind }) {
  if (id === everything.id) return everything;
  return { kind: kind === "smartAlbum" ? "smart" : kind, id };
}

/** Returns whether a place is a page of its own, without photos. @param {{kind: Kind}} place */
export const isPage = ({ kind }) => kind === "history" || kind === "access";

/** Returns whether two places are the same. @param {Place} one @param {Place} other */
export const isSamePlace = (one, other) => one.kind === other.kind && one.id === other.id && one.query === other.query;

/**
 * Returns the orders that a place offers, its default one first.
 * @param {Place} place
 * @returns {Order[]}
 */
export function ordersOf({ kind, id }) {
  if (kind === "album") return ["custom", "newest", "oldest", "added"];
  if (id === "recentlyDeleted") return ["deleted", "newest", "oldest"];
  if (id === "recentlyAdded") return ["added", "newest", "oldest"];
  return ["newest", "oldest", "added"];
}

/** Returns whether an order is divided into days. @param {Order} order */
export const hasDays = (order) => order === "newest" || order === "oldest";
