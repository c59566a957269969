import { make } from "./dom.js";

/** Images that are used again. Chromium keeps those for ever whose loading was aborted. */
export class SpareImages {
  /** @type {HTMLImageElement[]} */
  #spares = [];

  /** Returns an image with these properties. @param {object} properties */
  take(properties) {
    return Object.assign(this.#spares.pop() ?? make("img", { alt: "", decoding: "async", draggable: false }), properties);
  }

  /** Takes an image out of the page, and ends its loading. @param {HTMLImageElement} image */
  keep(image) {
    image.removeAttribute("src");
    image.remove();
    this.#spares.push(image);
  }
}
