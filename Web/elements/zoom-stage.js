/** @import { Point, Size, Zoom } from "../models/zoom.js" */
import { renditionURL } from "../helpers/api.js";
import { make, wantsLessMotion } from "../helpers/dom.js";
import { placeholderURL } from "../helpers/placeholder.js";
import { fit, fitted, greatestScale, withinStage, zoomedAt } from "../models/zoom.js";
import { StageGestures } from "./stage-gestures.js";

/**
 * A picture that can be zoomed and moved. It shows the grid rendition first, then the screen
 * rendition, and every pixel once it is zoomed.
 *
 * Fires `zoom` when the scale changes, `swipe` with a result of `swipeOf` as `detail`, and `hold`
 * with the `detail` true or false while a finger or the mouse button is held down.
 */
export class ZoomStage extends HTMLElement {
  #box = make("div", { className: "picture" });
  /** @type {Zoom} */
  #zoom = fitted;
  #asset = null;
  #layers = new Set();

  connectedCallback() {
    this.append(this.#box);
    new StageGestures(this);
    new ResizeObserver(() => this.#asset && this.zoomTo(this.#zoom)).observe(this);
  }

  /** The element for a movie that plays over the picture. */
  get box() {
    return this.#box;
  }

  get isZoomed() {
    return this.#zoom.scale > 1;
  }

  get zoom() {
    return this.#zoom;
  }

  /** @param {import("../models/asset-pages.js").Cell} asset */
  show(asset) {
    this.clear();
    this.#asset = asset;
    const url = placeholderURL(asset.placeholder ?? null);
    this.#box.style.backgroundImage = url ? `url(${url})` : "";
    this.zoomTo(fitted);
    this.#load("grid");
    this.#load("screen");
  }

  clear() {
    for (const image of this.#box.querySelectorAll("img")) image.removeAttribute("src");
    this.#box.replaceChildren();
    this.#layers.clear();
    this.#asset = null;
    this.#box.style.backgroundImage = "";
    this.drag(0, 0);
  }

  /** @param {Zoom} zoom */
  zoomTo(zoom) {
    const { box, stage } = this.#sizes();
    const before = this.#zoom.scale;
    this.#zoom = zoom.scale <= 1.001 ? fitted : withinStage(zoom, box, stage);
    const { style } = this.#box;
    style.width = `${box.width}px`;
    style.height = `${box.height}px`;
    style.left = `${(stage.width - box.width) / 2}px`;
    style.top = `${(stage.height - box.height) / 2}px`;
    style.transform = `translate(${this.#zoom.x}px, ${this.#zoom.y}px) scale(${this.#zoom.scale})`;
    this.classList.toggle("zoomed", this.isZoomed);
    if (this.isZoomed) this.#load("full");
    if (before !== this.#zoom.scale) this.dispatchEvent(new Event("zoom"));
  }

  /**
   * Zooms by a factor around a point.
   * @param {number} factor
   * @param {Point} [point] relative to the stage's middle
   */
  zoomBy(factor, point = { x: 0, y: 0 }) {
    const { box, stage } = this.#sizes();
    if (!this.#asset || stage.width === 0) return;
    this.zoomTo(zoomedAt(this.#zoom, factor, point, greatestScale(this.#pictureSize(), box)));
  }

  /**
   * Toggles between the whole picture and a picture pixel for each screen pixel, at least twofold.
   * @param {Point} [point]
   */
  toggleZoom(point) {
    const actual = this.#pictureSize().width / this.#sizes().box.width / devicePixelRatio;
    this.#glide(() => (this.isZoomed ? this.reset() : this.zoomBy(Math.max(2, actual), point)));
  }

  reset() {
    this.zoomTo(fitted);
  }

  /** Moves the picture with a finger, without zooming. @param {number} x @param {number} y */
  drag(x, y) {
    this.style.transform = x || y ? `translate(${x}px, ${Math.max(0, y)}px)` : "";
  }

  #glide(change) {
    if (wantsLessMotion()) return change();
    this.#box.classList.add("gliding");
    this.#box.addEventListener("transitionend", () => this.#box.classList.remove("gliding"), { once: true });
    change();
  }

  /** @returns {Size} */
  #pictureSize() {
    return { width: this.#asset?.pixelWidth ?? 0, height: this.#asset?.pixelHeight ?? 0 };
  }

  /** @returns {{box: Size, stage: Size}} */
  #sizes() {
    const stage = { width: this.clientWidth, height: this.clientHeight };
    return { stage, box: fit(this.#pictureSize(), stage) };
  }

  async #load(kind) {
    if (this.#layers.has(kind)) return;
    this.#layers.add(kind);
    const asset = this.#asset;
    const image = make("img", { className: kind, alt: "", draggable: false, decoding: "async" });
    image.src = renditionURL(asset, kind);
    if (kind === "grid") this.#box.prepend(image);
    try {
      await image.decode();
    } catch {
      if (asset === this.#asset) this.#layers.delete(kind);
      return;
    }
    if (asset !== this.#asset || kind === "grid") return;
    const movie = this.#box.querySelector("video");
    this.#box.insertBefore(image, movie);
  }
}

customElements.define("zoom-stage", ZoomStage);
