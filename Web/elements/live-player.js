import { renditionURL } from "../helpers/api.js";
import { make, wantsLessData, wantsLessMotion } from "../helpers/dom.js";
import { isMovieMade } from "../helpers/movies.js";

/** The time in milliseconds in which the still comes back. */
const fadeTime = 150;
/** The time in milliseconds after which an open asset gives a hint. */
const restTime = 300;
/** The length of a hint in milliseconds. */
const hintTime = 1_000;

/**
 * Plays a Live Photo's movie over its still, which shows until the movie's first frame and after
 * its last.
 */
export class LivePlayer {
  /** @type {HTMLVideoElement | null} */
  #movie = null;
  #isHint = false;
  #hintTimer;
  /** The assets that have given a hint. */
  #hinted = new Set();

  /**
   * @param {HTMLElement} box
   * @param {(isMaking: boolean) => void} [onMaking] called when the server begins to make a movie
   *   that the browser can play, and when it is there
   */
  constructor(box, onMaking = () => {}) {
    this.box = box;
    this.onMaking = onMaking;
  }

  /** Whether the person plays the movie. A hint does not count. */
  get isPlaying() {
    return this.#movie !== null && !this.#isHint;
  }

  /** @param {{id: string, version: string}} asset */
  async play(asset) {
    clearTimeout(this.#hintTimer);
    if (this.isPlaying) return;
    this.stop();
    const movie = this.#show(asset);
    this.#tellOfMaking(asset, movie);
    try {
      await movie.play();
    } catch (error) {
      if (error.name !== "NotAllowedError" || movie !== this.#movie) return;
      // Browsers play sound only after a click or a key.
      movie.muted = true;
      await movie.play().catch(() => this.stop());
    }
  }

  /**
   * Plays the movie for a second and without sound, once for each asset. Nothing is encoded for it.
   * @param {{id: string, version: string}} asset
   */
  hint(asset) {
    clearTimeout(this.#hintTimer);
    if (wantsLessMotion() || wantsLessData() || this.#hinted.has(asset.id)) return;
    this.#hintTimer = setTimeout(async () => {
      const timer = this.#hintTimer;
      if (this.#movie || !(await isMovieMade(asset)) || timer !== this.#hintTimer || this.#movie) return;
      this.#hinted.add(asset.id);
      const movie = this.#show(asset);
      this.#isHint = true;
      movie.muted = true;
      await movie.play().catch(() => {});
      this.#hintTimer = setTimeout(() => movie === this.#movie && this.stop(), hintTime);
    }, restTime);
  }

  /** Shows the still again. */
  stop() {
    clearTimeout(this.#hintTimer);
    // A hint that still asks whether its movie is made gives up.
    this.#hintTimer = undefined;
    const movie = this.#movie;
    this.#movie = null;
    this.#isHint = false;
    if (!movie) return;
    this.onMaking(false);
    movie.pause();
    movie.classList.remove("playing");
    setTimeout(() => {
      movie.removeAttribute("src");
      movie.load();
      movie.remove();
    }, wantsLessMotion() ? 0 : fadeTime);
  }

  #show(asset) {
    const movie = make("video", { className: "live-movie", playsInline: true, src: renditionURL(asset, "video") });
    this.#movie = movie;
    this.#isHint = false;
    whenPresented(movie, () => {
      if (movie !== this.#movie) return;
      this.onMaking(false);
      movie.classList.add("playing");
    });
    for (const type of ["ended", "error"]) movie.addEventListener(type, () => movie === this.#movie && this.stop());
    this.box.append(movie);
    return movie;
  }

  async #tellOfMaking(asset, movie) {
    const isMade = await isMovieMade(asset);
    if (!isMade && movie === this.#movie && movie.readyState === 0) this.onMaking(true);
  }
}

/**
 * Calls back when a movie's first frame is on the screen.
 * @param {HTMLVideoElement} movie
 * @param {() => void} act
 */
export function whenPresented(movie, act) {
  if ("requestVideoFrameCallback" in movie) movie.requestVideoFrameCallback(act);
  else movie.addEventListener("playing", act, { once: true });
}
