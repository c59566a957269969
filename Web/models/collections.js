/**
 * @typedef {{id: string, kind: "smartAlbum" | "album" | "folder", subtype: string | null,
 *   title: string, parent: string | null, count: number, imageCount: number, videoCount: number,
 *   covers: {id: string, version: string}[], startDate: string | null, endDate: string | null,
 *   can: string[], isLocked?: boolean}} Collection
 * @typedef {{id: string, kind: "collection" | "draft" | "group" | "action" | "note",
 *   collection?: Collection, title: string, level: number, position: number, setSize: number,
 *   isExpanded?: boolean}} Row
 *   A row of the sidebar. `isExpanded` is undefined if the row has no rows below it.
 */
import { words } from "../words.js";
import { everything } from "./places.js";

export const smartGroup = "group:smart";
export const albumGroup = "group:albums";
export const emptyAction = "action:empty";
export const draftRow = "draft";
/** Smart albums that the sidebar shows even if they are empty. */
const alwaysShown = new Set(["favorites", "recentlyDeleted"]);

/** The library's collections, from the flat list of the server in the order of the tree. */
export class CollectionList {
  #byID = new Map();
  /** @type {Map<string | null, Collection[]>} */
  #children = new Map();

  /** @param {Collection[]} all @param {string} [revision] */
  constructor(all = [], revision = "") {
    this.all = all;
    this.revision = revision;
    for (const collection of all) {
      this.#byID.set(collection.id, collection);
      if (collection.kind === "smartAlbum") continue;
      const siblings = this.#children.get(collection.parent) ?? [];
      siblings.push(collection);
      this.#children.set(collection.parent, siblings);
    }
  }

  /** @param {string} id @returns {Collection | undefined} */
  at(id) {
    return this.#byID.get(id);
  }

  /** Returns the albums and folders in a folder, or those in none. @param {string | null} id */
  childrenOf(id) {
    return this.#children.get(id) ?? [];
  }

  /** Returns the folders around a collection, the nearest first. @param {string} id */
  parentsOf(id) {
    const parents = [];
    for (let next = this.at(id)?.parent; next != null && parents.length < this.all.length; next = this.at(next)?.parent) {
      parents.push(this.at(next));
    }
    return parents.filter(Boolean);
  }

  get smartAlbums() {
    return this.all.filter(({ kind, id }) => kind === "smartAlbum" && id !== everything.id);
  }

  get albumCount() {
    return this.all.length - this.all.filter(({ kind }) => kind === "smartAlbum").length;
  }
}

/**
 * Returns the sidebar's rows from top to bottom.
 *
 * @param {CollectionList} list
 * @param {{collapsed: Set<string>, expanded: Set<string>, showsEmpty: boolean, filter?: string,
 *   draft?: {parent: string | null} | null, areAlbumsFirst?: boolean}} state groups are expanded
 *   unless they are in `collapsed`, folders only if they are in `expanded`; `draft` is an album or
 *   folder that gets its title, the last one in its folder; `areAlbumsFirst` puts the albums before
 *   the smart albums
 * @returns {Row[]}
 */
export function sidebarRows(list, { collapsed, expanded, showsEmpty, filter = "", draft = null, areAlbumsFirst = false, hasHints = true }) {
  const wanted = fold(filter.trim());
  const rows = [];
  const all = list.at(everything.id);
  if (all && !wanted) rows.push(collectionRow(all, 1));
  const smart = smartRows(list, showsEmpty, wanted);
  const albums = wanted ? matchingRows(list, wanted) : treeRows(list, null, expanded, 2, draft);
  if (!wanted && albums.length === 0 && hasHints) albums.push({ id: "note:albums", kind: "note", title: words.sidebar.noAlbums, level: 2 });
  if (wanted && albums.length === 0 && smart.length === 0) {
    albums.push({ id: "note:filter", kind: "note", title: words.sidebar.noMatch(filter.trim()), level: 2 });
  }
  const groups = [[smartGroup, words.sidebar.smartAlbums, smart], [albumGroup, words.sidebar.myAlbums, albums]];
  for (const [id, title, content] of areAlbumsFirst ? groups.reverse() : groups) addGroup(rows, id, title, content, collapsed, wanted);
  return numbered(rows);
}

/** The server does not tell whether a locked album is empty. */
const mayHaveAssets = ({ count, isLocked }) => count > 0 || Boolean(isLocked);

function smartRows(list, showsEmpty, wanted) {
  const shown = list.smartAlbums.filter((album) =>
    wanted ? mayHaveAssets(album) && fold(album.title).includes(wanted) : showsEmpty || mayHaveAssets(album) || alwaysShown.has(album.id));
  const rows = shown.map((album) => collectionRow(album, 2));
  const hasEmpty = list.smartAlbums.some((album) => !mayHaveAssets(album) && !alwaysShown.has(album.id));
  if (!wanted && hasEmpty) {
    const title = showsEmpty ? words.sidebar.hideEmpty : words.sidebar.showEmpty;
    rows.push({ id: emptyAction, kind: "action", title, level: 2 });
  }
  return rows;
}

function treeRows(list, parent, expanded, level, draft) {
  const rows = [];
  for (const collection of list.childrenOf(parent)) {
    const row = collectionRow(collection, level);
    rows.push(row);
    if (collection.kind !== "folder") continue;
    row.isExpanded = expanded.has(collection.id);
    if (row.isExpanded) rows.push(...treeRows(list, collection.id, expanded, level + 1, draft));
  }
  if (draft && draft.parent === parent) rows.push({ id: draftRow, kind: "draft", title: "", level });
  return rows;
}

function matchingRows(list, wanted) {
  const found = list.all.filter(({ kind, title }) => kind !== "smartAlbum" && fold(title).includes(wanted));
  return found.map((collection) => collectionRow(collection, 2));
}

function addGroup(rows, id, title, content, collapsed, wanted) {
  if (content.length === 0) return;
  const isExpanded = Boolean(wanted) || !collapsed.has(id);
  rows.push({ id, kind: "group", title, level: 1, isExpanded });
  if (isExpanded) rows.push(...content);
}

function collectionRow(collection, level) {
  const title = collection.id === everything.id ? words.view.allPhotos : collection.title;
  return { id: collection.id, kind: "collection", collection, title, level };
}

/** Writes each row's position among its siblings. */
function numbered(rows) {
  /** The open siblings of each level. */
  const open = [];
  const close = (level) => {
    while (open.length > level) for (const row of open.pop()) row.setSize = row.siblings.length;
  };
  for (const row of rows) {
    close(row.level);
    const siblings = (open[row.level - 1] ??= []);
    siblings.push(row);
    row.position = siblings.length;
    row.siblings = siblings;
  }
  close(0);
  for (const row of rows) delete row.siblings;
  return rows;
}

/** Returns a text without case and accents, for comparisons. */
export function fold(text) {
  return text.normalize("NFD").replace(/\p{Diacritic}/gu, "").toLocaleLowerCase();
}
