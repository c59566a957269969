import { grow, limitHeight } from "./dom.js";

/**
 * A photo or a video over the whole page. It has an entry in the browser's history, so that Back
 * closes it and Forward opens it again.
 */
export class Editor {
  #element;
  #back;
  #still;
  #movie;
  #options;
  #shown = null;
  #address = "";
  #isLeaving = false;
  #farewell = "";

  /**
   * @param {HTMLElement} element has a button `.back`, an image and a video
   * @param {object} options
   * @param {(id: string) => HTMLElement | undefined} options.cell the cell that an asset grows from
   * @param {(asset: object, kind: string) => Promise<Blob>} options.file
   * @param {(isCovered: boolean) => void} options.cover covers or frees the rest of the page
   * @param {(message: string) => void} options.say
   */
  constructor(element, options) {
    this.#element = element;
    this.#options = options;
    [this.#back, this.#still, this.#movie] = [".back", "img", "video"].map((name) => element.querySelector(name));
    this.#back.addEventListener("click", () => this.leave());
    addEventListener("popstate", ({ state }) => this.#follow(state));
    // The page was loaded again while it showed an asset.
    if (history.state) history.back();
  }

  get asset() {
    return this.#shown?.asset ?? null;
  }

  /** Lets the picture of a cell grow over the page. */
  async open(cell) {
    if (this.#shown) return;
    history.pushState({ asset: cell.asset.id }, "");
    await this.#show(cell);
  }

  /** Goes back to the page below, and says something there. */
  leave(farewell = "") {
    if (!this.#shown || this.#isLeaving) return;
    [this.#isLeaving, this.#farewell] = [true, farewell];
    history.back();
  }

  /** Loads the open asset again, if its file could not be loaded. */
  async retry() {
    const shown = this.#shown;
    await shown?.arrival;
    if (!shown?.hasFailed || this.#shown !== shown) return;
    shown.hasFailed = false;
    // Its version may have changed since.
    await this.#finish(shown, this.#load(this.#options.cell(shown.asset.id)?.asset ?? shown.asset));
    if (this.#shown === shown && !shown.hasFailed) this.#options.say("");
  }

  /** Takes the asset from the page at once. */
  clear() {
    this.leave();
    this.#shown = null;
    this.#place(false);
    this.#drop();
  }

  #follow(state) {
    this.#isLeaving = false;
    const cell = state && this.#options.cell(state.asset);
    if (cell) this.#show(cell);
    else if (state) history.back(); // its asset is gone
    else if (this.#shown) this.#close();
  }

  async #show({ asset, image }) {
    const shown = (this.#shown = { asset, hasFailed: false });
    this.#still.src = image.src;
    this.#element.dataset.id = asset.id;
    this.#options.say("");
    this.#options.cover(true);
    const loading = this.#load(asset);
    const growth = grow(image, this.#still, () => this.#place(this.#shown !== null), "opening");
    await (shown.arrival = growth.then(() => this.#finish(shown, loading)));
  }

  /** Returns the file of an asset, or the error. */
  #load(asset) {
    limitHeight(this.#element, asset);
    return this.#options.file(asset, asset.mediaType === "video" ? "video" : "full").catch((error) => error);
  }

  /** Puts the file in the place of the small picture when it has come. */
  async #finish(shown, loading) {
    const file = await loading;
    if (this.#shown !== shown) return; // the person has left this asset, or has opened another one
    shown.hasFailed = file instanceof Error;
    if (shown.hasFailed) return this.#options.say(file.message);
    const isVideo = shown.asset.mediaType === "video";
    URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(file);
    const sharp = Object.assign(isVideo ? this.#movie : new Image(), { src: this.#address });
    await (isVideo ? sharp.play() : sharp.decode()).catch(() => {});
    if (this.#shown !== shown) return;
    if (isVideo) this.#movie.hidden = false;
    else this.#still.src = sharp.src;
  }

  async #close() {
    const cell = this.#options.cell(this.asset.id);
    this.#shown = null;
    this.#options.say(this.#farewell);
    this.#farewell = "";
    Object.assign(this.#movie, { hidden: true }).pause();
    cell?.scrollIntoView({ block: "nearest" });
    const change = () => {
      this.#place(false);
      cell?.firstChild.focus({ preventScroll: true });
    };
    await grow(this.#still, cell?.image ?? this.#still, change, "closing");
    if (!this.#shown) this.#drop();
  }

  #place(isOpen) {
    this.#element.hidden = !isOpen;
    this.#options.cover(isOpen);
    if (isOpen) this.#back.focus();
  }

  #drop() {
    URL.revokeObjectURL(this.#address);
    delete this.#element.dataset.id;
    this.#movie.hidden = true;
    for (const element of [this.#still, this.#movie]) element.removeAttribute("src");
    this.#movie.load();
  }
}
