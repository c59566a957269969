import { make } from "./dom.js";

/**
 * A grid of pictures, in which a cell stays the same element while its asset is shown. The pictures
 * of a window above and below are loaded ahead, after those in sight. Loads of pictures farther
 * away are given up.
 */
export class Thumbnails {
  assets = [];
  #cells = new Map();
  /** The places that are left free before the first cell. */
  #free = 0;
  #observer;
  #decorate;
  #picture;

  /**
   * @param {HTMLElement} element the list, which scrolls
   * @param {(asset: object, signal: AbortSignal, priority: string) => Promise<string>} picture
   *   the address of a grid picture
   * @param {(cell: HTMLElement, asset: object) => void} decorate completes a cell, and again when
   *   its asset changes
   */
  constructor(element, picture, decorate) {
    this.element = element;
    this.#picture = picture;
    this.#decorate = decorate;
    const sight = ({ target, isIntersecting, boundingClientRect: box }) =>
      isIntersecting ? this.#load(target, this.#isInSight(box) ? "high" : "low") : target.loading?.abort();
    this.#observer = new IntersectionObserver((entries) => entries.forEach(sight), { root: element, rootMargin: "100% 0px" });
    // The first row comes into sight, or has another number of columns.
    const fill = () => this.#free > 0 && this.show(this.assets);
    element.addEventListener("scroll", () => element.scrollTop <= 0 && fill());
    new ResizeObserver(fill).observe(element);
  }

  cell(id) {
    return this.#cells.get(id);
  }

  /**
   * Shows assets. If the list is scrolled, what is in sight stays there. Cells that stay slide to
   * their new places if at most one comes or goes.
   */
  show(assets) {
    const isSmallChange = Math.abs(assets.length - this.assets.length) <= 1;
    const isScrolled = this.element.scrollTop > 0;
    const before = isSmallChange || isScrolled ? this.#places() : new Map();
    const ids = new Set(assets.map(({ id }) => id));
    for (const [id, cell] of this.#cells) if (!ids.has(id)) this.#remove(id, cell);
    const anchor = isScrolled ? [...before.keys()].find((cell) => cell.isConnected) : null;
    const places = [this.assets, assets].map((list) => list.findIndex(({ id }) => id === anchor?.asset.id));
    this.assets = assets;
    this.element.classList.toggle("empty", assets.length === 0);
    assets.forEach((asset, index) => {
      const cell = this.#cells.get(asset.id) ?? this.#make(asset);
      if (cell.asset?.version !== asset.version) this.#reload(cell);
      cell.asset = asset;
      this.#decorate(cell, asset);
      cell.style.gridColumnStart = "";
      if (this.element.children[index] !== cell) this.element.insertBefore(cell, this.element.children[index] ?? null);
    });
    this.#keepInSight(anchor, before.get(anchor), places);
    if (isSmallChange) this.#slide(before);
  }

  /**
   * Keeps a cell in its place. It stays in its column because places in the first row are left
   * free, until that row comes into sight.
   */
  #keepInSight(cell, box, [placeBefore, place]) {
    if (!cell && this.#free === 0) return;
    const columns = getComputedStyle(this.element).gridTemplateColumns.split(" ").length;
    this.#free = cell ? (((this.#free + placeBefore - place) % columns) + columns) % columns : 0;
    if (this.#free > 0) this.element.firstElementChild.style.gridColumnStart = this.#free + 1;
    if (cell) this.element.scrollTop += cell.getBoundingClientRect().top - box.top;
  }

  #make(asset) {
    const image = make("img", { alt: "", draggable: false });
    image.style.backgroundColor = averageColor(asset.placeholder);
    const cell = make("li", { image }, make("button", {}, image));
    cell.dataset.id = asset.id;
    this.#cells.set(asset.id, cell);
    this.#observer.observe(cell);
    return cell;
  }

  #remove(id, cell) {
    cell.loading?.abort();
    this.#observer.unobserve(cell);
    this.#cells.delete(id);
    cell.remove();
  }

  /** Loads the picture of a new version, if the cell is in sight. */
  #reload(cell) {
    cell.loading?.abort();
    cell.shown = null;
    this.#observer.unobserve(cell);
    this.#observer.observe(cell);
  }

  async #load(cell, priority) {
    const { asset } = cell;
    if (cell.shown === asset.version) return;
    const loading = (cell.loading = new AbortController());
    try {
      const address = await this.#picture(asset, loading.signal, priority);
      if (loading.signal.aborted || cell.asset.version !== asset.version) return;
      cell.image.src = address;
      cell.shown = asset.version;
    } catch (error) {
      if (!loading.signal.aborted) cell.title = error.message;
    }
  }

  #isInSight(box) {
    const seen = this.element.getBoundingClientRect();
    return box.bottom > seen.top && box.top < seen.bottom;
  }

  #places() {
    const boxes = [...this.element.children].map((cell) => [cell, cell.getBoundingClientRect()]);
    return new Map(boxes.filter(([, box]) => this.#isInSight(box)));
  }

  #slide(before) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [cell, { left, top }] of before) {
      const box = cell.getBoundingClientRect();
      if (!cell.isConnected || (box.left === left && box.top === top)) continue;
      cell.animate({ translate: [`${left - box.left}px ${top - box.top}px`, "0 0"] }, { duration: 200, easing: "ease-out" });
    }
  }
}

/** Returns a color for a cell whose picture isn't loaded yet. */
function averageColor(placeholder) {
  if (!placeholder) return "";
  const bytes = Uint8Array.from(atob(placeholder), (character) => character.charCodeAt(0)).subarray(2);
  const mean = (channel) => bytes.filter((_, index) => index % 3 === channel).reduce((sum, value) => sum + value, 0) / (bytes.length / 3);
  return `rgb(${mean(0)} ${mean(1)} ${mean(2)})`;
}
