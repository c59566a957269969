/** @import { Point, Size, Zoom } from "../models/zoom.js" */
import { renditionURL } from "../helpers/api.js";
import { make, wantsLessData, wantsLessMotion } from "../helpers/dom.js";
import { growFrom } from "../helpers/morph.js";
import { placeholderURL } from "../helpers/placeholder.js";
import { actualScale, endsShown, fit, fitted, greatestScale, onPixels, scaledAt, stretched, withinStage, zoomedAt } from "../models/zoom.js";
import { StageGestures } from "./stage-gestures.js";
import { StageNeighbors } from "./stage-neighbors.js";

/** The renditions of a picture, the least sharp one first. */
const kinds = ["grid", "screen", "full"];
/** The share of the stage by which a key moves a zoomed picture. */
const panStep = 0.15;
const settling = { duration: 220, easing: "cubic-bezier(.2, .8, .2, 1)" };

/**
 * A picture that can be zoomed and moved. It shows the grid rendition first, then the screen
 * rendition, and every pixel once it is zoomed.
 *
 * Fires `zoom` when the scale changes, `swipe` with a result of `swipeOf` as `detail`, `pull` with
 * the distance while a finger pulls the picture down, `tap`, and `hold` with the `detail` true or
 * false while a finger or the mouse button is held down on a Live Photo.
 */
export class ZoomStage extends HTMLElement {
  #box = make("div", { className: "picture" });
  /** @type {Zoom} */
  #zoom = fitted;
  #asset = null;
  #layers = new Set();
  /** The sharpest rendition that is shown, as its place in `kinds`, or -1. */
  #shown = -1;
  /** The layers of the version before, until the new one can be seen. @type {Element[]} */
  #outdated = [];
  /** @type {Animation | null} */
  #growing = null;
  /** The scale that the fingers ask for, while they pinch. @type {number | null} */
  #pinched = null;
  #neighbors = new StageNeighbors(this);
  /**
   * The stage's way to where a finger's drag leads.
   * @type {{animation: Animation, end: () => void} | null}
   */
  #settling = null;
  /** Whether a finger has moved the picture aside, and nothing has taken its place yet. */
  #isAside = false;

  connectedCallback() {
    this.append(this.#box);
    new StageGestures(this);
    new ResizeObserver(() => this.#asset && this.zoomTo(this.#zoom)).observe(this);
  }

  /** The element for a movie that plays over the picture. */
  get box() {
    return this.#box;
  }

  /** Whether the picture plays while it is held down. */
  get isLive() {
    return Boolean(this.#asset?.mediaSubtypes.includes("photoLive"));
  }

  get isZoomed() {
    return this.#zoom.scale > 1;
  }

  /** Whether the picture can't be zoomed in any further. */
  get isLargest() {
    return this.#zoom.scale > 0.999 * this.#greatestScale(this.#sizes().box);
  }

  get zoom() {
    return this.#zoom;
  }

  /** The sides on which the picture can't be moved further. @returns {number[]} */
  get endsShown() {
    const { box, stage } = this.#sizes();
    return endsShown(this.#zoom, box, stage);
  }

  /** The assets on both sides, by their distance. */
  set neighbors(cells) {
    this.#neighbors.cells = cells;
  }

  /** @param {import("../models/asset-pages.js").Cell} asset */
  show(asset) {
    const outdated = this.#isVersionOf(asset) ? [...this.#box.querySelectorAll("img, canvas")] : [];
    for (const layer of outdated) layer.remove();
    this.clear();
    this.#asset = asset;
    this.#outdated = outdated;
    this.#box.append(...outdated);
    this.zoomTo(fitted);
    const ready = this.#neighbors.take(asset);
    if (ready) return this.#showReady(ready);
    const url = placeholderURL(asset.placeholder ?? null);
    this.#box.style.backgroundImage = url ? `url(${url})` : "";
    this.#load("grid");
    if (!wantsLessData()) this.sharpen();
  }

  /** Shows a screen rendition that was loaded ahead. @param {HTMLImageElement} image */
  #showReady(image) {
    this.#layers.add("screen");
    this.#shown = kinds.indexOf("screen");
    this.#box.append(Object.assign(image, { className: "screen ready", decoding: "sync" }));
    this.#dropOutdated();
  }

  /** Whether an asset is another version of the one that is shown, and has its shape. */
  #isVersionOf({ id, pixelWidth, pixelHeight }) {
    const before = this.#asset;
    return id === before?.id && Math.abs(pixelWidth * before.pixelHeight - pixelHeight * before.pixelWidth) < pixelWidth;
  }

  /** Lets the picture grow from a cell, until something else moves it. @param {DOMRect} cell */
  growFrom(cell) {
    this.zoomTo(this.#zoom);
    this.#growing = growFrom(this.#box, cell);
  }

  /** Loads the picture in the size of the window. */
  sharpen() {
    this.#load("screen");
  }

  /** Loads again what could not be loaded. */
  retry() {
    if (!this.#asset) return;
    this.#load("grid");
    if (!wantsLessData()) this.sharpen();
  }

  clear() {
    for (const image of this.#box.querySelectorAll("img")) image.removeAttribute("src");
    this.#box.replaceChildren();
    this.#layers.clear();
    this.#shown = -1;
    this.#outdated = [];
    this.#asset = null;
    this.#dropPlaceholder();
    this.#growing?.cancel();
    this.#pinched = null;
    this.drag(0, 0);
    this.#place(fitted);
    this.#neighbors.clear();
  }

  /** @param {Zoom} zoom */
  zoomTo(zoom) {
    const { box, stage } = this.#sizes();
    const actual = this.#actualScale(box);
    const allowed = zoom.scale <= 1.001 ? fitted : withinStage(zoom, box, stage);
    const isActual = Math.abs(allowed.scale - actual) < 0.001 * actual;
    this.#place(isActual ? onPixels({ ...allowed, scale: actual }, box, stage, devicePixelRatio) : allowed);
  }

  /** @param {Zoom} zoom */
  #place(zoom) {
    const { box, stage } = this.#sizes();
    const before = this.#zoom.scale;
    this.#zoom = zoom;
    const { style } = this.#box;
    style.width = `${box.width}px`;
    style.height = `${box.height}px`;
    style.left = `${(stage.width - box.width) / 2}px`;
    style.top = `${(stage.height - box.height) / 2}px`;
    style.transform = `translate(${this.#zoom.x}px, ${this.#zoom.y}px) scale(${this.#zoom.scale})`;
    this.classList.toggle("zoomed", this.isZoomed);
    if (this.isZoomed) this.#load("full");
    if (before === this.#zoom.scale) return;
    this.#growing?.cancel();
    this.dispatchEvent(new Event("zoom"));
  }

  /**
   * Zooms by a factor around a point.
   * @param {number} factor
   * @param {Point} [point] relative to the stage's middle
   */
  zoomBy(factor, point = { x: 0, y: 0 }) {
    const { box, stage } = this.#sizes();
    if (!this.#asset || stage.width === 0) return;
    this.zoomTo(zoomedAt(this.#zoom, factor, point, this.#greatestScale(box)));
  }

  /**
   * Zooms as two fingers do, which can pull a picture beyond its limits.
   * @param {number} factor
   * @param {Point} point
   */
  pinchBy(factor, point) {
    const { box, stage } = this.#sizes();
    if (!this.#asset || stage.width === 0) return;
    this.#pinched = (this.#pinched ?? this.#zoom.scale) * factor;
    this.#place(scaledAt(this.#zoom, stretched(this.#pinched, this.#greatestScale(box)), point));
  }

  /** Lets a picture spring back that fingers have pulled beyond its limits. */
  endPinch() {
    if (this.#pinched === null) return;
    this.#pinched = null;
    const greatest = this.#greatestScale(this.#sizes().box);
    const { scale } = this.#zoom;
    this.#glide(() => (scale > greatest ? this.zoomBy(greatest / scale) : this.zoomTo(this.#zoom)));
  }

  /**
   * Toggles between the whole picture and 100 %. A picture that is shown at 100 % doubles.
   * @param {Point} [point]
   */
  toggleZoom(point) {
    const actual = this.#actualScale(this.#sizes().box);
    this.#glide(() => (this.isZoomed ? this.reset() : this.zoomBy(actual > 1.01 ? actual : 2, point)));
  }

  /** Zooms to 100 %. */
  showActual() {
    const actual = this.#actualScale(this.#sizes().box);
    this.#glide(() => this.zoomBy(actual / this.#zoom.scale));
  }

  /** Moves a zoomed picture by a step. @param {number} right @param {number} down */
  pan(right, down) {
    const { scale, x, y } = this.#zoom;
    this.zoomTo({ scale, x: x - right * panStep * this.clientWidth, y: y - down * panStep * this.clientHeight });
  }

  reset() {
    this.zoomTo(fitted);
  }

  /** Moves the picture with a finger, without zooming. @param {number} x @param {number} y */
  drag(x, y) {
    this.#stopSettling();
    this.#isAside = false;
    if (x || y) this.#growing?.cancel();
    if (x) this.#neighbors.draw();
    const isHeld = x !== 0 && !this.#neighbors.has(x < 0 ? 1 : -1);
    this.style.transform = x || y ? `translate(${isHeld ? x / 3 : x}px, ${Math.max(0, y)}px)` : "";
    this.classList.toggle("dragged", x !== 0 || y !== 0);
    this.dispatchEvent(new CustomEvent("pull", { detail: Math.max(0, y) }));
  }

  /**
   * Ends a finger's drag: the picture goes back, or a neighbor takes its place, or the viewer
   * closes.
   * @param {"next" | "previous" | "close" | "none"} swipe
   */
  settle(swipe) {
    this.#stopSettling();
    const side = { next: -1, previous: 1, close: 0, none: 0 }[swipe];
    const end = () => {
      this.#settling = null;
      if (swipe === "none") return this.drag(0, 0);
      this.#isAside = true;
      this.dispatchEvent(new CustomEvent("swipe", { detail: swipe }));
    };
    if (side !== 0 && !this.#neighbors.has(-side)) {
      this.drag(0, 0);
      return end();
    }
    if (swipe === "close" || wantsLessMotion() || this.style.transform === "") return end();
    const to = side === 0 ? "none" : `translate(${side * this.#neighbors.distance}px, 0)`;
    const animation = this.animate([{ transform: this.style.transform }, { transform: to }], { ...settling, fill: "forwards" });
    const finish = () => {
      if (this.#settling?.animation !== animation) return;
      end();
      animation.cancel();
    };
    this.#settling = { animation, end: finish };
    animation.onfinish = finish;
    if (side !== 0) this.style.transform = to;
  }

  /** Stops the stage on its way, because something else moves it. */
  #stopSettling() {
    this.#settling?.animation.cancel();
    this.#settling = null;
  }

  /** Brings the picture back if a finger has moved it aside, and nothing takes its place. */
  comeBack() {
    if (this.#isAside && !this.#settling) this.settle("none");
  }

  /** Ends at once what a finger's drag has begun. */
  endSettling() {
    this.#settling?.end();
  }

  #glide(change) {
    if (wantsLessMotion()) return change();
    this.#box.classList.add("gliding");
    this.#box.addEventListener("transitionend", () => this.#box.classList.remove("gliding"), { once: true });
    change();
    if (this.#box.getAnimations().length === 0) this.#box.classList.remove("gliding");
  }

  /** @returns {Size} */
  #pictureSize() {
    return { width: this.#asset?.pixelWidth ?? 0, height: this.#asset?.pixelHeight ?? 0 };
  }

  /** @returns {{box: Size, stage: Size}} */
  #sizes() {
    const stage = { width: this.clientWidth, height: this.clientHeight };
    return { stage, box: fit(this.#pictureSize(), stage, devicePixelRatio) };
  }

  #actualScale(box) {
    return actualScale(this.#pictureSize(), box, devicePixelRatio);
  }

  #greatestScale(box) {
    return greatestScale(this.#pictureSize(), box, devicePixelRatio);
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
      if (asset !== this.#asset) return;
      this.#layers.delete(kind);
      image.remove();
      this.#dropOutdated();
      return;
    }
    if (asset !== this.#asset) return;
    const rank = kinds.indexOf(kind);
    if (rank < this.#shown) return image.remove(); // a sharper one was faster
    this.#shown = rank;
    if (kind === "grid") {
      this.#dropPlaceholder();
      if (wantsLessData()) this.#dropOutdated();
      return;
    }
    this.#box.insertBefore(image, this.#box.querySelector("video"));
    await Promise.allSettled(image.getAnimations().map(({ finished }) => finished));
    if (asset !== this.#asset) return;
    this.#dropPlaceholder();
    this.#dropOutdated();
    // A transparent part would show the layers below it.
    for (const covered of kinds.slice(0, rank)) this.#box.querySelector(`:scope > .${covered}`)?.remove();
  }

  #dropPlaceholder() {
    this.#box.style.backgroundImage = "";
  }

  #dropOutdated() {
    for (const layer of this.#outdated.splice(0)) layer.remove();
  }
}

customElements.define("zoom-stage", ZoomStage);
