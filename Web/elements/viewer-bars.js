/** @import { AssetViewer } from "./asset-viewer.js" */

/** A movement of the pointer by fewer pixels does not bring the bars back. */
const stillness = 8;
/** The time in milliseconds without input after which the bars of a playing video go. */
const restTime = 3_000;

/** Hides and shows the bars around a picture: a tap toggles them, the mouse and keys show them. */
export class ViewerBars {
  #hiddenAt = null;
  #restTimer;

  /** @param {AssetViewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    viewer.addEventListener("pointermove", (event) => this.#moved(event));
    // A video has no tap that toggles the bars: a finger on it shows them, and so does its end.
    viewer.addEventListener("pointerdown", ({ target }) => (target.closest("video.movie") ? this.show() : this.#rest()));
    for (const type of ["pause", "ended"]) viewer.addEventListener(type, ({ target }) => target.matches("video.movie") && this.show(), true);
    document.addEventListener("keydown", () => !viewer.hidden && this.show(), true);
  }

  get #areHidden() {
    return this.viewer.classList.contains("bare");
  }

  toggle() {
    if (this.#areHidden) this.show();
    else this.#hide();
  }

  show() {
    this.viewer.classList.remove("bare");
    this.#rest();
  }

  #hide() {
    if (this.viewer.querySelector(":is(.bar, film-strip, burst-strip) :focus")) this.viewer.focus({ preventScroll: true });
    this.viewer.classList.add("bare");
    this.#hiddenAt = null;
  }

  #moved({ pointerType, clientX, clientY }) {
    if (!this.#areHidden) return this.#rest();
    if (pointerType !== "mouse") return;
    this.#hiddenAt ??= { x: clientX, y: clientY };
    if (Math.hypot(clientX - this.#hiddenAt.x, clientY - this.#hiddenAt.y) > stillness) this.show();
  }

  /** Hides the bars after a while without input, if a video plays. */
  #rest() {
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => {
      const movie = this.viewer.querySelector("video.movie");
      if (movie && !movie.paused && !this.viewer.querySelector(".bar :focus-visible, info-panel:not([hidden])")) this.#hide();
    }, restTime);
  }
}
