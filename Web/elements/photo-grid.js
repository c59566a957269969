/** @import { Snapshot } from "../models/library.js" */
import { make } from "../helpers/dom.js";
import { itemCount } from "../helpers/format.js";
import { DayLayout, columnsFor } from "../models/day-layout.js";
import { Pace } from "../models/pace.js";
import { ScrollMap, ScrollPosition } from "../models/scroll-map.js";
import { CellPool } from "./cell-pool.js";
import { DayBars } from "./day-bars.js";
import { afterFrame, markFirstPage } from "./first-page.js";
import { GridFocus } from "./grid-focus.js";

/** The time in milliseconds that the grid must be at rest after fast scrolling before it loads. */
const rest = 90;

/**
 * The library, newest first. Only the assets near the window have elements.
 *
 * Fires `move` when it shows another part of the library.
 */
export class PhotoGrid extends HTMLElement {
  #layer = make("div", { className: "layer" });
  #header = make(
    "header", { className: "library-header" }, make("h1"), make("p"),
    make("a", { href: "/sessions", className: "sessions-link", textContent: "Sessions" }));
  #cells = new CellPool(this.#layer, () => this.#checkFirstPage());
  #bars = new DayBars(this.#layer);
  #focus = new GridFocus(this);
  #pace = new Pace(1);
  #position = new ScrollPosition(new ScrollMap(0, 0));
  #restTimer;
  #isFirstPageDrawn = false;
  /** Stored, because reading it from the browser during a change forces a layout of the page. */
  windowHeight = 0;
  /** @type {Snapshot} */
  snapshot = { revision: "", total: 0, days: [], pages: null };
  /** @type {DayLayout} */
  layout;

  connectedCallback() {
    this.#layer.append(this.#header);
    this.append(this.#layer);
    this.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.addEventListener("scrollend", () => this.#apply(this.#position.settle()));
    new ResizeObserver(() => this.#resized()).observe(this);
  }

  /** @param {string} name */
  set libraryName(name) {
    this.#header.querySelector("h1").textContent = name;
  }

  /** The top of the window in the library, in pixels. */
  get y() {
    return this.#position.y;
  }

  /** The first asset whose cell is completely in the window. */
  get firstVisible() {
    return this.layout.firstAssetBelow(this.y);
  }

  /** Shows a library from its beginning. @param {Snapshot} snapshot */
  show(snapshot) {
    this.windowHeight = this.clientHeight;
    this.#take(snapshot);
    this.#lay(0);
  }

  /**
   * Shows a changed library so that an asset keeps its place in the window.
   * @param {Snapshot} snapshot with the cells around the anchor loaded
   * @param {{before: number, after: number} | null} anchor the asset's index in both
   *   libraries, or null to keep this height
   */
  change(snapshot, anchor) {
    const height = anchor ? this.layout.boxOf(anchor.before).top - this.y : 0;
    const shift = anchor ? anchor.after - anchor.before : 0;
    const hasFocus = this.indexOf(document.activeElement) >= 0;
    this.#focus.moveBy(shift, snapshot.total);
    this.#take(snapshot);
    this.layout = this.#layoutFor();
    const y = anchor ? this.layout.boxOf(anchor.after).top - height : this.y;
    this.#cells.reindex(this.layout.assetsWithin(y - this.windowHeight, y + 2 * this.windowHeight), snapshot.pages);
    this.#lay(y);
    if (hasFocus) this.#cells.at(this.#focus.index)?.element.focus({ preventScroll: true });
  }

  /** Goes to a height in the library. @param {number} y */
  goTo(y) {
    this.#apply(this.#position.moveTo(y));
    this.#render();
  }

  /**
   * Scrolls as little as needed to bring an asset completely into the window.
   * @param {number} asset
   */
  reveal(asset) {
    const { top, height } = this.layout.boxOf(asset);
    const { headingHeight } = this.layout.metrics;
    if (top - headingHeight < this.y) this.goTo(top - headingHeight);
    else if (top + height > this.y + this.windowHeight) this.goTo(top + height + 8 - this.windowHeight);
  }

  /** Puts the focus on an asset and scrolls it into view. @param {number} asset */
  focusAsset(asset) {
    if (asset < 0 || asset >= this.snapshot.total) return;
    this.reveal(asset);
    this.#focus.set(asset);
    this.#render();
    this.#cells.at(asset)?.element.focus({ preventScroll: true });
  }

  /**
   * Returns the index of the cell that contains an element, or -1.
   * @param {EventTarget | null} target
   */
  indexOf(target) {
    const element = target instanceof Element ? target.closest(".cell") : null;
    for (const cell of this.#cells.all()) if (cell.element === element) return cell.index;
    return -1;
  }

  /** Writes the days' headings again after midnight. */
  relabel() {
    this.#bars.clear();
    if (this.layout) this.#render();
  }

  /** Requests the failed pictures again. */
  retry() {
    for (const cell of this.#cells.all()) cell.retry();
    if (this.layout) this.#render();
  }

  #take(snapshot) {
    this.snapshot = snapshot;
    snapshot.pages.onPage = () => this.#render();
    this.#header.querySelector("p").textContent = this.#summary();
  }

  #summary() {
    const { days, total } = this.snapshot;
    const years = [days.at(-1)?.[0], days[0]?.[0]].map((day) => day?.slice(0, 4)).filter(Boolean);
    return [itemCount(total), [...new Set(years)].join("–")].filter(Boolean).join(" · ");
  }

  #layoutFor() {
    const width = this.#layer.clientWidth;
    const isNarrow = width < 600;
    return new DayLayout(this.snapshot.days, {
      width,
      columns: columnsFor(width),
      gutter: isNarrow ? 2 : 3,
      headingHeight: isNarrow ? 40 : 46,
      bandGap: isNarrow ? 6 : 12,
      topInset: this.#header.offsetHeight,
      bottomInset: 24,
    });
  }

  #lay(y) {
    this.layout = this.#layoutFor();
    const map = new ScrollMap(this.layout.height, this.windowHeight);
    this.#position = new ScrollPosition(map);
    this.#pace = new Pace(this.windowHeight);
    this.#layer.style.height = `${map.scrollHeight}px`;
    this.#bars.clear();
    this.#cells.misplace();
    this.#apply(this.#position.moveTo(y));
    this.#pace.moved(y, 0);
    this.#render();
  }

  #resized() {
    this.windowHeight = this.clientHeight;
    if (!this.snapshot.pages || this.windowHeight === 0) return;
    if (!this.layout || this.y === 0) return this.#lay(0);
    const anchor = this.firstVisible;
    const height = this.layout.boxOf(anchor).top - this.y;
    this.layout = this.#layoutFor();
    this.#lay(this.layout.boxOf(anchor).top - height);
  }

  #scrolled() {
    if (!this.layout || this.scrollTop === this.#position.scrollTop) return;
    this.#apply(this.#position.scrolled(this.scrollTop));
    this.#render();
  }

  /** @param {number | null} scrollTop */
  #apply(scrollTop) {
    if (scrollTop === null) return;
    this.scrollTop = scrollTop;
    if (this.layout) this.#place();
  }

  #render() {
    const { layout, y } = this;
    const { total, pages } = this.snapshot;
    this.#pace.moved(y, performance.now());
    clearTimeout(this.#restTimer);
    if (this.#pace.isFlying) this.#restTimer = setTimeout(() => this.#rested(), rest);
    const visible = this.#place();
    if (!this.#pace.isFlying && total > 0) {
      const { above, below } = this.#pace.margins;
      const bottom = y + this.windowHeight;
      pages.want([visible, layout.assetsWithin(y - 2 * above, bottom + 2 * below)]);
      for (let index = visible.first; index < visible.end; index++) this.#cells.at(index)?.draw("high");
      for (const cell of this.#cells.all()) cell.draw("low");
    }
    this.dispatchEvent(new Event("move"));
  }

  #rested() {
    this.#pace.rested();
    this.#render();
  }

  /**
   * Places the cells and headings near the window.
   * @returns {{first: number, end: number}} the assets in the window
   */
  #place() {
    const { layout, y } = this;
    const { offset } = this.#position;
    const { above, below } = this.#pace.margins;
    const stretch = { top: y - above, bottom: y + this.windowHeight + below };
    const near = layout.assetsWithin(stretch.top, stretch.bottom);
    const visible = layout.assetsWithin(y, y + this.windowHeight);
    this.#header.style.top = `${-offset}px`;
    this.#cells.show(near, this.#focus.index, layout, offset, this.snapshot.pages);
    this.#bars.show(layout, offset, stretch);
    this.#focus.mark(this.#cells, this.firstVisible);
    return visible;
  }

  #checkFirstPage() {
    if (this.#isFirstPageDrawn) return;
    const { first, end } = this.layout.assetsWithin(this.y, this.y + this.windowHeight);
    for (let index = first; index < end; index++) if (this.#cells.at(index)?.picture !== "drawn") return;
    this.#isFirstPageDrawn = true;
    afterFrame(markFirstPage);
  }
}

customElements.define("photo-grid", PhotoGrid);
