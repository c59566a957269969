/** @import { PhotoGrid } from "./photo-grid.js" */
import { words } from "../words.js";

/** A button that counts the photos added outside the window, and scrolls to them. */
export class NewAssets {
  /** The number of assets that the stream of changes has announced since the last snapshot. */
  #told = 0;
  #count = 0;
  #videos = 0;
  #counts = null;

  /**
   * @param {typeof import("../shell.js").shell} shell
   * @param {PhotoGrid} grid
   * @param {HTMLButtonElement} button
   */
  constructor(shell, grid, button) {
    this.shell = shell;
    this.grid = grid;
    this.button = button;
    button.addEventListener("click", () => {
      grid.goTo(this.#start);
      this.#clear();
      grid.focus();
    });
    shell.addEventListener("change", ({ detail }) => (this.#told += detail?.assets?.inserted?.length ?? 0));
    shell.addEventListener("snapshot", ({ detail }) => this.#changed(detail));
    shell.addEventListener("view", () => this.#clear());
    shell.addEventListener("collections", () => this.#collected());
    grid.addEventListener("move", () => this.#isAtStart && this.#clear());
  }

  get #start() {
    return this.shell.order === "oldest" ? this.grid.layout.height : 0;
  }

  get #isAtStart() {
    const { grid } = this;
    return this.shell.order === "oldest" ? grid.y + grid.windowHeight >= grid.layout.height - 1 : grid.y === 0;
  }

  #changed({ before, after }) {
    const more = Math.min(after.total - before.total, this.#told);
    this.#told = 0;
    if (more <= 0 || this.#isAtStart) return;
    this.#count += more;
    this.#show();
  }

  /** Counts the videos among the new assets, so that they are not called photos. */
  #collected() {
    const collection = this.shell.collection;
    if (this.#counts?.id === collection?.id && collection && this.#count > 0) {
      this.#videos = Math.max(0, collection.videoCount - this.#counts.videoCount);
      this.#show();
    } else this.#counts = collection;
  }

  #show() {
    if (this.#count === 0) return;
    const say = this.#videos === 0 ? words.view.newPhotos : this.#videos >= this.#count ? words.view.newVideos : words.view.newItems;
    this.button.querySelector("span").textContent = say(this.#count);
    this.button.hidden = false;
  }

  #clear() {
    this.#count = 0;
    this.#videos = 0;
    this.#counts = this.shell.collection;
    this.button.hidden = true;
  }
}
