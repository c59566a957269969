import { limitHeight, wantsLessData } from "../WebLibrary/dom.js";

/** Shows one asset, and plays a video or a Live Photo over its picture. */
export class AssetStage {
  #element;
  #library;
  #asset = null;
  /** The identifiers of the assets whose sharp pictures the person has asked for. */
  #asked = new Set();

  /** @param {HTMLElement} element has an image and a video */
  constructor(element, library) {
    this.#element = element;
    this.#library = library;
    this.#movie.addEventListener("ended", () => this.stop());
  }

  get #still() {
    return this.#element.firstElementChild;
  }

  get #movie() {
    return this.#element.lastElementChild;
  }

  /** True if only the small picture is loaded, because the person saves data. */
  isSmall({ id }) {
    return wantsLessData() && !this.#asked.has(id);
  }

  /** Lets `show` load the sharp picture too. */
  sharpen({ id }) {
    this.#asked.add(id);
    delete this.#element.dataset.shown;
  }

  /** Shows an asset, or a new version of it. Without one, nothing of the last one is left. */
  async show(asset) {
    const wanted = asset && `${asset.id}/${asset.version}`;
    const isSame = this.#asset?.id === asset?.id && this.#asset?.version === asset?.version;
    if (this.#asset?.id !== asset?.id) this.#still.removeAttribute("src");
    this.#asset = asset;
    if (this.#element.dataset.shown === wanted) return;
    if (!isSame) this.stop(); // a sharper picture comes below a movie that plays
    delete this.#element.dataset.shown;
    if (!asset) return;
    this.#element.dataset.shown = wanted;
    limitHeight(this.#element, asset);
    for (const kind of this.isSmall(asset) ? ["grid"] : ["grid", "screen"]) {
      try {
        const picture = await this.#library.picture(asset, kind);
        if (this.#element.dataset.shown !== wanted) return;
        this.#still.src = picture;
      } catch (error) {
        if (this.#element.dataset.shown !== wanted) return;
        // It is tried again at the next change.
        delete this.#element.dataset.shown;
        throw error;
      }
    }
  }

  async play() {
    const played = this.#asset;
    const file = await this.#library.file(played, "video");
    if (this.#asset?.id !== played.id) return; // the person has left it
    URL.revokeObjectURL(this.#movie.src);
    this.#movie.src = URL.createObjectURL(file);
    this.#movie.controls = played.mediaType === "video";
    this.#movie.hidden = false;
    await this.#movie.play();
  }

  stop() {
    this.#movie.pause();
    this.#movie.hidden = true;
  }
}
