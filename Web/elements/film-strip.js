/** @import { Cell } from "../models/asset-pages.js" */
import { renditionURL } from "../helpers/api.js";
import { make, wantsLessData } from "../helpers/dom.js";
import { spokenLabel } from "../helpers/format.js";
import { placeholderURL } from "../helpers/placeholder.js";
import { SpareImages } from "../helpers/spare-images.js";
import { words } from "../words.js";

const [height, pitch, gap] = [44, 34, 2];
/** The space between the open asset and its neighbors. */
const margin = 8;
const stillness = 6;

/**
 * The open asset and its neighbors as small pictures in a row. Only those in the window have
 * elements.
 *
 * Fires `go` with its snapshot and the index of an asset in it, after a click and during a drag.
 */
export class FilmStrip extends HTMLElement {
  #snapshot = null;
  #index = -1;
  /** The pictures by their index in the view. @type {Map<number, HTMLButtonElement>} */
  #frames = new Map();
  #images = new SpareImages();
  #isLoading = false;
  #drag = null;

  connectedCallback() {
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", words.viewer.neighbors);
    this.addEventListener("pointerdown", (event) => this.#down(event));
    this.addEventListener("pointermove", (event) => this.#moved(event));
    for (const type of ["pointerup", "pointercancel"]) this.addEventListener(type, (event) => this.#up(event));
    // Keys and screen readers click without a pointer.
    this.addEventListener("click", (event) => event.detail === 0 && this.#goTo(this.#indexOf(event.target)));
    // A transparent picture would show its placeholder.
    this.addEventListener("load", ({ target }) => (target.parentElement.style.backgroundImage = ""), true);
    new ResizeObserver(() => this.#place()).observe(this);
  }

  /**
   * @param {import("../models/library.js").Snapshot} snapshot
   * @param {number} index the open asset's, or -1 if it is not in the view
   */
  show(snapshot, index) {
    this.#snapshot = snapshot;
    this.#index = index;
    this.hidden = index < 0 || snapshot.total < 2;
    this.#place();
  }

  clear() {
    for (const index of [...this.#frames.keys()]) this.#drop(index);
    this.#snapshot = null;
    this.#index = -1;
  }

  #place() {
    if (this.hidden || !this.#snapshot || this.clientWidth === 0) return;
    const { pages, total } = this.#snapshot;
    const reach = Math.ceil(this.clientWidth / 2 / pitch) + 1;
    const [first, end] = [Math.max(0, this.#index - reach), Math.min(total, this.#index + reach + 1)];
    for (const index of [...this.#frames.keys()]) if (index < first || index >= end) this.#drop(index);
    let isComplete = true;
    for (let index = first; index < end; index++) {
      const cell = pages.at(index);
      if (cell) this.#frameOf(index, cell);
      else isComplete = false;
    }
    const open = pages.at(this.#index);
    const width = open ? Math.min(Math.max((height * open.pixelWidth) / open.pixelHeight || pitch, 24), 3 * pitch) : pitch;
    for (const [index, frame] of this.#frames) {
      const away = index - this.#index;
      const isOpen = away === 0;
      frame.setAttribute("aria-current", String(isOpen));
      frame.style.width = `${isOpen ? width : pitch - gap}px`;
      const offset = isOpen ? -width / 2 : Math.sign(away) * (width / 2 + margin + (Math.abs(away) - 0.5) * pitch) - (pitch - gap) / 2;
      frame.style.transform = `translateX(${offset}px)`;
    }
    if (!isComplete) this.#load({ first, end });
  }

  async #load(range) {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const { pages } = this.#snapshot;
    const isLoaded = await pages.loadRange(range).then(() => true, () => false);
    this.#isLoading = false;
    if (isLoaded) this.#place();
  }

  /** @param {number} index @param {Cell} cell */
  #frameOf(index, cell) {
    const key = `${cell.id} ${cell.version}`;
    const before = this.#frames.get(index);
    if (before?.dataset.key === key) return;
    if (before) this.#drop(index);
    const frame = make("button", { type: "button", tabIndex: -1, ariaLabel: spokenLabel(cell) });
    frame.dataset.key = key;
    const url = cell.unreadable ? null : placeholderURL(cell.placeholder ?? null);
    if (url) frame.style.backgroundImage = `url(${url})`;
    if (!cell.unreadable && !wantsLessData()) {
      frame.append(this.#images.take({ fetchPriority: "low", src: renditionURL(cell, "grid") }));
    }
    this.#frames.set(index, frame);
    this.append(frame);
  }

  #drop(index) {
    const frame = this.#frames.get(index);
    this.#frames.delete(index);
    for (const image of frame.querySelectorAll("img")) this.#images.keep(image);
    frame.remove();
  }

  #indexOf(element) {
    const frame = element.closest?.("button");
    return [...this.#frames].find(([, other]) => other === frame)?.[0] ?? -1;
  }

  #goTo(index) {
    if (index < 0) return;
    const detail = { snapshot: this.#snapshot, index: Math.min(index, this.#snapshot.total - 1) };
    this.dispatchEvent(new CustomEvent("go", { detail }));
  }

  #down(event) {
    if (event.button !== 0 || !this.#snapshot) return;
    this.setPointerCapture(event.pointerId);
    this.#drag = { x: event.clientX, index: this.#index, pressed: this.#indexOf(event.target), isMoving: false };
  }

  #moved({ clientX }) {
    if (!this.#drag) return;
    const moved = this.#drag.x - clientX;
    this.#drag.isMoving ||= Math.abs(moved) > stillness;
    if (this.#drag.isMoving) this.#goTo(Math.max(0, this.#drag.index + Math.round(moved / pitch)));
  }

  #up({ type }) {
    const drag = this.#drag;
    this.#drag = null;
    if (drag && !drag.isMoving && type === "pointerup") this.#goTo(drag.pressed);
  }
}

customElements.define("film-strip", FilmStrip);
