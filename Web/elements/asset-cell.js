/** @import { Cell } from "../models/asset-pages.js" */
/** @import { Box } from "../models/day-layout.js" */
import { renditionURL } from "../helpers/api.js";
import { make, symbol, wantsLessMotion } from "../helpers/dom.js";
import { duration, spokenLabel } from "../helpers/format.js";
import { placeholderURL } from "../helpers/placeholder.js";
import { route } from "../helpers/route.js";

/**
 * If a picture comes sooner than this, in milliseconds, it is from the cache and does not fade in.
 */
const noticeable = 60;

/**
 * A square of the grid. It is used again for other assets as they come near the window.
 *
 * Its picture is `none`, `coming`, `drawn` or `failed`. The cell of an asset that is known to be
 * unreadable counts as drawn.
 */
export class AssetCell {
  /** @type {Cell | undefined} */
  #asset;
  #badges = make("span", { className: "badges" });
  #image = null;
  /** @type {"none" | "coming" | "drawn" | "failed"} */
  picture = "none";
  index = -1;
  /**
   * The layer's offset for which the cell is placed, or undefined if the cell must be placed again.
   * @type {number | undefined}
   */
  placedAt;

  /** @param {() => void} onDrawn */
  constructor(onDrawn) {
    this.onDrawn = onDrawn;
    this.element = make("a", { className: "cell", tabIndex: -1, draggable: false }, this.#badges);
  }

  /** @param {boolean} isTabStop whether Tab reaches the cell */
  set isTabStop(isTabStop) {
    const tabIndex = isTabStop ? 0 : -1;
    if (this.element.tabIndex !== tabIndex) this.element.tabIndex = tabIndex;
  }

  get asset() {
    return this.#asset;
  }

  /**
   * @param {Box} box
   * @param {number} top in the scrolled element
   */
  place(box, top) {
    const { style } = this.element;
    style.left = `${box.left}px`;
    style.top = `${top}px`;
    style.width = `${box.width}px`;
    style.height = `${box.height}px`;
  }

  /**
   * Shows an asset, or an empty square until the asset is loaded.
   * @param {Cell | undefined} asset
   */
  show(asset) {
    const before = this.#asset;
    if (asset === before) return;
    this.#asset = asset;
    if (before && asset && before.id === asset.id && before.version === asset.version) return this.#describe(asset);
    this.#clear();
    if (!asset) return;
    this.#describe(asset);
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
    const image = make("img", { alt: "", decoding: "async", fetchPriority: urgency, draggable: false });
    this.#image = image;
    const started = performance.now();
    image.src = renditionURL(this.#asset, "grid");
    try {
      await image.decode();
    } catch {
      if (image === this.#image) this.picture = "failed";
      return;
    }
    if (image !== this.#image) return;
    this.element.insertBefore(image, this.#badges);
    if (performance.now() - started > noticeable && !wantsLessMotion()) {
      image.className = "arriving";
      image.addEventListener("animationend", () => this.#dropPlaceholder(image), { once: true });
    } else this.#dropPlaceholder(image);
    this.picture = "drawn";
    this.onDrawn();
  }

  /** Allows a failed picture to be requested again. */
  retry() {
    if (this.picture === "failed") this.picture = "none";
  }

  /** Removes the placeholder below a drawn picture, so that the browser does not paint it. */
  #dropPlaceholder(image) {
    if (image === this.#image) this.element.style.backgroundImage = "";
  }

  #clear() {
    if (this.#image) {
      this.#image.removeAttribute("src");
      this.#image.remove();
      this.#image = null;
    }
    this.picture = "none";
    this.element.className = "cell";
    this.element.style.backgroundImage = "";
    this.element.removeAttribute("href");
    this.element.removeAttribute("aria-label");
    delete this.element.dataset.id;
    this.#badges.replaceChildren();
  }

  #describe(asset) {
    const { element } = this;
    element.href = route.addressOf(asset.id);
    element.setAttribute("aria-label", spokenLabel(asset));
    element.dataset.id = asset.id;
    element.classList.toggle("unreadable", asset.unreadable);
    const badges = [];
    if (asset.unreadable) badges.push(make("span", { className: "badge reason" }, symbol("unreadable"), "Can’t be read"));
    if (asset.isFavorite) badges.push(make("span", { className: "badge favourite" }, symbol("heart")));
    if (asset.mediaSubtypes.includes("photoLive")) badges.push(make("span", { className: "badge live" }, symbol("live")));
    if (asset.mediaType === "video" && !asset.unreadable) {
      badges.push(make("span", { className: "badge video" }, duration(asset.duration), symbol("play")));
    }
    this.#badges.replaceChildren(...badges);
  }
}
