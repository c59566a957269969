import { lastAtMost } from "./search.js";

/**
 * @typedef {[day: string, count: number]} Day
 * @typedef {{width: number, columns: number, gutter: number, headingHeight: number,
 *   bandGap: number, topInset: number, bottomInset: number}} Metrics
 * @typedef {{left: number, top: number, width: number, height: number}} Box
 * @typedef {{day: number, left: number, width: number, isPacked: boolean}} Heading
 */

/**
 * The place of every asset in a library, computed only from the number of assets of each day.
 *
 *     const layout = new DayLayout([["2026-11-20", 12], ["2026-11-19", 3]], metrics);
 *     layout.boxOf(12)             // the first asset of 19 November
 *     layout.assetsWithin(0, 900)  // {first: 0, end: 15}
 *
 * Days are laid out in bands. A band is a line of headings with square cells below it: one day with
 * all its rows, or several short days side by side in one row. Positions are whole CSS pixels from
 * the top of the library. They may exceed the height that a browser can scroll, see `ScrollMap`.
 */
export class DayLayout {
  /**
   * @param {Day[]} days newest first
   * @param {Metrics} metrics
   */
  constructor(days, metrics) {
    this.days = days;
    this.metrics = metrics;
    this.columns = metrics.columns;
    this.columnLefts = columnLefts(metrics);
    this.cellHeight = Math.floor((metrics.width + metrics.gutter) / metrics.columns) - metrics.gutter;
    this.rowHeight = this.cellHeight + metrics.gutter;

    /** The index of each day's first asset, followed by the number of all assets. */
    this.dayStarts = new Uint32Array(days.length + 1);
    const bandDays = new Uint32Array(days.length + 1);
    const bandTops = new Float64Array(days.length + 1);
    const bandRows = new Uint32Array(days.length + 1);
    let bands = 0;
    let inBand = 0;
    let top = metrics.topInset;
    for (let day = 0; day < days.length; day++) {
      const count = days[day][1];
      this.dayStarts[day + 1] = this.dayStarts[day] + count;
      if (inBand > 0 && inBand + count <= this.columns) {
        inBand += count;
        continue;
      }
      if (inBand > 0) top += this.#bandHeight(inBand);
      if (bands > 0) bandRows[bands] = bandRows[bands - 1] + Math.ceil(inBand / this.columns);
      bandDays[bands] = day;
      bandTops[bands++] = top;
      inBand = count;
    }
    if (inBand > 0) top += this.#bandHeight(inBand);
    if (bands > 0) bandRows[bands] = bandRows[bands - 1] + Math.ceil(inBand / this.columns);
    bandDays[bands] = days.length;
    bandTops[bands] = top;

    this.total = this.dayStarts[days.length];
    this.bandCount = bands;
    this.bandDays = bandDays.subarray(0, bands + 1);
    this.bandTops = bandTops.subarray(0, bands + 1);
    this.bandRows = bandRows.subarray(0, bands + 1);
    /** The number of rows of cells. */
    this.rowCount = bandRows[bands];
    this.height = top + metrics.bottomInset;
  }

  #bandHeight(count) {
    return this.metrics.headingHeight + Math.ceil(count / this.columns) * this.rowHeight + this.metrics.bandGap;
  }

  /** The day that an asset belongs to. @param {number} asset @returns {number} */
  dayOf(asset) {
    return lastAtMost(this.dayStarts, Math.min(asset, this.total - 1));
  }

  /** The band that contains an asset. @param {number} asset @returns {number} */
  bandOf(asset) {
    return lastAtMost(this.bandDays, this.dayOf(asset));
  }

  /**
   * Returns the band at a height, or the first or last one if `y` is outside the library.
   * @param {number} y
   * @returns {number}
   */
  bandAt(y) {
    return Math.min(Math.max(lastAtMost(this.bandTops, y), 0), this.bandCount - 1);
  }

  /** Returns the assets of a day. @param {number} day @returns {{first: number, end: number}} */
  assetsOfDay(day) {
    return { first: this.dayStarts[day], end: this.dayStarts[day + 1] };
  }

  /** Returns the assets of a band. @param {number} band @returns {{first: number, end: number}} */
  assetsOfBand(band) {
    return { first: this.dayStarts[this.bandDays[band]], end: this.dayStarts[this.bandDays[band + 1]] };
  }

  /**
   * Returns the headings of a band, from left to right.
   * @param {number} band
   * @returns {Heading[]}
   */
  headingsOf(band) {
    const { first } = this.assetsOfBand(band);
    const headings = [];
    const isPacked = this.bandDays[band + 1] - this.bandDays[band] > 1;
    for (let day = this.bandDays[band]; day < this.bandDays[band + 1]; day++) {
      const left = this.columnLefts[this.dayStarts[day] - first];
      const isLast = day === this.bandDays[band + 1] - 1;
      const right = isLast ? this.metrics.width : this.columnLefts[this.dayStarts[day + 1] - first];
      headings.push({ day, left, width: right - left, isPacked });
    }
    return headings;
  }

  /**
   * Returns the row of an asset's cell, counted from the top of the library, and its column.
   * @param {number} asset
   * @returns {{row: number, column: number}}
   */
  rowOf(asset) {
    const band = this.bandOf(asset);
    const place = asset - this.assetsOfBand(band).first;
    return { row: this.bandRows[band] + Math.floor(place / this.columns), column: place % this.columns };
  }

  /** Returns the first and the last asset of an asset's row. @param {number} asset */
  endsOfRow(asset) {
    const { first: start, end } = this.assetsOfBand(this.bandOf(asset));
    const first = asset - ((asset - start) % this.columns);
    return { first, last: Math.min(first + this.columns, end) - 1 };
  }

  /** Returns the first and the last day of an asset's row. @param {number} asset */
  daysOfRow(asset) {
    const { first, last } = this.endsOfRow(asset);
    return [first, last].map((one) => this.days[this.dayOf(one)][0]);
  }

  /** An asset's cell. @param {number} asset @returns {Box} */
  boxOf(asset) {
    const band = this.bandOf(asset);
    const place = asset - this.assetsOfBand(band).first;
    const column = place % this.columns;
    const row = Math.floor(place / this.columns);
    return {
      left: this.columnLefts[column],
      top: this.bandTops[band] + this.metrics.headingHeight + row * this.rowHeight,
      width: this.columnLefts[column + 1] - this.columnLefts[column] - this.metrics.gutter,
      height: this.cellHeight,
    };
  }

  /**
   * Returns the assets whose rows overlap the range from `top` to `bottom`.
   * @param {number} top
   * @param {number} bottom
   * @returns {{first: number, end: number}}
   */
  assetsWithin(top, bottom) {
    if (this.total === 0 || bottom <= top) return { first: 0, end: 0 };
    const first = this.#rowEdge(top, 0);
    return { first, end: Math.max(first, this.#rowEdge(bottom, 1)) };
  }

  /** The first asset of the row at `y` (`after` 0), or of the row after it (`after` 1). */
  #rowEdge(y, after) {
    const band = this.bandAt(y);
    const { first, end } = this.assetsOfBand(band);
    const inRows = y - this.bandTops[band] - this.metrics.headingHeight;
    const row = after ? Math.ceil(inRows / this.rowHeight) : Math.floor(inRows / this.rowHeight);
    return Math.min(Math.max(first + row * this.columns, first), end);
  }

  /**
   * Returns the asset at a point, or -1 on a heading, on a gutter or outside.
   * @param {number} x
   * @param {number} y
   * @returns {number}
   */
  assetAt(x, y) {
    const { first, end } = this.assetsWithin(y, y + 1);
    for (let asset = first; asset < end; asset++) {
      const box = this.boxOf(asset);
      if (x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height) return asset;
    }
    return -1;
  }

  /** Returns the first asset that starts at or below `y`, or the last asset. @param {number} y */
  firstAssetBelow(y) {
    if (this.total === 0) return 0;
    const asset = this.#rowEdge(y, 1);
    return Math.min(asset, this.total - 1);
  }

  /**
   * Returns the asset `rows` rows below, or above if `rows` is negative. It is in the same column,
   * or the last one of a shorter row.
   * @param {number} asset
   * @param {number} rows
   * @returns {number}
   */
  assetRowsAway(asset, rows) {
    let band = this.bandOf(asset);
    const column = (asset - this.assetsOfBand(band).first) % this.columns;
    let row = Math.floor((asset - this.assetsOfBand(band).first) / this.columns) + rows;
    for (;;) {
      const { first, end } = this.assetsOfBand(band);
      const rowCount = Math.ceil((end - first) / this.columns);
      if (row < 0 && band > 0) {
        const above = this.assetsOfBand(--band);
        row += Math.ceil((above.end - above.first) / this.columns);
      } else if (row >= rowCount && band < this.bandCount - 1) {
        row -= rowCount;
        band++;
      } else {
        if (row < 0 || row >= rowCount) return asset;
        return Math.min(first + row * this.columns + column, end - 1);
      }
    }
  }
}

/**
 * Returns the left edge of each column and of one more. The remainder of the width is distributed.
 */
function columnLefts({ width, columns, gutter }) {
  return Array.from({ length: columns + 1 }, (_, column) => Math.round((column * (width + gutter)) / columns));
}

/**
 * Returns the sizes of a grid.
 * @param {{width: number, density: number, isByDay: boolean, headerHeight: number}} view
 * @returns {Metrics}
 */
export function metricsFor({ width, density, isByDay, headerHeight }) {
  const isNarrow = width < 600;
  return {
    width,
    columns: columnsFor(width, density),
    gutter: isNarrow ? 2 : 3,
    headingHeight: isByDay ? (isNarrow ? 40 : 46) : 0,
    bandGap: isNarrow ? 6 : 12,
    topInset: headerHeight + (isByDay ? 0 : 8),
    bottomInset: 24,
  };
}

/** The factors of the number of columns for each density, in narrow and in wide windows. */
const narrow = { "-1": 1 / 3, 0: 1, 1: 5 / 3, 2: 3 };
const wide = { "-2": 1 / 2, "-1": 3 / 4, 0: 1, 1: 5 / 3 };

/**
 * Returns the number of columns: at least three, with cells of about 180 pixels in wide windows. A
 * positive density has more columns, a negative one fewer.
 * @param {number} width
 * @param {number} [density]
 * @returns {number}
 */
export function columnsFor(width, density = 0) {
  const wished = width < 600 ? 125 : width < 1000 ? 150 : 180;
  const columns = Math.max(3, Math.round(width / wished));
  return Math.max(1, Math.round(columns * densitiesFor(width)[densityWithin(width, density)]));
}

/**
 * Returns the nearest density that a width offers.
 * @param {number} width
 * @param {number} density
 */
export function densityWithin(width, density) {
  const offered = Object.keys(densitiesFor(width)).map(Number);
  return Math.max(Math.min(...offered), Math.min(density, Math.max(...offered)));
}

const densitiesFor = (width) => (width < 600 ? narrow : wide);
