/** @import { Collection } from "./collections.js" */

/**
 * Returns whether a collection is a folder or in it, at any depth.
 * @param {{parentsOf: (id: string) => Collection[]}} collections
 * @param {string} id
 * @param {string} folder
 */
export const isWithin = (collections, id, folder) => id === folder || collections.parentsOf(id).some((parent) => parent.id === folder);

/**
 * Returns the folders into which a collection can go, each with the folders around it. The first is
 * the top of the tree, unless the collection is there.
 * @param {{all: Collection[], parentsOf: (id: string) => Collection[]}} collections
 * @param {Collection} moved
 * @returns {{id: string | null, path: string[]}[]}
 */
export function placesFor(collections, moved) {
  const isPlace = ({ id, kind }) => kind === "folder" && id !== moved.parent && !isWithin(collections, id, moved.id);
  const folders = collections.all.filter(isPlace).map(({ id, title }) => {
    const around = collections.parentsOf(id).map((parent) => parent.title);
    return { id, path: [...around.reverse(), title] };
  });
  return moved.parent === null ? folders : [{ id: null, path: [] }, ...folders];
}

/**
 * Returns where a collection goes that is dropped on the row of another: into a folder's middle, or
 * before or after the row. Null if it can't go there.
 *
 * @param {{at: Function, childrenOf: Function, parentsOf: Function}} collections
 * @param {Collection} moved
 * @param {Collection} over
 * @param {number} part how far down the row the pointer is, from 0 to 1
 * @returns {{parent: string | null, index?: number, on: Collection | null,
 *   edge?: "before" | "after"} | null}
 */
export function dropOn(collections, moved, over, part) {
  if (over.kind === "smartAlbum" || isWithin(collections, over.id, moved.id)) return null;
  if (over.kind === "folder" && part > 0.25 && part < 0.75) return moved.parent === over.id ? null : { parent: over.id, on: over };
  const edge = part < 0.5 ? "before" : "after";
  const siblings = collections.childrenOf(over.parent).filter(({ id }) => id !== moved.id);
  const index = siblings.findIndex(({ id }) => id === over.id) + (edge === "after" ? 1 : 0);
  const isStill = moved.parent === over.parent && collections.childrenOf(over.parent).findIndex(({ id }) => id === moved.id) === index;
  return isStill ? null : { parent: over.parent, index, on: null, edge };
}

/**
 * Returns the index of a collection among its siblings after a step, or null at the end.
 * @param {Collection[]} siblings
 * @param {string} id
 * @param {number} by
 */
export function stepIn(siblings, id, by) {
  const index = siblings.findIndex((sibling) => sibling.id === id) + by;
  return index < 0 || index >= siblings.length ? null : index;
}
