import { renditionURL } from "../helpers/api.js";
import { make } from "../helpers/dom.js";

/**
 * Plays a Live Photo's movie over its still, which shows until the movie begins and after its end.
 */
export class LivePlayer {
  /** @type {HTMLVideoElement | null} */
  #movie = null;

  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
  }

  get isPlaying() {
    return this.#movie !== null;
  }

  /** @param {{id: string, version: string}} asset */
  async play(asset) {
    if (this.#movie) return;
    const movie = make("video", { className: "live-movie", playsInline: true, src: renditionURL(asset, "video") });
    this.#movie = movie;
    movie.addEventListener("playing", () => movie.classList.add("playing"));
    movie.addEventListener("ended", () => this.stop());
    movie.addEventListener("error", () => this.stop());
    this.box.append(movie);
    try {
      await movie.play();
    } catch (error) {
      if (error.name !== "NotAllowedError" || movie !== this.#movie) return;
      // Browsers play sound only after a click or a key.
      movie.muted = true;
      await movie.play().catch(() => this.stop());
    }
  }

  stop() {
    const movie = this.#movie;
    this.#movie = null;
    if (!movie) return;
    movie.pause();
    movie.removeAttribute("src");
    movie.load();
    movie.remove();
  }
}
