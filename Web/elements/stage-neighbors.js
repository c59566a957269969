/** @import { Cell } from "../models/asset-pages.js" */
/** @import { ZoomStage } from "./zoom-stage.js" */
import { renditionURL } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { placeholderURL } from "../helpers/placeholder.js";
import { fit } from "../models/zoom.js";

/** The space in pixels between two pictures. */
const gap = 24;

/** The pictures on both sides of a stage, which come in while a finger swipes. */
export class StageNeighbors {
  /** @type {{previous?: Cell, next?: Cell}} */
  #cells = {};
  #drawn = [];

  /** @param {ZoomStage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  /** @param {{previous?: Cell, next?: Cell}} cells */
  set cells(cells) {
    for (const element of this.#drawn) element.remove();
    this.#drawn = [];
    this.#cells = cells;
  }

  /** The distance in pixels by which the stage moves until a neighbor has its place. */
  get distance() {
    return this.stage.clientWidth + gap;
  }

  /** @param {"previous" | "next"} side */
  has(side) {
    return this.#cells[side] !== undefined;
  }

  /** Makes the pictures, once a finger moves the stage. */
  draw() {
    if (this.#drawn.length > 0) return;
    for (const [side, sign] of [["previous", -1], ["next", 1]]) {
      const cell = this.#cells[side];
      if (cell) this.#drawn.push(this.#pictureOf(cell, sign));
    }
    this.stage.append(...this.#drawn);
  }

  #pictureOf(cell, sign) {
    const stage = { width: this.stage.clientWidth, height: this.stage.clientHeight };
    const size = fit({ width: cell.pixelWidth, height: cell.pixelHeight }, stage, devicePixelRatio);
    const picture = make("div", { className: "neighbor" });
    const url = cell.unreadable ? null : placeholderURL(cell.placeholder ?? null);
    if (!cell.unreadable) picture.append(make("img", { alt: "", src: renditionURL(cell, "grid") }));
    Object.assign(picture.style, {
      backgroundImage: url ? `url(${url})` : "", width: `${size.width}px`, height: `${size.height}px`,
      left: `${(stage.width - size.width) / 2 + sign * this.distance}px`, top: `${(stage.height - size.height) / 2}px`,
    });
    return picture;
  }
}
