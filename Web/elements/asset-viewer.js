/** @import { Cell } from "../models/asset-pages.js" */
import { renditionURL } from "../helpers/api.js";
import { longDate, weekdayAndTime } from "../helpers/dates.js";
import { make, symbol } from "../helpers/dom.js";
import { spokenLabel } from "../helpers/format.js";
import "./info-panel.js";
import { LivePlayer } from "./live-player.js";
import "./zoom-stage.js";

const zoomStep = 1.5;

function button(className, label, symbolName, keys) {
  const attributes = { "aria-label": label, ...(keys && { "aria-keyshortcuts": keys }) };
  return make("button", { type: "button", className, title: label, attributes }, symbol(symbolName));
}

/**
 * Shows one asset over the whole window.
 *
 * Fires `close`, and `step` with the `detail` 1 (older) or -1 (newer). The listener calls `show`
 * with the next asset.
 */
export class AssetViewer extends HTMLElement {
  #title = make("div", { className: "title" }, make("strong"), make("span"));
  #close = button("close", "Back to the library", "back", "Escape");
  #live = make("button", { type: "button", className: "live-badge", title: "Play the Live Photo (L)" }, symbol("live"), "LIVE");
  #smaller = button("smaller", "Zoom out", "minus", "-");
  #larger = button("larger", "Zoom in", "plus", "+");
  #information = button("information", "Information", "info", "I");
  #newer = button("newer", "Previous", "back", "ArrowLeft");
  #older = button("older", "Next", "forward", "ArrowRight");
  #stage = make("zoom-stage");
  #player = new LivePlayer(this.#stage.box);
  #panel = make("info-panel", { hidden: true });
  #frame = make("div", { className: "frame" }, this.#stage, this.#newer, this.#older);
  /** @type {Cell | null} */
  asset = null;

  connectedCallback() {
    const bar = make("div", { className: "bar" }, this.#close, this.#title, this.#live, this.#smaller, this.#larger, this.#information);
    this.append(make("div", { className: "main" }, bar, this.#frame), this.#panel);
    this.setAttribute("role", "dialog");
    this.setAttribute("aria-modal", "true");
    this.tabIndex = -1;
    this.hidden = true;
    this.#listen();
  }

  #listen() {
    const stage = this.#stage;
    this.#close.addEventListener("click", () => this.#fire("close"));
    this.#newer.addEventListener("click", () => this.#fire("step", -1));
    this.#older.addEventListener("click", () => this.#fire("step", 1));
    this.#smaller.addEventListener("click", () => stage.zoomBy(1 / zoomStep));
    this.#larger.addEventListener("click", () => stage.zoomBy(zoomStep));
    this.#information.addEventListener("click", () => this.#toggleInformation());
    this.#panel.addEventListener("close", () => this.#toggleInformation());
    this.#live.addEventListener("click", () => this.#playLive());
    this.#live.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && this.#playLive());
    this.#live.addEventListener("pointerleave", () => this.#player.stop());
    stage.addEventListener("hold", ({ detail }) => (detail ? this.#playLive() : this.#player.stop()));
    stage.addEventListener("swipe", ({ detail }) => {
      if (detail === "close") this.#fire("close");
      else this.#fire("step", detail === "next" ? 1 : -1);
    });
    stage.addEventListener("zoom", () => this.classList.toggle("zoomed", stage.isZoomed));
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /**
   * @param {Cell} asset
   * @param {{newer: boolean, older: boolean}} neighbours whether a neighbor exists on each side
   */
  show(asset, neighbours) {
    this.#newer.disabled = !neighbours.newer;
    this.#older.disabled = !neighbours.older;
    if (this.asset?.id === asset.id && this.asset.version === asset.version) return;
    this.asset = asset;
    this.setAttribute("aria-label", spokenLabel(asset));
    this.#title.children[0].textContent = longDate(asset.creationDate);
    this.#title.children[1].textContent = weekdayAndTime(asset.creationDate);
    this.#clearStage();
    this.classList.toggle("is-video", asset.mediaType === "video");
    this.#live.hidden = !asset.mediaSubtypes.includes("photoLive");
    if (asset.unreadable) this.#frame.append(this.#unreadable());
    else if (asset.mediaType === "video") this.#frame.append(this.#movieOf(asset));
    else this.#stage.show(asset);
    if (!this.#panel.hidden) this.#panel.show(asset.id);
    if (this.hidden) {
      this.hidden = false;
      this.focus({ preventScroll: true });
    }
  }

  hide() {
    this.#clearStage();
    this.asset = null;
    this.hidden = true;
  }

  #clearStage() {
    this.#player.stop();
    this.#stage.clear();
    const movie = this.#frame.querySelector("video");
    movie?.pause();
    movie?.removeAttribute("src");
    movie?.load();
    movie?.remove();
    this.#frame.querySelector(".cannot")?.remove();
  }

  #movieOf(asset) {
    const properties = { className: "movie", controls: true, playsInline: true, preload: "metadata" };
    const movie = make("video", { ...properties, poster: renditionURL(asset, "screen"), src: renditionURL(asset, "video") });
    movie.play().catch(() => {}); // without a click first, browsers wait for the person to press play
    return movie;
  }

  #unreadable() {
    const text = "The file is in the library, byte for byte, but no picture can be made of it.";
    return make("div", { className: "cannot" }, symbol("unreadable"), make("h2", { textContent: "Can’t be read" }), make("p", { textContent: text }));
  }

  #playLive() {
    if (!this.#live.hidden && this.asset && !this.asset.unreadable) this.#player.play(this.asset);
  }

  #toggleInformation() {
    this.#panel.hidden = !this.#panel.hidden;
    this.classList.toggle("with-information", !this.#panel.hidden);
    this.#information.setAttribute("aria-pressed", String(!this.#panel.hidden));
    if (!this.#panel.hidden) this.#panel.show(this.asset.id);
  }

  #fire(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #pressed(event) {
    if (this.hidden || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const isOnMovie = event.target instanceof HTMLVideoElement;
    const isOnButton = event.target instanceof HTMLButtonElement;
    const keys = {
      Escape: () => (this.#stage.isZoomed ? this.#stage.reset() : this.#fire("close")),
      ArrowLeft: () => !isOnMovie && this.#fire("step", -1),
      ArrowRight: () => !isOnMovie && this.#fire("step", 1),
      "+": () => this.#stage.zoomBy(zoomStep),
      "=": () => this.#stage.zoomBy(zoomStep),
      "-": () => this.#stage.zoomBy(1 / zoomStep),
      0: () => this.#stage.reset(),
      i: () => this.#toggleInformation(),
      l: () => this.#toggleLive(),
      " ": () => !isOnMovie && !isOnButton && this.#space(),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act?.() !== false && act) event.preventDefault();
  }

  #toggleLive() {
    if (this.#player.isPlaying) this.#player.stop();
    else this.#playLive();
  }

  #space() {
    const movie = this.#frame.querySelector("video.movie");
    if (!movie) return this.#toggleLive();
    if (movie.paused) movie.play();
    else movie.pause();
  }
}

customElements.define("asset-viewer", AssetViewer);
