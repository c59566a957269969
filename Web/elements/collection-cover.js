/** @import { Collection } from "../models/collections.js" */
import { renditionURL } from "../helpers/api.js";
import { make, symbol } from "../helpers/dom.js";

/** Symbols of smart albums without a cover. Others have that of a photo. */
const symbols = {
  favorites: "heart-line", recentlyDeleted: "trash", allHidden: "hidden", videos: "video", livePhotos: "live",
  screenshots: "screenshot", panoramas: "panorama", recentlyAdded: "clock", album: "album", folder: "folder",
};

/** Albums whose photos a person has put out of sight. Their covers show none of them. */
const unseen = new Set(["allHidden", "recentlyDeleted"]);

/** @param {Collection} collection @returns {string} the name of a symbol */
const symbolOf = ({ id, kind, isLocked }) => (isLocked ? "lock" : symbols[id] ?? symbols[kind] ?? "photo");

/**
 * Shows a collection's cover in an element: a picture, four of a folder, or a drawn placeholder. A
 * cover that has not changed is left as it is.
 * @param {HTMLElement} element
 * @param {Collection} collection
 */
export function showCover(element, collection) {
  const covers = unseen.has(collection.id) ? [] : collection.covers.slice(0, collection.kind === "folder" ? 4 : 1);
  const key = covers.map(({ id, version }) => `${id} ${version}`).join("\n") || `none ${collection.id} ${symbolOf(collection)}`;
  if (element.dataset.cover === key) return;
  element.dataset.cover = key;
  element.classList.toggle("four", covers.length > 1);
  element.replaceChildren(...(covers.length > 0 ? covers.map(picture) : [symbol(symbolOf(collection))]));
}

function picture(cover) {
  const image = make("img", { alt: "", decoding: "async", draggable: false, fetchPriority: "low", src: renditionURL(cover, "grid") });
  image.addEventListener("error", () => image.replaceWith(symbol("photo")), { once: true });
  return image;
}
