/** @import { PhotoGrid } from "./photo-grid.js" */
/** @import { CellPool } from "./cell-pool.js" */

/**
 * The asset with the grid's focus, and the keys that move the focus. Tab reaches exactly one cell:
 * the one that had the focus last, or else the first in the window.
 */
export class GridFocus {
  #grid;
  /** The index of the focused asset, or -1. */
  index = -1;

  /** @param {PhotoGrid} grid */
  constructor(grid) {
    this.#grid = grid;
    grid.addEventListener("focusin", (event) => {
      const index = grid.indexOf(event.target);
      if (index >= 0) this.index = index;
    });
  }

  /**
   * Listens to the keys of the page, or of the dialog that the grid is in.
   * @param {AbortSignal} signal
   */
  listen(signal) {
    const around = this.#grid.closest("dialog") ?? document;
    around.addEventListener("keydown", (event) => this.#pressed(event), { signal });
  }

  /** @param {number} index */
  set(index) {
    this.index = index;
  }

  /**
   * Moves the focused index after the library changed before it.
   * @param {number} shift
   * @param {number} total
   */
  moveBy(shift, total) {
    if (this.index >= 0) this.index = Math.min(Math.max(this.index + shift, 0), total - 1);
  }

  /**
   * Makes one cell the tab stop.
   * @param {CellPool} cells
   * @param {number} firstVisible
   */
  mark(cells, firstVisible) {
    const stop = this.index >= 0 ? this.index : firstVisible;
    for (const cell of cells.all()) cell.isTabStop = cell.index === stop;
  }

  #pressed(event) {
    const grid = this.#grid;
    if (!grid.takesKeys) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== document.body && !grid.contains(event.target)) return;
    // The suggestions have keys of their own.
    if (event.target.closest(".suggestions")) return;
    if (event.key === "Enter" && this.index >= 0 && grid.indexOf(event.target) === this.index) {
      event.preventDefault();
      return event.target.querySelector(".open").click();
    }
    const target = this.target(event.key);
    if (target === null) return;
    event.preventDefault();
    grid.focusByKey(event.key, target);
  }

  /**
   * Returns the asset to which a key moves the focus, or null. Home and End lead to the ends of the
   * row, or to those of the view if `isAll` or no asset had the focus.
   * @param {string} key
   * @param {{isAll?: boolean}} [options]
   * @returns {number | null}
   */
  target(key, { isAll = false } = {}) {
    const { layout, snapshot } = this.#grid;
    const last = snapshot.total - 1;
    const rows = Math.max(1, Math.floor(this.#grid.windowHeight / layout.rowHeight) - 1);
    if (key === "Home") return isAll || this.index < 0 ? 0 : layout.endsOfRow(this.index).first;
    if (key === "End") return isAll || this.index < 0 ? last : layout.endsOfRow(this.index).last;
    const isMove = /^(Arrow(Left|Right|Up|Down)|Page(Up|Down))$/.test(key);
    if (!isMove) return null;
    if (this.index < 0) return this.#grid.firstVisible;
    switch (key) {
      case "ArrowLeft":
        return Math.max(this.index - 1, 0);
      case "ArrowRight":
        return Math.min(this.index + 1, last);
      case "ArrowUp":
        return layout.assetRowsAway(this.index, -1);
      case "ArrowDown":
        return layout.assetRowsAway(this.index, 1);
      case "PageUp":
        return this.#pageAway(-rows);
      case "PageDown":
        return this.#pageAway(rows);
    }
  }

  /** Returns the asset up to `rows` rows away, or the first or last one if there are fewer rows. */
  #pageAway(rows) {
    const { layout, snapshot } = this.#grid;
    const asset = layout.assetRowsAway(this.index, rows);
    if (asset !== this.index) return asset;
    return rows < 0 ? 0 : snapshot.total - 1;
  }
}
