/** @import { Cell } from "../models/asset-pages.js" */
/** @import { Box } from "../models/day-layout.js" */
import { fetchAsset, renditionURL } from "../helpers/api.js";
import { make, symbol, wantsLessMotion } from "../helpers/dom.js";
import { duration, spokenLabel } from "../helpers/format.js";
import { placeholderURL } from "../helpers/placeholder.js";
import { route } from "../helpers/route.js";
import { words } from "../words.js";

/**
 * If a picture comes sooner than this, in milliseconds, it is from the cache and does not fade in.
 */
const noticeable = 60;
/**
 * Returns whether a cell has room for badges: "none", only while it shows no circle, or "enough".
 * @param {number} width
 */
const roomIn = (width) => (width < 60 ? "none" : width < 92 ? "little" : "enough");

/**
 * A cell of the grid, with a link that covers it. It is used again for other assets as they come
 * near the window. `index` is -1 while it is free.
 *
 * Its picture is `none`, `coming`, `drawn` or `failed`. The cell of an asset that is known to be
 * unreadable counts as drawn.
 */
export class AssetCell {
  /** @type {Cell | undefined} */
  #asset;
  /** The name of the place, as far as it is known. */
  #placeName = "";
  #link = make("a", { className: "open", tabIndex: -1, draggable: false });
  #badges = make("span", { className: "badges" });
  /**
   * The image element, from the first picture on. It is used again, since Chromium never frees an
   * image whose loading was aborted.
   * @type {HTMLImageElement | null}
   */
  #image = null;
  /** The number of times that a picture was requested or dropped. */
  #attempt = 0;
  /** Whether the cell hides its asset, since it is free for another one. */
  #isFree = false;
  /** @type {"none" | "coming" | "drawn" | "failed"} */
  picture = "none";
  index = -1;
  #box = { left: -1, width: -1, height: -1 };
  #column = -1;

  /**
   * @param {() => void} onDrawn
   * @param {(cell: AssetCell) => void} onDescribed called when the cell shows an asset, or a
   *   property of it has changed
   */
  constructor(onDrawn, onDescribed) {
    this.onDrawn = onDrawn;
    this.onDescribed = onDescribed;
    const attributes = { role: "gridcell" };
    this.element = make("div", { className: "cell", tabIndex: -1, attributes }, this.#link, this.#badges);
    for (const type of ["pointerenter", "focusin"]) this.element.addEventListener(type, () => this.#explain());
  }

  /** @param {boolean} isTabStop whether Tab reaches the cell */
  set isTabStop(isTabStop) {
    const tabIndex = isTabStop ? 0 : -1;
    if (this.element.tabIndex !== tabIndex) this.element.tabIndex = tabIndex;
  }

  /** Adds the name of the place to what a screen reader says. @param {string} name */
  set placeName(name) {
    if (name === this.#placeName) return;
    this.#placeName = name;
    this.#label();
  }

  get asset() {
    return this.#isFree ? undefined : this.#asset;
  }

  /**
   * Takes a place in its row.
   * @param {Box} box
   * @param {number} column
   */
  place(box, column) {
    const { style } = this.element;
    for (const side of ["left", "width", "height"]) if (box[side] !== this.#box[side]) style[side] = `${box[side]}px`;
    if (box.width !== this.#box.width) this.element.dataset.room = roomIn(box.width);
    if (column !== this.#column) this.element.setAttribute("aria-colindex", String(column + 1));
    this.#box = box;
    this.#column = column;
  }

  /** Hides the asset until `show` is called. Clearing the cell now would slow scrolling down. */
  free() {
    this.#isFree = true;
    this.index = -1;
    this.isTabStop = false;
    this.element.className = "cell free";
    delete this.element.dataset.id;
  }

  /**
   * Shows an asset, or an empty square until the asset is loaded.
   * @param {Cell | undefined} asset
   */
  show(asset) {
    const before = this.#asset;
    if (asset === before && !this.#isFree) return;
    const isSame = before && asset && before.id === asset.id && before.version === asset.version;
    if (before && !isSame) this.#clear();
    this.#asset = asset;
    this.#isFree = false;
    this.element.classList.remove("free");
    if (!asset) return;
    this.#describe(asset);
    if (isSame) return;
    const url = asset.unreadable ? null : placeholderURL(asset.placeholder);
    this.element.style.backgroundImage = url ? `url(${url})` : "";
  }

  /** Loads the thumbnail if `picture` is `none`. @param {"high" | "low"} urgency */
  async draw(urgency) {
    if (!this.#asset || this.picture !== "none") return;
    if (this.#asset.unreadable) {
      this.picture = "drawn";
      return this.onDrawn();
    }
    this.picture = "coming";
    const image = (this.#image ??= this.#makeImage());
    const started = performance.now();
    image.fetchPriority = urgency;
    image.src = renditionURL(this.#asset, "grid");
    const attempt = (this.#attempt += 1);
    try {
      await image.decode();
    } catch {
      if (attempt === this.#attempt) this.picture = "failed";
      return;
    }
    if (attempt !== this.#attempt) return;
    const isSlow = performance.now() - started > noticeable && !wantsLessMotion();
    image.className = isSlow ? "arriving" : "";
    this.element.insertBefore(image, this.#link);
    if (!isSlow) this.#dropPlaceholder();
    this.picture = "drawn";
    this.onDrawn();
  }

  /** Allows a failed picture to be requested again. */
  retry() {
    if (this.picture === "failed") this.picture = "none";
  }

  #makeImage() {
    const image = make("img", { alt: "", decoding: "async", draggable: false });
    image.addEventListener("animationend", () => this.#dropPlaceholder());
    return image;
  }

  /** Removes the placeholder below a drawn picture, so that the browser does not paint it. */
  #dropPlaceholder() {
    this.element.style.backgroundImage = "";
  }

  #clear() {
    this.#attempt += 1;
    this.#image?.remove();
    // Removing the address stops the loading of the picture.
    if (this.#image?.complete === false) this.#image.removeAttribute("src");
    this.picture = "none";
    this.#placeName = "";
    this.element.className = "cell";
    this.element.style.backgroundImage = "";
    this.element.removeAttribute("aria-label");
    this.element.removeAttribute("aria-selected");
    this.element.removeAttribute("title");
    this.#link.removeAttribute("href");
    this.#link.removeAttribute("aria-label");
    delete this.element.dataset.id;
    this.#badges.replaceChildren();
  }

  #describe(asset) {
    const { element } = this;
    this.#label();
    element.dataset.id = asset.id;
    element.classList.toggle("unreadable", asset.unreadable);
    this.#link.href = route.addressOf(asset.id);
    this.#badges.replaceChildren(...badgesOf(asset));
    this.onDescribed(this);
  }

  #label() {
    const label = spokenLabel(this.#asset, { place: this.#placeName });
    this.element.setAttribute("aria-label", label);
    this.#link.setAttribute("aria-label", label);
  }

  /** Says why an asset can't be read, once the person points at it. */
  async #explain() {
    const asset = this.#asset;
    if (!asset?.unreadable || this.element.title) return;
    const { unreadableReason } = await fetchAsset(asset.id).catch(() => ({}));
    if (!unreadableReason || asset !== this.#asset) return;
    this.element.title = unreadableReason;
    this.element.setAttribute("aria-label", `${spokenLabel(asset)}: ${unreadableReason}`);
    this.#badges.querySelector(".reason span").textContent = unreadableReason;
  }
}

function badgesOf(asset) {
  const badges = [];
  const badge = (className, ...content) => badges.push(make("span", { className: `badge ${className}` }, ...content));
  if (asset.unreadable) {
    badge("reason", symbol("unreadable"), make("span", { textContent: words.cell.unreadable }));
  }
  if (asset.isFavorite) badge("favorite", symbol("heart"));
  if (asset.mediaSubtypes.includes("photoLive")) badge("live", symbol("live"), make("span", { textContent: words.viewer.live }));
  if (asset.mediaType === "video" && !asset.unreadable) badge("video", duration(asset.duration), symbol("play"));
  if (asset.burstCount) badge("burst", symbol("burst"), String(asset.burstCount));
  if (asset.hasRaw) badge("raw", words.cell.raw);
  if (asset.daysLeft !== undefined) badge("days-left", words.view.daysLeft(asset.daysLeft));
  return badges;
}
