/** @import { PhotoGrid } from "./photo-grid.js" */
/** @import { AssetCell } from "./asset-cell.js" */
/** @import { Cell } from "../models/asset-pages.js" */
import { renditionURL } from "../helpers/api.js";
import { make, wantsLessData, wantsLessMotion } from "../helpers/dom.js";
import { isMovieMade } from "../helpers/movies.js";
import { whenPresented } from "./live-player.js";

/** The time in milliseconds after which a video plays that the mouse points at. */
const restTime = 400;

/**
 * Plays the video of the cell that the mouse points at, and the movie of a Live Photo while the
 * mouse is on its badge. It has no sound. Nothing is encoded for it.
 */
export class HoverPlayer {
  #grid;
  /** The cell that plays or is about to. @type {AssetCell | null} */
  #cell = null;
  /** The asset that the cell showed when the mouse came. @type {Cell | null} */
  #asset = null;
  /** @type {HTMLVideoElement | null} */
  #movie = null;
  #timer;

  /** @param {PhotoGrid} grid */
  constructor(grid) {
    this.#grid = grid;
    grid.classList.add("plays-badges");
    // A cell that comes under a resting mouse does not play, as while the wheel turns.
    grid.addEventListener("pointermove", (event) => this.#pointed(event));
    grid.addEventListener("pointerover", ({ target }) => this.#isElsewhere(target) && this.stop());
    grid.addEventListener("pointerleave", () => this.stop());
    grid.addEventListener("pointerdown", () => this.stop());
    grid.addEventListener("move", () => this.#cell?.asset !== this.#asset && this.stop());
  }

  /** Shows the still again. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#cell = this.#asset = null;
    this.#removeMovie();
  }

  #removeMovie() {
    const movie = this.#movie;
    this.#movie = null;
    if (!movie) return;
    movie.pause();
    movie.removeAttribute("src");
    movie.load();
    movie.remove();
  }

  #pointed({ target, pointerType, buttons }) {
    if (pointerType !== "mouse" || buttons !== 0 || wantsLessMotion() || wantsLessData()) return;
    if (this.#cell && !this.#isElsewhere(target)) return;
    this.stop();
    const cell = this.#grid.cellAt(this.#grid.indexOf(target));
    if (!cell?.asset || cell.asset.unreadable) return;
    const isVideo = cell.asset.mediaType === "video";
    if (!isVideo && !target.closest(".badge.live")) return;
    this.#cell = cell;
    this.#asset = cell.asset;
    this.#timer = setTimeout(() => this.#play(cell, cell.asset), isVideo ? restTime : 0);
  }

  /** @param {AssetCell} cell @param {Cell} asset */
  async #play(cell, asset) {
    const timer = this.#timer;
    if (!(await isMovieMade(asset)) || timer !== this.#timer) return;
    const movie = make("video", {
      className: "hover-movie", muted: true, playsInline: true, loop: asset.mediaType === "video", src: renditionURL(asset, "video"),
    });
    this.#movie = movie;
    whenPresented(movie, () => movie.classList.add("playing"));
    // The cell plays again when the mouse has left it and comes back.
    for (const type of ["ended", "error"]) movie.addEventListener(type, () => movie === this.#movie && this.#removeMovie());
    cell.element.querySelector(".open").before(movie);
    movie.play().catch(() => {}); // a movie that is taken away meanwhile
  }

  /** Returns whether an element is out of the video's cell, or of the Live Photo's badge. */
  #isElsewhere(element) {
    if (!this.#cell?.element.contains(element)) return true;
    return this.#asset?.mediaType !== "video" && !element.closest(".badge.live");
  }
}
