/** @import { Snapshot } from "../models/library.js" */
import { renditionURL } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { placeholderURL } from "../helpers/placeholder.js";

const count = 5;
/** The time in milliseconds without a movement after which the pictures are loaded. */
const rest = 90;

/** Some pictures of the month that the scrubber points at. They are loaded once it rests. */
export class PictureStrip {
  #squares = Array.from({ length: count }, () => make("span"));
  element = make("div", { className: "strip", attributes: { "aria-hidden": "true" } }, ...this.#squares);
  #restTimer;
  #shown = "";

  constructor() {
    // A transparent picture would show its placeholder.
    this.element.addEventListener("load", ({ target }) => (target.parentElement.style.backgroundImage = ""), true);
  }

  /**
   * Shows pictures from all over a range.
   * @param {Snapshot} snapshot
   * @param {{first: number, end: number}} range
   */
  show(snapshot, { first, end }) {
    const places = this.#squares.map((_, square) => first + Math.floor(((end - first) * square) / count));
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#load(snapshot, places), rest);
    const wanted = `${snapshot.revision} ${first} ${end}`;
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    this.element.dataset.first = String(first);
    this.#squares.forEach((square, index) => {
      square.hidden = index >= end - first;
      const url = placeholderURL(snapshot.pages.at(places[index])?.placeholder ?? null);
      square.style.backgroundImage = url ? `url(${url})` : "";
      square.replaceChildren();
    });
  }

  /** Ends the loading. */
  hide() {
    clearTimeout(this.#restTimer);
    this.#shown = "";
  }

  #load(snapshot, places) {
    const wanted = this.#shown;
    this.#squares.forEach(async (square, index) => {
      if (square.hidden || square.firstChild) return;
      const cell = await snapshot.pages.load(places[index]).catch(() => undefined);
      if (!cell || cell.unreadable || wanted !== this.#shown) return;
      square.replaceChildren(make("img", { alt: "", decoding: "async", src: renditionURL(cell, "grid") }));
    });
  }
}
