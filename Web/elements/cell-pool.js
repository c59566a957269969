/** @import { DayLayout } from "../models/day-layout.js" */
/** @import { AssetPages } from "../models/asset-pages.js" */
import { longDate } from "../helpers/dates.js";
import { make } from "../helpers/dom.js";
import { AssetCell } from "./asset-cell.js";

/**
 * The number of unused cells that are kept, so that scrolling does not create elements: as many as
 * a large window shows with its margins.
 */
const mostSpares = 300;

/**
 * @typedef {{number: number, first: number, end: number}} Row the number of a row and the range of
 *   its assets
 */

/**
 * The cells of the grid near the window, in rows. A row that leaves the window is used again for
 * another row with all its cells. So scrolling moves whole rows in the page, and makes no elements.
 */
export class CellPool {
  /** @type {Map<number, AssetCell>} */
  #cells = new Map();
  /** @type {AssetCell[]} */
  #spares = [];
  /** The rows by their number. @type {Map<number, CellRow>} */
  #rows = new Map();
  /** The rows that wait for their cells, those nearest to the window first. @type {Row[]} */
  #late = [];
  #grid = make("div", { className: "cells", attributes: { role: "grid", "aria-multiselectable": "true" } });
  /** The layout whose numbers of rows and columns are in the ARIA attributes. */
  #counted = null;
  #onDrawn;
  #onDescribed;

  /**
   * @param {HTMLElement} layer
   * @param {() => void} onDrawn called when a cell's picture has been drawn
   * @param {(cell: AssetCell) => void} onDescribed called when a cell shows an asset, or a property
   *   of it has changed
   */
  constructor(layer, onDrawn, onDescribed) {
    layer.append(this.#grid);
    this.#onDrawn = onDrawn;
    this.#onDescribed = onDescribed;
  }

  /** @param {string} label the name of the view for a screen reader */
  set label(label) {
    this.#grid.setAttribute("aria-label", label);
  }

  /** @param {number} index @returns {AssetCell | undefined} */
  at(index) {
    return this.#cells.get(index);
  }

  /** @returns {IterableIterator<AssetCell>} */
  all() {
    return this.#cells.values();
  }

  /**
   * Places the rows of a range, and the row that contains `pinned`, the asset with the focus.
   * Releases the cells of all other rows. The rows in the window and the pinned one get their cells
   * at once, the others by `fill`.
   * @param {{first: number, end: number}} range
   * @param {{first: number, end: number}} visible the assets in the window
   * @param {number} pinned
   * @param {DayLayout} layout
   * @param {number} offset from positions in the library to positions in the scrolled element
   */
  place(range, visible, pinned, layout, offset) {
    const wanted = rowsOf(range, pinned, layout);
    this.#releaseAllBut(wanted);
    const focused = this.#grid.contains(document.activeElement) ? document.activeElement : null;
    const left = this.#takeRowsBut(wanted);
    const stays = wanted.findIndex(({ number }) => this.#rows.has(number));
    this.#late = [];
    for (const place of wanted) {
      const { number, first, end } = place;
      const row = this.#rows.get(number) ?? left.shift() ?? new CellRow();
      this.#rows.set(number, row);
      row.moveTo(layout.boxOf(first).top - offset);
      if (row.first === first && row.end === end) continue;
      row.name(number, rowLabel(layout, first));
      row.first = row.end = -1;
      const isUrgent = (first < visible.end && end > visible.first) || (pinned >= first && pinned < end);
      if (isUrgent) this.#fill(row, place, layout);
      else this.#late.push(place);
    }
    const distance = ({ first }) => Math.abs(first - visible.first);
    this.#late.sort((one, other) => distance(one) - distance(other));
    for (const row of left) {
      row.element.remove();
      for (const cell of row.cells) if (cell.index < 0) this.#keep(cell);
    }
    this.#sort(wanted, Math.max(0, stays));
    // An element that moves in the page loses the focus.
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
    this.#count(layout);
  }

  /**
   * Gives the next row outside the window its cells.
   * @param {DayLayout} layout
   * @returns {boolean} whether there was one
   */
  fill(layout) {
    const place = this.#late.shift();
    if (place) this.#fill(this.#rows.get(place.number), place, layout);
    return place !== undefined;
  }

  /** Forgets the places of all cells, so that each is placed again. */
  forgetPlaces() {
    for (const row of this.#rows.values()) row.first = row.end = -1;
  }

  /**
   * Gives cells the indexes that their assets have in a changed library, so that the remaining
   * assets are not drawn again.
   * @param {{first: number, end: number}} range
   * @param {AssetPages} pages
   */
  reindex({ first, end }, pages) {
    const byID = new Map();
    for (const cell of this.#cells.values()) if (cell.asset) byID.set(cell.asset.id, cell);
    const before = [...this.#cells.values()];
    this.#cells.clear();
    for (const cell of before) cell.index = -1;
    for (let index = first; index < end; index++) {
      const cell = byID.get(pages.at(index)?.id);
      if (!cell) continue;
      byID.delete(cell.asset.id);
      this.#cells.set(index, cell);
      cell.index = index;
    }
    for (const cell of before) if (cell.index < 0) this.#release(cell);
    this.forgetPlaces();
  }

  /** Releases the cells of other rows. */
  #releaseAllBut(wanted) {
    const isWanted = (index) => wanted.some(({ first, end }) => index >= first && index < end);
    for (const [index, cell] of this.#cells) {
      if (isWanted(index)) continue;
      this.#cells.delete(index);
      this.#release(cell);
    }
  }

  /** Removes all other rows from `#rows`, and returns them from top to bottom. */
  #takeRowsBut(wanted) {
    const numbers = new Set(wanted.map(({ number }) => number));
    const left = [...this.#rows].filter(([number]) => !numbers.has(number));
    for (const [number] of left) this.#rows.delete(number);
    return left.sort(([one], [other]) => one - other).map(([, row]) => row);
  }

  /**
   * Fills a row with the cells of a range. An asset keeps its cell. Other assets get a free cell of
   * the row, or else a spare one.
   */
  #fill(row, { first, end }, layout) {
    const free = row.cells.filter(({ index }) => index < 0);
    row.cells = [];
    for (let index = first; index < end; index++) {
      const cell = this.#cells.get(index) ?? free.shift() ?? this.#take();
      cell.index = index;
      this.#cells.set(index, cell);
      cell.place(layout.boxOf(index), index - first);
      row.cells.push(cell);
    }
    for (const cell of free) this.#keep(cell);
    row.show({ first, end });
  }

  /** Puts the rows into the order of their assets, around one that stays where it is. */
  #sort(wanted, stays) {
    const rows = wanted.map(({ number }) => this.#rows.get(number).element);
    const focused = rows.findIndex((row) => row.contains(document.activeElement));
    const start = focused >= 0 ? focused : stays;
    if (rows.length > 0 && !rows[start].isConnected) this.#grid.append(rows[start]);
    for (let place = start + 1; place < rows.length; place++) {
      if (rows[place - 1].nextSibling !== rows[place]) rows[place - 1].after(rows[place]);
    }
    for (let place = start - 1; place >= 0; place--) {
      if (rows[place + 1].previousSibling !== rows[place]) rows[place + 1].before(rows[place]);
    }
  }

  #count(layout) {
    if (layout === this.#counted || layout.total === 0) return;
    this.#counted = layout;
    this.#grid.setAttribute("aria-rowcount", String(layout.rowCount));
    this.#grid.setAttribute("aria-colcount", String(layout.columns));
  }

  #take() {
    return this.#spares.pop() ?? new AssetCell(this.#onDrawn, this.#onDescribed);
  }

  /** Frees a cell for another asset. A cell with the focus is removed, which ends its focus. */
  #release(cell) {
    cell.free();
    if (cell.element.contains(document.activeElement)) cell.element.remove();
  }

  #keep(cell) {
    cell.element.remove();
    cell.show(undefined);
    if (this.#spares.length < mostSpares) this.#spares.push(cell);
  }
}

/** A row of cells. Its element is a row for screen readers, and positions the cells. */
class CellRow {
  element = make("div", { className: "cell-row", attributes: { role: "row" } });
  /** @type {AssetCell[]} */
  cells = [];
  /** The range of its assets, or -1 and -1 if its cells must be placed again. */
  first = -1;
  end = -1;
  #top;

  /**
   * Sets the row's number and label for screen readers.
   * @param {number} number from the top of the library
   * @param {string} label
   */
  name(number, label) {
    this.element.setAttribute("aria-rowindex", String(number + 1));
    this.element.ariaLabel = label;
  }

  /** Shows its cells. @param {{first: number, end: number}} range */
  show({ first, end }) {
    this.first = first;
    this.end = end;
    let place = this.element.firstChild;
    for (const { element } of this.cells) {
      if (element === place) place = place.nextSibling;
      else this.element.insertBefore(element, place);
    }
  }

  /** @param {number} top in the scrolled element */
  moveTo(top) {
    if (top === this.#top) return;
    this.#top = top;
    this.element.style.top = `${top}px`;
  }
}

/**
 * Returns the rows of a range of assets and that of a pinned one, from the top.
 * @param {{first: number, end: number}} range
 * @param {number} pinned
 * @param {DayLayout} layout
 * @returns {Row[]}
 */
function rowsOf(range, pinned, layout) {
  const rows = [];
  const add = (asset) => {
    const { first, last } = layout.endsOfRow(asset);
    rows.push({ number: layout.rowOf(asset).row, first, end: last + 1 });
    return last + 1;
  };
  const isPinned = pinned >= 0 && pinned < layout.total;
  if (isPinned && pinned < range.first) add(pinned);
  for (let index = range.first; index < range.end; ) index = add(index);
  if (isPinned && pinned >= range.end) add(pinned);
  return rows;
}

/** Returns the days of a row for a screen reader, or "" in a view without days. */
function rowLabel(layout, index) {
  if (layout.metrics.headingHeight === 0) return "";
  return [...new Set(layout.daysOfRow(index))].map((day) => longDate(day)).join(" – ");
}
