/** @import { DayLayout } from "../models/day-layout.js" */
/** @import { AssetPages } from "../models/asset-pages.js" */
import { AssetCell } from "./asset-cell.js";

/** The number of unused cells that are kept, so that scrolling does not create elements. */
const mostSpares = 100;

/** The grid's cells near the window by the asset's index. Cells that leave are used again. */
export class CellPool {
  /** @type {Map<number, AssetCell>} */
  #cells = new Map();
  /** @type {AssetCell[]} */
  #spares = [];
  #layer;
  #onDrawn;

  /**
   * @param {HTMLElement} layer
   * @param {() => void} onDrawn called when a cell's picture has been drawn
   */
  constructor(layer, onDrawn) {
    this.#layer = layer;
    this.#onDrawn = onDrawn;
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
   * Makes cells for the assets of a range and for `pinned`, which has the focus. Releases all
   * others.
   * @param {{first: number, end: number}} range
   * @param {number} pinned
   * @param {DayLayout} layout
   * @param {number} offset from positions in the library to positions in the scrolled element
   * @param {AssetPages} pages
   */
  show({ first, end }, pinned, layout, offset, pages) {
    for (const [index, cell] of this.#cells) {
      if ((index < first || index >= end) && index !== pinned) this.#release(index, cell);
    }
    for (let index = first; index < end; index++) this.#showOne(index, layout, offset, pages);
    if (pinned >= 0 && (pinned < first || pinned >= end)) this.#showOne(pinned, layout, offset, pages);
  }

  /** Forgets the places of all cells, so that each is placed again. */
  misplace() {
    for (const cell of this.#cells.values()) cell.placedAt = undefined;
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
    for (let index = first; index < end; index++) {
      const cell = byID.get(pages.at(index)?.id);
      if (!cell) continue;
      byID.delete(cell.asset.id);
      this.#cells.set(index, cell);
      cell.index = index;
      cell.placedAt = undefined;
    }
    const kept = new Set(this.#cells.values());
    for (const cell of before) if (!kept.has(cell)) this.#put(cell);
  }

  #showOne(index, layout, offset, pages) {
    let cell = this.#cells.get(index);
    if (!cell) {
      cell = this.#take();
      cell.index = index;
      this.#cells.set(index, cell);
    }
    if (cell.placedAt !== offset) {
      const box = layout.boxOf(index);
      cell.place(box, box.top - offset);
      cell.placedAt = offset;
    }
    cell.show(pages.at(index));
  }

  #take() {
    const cell = this.#spares.pop() ?? new AssetCell(this.#onDrawn);
    if (!cell.element.parentNode) this.#layer.append(cell.element);
    cell.element.hidden = false;
    cell.placedAt = undefined;
    return cell;
  }

  #release(index, cell) {
    this.#cells.delete(index);
    this.#put(cell);
  }

  #put(cell) {
    cell.show(undefined);
    cell.element.hidden = true;
    cell.isTabStop = false;
    if (this.#spares.length < mostSpares) this.#spares.push(cell);
    else cell.element.remove();
  }
}
