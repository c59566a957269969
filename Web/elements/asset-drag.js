/** @import { Organizing } from "./organizing.js" */
import { renditionURL } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { insertionAt, indexWithout } from "../models/insertion.js";
import { words } from "../words.js";

/** The time in milliseconds after which a folder under the pointer opens. */
const openingTime = 600;

/** A drag of assets to an album in the sidebar, or to another place in their own album. */
export class AssetDrag {
  #row = null;
  #insertion = -1;
  #openTimer;
  #mark = make("div", { className: "insertion-mark", hidden: true });

  /**
   * @param {Organizing} organizing
   * @param {{x: number, y: number}} press the pointer
   */
  constructor(organizing, press) {
    this.organizing = organizing;
    this.press = press;
    const places = this.#places;
    const cell = organizing.grid.snapshot.pages.at(places.first);
    const picture = cell ? make("img", { alt: "", src: renditionURL(cell, "grid") }) : "";
    this.badge = make("div", { className: "drag-badge" }, picture, make("span", { textContent: words.selection.dragging(places.size) }));
    document.body.append(this.badge);
    organizing.grid.parentElement.append(this.#mark);
  }

  move() {
    const { x, y } = this.press;
    this.badge.style.transform = `translate(${x + 12}px, ${y + 12}px)`;
    const under = document.elementFromPoint(x, y);
    const row = under?.closest("[role=treeitem][data-collection]") ?? null;
    if (row !== this.#row) this.#enter(row);
    this.#markInsertion(row === null && under?.closest("photo-grid") ? x : null, y);
  }

  async end() {
    const { organizing } = this;
    // The view may have changed since the pointer moved.
    this.move();
    const places = this.#places;
    const album = this.#album;
    const insertion = this.#insertion;
    this.cancel();
    if (places.isEmpty) return;
    if (album) return organizing.commands.addTo(organizing.targetOf(places), album);
    if (insertion >= 0) await organizing.reorder(places, indexWithout(places, insertion));
  }

  cancel() {
    clearTimeout(this.#openTimer);
    this.#row?.classList.remove("drop-target");
    this.badge.remove();
    this.#mark.remove();
  }

  /** The dragged assets, which the selection follows through changes of the view. */
  get #places() {
    return this.organizing.selection.dragged;
  }

  get #album() {
    const { collections, place } = this.organizing.shell;
    const collection = this.#row && collections.at(this.#row.dataset.collection);
    const isTaking = collection?.kind === "album" && collection.can.includes("addContent") && collection.id !== place.id;
    return isTaking ? collection : null;
  }

  #enter(row) {
    clearTimeout(this.#openTimer);
    this.#row?.classList.remove("drop-target");
    this.#row = row;
    this.badge.classList.toggle("is-adding", this.#album !== null);
    if (this.#album) row.classList.add("drop-target");
    const { shell: { collections }, sidebar } = this.organizing;
    const id = row?.dataset.collection;
    if (id && collections.at(id)?.kind === "folder") this.#openTimer = setTimeout(() => sidebar.expand(id), openingTime);
  }

  #markInsertion(x, y) {
    const { grid } = this.organizing;
    const insertion = x === null || !this.organizing.canReorder ? null : insertionAt(grid, x, y);
    this.#insertion = insertion?.index ?? -1;
    this.#mark.hidden = insertion === null;
    if (!insertion) return;
    const box = grid.getBoundingClientRect();
    this.#mark.style.transform = `translate(${insertion.x - box.left}px, ${insertion.top - box.top}px)`;
    this.#mark.style.height = `${insertion.height}px`;
  }
}
