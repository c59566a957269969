/** @import { Snapshot } from "../models/library.js" */
import { make } from "../helpers/dom.js";
import { DayLayout, columnsFor, densityWithin, metricsFor } from "../models/day-layout.js";
import { hasDays } from "../models/places.js";
import { Pace } from "../models/pace.js";
import { ScrollMap, ScrollPosition } from "../models/scroll-map.js";
import { CellPool } from "./cell-pool.js";
import { DayBars } from "./day-bars.js";
import { afterFrame, markFirstPage } from "./first-page.js";
import { GridFocus } from "./grid-focus.js";
import { ViewHeader } from "./view-header.js";

/** The time in milliseconds that the grid must be at rest after fast scrolling before it loads. */
const rest = 90;
/**
 * The part of a frame, in milliseconds, in which cells show their assets. The rest is for the
 * browser, which draws them.
 */
const frameBudget = 8;
/**
 * The distance in pixels within which zooms are at one place. Fingers and pointers move a little.
 */
const samePlace = 40;

/**
 * The assets of a view. Only those near the window have elements.
 *
 * Fires `move` when it shows another part of the view, `density` with the density when a person has
 * changed it, and `firstpage` once, when all pictures in the window are shown for the first time.
 */
export class PhotoGrid extends HTMLElement {
  #layer = make("div", { className: "layer" });
  #cells = new CellPool(this.#layer, () => this.#checkFirstPage(), (cell) => this.#decorate(cell));
  #bars = new DayBars(this.#layer, this);
  #focus = new GridFocus(this);
  #pace = new Pace(1);
  /** Ends when the grid leaves the page. */
  #shown = new AbortController();
  #position = new ScrollPosition(new ScrollMap(0, 0));
  #restTimer;
  /** The frame in which cells will show their assets, or 0. */
  #frame = 0;
  #isFirstPageDrawn = false;
  #headerHeight = 0;
  /** The density that was chosen, which the width may not offer. */
  #density = 0;
  /**
   * The asset that keeps its place in the window until a person scrolls. Its height is that in the
   * window; `zoomedAt` is the point of the zoom that chose it.
   * @type {{index: number, height: number, zoomedAt?: {x: number, y: number}} | null}
   */
  #anchor = null;
  header = new ViewHeader();
  /** Functions that are called with a cell when it shows an asset, or the asset has changed. */
  decorators = new Set();
  /** Functions that are called with the element of a day's heading and the day's index. */
  headingDecorators = new Set();
  /**
   * Returns another layout than that of squares, or null.
   * @type {(snapshot: Snapshot, metrics: import("../models/day-layout.js").Metrics,
   *   density: number) => DayLayout | null}
   */
  layoutOf = () => null;
  /** Stored, because reading it from the browser during a change forces a layout of the page. */
  windowHeight = 0;
  /** @type {Snapshot} */
  snapshot = { revision: "", total: 0, days: [], pages: null };
  /** @type {DayLayout} */
  layout;

  connectedCallback() {
    this.#focus.listen(this.#shown.signal);
    this.#layer.prepend(this.header.element);
    this.append(this.#layer);
    this.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.addEventListener("scrollend", () => this.#apply(this.#position.restore()));
    new ResizeObserver(() => this.#resized()).observe(this);
    new ResizeObserver(() => this.header.element.offsetHeight !== this.#headerHeight && this.#resized()).observe(this.header.element);
  }

  disconnectedCallback() {
    this.#shown.abort();
    clearTimeout(this.#restTimer);
    cancelAnimationFrame(this.#frame);
  }

  /** @param {string} label the name of the view for a screen reader */
  set label(label) {
    this.#cells.label = label;
  }

  /** The top of the window in the view, in pixels. */
  get y() {
    return this.#position.y;
  }

  /** The first asset whose cell is completely in the window. */
  get firstVisible() {
    return this.layout.firstAssetBelow(this.y);
  }

  /** The asset that keeps its place when the view changes. */
  get anchorIndex() {
    return this.#anchor?.index ?? this.firstVisible;
  }

  /** The index of the asset that has the focus, or had it last, or -1. */
  get focusedIndex() {
    return this.#focus.index;
  }

  /** The number of steps by which the columns are denser than usual in this width. */
  get density() {
    return densityWithin(this.#layer.clientWidth, this.#density);
  }

  /** The part of the view in the window. @returns {import("../helpers/standing.js").Standing} */
  get standing() {
    const index = this.firstVisible;
    const offset = this.snapshot.total > 0 ? this.layout.boxOf(index).top - this.y : 0;
    return { revision: this.snapshot.revision, id: this.snapshot.pages?.at(index)?.id, index, offset };
  }

  /** Whether keys act on the grid: it shows assets, and nothing covers or hides it. */
  get takesKeys() {
    return Boolean(this.layout) && this.snapshot.total > 0 && !this.closest("[inert]") && this.checkVisibility({ visibilityProperty: true });
  }

  /** Whether the focus is on an asset, or on the grid itself because it had no asset to focus. */
  get #hasFocus() {
    return this === document.activeElement || this.indexOf(document.activeElement) >= 0;
  }

  /**
   * Shows another view. If the grid had the focus, it moves to the first visible asset.
   * @param {Snapshot} snapshot
   * @param {{index: number, offset: number} | "end" | null} [standing] the asset to scroll to, with
   *   its distance from the top of the window, or "end" for the last one
   * @param {number} [density]
   */
  show(snapshot, standing = null, density = this.#density) {
    this.windowHeight = this.clientHeight;
    this.#density = density;
    const hasFocus = this.#hasFocus;
    this.#focus.set(-1);
    this.#take(snapshot);
    this.layout = this.#layoutFor();
    const y = standing === "end" ? this.layout.height : standing ? this.layout.boxOf(standing.index).top - standing.offset : 0;
    this.#reindex(y);
    this.#lay(y);
    if (hasFocus) (this.#cells.at(this.firstVisible)?.element ?? this).focus({ preventScroll: true });
  }

  /**
   * Shows each row with another number of assets. The asset at a point keeps its place, also in
   * further zooms there.
   * @param {number} step positive for smaller pictures
   * @param {{x: number, y: number}} [at] in the page, instead of the middle of the grid
   */
  zoom(step, at) {
    if (!this.layout) return;
    const width = this.#layer.clientWidth;
    const density = densityWithin(width, this.density + step);
    if (columnsFor(width, density) === columnsFor(width, this.#density)) return;
    this.#density = density;
    this.rearrange(at);
    this.dispatchEvent(new CustomEvent("density", { detail: density }));
  }

  /**
   * Lays the cells out again. The asset at a point keeps its place. Without a point, it is the one
   * in the middle, but the beginning of the view stays.
   * @param {{x: number, y: number}} [at] in the page
   */
  rearrange(at) {
    const anchor = this.#anchorAt(at);
    const boxes = this.#boxesInWindow();
    this.layout = this.#layoutFor();
    this.#lay(anchor ? this.#yFor(anchor) : 0);
    this.#anchor = anchor;
    this.#draw(Infinity);
    this.#glideFrom(boxes);
  }

  /** Returns the asset at a point as an anchor, or null to stay at the beginning. */
  #anchorAt(at) {
    const { left, top, width, height } = this.getBoundingClientRect();
    const point = at ?? { x: left + width / 2, y: top + height / 2 };
    const former = this.#anchor;
    const isSamePlace = former?.zoomedAt && Math.hypot(former.zoomedAt.x - point.x, former.zoomedAt.y - point.y) < samePlace;
    // The rows of the last zoom may have another asset at the point. A person who points means it
    // if the former one could not keep its place, near the beginning or the end.
    if (isSamePlace && (!at || Math.abs(this.#yFor(former) - this.y) < 1)) return former;
    if (this.snapshot.total === 0 || (!at && this.y === 0)) return null;
    const pointed = this.assetAtPoint(point.x, point.y);
    const index = pointed >= 0 ? pointed : this.layout.firstAssetBelow(point.y - this.origin.top);
    return { index, height: this.layout.boxOf(index).top - this.y, zoomedAt: point };
  }

  /** Returns the height in the library at which an anchor has its place in the window. */
  #yFor({ index, height }) {
    // The window may have become lower than the place.
    return this.layout.boxOf(index).top - (height < this.windowHeight ? height : this.windowHeight / 2);
  }

  /**
   * Shows a changed view so that an asset keeps its place in the window.
   * @param {Snapshot} snapshot with the cells around the anchor loaded
   * @param {{before: number, after: number} | null} anchor the asset's index before and after, or
   *   null to keep this height
   */
  change(snapshot, anchor) {
    const height = anchor ? this.layout.boxOf(anchor.before).top - this.y : 0;
    const shift = anchor ? anchor.after - anchor.before : 0;
    const zoomedAt = anchor?.before === this.#anchor?.index ? this.#anchor?.zoomedAt : undefined;
    const hasFocus = this.indexOf(document.activeElement) >= 0;
    const boxes = this.#boxesInWindow();
    const focused = this.snapshot.pages.at(this.#focus.index)?.id;
    this.#focus.moveBy(shift, snapshot.total);
    this.#take(snapshot);
    this.layout = this.#layoutFor();
    const y = anchor ? this.layout.boxOf(anchor.after).top - height : this.y;
    this.#reindex(y);
    for (const { index, asset } of this.#cells.all()) if (asset && asset.id === focused) this.#focus.set(index);
    this.#lay(y);
    this.#draw(Infinity);
    // Several changes in a row keep one asset, since the first visible one may differ between them.
    if (anchor) this.#anchor = { index: anchor.after, height, zoomedAt };
    this.#glideFrom(boxes);
    if (hasFocus) this.#cells.at(this.#focus.index)?.element.focus({ preventScroll: true });
  }

  /** Animates the cells from their former boxes. The first pictures need no animation. */
  async #glideFrom(boxes) {
    const present = this.#boxesInWindow();
    const { glide } = await import("../helpers/glide.js");
    glide(this.#layer, boxes, present);
  }

  /** Runs the decorators for all cells and headings. */
  decorate() {
    for (const cell of this.#cells.all()) if (cell.asset) this.#decorate(cell);
    this.#bars.decorate();
  }

  /** Returns the cell of an asset near the window. @param {number} index */
  cellAt(index) {
    return this.#cells.at(index);
  }

  /**
   * Returns the index of the asset at a point of the page, or -1.
   * @param {number} clientX
   * @param {number} clientY
   */
  assetAtPoint(clientX, clientY) {
    const { left, top } = this.origin;
    return this.layout.assetAt(clientX - left, clientY - top);
  }

  /** The place in the window at which the view's layout begins. */
  get origin() {
    return { left: this.#layer.getBoundingClientRect().left, top: this.getBoundingClientRect().top - this.y };
  }

  /**
   * Returns the index of the asset to which a key moves the focus, or null.
   * @param {string} key
   * @param {{isAll?: boolean}} [options] whether Home and End lead out of the row
   */
  placeOf(key, options) {
    return this.layout && this.snapshot.total > 0 ? this.#focus.target(key, options) : null;
  }

  /** Goes to a height in the library. @param {number} y */
  goTo(y) {
    this.#anchor = null;
    this.scrollTop = this.#position.moveTo(y);
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

  /**
   * Puts the focus on an asset and scrolls it into view.
   * @param {number} asset
   * @param {FocusOptions & {focusVisible?: boolean}} [options]
   */
  focusAsset(asset, options) {
    if (asset < 0 || asset >= this.snapshot.total) return;
    this.reveal(asset);
    this.#focus.set(asset);
    this.#render();
    const cell = this.#cells.at(asset);
    // A screen reader reads the label at the moment of focus, so the cell needs it before.
    cell?.show(this.snapshot.pages.at(asset));
    cell?.element.focus({ preventScroll: true, ...options });
  }

  /**
   * Puts the focus on the asset to which a key leads, and shows the very ends of the view.
   * @param {string} key
   * @param {number} asset
   */
  focusByKey(key, asset) {
    this.focusAsset(asset);
    if (key === "Home" && asset === 0) this.goTo(0);
    if (key === "End" && asset === this.snapshot.total - 1) this.goTo(this.layout.height);
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

  #decorate(cell) {
    for (const decorate of this.decorators) decorate(cell);
  }

  #take(snapshot) {
    this.#anchor = null;
    this.snapshot = snapshot;
    this.classList.toggle("is-empty", snapshot.total === 0);
    if (snapshot.pages) snapshot.pages.onPage = () => this.#render();
  }

  #layoutFor() {
    const isByDay = hasDays(this.snapshot.order) && this.snapshot.days[0]?.[0] !== null;
    this.classList.toggle("without-days", !isByDay);
    this.#headerHeight = this.header.element.offsetHeight;
    const { clientWidth: width } = this.#layer;
    const metrics = metricsFor({ width, density: this.#density, isByDay, headerHeight: this.#headerHeight });
    return this.layoutOf(this.snapshot, metrics, this.density) ?? new DayLayout(this.snapshot.days, metrics);
  }

  /** Gives the cells to the assets near a height, so that known assets are not drawn again. */
  #reindex(y) {
    this.#cells.reindex(this.layout.assetsWithin(y - this.windowHeight, y + 2 * this.windowHeight), this.snapshot.pages);
  }

  /** Returns the cells in the window with their places in it, by the id of the asset. */
  #boxesInWindow() {
    const boxes = new Map();
    for (const cell of this.#cells.all()) {
      if (!cell.asset || cell.index >= this.layout.total) continue;
      const { left, top, width, height } = this.layout.boxOf(cell.index);
      const y = top - this.y;
      if (y + height > 0 && y < this.windowHeight) boxes.set(cell.asset.id, { element: cell.element, left, top: y, width, height });
    }
    return boxes;
  }

  #lay(y) {
    this.layout = this.#layoutFor();
    const map = new ScrollMap(this.layout.height, this.windowHeight);
    this.#position = new ScrollPosition(map);
    this.#pace = new Pace(this.windowHeight);
    this.#layer.style.height = `${map.scrollHeight}px`;
    this.classList.toggle("tiny", this.layout.cellHeight < 60);
    this.#bars.clear();
    this.#cells.forgetPlaces();
    this.#apply(this.#position.moveTo(y));
    while (this.#cells.fill(this.layout));
    this.#pace.moved(y, 0);
    this.#render();
  }

  #resized() {
    this.windowHeight = this.clientHeight;
    if (!this.snapshot.pages || this.windowHeight === 0) return;
    if (!this.layout || this.y === 0 || this.snapshot.total === 0) return this.#lay(0);
    // The anchor stays through several changes of the size, in which others come before it in its
    // row.
    this.#anchor ??= { index: this.firstVisible, height: this.layout.boxOf(this.firstVisible).top - this.y };
    this.layout = this.#layoutFor();
    this.#lay(this.#yFor(this.#anchor));
  }

  #scrolled() {
    if (!this.layout || this.scrollTop === this.#position.scrollTop) return;
    this.#anchor = null;
    const moved = this.#position.scrolled(this.scrollTop);
    if (moved !== null) this.scrollTop = moved;
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
    if (!this.#pace.isResting) this.#restTimer = setTimeout(() => this.#rested(), rest);
    const visible = this.#place();
    if (!this.#pace.isTooFast && total > 0) {
      const { above, below } = this.#pace.margins;
      const bottom = y + this.windowHeight;
      pages.want([visible, layout.assetsWithin(y - 2 * above, bottom + 2 * below)]);
    }
    this.#frame ||= requestAnimationFrame(() => this.#draw());
    this.dispatchEvent(new Event("move"));
  }

  /**
   * Shows the assets of the cells and their pictures, those in the window first and from its
   * middle. Stops after the time and goes on in the next frame, so that scrolling stays smooth.
   * @param {number} [time] in milliseconds
   */
  async #draw(time = frameBudget) {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const end = performance.now() + time;
    const { first, end: last } = this.layout.assetsWithin(this.y, this.y + this.windowHeight);
    const isInWindow = ({ index }) => index >= first && index < last;
    const isDone = this.#showUntil(end, isInWindow) && (await this.#loadUntil(end, isInWindow, (first + last - 1) / 2));
    if (!isDone) this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  /** @returns {boolean} whether all rows have their cells and all cells show their assets */
  #showUntil(end, isInWindow) {
    const show = (cells) => cells.every((cell) => {
      if (performance.now() > end) return false;
      cell.show(this.snapshot.pages?.at(cell.index));
      return true;
    });
    if (!show([...this.#cells.all()].filter(isInWindow))) return false;
    while (this.#cells.fill(this.layout)) if (performance.now() > end) return false;
    this.#focus.mark(this.#cells, this.firstVisible);
    return show([...this.#cells.all()].filter((cell) => !isInWindow(cell)));
  }

  /** @returns {Promise<boolean>} whether all pictures are shown or under way */
  async #loadUntil(end, isInWindow, middle) {
    const cells = this.#pace.isTooFast ? [] : [...this.#cells.all()].filter(({ picture }) => picture === "none");
    const distance = ({ index }) => Math.abs(index - middle);
    for (const cell of cells.sort((one, other) => distance(one) - distance(other))) {
      if (performance.now() > end) return false;
      cell.draw(isInWindow(cell) ? "high" : "low");
      // The request starts in a microtask. Waiting for it counts its time toward the frame.
      await null;
    }
    return true;
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
    this.header.element.style.top = `${-offset}px`;
    this.#cells.place(near, visible, this.#focus.index, layout, offset);
    if (layout.metrics.headingHeight > 0) this.#bars.show(layout, offset, stretch);
    this.#focus.mark(this.#cells, this.firstVisible);
    return visible;
  }

  #checkFirstPage() {
    if (this.#isFirstPageDrawn) return;
    const { first, end } = this.layout.assetsWithin(this.y, this.y + this.windowHeight);
    for (let index = first; index < end; index++) {
      const cell = this.#cells.at(index);
      if (!cell?.asset || cell.picture !== "drawn") return;
    }
    this.#isFirstPageDrawn = true;
    afterFrame(() => {
      markFirstPage();
      this.dispatchEvent(new Event("firstpage"));
    });
  }
}

customElements.define("photo-grid", PhotoGrid);
