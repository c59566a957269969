/** @import { DayLayout } from "./day-layout.js" */
import { lastAtMost } from "./search.js";

/**
 * Maps the date scrubber's track to the whole library, by height.
 *
 *     const scale = new ScrubberScale(layout, windowHeight);
 *     scale.yAt(0.5)        // the window's position for the middle of the track
 *     scale.dayAt(0.5)      // the index of the first day in that window
 */
export class ScrubberScale {
  /**
   * @param {DayLayout} layout
   * @param {number} windowHeight
   */
  constructor(layout, windowHeight) {
    this.layout = layout;
    this.lastY = Math.max(0, layout.height - windowHeight);
  }

  /** @param {number} fraction 0 is the top of the track, 1 its bottom @returns {number} */
  yAt(fraction) {
    return Math.min(Math.max(fraction, 0), 1) * this.lastY;
  }

  /** @param {number} y @returns {number} */
  fractionOf(y) {
    return this.lastY === 0 ? 0 : Math.min(Math.max(y / this.lastY, 0), 1);
  }

  /**
   * Returns the first day in the window at this fraction.
   * @param {number} fraction
   * @returns {number}
   */
  dayAt(fraction) {
    if (fraction >= 1) return Math.max(0, this.layout.days.length - 1);
    // The heading of a band covers the end of its photos, and below them is a gap.
    const { bandGap, headingHeight } = this.layout.metrics;
    return this.layout.bandDays[this.layout.bandAt(this.yAt(fraction) + headingHeight + bandGap)];
  }

  /**
   * Returns the position of the window at which a day's band begins.
   * @param {number} day
   * @returns {number}
   */
  yOfDay(day) {
    return day === 0 ? 0 : this.layout.bandTops[lastAtMost(this.layout.bandDays, day)];
  }

  /**
   * Returns the day at which a year begins in this order, or else the next one that has assets.
   * @param {string} year
   * @returns {number}
   */
  dayOfYear(year) {
    const { days } = this.layout;
    const isOldestFirst = days[0][0] < days.at(-1)[0];
    const found = days.findIndex(([day]) => (isOldestFirst ? day.slice(0, 4) >= year : day.slice(0, 4) <= year));
    return found < 0 ? days.length - 1 : found;
  }

  /**
   * Returns the assets of a day's month.
   * @param {number} day
   * @returns {{first: number, end: number}}
   */
  assetsOfMonth(day) {
    const { days, dayStarts } = this.layout;
    return { first: dayStarts[firstDayOf(days, day, 7)], end: dayStarts[firstDayAfter(days, day, 7)] };
  }

  /**
   * Returns the years whose labels have room, each at its newest day. Newer years take precedence.
   * @param {number} trackHeight in pixels
   * @param {number} leastGap in pixels
   * @returns {{year: string, fraction: number}[]}
   */
  yearMarks(trackHeight, leastGap) {
    const marks = [];
    const { days } = this.layout;
    let lastTop = -Infinity;
    for (let day = 0; day < days.length; day = firstDayAfter(days, day, 4)) {
      const fraction = this.fractionOf(this.yOfDay(day));
      const top = fraction * trackHeight;
      if (top - lastTop < leastGap || top > trackHeight - leastGap / 2) continue;
      marks.push({ year: days[day][0].slice(0, 4), fraction });
      lastTop = top;
    }
    return marks;
  }

  /**
   * Returns where months begin, as far as there is room between the labels of years.
   * @param {number} trackHeight in pixels
   * @param {number} leastGap in pixels
   * @param {{labels: {fraction: number}[], clearance: number}} years the labels, and the pixels
   *   that stay free above and below the middle of each
   * @returns {number[]} fractions
   */
  monthMarks(trackHeight, leastGap, { labels, clearance }) {
    const marks = [];
    const { days } = this.layout;
    const isFree = (top) => labels.every(({ fraction }) => Math.abs(fraction * trackHeight - top) >= clearance);
    let lastTop = -Infinity;
    for (let day = 0; day < days.length; day = firstDayAfter(days, day, 7)) {
      const fraction = this.fractionOf(this.yOfDay(day));
      const top = fraction * trackHeight;
      if (top - lastTop < leastGap || !isFree(top)) continue;
      marks.push(fraction);
      lastTop = top;
    }
    return marks;
  }

  /**
   * Returns the newest day of the next older (`step` 1) or newer (`step` -1) month or year.
   * @param {number} day
   * @param {number} step
   * @param {"month" | "year"} unit
   * @returns {number}
   */
  dayStepped(day, step, unit) {
    const { days } = this.layout;
    const length = unit === "year" ? 4 : 7;
    if (step > 0) return Math.min(firstDayAfter(days, day, length), days.length - 1);
    const start = firstDayOf(days, day, length);
    return start < day || start === 0 ? start : firstDayOf(days, start - 1, length);
  }
}

/**
 * Returns the first day after `day` whose date differs in its first `length` letters. Days are
 * sorted, newest first.
 */
function firstDayAfter(days, day, length) {
  const prefix = days[day][0].slice(0, length);
  let low = day + 1;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (days[middle][0].slice(0, length) === prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the first day whose date has the same first `length` letters as that of `day`. */
function firstDayOf(days, day, length) {
  const prefix = days[day][0].slice(0, length);
  let low = 0;
  let high = day;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (days[middle][0].slice(0, length) === prefix) high = middle;
    else low = middle + 1;
  }
  return low;
}
