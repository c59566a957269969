/** @import { Cell } from "../models/asset-pages.js" */
import { fetchAsset, renditionURL, resourceURL } from "../helpers/api.js";
import { knownDate } from "../helpers/dates.js";
import { make, symbol, wantsLessData } from "../helpers/dom.js";
import { spokenLabel } from "../helpers/format.js";
import { keepFocus } from "../helpers/keep-focus.js";
import { shrinkTo } from "../helpers/morph.js";
import { fetchMovieTrouble, followMaking, isMovieMade } from "../helpers/movies.js";
import { preferences } from "../helpers/preferences.js";
import { weekdayAndTime } from "../helpers/times.js";
import { Target } from "../models/target.js";
import { fit } from "../models/zoom.js";
import { words } from "../words.js";
import { LivePlayer } from "./live-player.js";
import { pressMovieKey, rememberVolume } from "./movie-keys.js";
import { followSwipes } from "./stage-gestures.js";
import { ViewerBars } from "./viewer-bars.js";
import "./burst-strip.js";
import "./film-strip.js";
import "./zoom-stage.js";

const zoomStep = 1.5;
/** The distance in pixels after which a picture that is pulled down hides nothing behind it. */
const longestPull = 400;
/** Shorter movies begin again at their end. In seconds. */
const longestLoop = 3;
const phone = matchMedia("(max-width: 799px)");

function button(className, label, symbolName, keys) {
  const attributes = { "aria-label": label, ...(keys && { "aria-keyshortcuts": keys }) };
  return make("button", { type: "button", className, title: label, attributes }, symbol(symbolName));
}

/**
 * Shows one asset over the whole window.
 *
 * Fires `close`; `step` with 1 for the next asset or -1 for the previous one; `go` with a snapshot
 * and an asset's index in it; and `frame` with a frame of the open burst. The listener calls `show`
 * with the asset to show next. Also fires `command`, and `keep` with the frames of a burst to keep.
 */
export class AssetViewer extends HTMLElement {
  #title = make("div", { className: "title" }, make("strong"), make("span"));
  #close = button("close", words.viewer.back, "back", "Escape");
  #live = make("button", { type: "button", className: "live-badge", title: words.viewer.playLive }, symbol("live"), words.viewer.live);
  #smaller = button("smaller", words.viewer.zoomOut, "minus", "-");
  #larger = button("larger", words.viewer.zoomIn, "plus", "+");
  #information = button("information", words.commands.information, "info", "I");
  #favorite = button("favorite-button", words.commands.favorite, "heart-line", "F");
  #addTo = button("add-button", words.commands.addTo, "add-to", "A");
  #edit = button("edit-button", words.commands.edit, "adjust", "E");
  #delete = button("delete-button", words.viewer.delete, "trash", "Delete");
  #more = button("more-button", words.general.more, "more");
  #newer = button("newer", words.viewer.previous, "back", "ArrowLeft");
  #older = button("older", words.viewer.next, "forward", "ArrowRight");
  #sharpen = make("button", { type: "button", className: "sharpen", hidden: true, textContent: words.viewer.sharpen });
  #restore = make("button", { type: "button", textContent: words.commands.restore });
  #deleted = make("div", { className: "deleted-note", hidden: true }, make("span"), this.#restore);
  #stage = make("zoom-stage");
  #player = new LivePlayer(this.#stage.box, (isMaking) => this.#showMaking(isMaking));
  #making = make("p", { className: "making", hidden: true, attributes: { role: "status" } });
  #strip = make("film-strip", { hidden: true });
  #burst = make("burst-strip", { hidden: true });
  #bars = new ViewerBars(this);
  #panel = make("info-panel", { hidden: true });
  #frame = make("div", { className: "frame" }, this.#stage, this.#newer, this.#older, this.#sharpen, this.#deleted, this.#making);
  /** @type {Cell | null} */
  asset = null;
  /** The frames of the open burst. @type {Cell[]} */
  #burstFrames = [];
  /** Aborts the questions how far a movie is. */
  #made = new AbortController();
  /** Aborts what only the open asset asks for. */
  #shown = new AbortController();

  connectedCallback() {
    const tools = make("div", { className: "tools" }, this.#favorite, this.#addTo, this.#edit, this.#information, this.#delete, this.#more);
    const bar = make("div", { className: "bar" }, this.#close, this.#title, this.#live, this.#smaller, this.#larger, tools);
    this.append(make("div", { className: "main" }, bar, this.#frame, this.#burst, this.#strip), this.#panel);
    // Not aria-modal, which would hide messages and requests above it. What it covers is inert.
    this.setAttribute("role", "dialog");
    this.tabIndex = -1;
    this.hidden = true;
    // The viewer may be open before the rest of the page is loaded.
    keepFocus(() => this.#close);
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
    const commands = { addTo: this.#addTo, edit: this.#edit, delete: this.#delete, more: this.#more, restore: this.#restore };
    for (const [name, element] of Object.entries(commands)) element.addEventListener("click", () => this.#fire("command", { name, button: element }));
    this.#favorite.addEventListener("click", () => {
      const name = this.isFavorite ? "unfavorite" : "favorite";
      this.#fire("command", { name, button: this.#favorite });
    });
    this.#live.addEventListener("click", () => this.#playLive());
    this.#live.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && this.#playLive());
    this.#live.addEventListener("pointerleave", () => this.#player.stop());
    this.#sharpen.addEventListener("click", () => {
      this.#sharpen.hidden = true;
      stage.sharpen();
    });
    stage.addEventListener("hold", ({ detail }) => (detail ? this.#playLive() : this.#player.stop()));
    stage.addEventListener("swipe", ({ detail }) => this.#swiped(detail));
    stage.addEventListener("pull", ({ detail }) => this.style.setProperty("--presence", String(Math.max(0, 1 - detail / longestPull))));
    stage.addEventListener("tap", () => this.#bars.toggle());
    this.#strip.addEventListener("go", ({ detail }) => this.#fire("go", detail));
    this.#burst.addEventListener("frame", ({ detail }) => this.#fire("frame", { ...detail, burstFrames: this.#burstFrames }));
    this.#burst.addEventListener("keep", ({ detail }) => {
      // The button goes with the choice.
      this.focus({ preventScroll: true });
      this.#fire("keep", detail);
    });
    stage.addEventListener("zoom", () => this.#showZoom());
    document.addEventListener("keydown", (event) => this.#pressed(event));
    new ResizeObserver(() => this.#sizeMovie()).observe(this.#frame);
  }

  /**
   * @param {Cell} asset
   * @param {{newer: boolean, older: boolean}} neighbours whether a neighbor exists on each side
   */
  show(asset, neighbours) {
    this.#newer.disabled = !neighbours.newer;
    this.#older.disabled = !neighbours.older;
    this.showFavorite(asset.isFavorite);
    this.#showDeletion(asset);
    this.#showTitle(asset);
    if (this.asset?.id === asset.id && this.asset.version === asset.version) {
      const isChanged = asset !== this.asset;
      this.asset = asset;
      if (isChanged) this.#showBurst(asset);
      return this.stay();
    }
    const isNewVersion = this.asset?.id === asset.id && !asset.unreadable;
    this.asset = asset;
    this.#clearStage(isNewVersion);
    this.classList.toggle("is-video", asset.mediaType === "video");
    const isUnreadable = Boolean(asset.unreadable ?? asset.unreadableReason);
    this.classList.toggle("is-unreadable", isUnreadable);
    this.#edit.disabled = isUnreadable;
    this.#edit.title = isUnreadable ? words.editing.unreadable : words.commands.edit;
    this.#live.hidden = !asset.mediaSubtypes.includes("photoLive");
    if (asset.unreadable) this.#frame.append(cannot(asset, words.cell.unreadable, words.viewer.unreadable));
    else if (asset.mediaType === "video") this.#frame.append(this.#movieOf(asset), ...this.#frame.querySelectorAll(":scope > .preview"));
    else this.#stage.show(asset);
    this.querySelector("photo-editor")?.begin(asset);
    this.#showZoom();
    this.#showBurst(asset);
    if (!this.#live.hidden && !asset.unreadable) this.#player.hint(asset);
    this.#sharpen.hidden = asset.mediaType === "video" || asset.unreadable || !wantsLessData();
    if (!this.#panel.hidden) this.#inform();
    if (this.hidden) {
      this.#bars.show();
      this.hidden = false;
      this.focus({ preventScroll: true });
    }
    this.#sizeMovie();
  }

  /** Loads the picture again if it could not be loaded. */
  retry() {
    this.#stage.retry();
  }

  /** Brings the picture back if a finger has moved it aside, and nothing takes its place. */
  stay() {
    this.#stage.comeBack();
  }

  /**
   * Shows the open asset's neighbors in the row below it.
   * @param {import("../models/library.js").Snapshot} snapshot
   * @param {number} index the open asset's
   */
  stand(snapshot, index) {
    this.#strip.show(snapshot, index);
  }

  /**
   * The assets on both sides, which come in while a finger swipes.
   * @param {Record<number, Cell | undefined>} cells by distance
   */
  set neighbors(cells) {
    this.#stage.neighbors = cells;
  }

  /** Whether the open asset is shown as a favorite, which the server may not know yet. */
  get isFavorite() {
    return this.#favorite.ariaPressed === "true";
  }

  /** Lets the picture grow from a cell. @param {DOMRect} cell */
  growFrom(cell) {
    if (!this.classList.contains("is-video")) this.#stage.growFrom(cell);
  }

  /**
   * Hides the viewer. Its picture shrinks to a cell.
   * @param {() => HTMLElement | undefined} reveal shows the grid, and returns the cell
   */
  closeInto(reveal) {
    const place = this.#stage.box.getBoundingClientRect();
    this.hide();
    shrinkTo(reveal(), place);
  }

  /** Shows whether the asset is a favorite. @param {boolean} isFavorite */
  showFavorite(isFavorite) {
    this.#favorite.setAttribute("aria-pressed", String(isFavorite));
    this.#favorite.querySelector("use").setAttribute("href", `/symbols.svg#${isFavorite ? "heart" : "heart-line"}`);
  }

  /**
   * Shows whether the picture is zoomed. A button that has no effect keeps the focus, so that a
   * repeated key does not press another one.
   */
  #showZoom() {
    this.classList.toggle("zoomed", this.#stage.isZoomed);
    this.#smaller.ariaDisabled = String(!this.#stage.isZoomed);
    this.#larger.ariaDisabled = String(this.#stage.isLargest);
  }

  /** Shows the frames of the burst that the asset represents, or is a frame of. */
  async #showBurst(asset) {
    const isOfSameBurst = this.#burstFrames.some(({ id }) => id === asset.id);
    if (!asset.burstCount || asset.burstFrames || !isOfSameBurst) this.#showFrames(asset.burstFrames ?? []);
    if (!asset.burstCount || asset.burstFrames) return;
    const { burstFrames = [] } = await fetchAsset(asset.id).catch(() => ({}));
    if (this.asset === asset) this.#showFrames(burstFrames);
  }

  #showFrames(frames) {
    this.#burstFrames = frames;
    this.#burst.show(frames, this.asset.id);
  }

  /** Shows the date, which a person can change while the asset is open. */
  #showTitle(asset) {
    this.setAttribute("aria-label", spokenLabel(asset));
    const { creationDate, datePrecision = "time" } = asset;
    this.#title.children[0].textContent = knownDate(creationDate, datePrecision);
    this.#title.children[1].textContent = datePrecision === "time" ? weekdayAndTime(creationDate) : "";
  }

  /** Says that the asset is in Recently Deleted. */
  #showDeletion({ daysLeft }) {
    this.#deleted.hidden = daysLeft === undefined;
    this.#edit.hidden = daysLeft !== undefined;
    if (daysLeft !== undefined) this.#deleted.firstChild.textContent = words.viewer.inTrash(daysLeft);
  }

  /** Lets the asset be changed. @param {import("./commands.js").Commands} commands */
  set commands(commands) {
    this.#panel.commands = commands;
    this.classList.add("can-change");
    // A panel that was opened before gets its fields.
    if (!this.#panel.hidden) this.#inform();
  }

  /** Shows the information again after a change of the library. @param {object} change */
  changed(change) {
    if (this.asset && !this.#panel.hidden) this.#panel.changed?.(change);
  }

  /** Whether the open asset can be edited. */
  get canEdit() {
    return !this.#edit.disabled && !this.#edit.hidden;
  }

  get isEditing() {
    return this.classList.contains("editing");
  }

  /** The element on which an edit is shown before it is saved. */
  get previewHost() {
    return this.classList.contains("is-video") ? this.#frame : this.#stage.box;
  }

  /**
   * Shows an editor in place of the commands.
   * @param {import("./photo-editor.js").PhotoEditor} editor
   */
  beginEditing(editor) {
    this.classList.add("editing");
    this.#stage.reset();
    this.#frame.querySelector("video.movie")?.pause();
    this.#showControls();
    this.#bars.show();
    this.#frame.after(editor);
  }

  /** @param {boolean} hadFocus whether the editor had the focus */
  endEditing(hadFocus) {
    this.classList.remove("editing");
    this.#showControls();
    if (hadFocus) this.#edit.focus({ preventScroll: true });
  }

  /** Shows the movie's controls, but not below an editor: there they can't be reached. */
  #showControls() {
    const movie = this.#frame.querySelector("video.movie");
    if (movie) movie.controls = !this.isEditing && !movie.error;
  }

  hide() {
    this.#clearStage();
    this.#strip.clear();
    this.#burstFrames = [];
    this.#burst.show([], "");
    this.asset = null;
    this.hidden = true;
    // On a phone it would cover half of the next photo.
    if (phone.matches && !this.#panel.hidden) this.#toggleInformation();
  }

  /** @param {boolean} [isNewVersion] whether the picture stays until the new one is there */
  #clearStage(isNewVersion = false) {
    if (!isNewVersion) this.querySelector("photo-editor")?.close();
    this.#shown.abort();
    this.#shown = new AbortController();
    this.#player.stop();
    if (!isNewVersion) this.#stage.clear();
    this.#showMaking(false);
    const movie = this.#frame.querySelector("video");
    movie?.pause();
    movie?.removeAttribute("src");
    movie?.load();
    movie?.remove();
    for (const extra of this.#frame.querySelectorAll(".cannot, .speed")) extra.remove();
    if (!isNewVersion) this.#frame.querySelectorAll(":scope > .preview").forEach((preview) => preview.remove());
  }

  #movieOf(asset) {
    const isFrugal = wantsLessData();
    const properties = { className: "movie", controls: !this.isEditing, playsInline: true, loop: asset.duration < longestLoop, preload: isFrugal ? "none" : "metadata" };
    const movie = make("video", { ...properties, poster: renditionURL(asset, isFrugal ? "grid" : "screen"), src: renditionURL(asset, "video") });
    rememberVolume(movie);
    // Only previews from before the movie: an open editor keeps the one that it adds later.
    const previews = [...this.#frame.querySelectorAll(":scope > .preview")];
    const dropPreviews = () => previews.forEach((preview) => preview.remove());
    if (isFrugal) dropPreviews();
    else for (const type of ["loadedmetadata", "play", "error"]) movie.addEventListener(type, dropPreviews, { once: true });
    // A browser keeps keys to itself while one of the movie's own controls has the focus. A click
    // leaves it there. The focus goes back once the click has done its work.
    const takeFocus = ({ type }) => {
      const isAgain = type === "seeked" && movie.currentTime < 0.05; // the movie begins again by itself
      if (!isAgain && document.activeElement === movie && !movie.matches(":focus-visible")) this.focus({ preventScroll: true });
    };
    for (const type of ["seeked", "volumechange", "play", "pause"]) movie.addEventListener(type, takeFocus);
    followSwipes(movie, (swipe) => this.#swiped(swipe));
    movie.addEventListener("loadedmetadata", () => this.#showMaking(false));
    movie.addEventListener("error", () => this.#showTrouble(asset, movie));
    isMovieMade(asset).then((isMade) => !isMade && movie.isConnected && movie.readyState === 0 && !movie.error && this.#showMaking(true));
    if (!isFrugal) movie.play().catch(() => {}); // without a click first, browsers wait for the person to press play
    return movie;
  }

  /**
   * Shows a movie that is smaller than the window at 100 %. Unlike a picture's, its pixels are
   * those of CSS: on a dense screen an old movie would be too small to watch, and movies have no
   * zoom.
   */
  #sizeMovie() {
    if (this.asset?.mediaType !== "video") return this.#frame.classList.remove("is-small");
    const { clientWidth: width, clientHeight: height } = this.#frame;
    const box = fit({ width: this.asset.pixelWidth, height: this.asset.pixelHeight }, { width, height }, 1);
    this.#frame.classList.toggle("is-small", box.width < width && box.height < height);
    for (const side of ["width", "height"]) this.#frame.style.setProperty(`--movie-${side}`, `${box[side]}px`);
  }

  /** Says that the server makes a movie which this browser can play. Leaving ends the request. */
  #showMaking(isMaking) {
    this.#made.abort();
    this.#made = new AbortController();
    this.#making.hidden = !isMaking;
    this.#making.replaceChildren();
    this.#live.classList.toggle("is-making", isMaking);
    if (!isMaking) return;
    // Screen readers say the sentence once, and not each percent.
    const share = make("span", { className: "percent", attributes: { "aria-hidden": "true" } });
    this.#making.append(words.viewer.making, share);
    followMaking(this.asset, this.#made.signal, (percent) => (share.textContent = words.editing.percent(percent)));
  }

  /** Says why a movie can't be played, over its poster. */
  async #showTrouble(asset, movie) {
    if (!movie.isConnected || !movie.hasAttribute("src")) return;
    this.#showMaking(false);
    movie.controls = false;
    const reason = await fetchMovieTrouble(asset, this.#shown.signal);
    if (movie.isConnected) movie.after(cannot(asset, words.viewer.cannotPlay, reason || words.viewer.unplayableText));
  }

  #playLive() {
    if (!this.#live.hidden && this.asset && !this.asset.unreadable) this.#player.play(this.asset);
  }

  #swiped(swipe) {
    if (swipe === "close") this.#fire("close");
    else this.#fire("step", swipe === "next" ? 1 : -1);
  }

  #toggleInformation() {
    this.#panel.hidden = !this.#panel.hidden;
    this.classList.toggle("with-information", !this.#panel.hidden);
    this.#information.setAttribute("aria-pressed", String(!this.#panel.hidden));
    if (!this.#panel.hidden) this.#inform();
  }

  /** Shows what is known about the asset. The panel is loaded when it is first needed. */
  async #inform() {
    await import("./info-panel.js");
    if (this.asset) this.#panel.show(Target.of(this.asset));
  }

  #fire(type, detail) {
    // A photo that is being edited stays until the person is done.
    if (this.isEditing && ["step", "go", "frame", "close"].includes(type)) {
      if (type === "close") this.querySelector("photo-editor").close();
      return this.stay();
    }
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #pressed(event) {
    if (this.hidden || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (this.isEditing) {
      if (event.key === "Escape") this.querySelector("photo-editor").close();
      return;
    }
    const isOnButton = event.target instanceof HTMLButtonElement;
    const movie = this.#frame.querySelector("video.movie");
    const isForButton = isOnButton && event.key === " ";
    const isInField = event.target.closest("input, textarea, select");
    if (event.key.length === 1 && event.key !== " " && !preferences.get("letterKeys", true)) return;
    if (movie && !isForButton && !isInField && pressMovieKey(movie, event)) return event.preventDefault();
    const arrow = (right, down) => (this.#stage.isZoomed ? this.#stage.pan(right, down) : right !== 0 && this.#fire("step", right));
    const keys = {
      Escape: () => (this.#stage.isZoomed ? this.#stage.reset() : this.#fire("close")),
      ArrowLeft: () => arrow(-1, 0),
      ArrowRight: () => arrow(1, 0),
      ArrowUp: () => arrow(0, -1),
      ArrowDown: () => arrow(0, 1),
      1: () => this.#stage.showActual(),
      "+": () => this.#stage.zoomBy(zoomStep),
      "=": () => this.#stage.zoomBy(zoomStep),
      "-": () => this.#stage.zoomBy(1 / zoomStep),
      0: () => this.#stage.reset(),
      i: () => this.#toggleInformation(),
      l: () => this.#toggleLive(),
      " ": () => !isOnButton && this.#toggleLive(),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act?.() !== false && act) event.preventDefault();
  }

  #toggleLive() {
    if (this.#player.isPlaying) this.#player.stop();
    else this.#playLive();
  }
}

/** Says why an asset is not shown, and offers its file. */
function cannot({ id, mediaType }, title, text) {
  const download = make("a", { href: resourceURL(id, 0), download: "", textContent: words.viewer.downloadOriginal });
  const className = mediaType === "video" ? "cannot over" : "cannot";
  return make("div", { className }, symbol("unreadable"), make("h2", { textContent: title }), make("p", { textContent: text }), download);
}

customElements.define("asset-viewer", AssetViewer);
