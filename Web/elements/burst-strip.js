/** @import { Cell } from "../models/asset-pages.js" */
import { renditionURL } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { words } from "../words.js";

/**
 * The frames of a burst as small pictures in a row, and the choice to keep one of them or all.
 *
 * Fires `frame` with the frame as `detail` after a click, and `keep` with `{only, frames}`: the id
 * of the only frame to keep, or null for all.
 */
export class BurstStrip extends HTMLElement {
  #row = make("div", { className: "frames", attributes: { role: "group", "aria-label": words.viewer.frames } });
  #only = make("button", { type: "button", textContent: words.viewer.keepOnly });
  #all = make("button", { type: "button", textContent: words.viewer.keepAll });
  #choices = make("div", { className: "keeping" }, this.#only, this.#all);
  /** @type {Cell[]} */
  #frames = [];
  #open = "";

  connectedCallback() {
    this.append(this.#row, this.#choices);
    const keep = (only) => this.dispatchEvent(new CustomEvent("keep", { detail: { only, frames: this.#frames } }));
    this.#only.addEventListener("click", () => keep(this.#open));
    this.#all.addEventListener("click", () => keep(null));
  }

  /**
   * @param {Cell[]} frames none for an asset that is of no burst
   * @param {string} open the id of the open frame
   */
  show(frames, open) {
    this.hidden = frames.length === 0;
    const before = this.#frames.map(({ id }) => id).join();
    this.#frames = frames;
    this.#open = open;
    if (frames.map(({ id }) => id).join() !== before) {
      this.#row.replaceChildren(...frames.map((frame, index) => this.#button(frame, index)));
    }
    for (const button of this.#row.children) button.setAttribute("aria-current", String(button.dataset.id === open));
    this.#row.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    // The server names a limited number of frames. Without the others, nothing can be decided.
    const isWhole = frames.some(({ burstCount }) => burstCount === frames.length);
    this.#choices.hidden = !isWhole || frames.some(({ daysLeft }) => daysLeft !== undefined);
    this.#all.hidden = frames.every(({ isBurstPick }) => isBurstPick);
  }

  #button(frame, index) {
    const image = make("img", { alt: "", decoding: "async", draggable: false, src: renditionURL(frame, "grid") });
    const button = make("button", { type: "button", ariaLabel: words.viewer.frame(index + 1, this.#frames.length) }, image);
    button.dataset.id = frame.id;
    button.addEventListener("click", () => this.dispatchEvent(new CustomEvent("frame", { detail: frame })));
    return button;
  }
}

customElements.define("burst-strip", BurstStrip);
