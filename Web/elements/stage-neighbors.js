/** @import { Cell } from "../models/asset-pages.js" */
/** @import { ZoomStage } from "./zoom-stage.js" */
import { renditionURL } from "../helpers/api.js";
import { make, wantsLessData } from "../helpers/dom.js";
import { placeholderURL } from "../helpers/placeholder.js";
import { SpareImages } from "../helpers/spare-images.js";
import { fit } from "../models/zoom.js";

/** The space in pixels between two pictures. */
const gap = 24;

/** The renditions to load ahead: a neighbor's distance and its size, the most urgent first. */
const ahead = [[1, "screen"], [-1, "screen"], [1, "grid"], [-1, "grid"], [2, "grid"], [-2, "grid"]];

/**
 * The pictures on both sides of a stage. They are loaded ahead, and come in while a finger swipes.
 * Neighbors have a distance: 1 is the next one, and -1 the previous one.
 */
export class StageNeighbors {
  /** @type {Record<number, Cell | undefined>} by distance */
  #cells = {};
  #drawn = [];
  /** The images that load ahead, by their address. @type {Map<string, HTMLImageElement>} */
  #ahead = new Map();
  /** The images that can be drawn at once. @type {WeakSet<HTMLImageElement>} */
  #decoded = new WeakSet();
  #spares = new SpareImages();

  /** @param {ZoomStage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  /** @param {Record<number, Cell | undefined>} cells by distance */
  set cells(cells) {
    if ([1, -1].some((by) => cells[by] !== this.#cells[by])) this.clear();
    this.#cells = cells;
    const addresses = wantsLessData() ? [] : ahead
      .filter(([by]) => cells[by] && !cells[by].unreadable)
      .map(([by, kind]) => renditionURL(cells[by], kind));
    for (const [address, image] of this.#ahead) if (!addresses.includes(address)) this.#drop(address, image);
    for (const address of addresses) if (!this.#ahead.has(address)) this.#load(address);
  }

  /** Removes the drawn neighbors. What was loaded ahead stays until the next ones are known. */
  clear() {
    for (const element of this.#drawn) element.remove();
    this.#drawn = [];
    this.#cells = {};
  }

  #load(address) {
    const image = this.#spares.take({ fetchPriority: "low", src: address });
    this.#ahead.set(address, image);
    image.decode().then(() => this.#ahead.get(address) === image && this.#decoded.add(image), () => {});
  }

  #drop(address, image) {
    this.#ahead.delete(address);
    this.#decoded.delete(image);
    this.#spares.keep(image);
  }

  /**
   * Gives away the screen rendition of a neighbor, if it can be drawn at once.
   * @param {Cell} cell
   * @returns {HTMLImageElement | undefined}
   */
  take(cell) {
    const address = renditionURL(cell, "screen");
    const image = this.#ahead.get(address);
    if (!image || !this.#decoded.has(image)) return undefined;
    this.#ahead.delete(address);
    return image;
  }

  /** The distance in pixels by which the stage moves until a neighbor has its place. */
  get distance() {
    return this.stage.clientWidth + gap;
  }

  /** @param {number} by the distance */
  has(by) {
    return this.#cells[by] !== undefined;
  }

  /** Makes the pictures, once a finger moves the stage. */
  draw() {
    if (this.#drawn.length > 0) return;
    for (const by of [-1, 1]) {
      const cell = this.#cells[by];
      if (cell) this.#drawn.push(this.#pictureOf(cell, by));
    }
    this.stage.append(...this.#drawn);
  }

  #pictureOf(cell, by) {
    const stage = { width: this.stage.clientWidth, height: this.stage.clientHeight };
    const size = fit({ width: cell.pixelWidth, height: cell.pixelHeight }, stage, devicePixelRatio);
    const picture = make("div", { className: "neighbor" });
    const url = cell.unreadable ? null : placeholderURL(cell.placeholder ?? null);
    if (!cell.unreadable) {
      const image = make("img", { alt: "", src: renditionURL(cell, "grid") });
      // A transparent picture would show its placeholder.
      image.addEventListener("load", () => (picture.style.backgroundImage = ""));
      picture.append(image);
    }
    Object.assign(picture.style, {
      backgroundImage: url ? `url(${url})` : "", width: `${size.width}px`, height: `${size.height}px`,
      left: `${(stage.width - size.width) / 2 + by * this.distance}px`, top: `${(stage.height - size.height) / 2}px`,
    });
    return picture;
  }
}
