/** @import { Box, Day, Heading, Metrics } from "./day-layout.js" */
import { DayLayout } from "./day-layout.js";
import { lastAtMost } from "./search.js";

/** The least width divided by height of a cell. A narrower one would have no room for a finger. */
const leastRatio = 1 / 4;
/** Width divided by height, for each byte of the server's `aspects`. */
const ratios = Float64Array.from({ length: 256 }, (_, byte) => Math.max(leastRatio, 2 ** ((byte - 128) / 42)));
const square = 128;
/** The factor by which the last row of a day may be higher than usual to fill the width. */
const mostStretch = 1.2;
/** The least width of a day beside others, in which its heading is readable. */
const leastDayWidthIn = (width) => (width < 600 ? 128 : 152);

/**
 * A layout in which assets keep their aspect ratios: rows of about the same height fill the width.
 *
 *     const layout = new FitLayout(days, metrics, aspects);
 *     layout.boxOf(12)  // {left: 0, top: 240, width: 270, height: 180}
 *
 * `aspects` has a byte for each asset, so that the place of every asset is known at once. An asset
 * without a byte is taken as a square. Rows break at days. Short days stand side by side in one row
 * of the usual height, which does not fill the width.
 */
export class FitLayout extends DayLayout {
  #aspects;
  #leastDayWidth;
  /** The first asset of each row, followed by the number of all assets. */
  #rowStarts;
  #rowTops;
  #rowHeights;
  /** For each row 1 if it fills the width. */
  #isFull;
  /** The cells of the row that was asked for last. */
  #known = { row: -1, lefts: [], widths: [] };

  /**
   * @param {Day[]} days
   * @param {Metrics} metrics the rows are about as high as the square cells would be
   * @param {Uint8Array} aspects
   */
  constructor(days, metrics, aspects) {
    super(days, metrics);
    this.#aspects = aspects;
    this.#leastDayWidth = leastDayWidthIn(metrics.width);
    this.#rowStarts = new Uint32Array(this.total + 1);
    this.#rowTops = new Float64Array(this.total);
    this.#rowHeights = new Uint16Array(this.total);
    this.#isFull = new Uint8Array(this.total);
    this.#layRows();
    // The most cells in a row.
    for (let row = 0, most = (this.columns = 1); row < this.rowCount; row++) {
      most = Math.max(most, this.#rowStarts[row + 1] - this.#rowStarts[row]);
      this.columns = most;
    }
  }

  #layRows() {
    const { days, metrics } = this;
    const bandDays = new Uint32Array(days.length + 1);
    const bandTops = new Float64Array(days.length + 1);
    const bandRows = new Uint32Array(days.length + 1);
    let bands = 0;
    let top = metrics.topInset;
    this.rowCount = 0;
    /** The width that the days of a band of one row take, or null in a band of several rows. */
    let taken = null;
    for (let day = 0; day < days.length; day++) {
      const { first, end } = this.assetsOfDay(day);
      const width = this.#naturalWidth(first, end);
      const slot = Math.max(width, this.#leastDayWidth);
      if (taken !== null && taken + metrics.gutter + slot <= metrics.width) {
        taken += metrics.gutter + slot;
        continue;
      }
      if (taken !== null) top = this.#addRow(first, top, null) + metrics.bandGap;
      bandDays[bands] = day;
      bandRows[bands] = this.rowCount;
      bandTops[bands++] = top;
      top += metrics.headingHeight;
      this.#rowStarts[this.rowCount] = first;
      taken = width <= metrics.width && !this.#fills(first, end) ? slot : null;
      if (taken === null) top = this.#addRowsOfDay(first, end, top) + metrics.bandGap;
    }
    if (taken !== null) top = this.#addRow(this.total, top, null) + metrics.bandGap;
    bandDays[bands] = days.length;
    bandTops[bands] = top;
    bandRows[bands] = this.rowCount;
    this.bandCount = bands;
    this.bandDays = bandDays.subarray(0, bands + 1);
    this.bandTops = bandTops.subarray(0, bands + 1);
    this.bandRows = bandRows.subarray(0, bands + 1);
    this.#rowStarts = this.#rowStarts.slice(0, this.rowCount + 1);
    this.#rowTops = this.#rowTops.slice(0, this.rowCount);
    this.height = top + metrics.bottomInset;
  }

  #ratioOf(asset) {
    return ratios[this.#aspects[asset] ?? square];
  }

  /** The width of a cell in a row of the usual height. */
  #widthOf(asset) {
    return Math.max(1, Math.round(this.#ratioOf(asset) * this.cellHeight));
  }

  /** The width of assets in a row of the usual height, or a greater one than that of the view. */
  #naturalWidth(first, end) {
    let width = -this.metrics.gutter;
    for (let asset = first; asset < end && width <= this.metrics.width; asset++) width += this.#widthOf(asset) + this.metrics.gutter;
    return width;
  }

  /** Returns the height at which assets fill the width. */
  #fillingHeight(count, ratio) {
    return (this.metrics.width - (count - 1) * this.metrics.gutter) / ratio;
  }

  /** Whether a few assets fill a row that is little higher than usual. */
  #fills(first, end) {
    let ratio = 0;
    for (let asset = first; asset < end; asset++) ratio += this.#ratioOf(asset);
    return this.#fillingHeight(end - first, ratio) <= mostStretch * this.cellHeight;
  }

  /** Divides a day into rows. Returns the bottom of the last one. */
  #addRowsOfDay(first, end, top) {
    const target = this.cellHeight;
    const { width, gutter } = this.metrics;
    let start = first;
    let ratio = 0;
    for (let asset = first; asset < end; asset++) {
      const next = this.#ratioOf(asset);
      const count = asset - start;
      const height = (width - count * gutter) / (ratio + next);
      if (height > target) {
        ratio += next;
        continue;
      }
      // The row ends before or after this asset, whichever makes its height more usual.
      const before = count > 0 ? this.#fillingHeight(count, ratio) : Infinity;
      if (before / target < target / height) {
        top = this.#addRow(asset, top, before) + gutter;
        [start, ratio] = [asset, 0];
        asset -= 1;
      } else {
        top = this.#addRow(asset + 1, top, height) + gutter;
        [start, ratio] = [asset + 1, 0];
      }
    }
    if (start === end) return top - gutter;
    const height = this.#fillingHeight(end - start, ratio);
    return this.#addRow(end, top, height <= mostStretch * target ? height : null);
  }

  /** Ends a row. Without a filling height it has the usual one. Returns its bottom. */
  #addRow(end, top, filling) {
    const row = this.rowCount++;
    const height = Math.max(1, Math.round(filling ?? this.cellHeight));
    this.#rowStarts[this.rowCount] = end;
    this.#rowTops[row] = top;
    this.#rowHeights[row] = height;
    this.#isFull[row] = filling === null ? 0 : 1;
    return top + height;
  }

  #rowAt(asset) {
    return Math.min(lastAtMost(this.#rowStarts, asset), this.rowCount - 1);
  }

  /** Computes the cells of a row. */
  #cellsOf(row) {
    if (this.#known.row === row) return this.#known;
    const [first, end] = [this.#rowStarts[row], this.#rowStarts[row + 1]];
    this.#known = this.#isFull[row] ? this.#fullRow(first, end) : this.#looseRow(first, end);
    this.#known.row = row;
    return this.#known;
  }

  #fullRow(first, end) {
    const { width, gutter } = this.metrics;
    const [lefts, widths] = [[], []];
    let all = 0;
    for (let asset = first; asset < end; asset++) all += this.#ratioOf(asset);
    const scale = (width - (end - first - 1) * gutter) / all;
    for (let asset = first, sum = 0; asset < end; asset++) {
      const left = Math.round(sum * scale);
      sum += this.#ratioOf(asset);
      lefts.push(left + (asset - first) * gutter);
      widths.push(Math.round(sum * scale) - left);
    }
    return { row: -1, lefts, widths };
  }

  /** The cells of the last row of a day, or of several days. */
  #looseRow(first, end) {
    const { gutter } = this.metrics;
    const [lefts, widths] = [[], []];
    let left = 0;
    for (let asset = first, start = 0, day = this.dayOf(first); asset < end; asset++) {
      if (asset === this.dayStarts[day + 1]) {
        left = start = Math.max(left, start + this.#leastDayWidth + gutter);
        day += 1;
      }
      const width = this.#widthOf(asset);
      lefts.push(left);
      widths.push(width);
      left += width + gutter;
    }
    return { row: -1, lefts, widths };
  }

  /** @param {number} band @returns {Heading[]} */
  headingsOf(band) {
    const headings = [];
    const [from, to] = [this.bandDays[band], this.bandDays[band + 1]];
    const leftOf = (day) => (day === from ? 0 : day === to ? this.metrics.width : this.boxOf(this.dayStarts[day]).left);
    for (let day = from; day < to; day++) {
      const left = leftOf(day);
      headings.push({ day, left, width: leftOf(day + 1) - left, isPacked: to - from > 1 });
    }
    return headings;
  }

  /** @param {number} asset */
  rowOf(asset) {
    const row = this.#rowAt(asset);
    return { row, column: asset - this.#rowStarts[row] };
  }

  /** @param {number} asset */
  endsOfRow(asset) {
    const row = this.#rowAt(asset);
    return { first: this.#rowStarts[row], last: this.#rowStarts[row + 1] - 1 };
  }

  /** @param {number} asset @returns {Box} */
  boxOf(asset) {
    const { row, column } = this.rowOf(asset);
    const { lefts, widths } = this.#cellsOf(row);
    return { left: lefts[column], top: this.#rowTops[row], width: widths[column], height: this.#rowHeights[row] };
  }

  /** @param {number} top @param {number} bottom */
  assetsWithin(top, bottom) {
    if (this.total === 0 || bottom <= top) return { first: 0, end: 0 };
    let from = Math.max(0, lastAtMost(this.#rowTops, top));
    if (this.#rowTops[from] + this.#rowHeights[from] <= top) from += 1;
    let to = lastAtMost(this.#rowTops, bottom);
    if (to >= 0 && this.#rowTops[to] >= bottom) to -= 1;
    const first = this.#rowStarts[from];
    return { first, end: Math.max(first, this.#rowStarts[to + 1]) };
  }

  /** @param {number} y */
  firstAssetBelow(y) {
    if (this.total === 0) return 0;
    const row = lastAtMost(this.#rowTops, y);
    const below = row >= 0 && this.#rowTops[row] >= y ? row : row + 1;
    return below < this.rowCount ? this.#rowStarts[below] : this.total - 1;
  }

  /**
   * Returns the asset `rows` rows away whose middle is nearest.
   * @param {number} asset
   * @param {number} rows
   */
  assetRowsAway(asset, rows) {
    const { row, column } = this.rowOf(asset);
    const target = row + rows;
    if (target < 0 || target >= this.rowCount) return asset;
    const from = this.#cellsOf(row);
    const middle = from.lefts[column] + from.widths[column] / 2;
    const { lefts, widths } = this.#cellsOf(target);
    const distances = lefts.map((left, place) => Math.abs(left + widths[place] / 2 - middle));
    return this.#rowStarts[target] + distances.indexOf(Math.min(...distances));
  }
}
