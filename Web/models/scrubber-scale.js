/** @import { DayLayout } from "./day-layout.js" */
import { lastAtMost } from "./search.js";

/**
 * Maps the date scrubber to the library: the whole track is the whole library, by height.
 *
 *     const scale = new ScrubberScale(layout, windowHeight);
 *     scale.yAt(0.5)        // where the window goes for the middle of the track
 *     scale.dayAt(0.5)      // the index of the day that it shows first
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

  /** The day that a window at this fraction begins with. @param {number} fraction @returns {number} */
  dayAt(fraction) {
    if (fraction >= 1) return Math.max(0, this.layout.days.length - 1);
    return this.layout.bandDays[this.layout.bandAt(this.yAt(fraction))];
  }

  /** The height at which a day's band begins, for a window's top. @param {number} day @returns {number} */
  yOfDay(day) {
    return day === 0 ? 0 : this.layout.bandTops[lastAtMost(this.layout.bandDays, day)];
  }

  /**
   * Years that have room for their label: each where its newest day stands, the newer before the older.
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
   * The newest day of the next older (`step` 1) or the newer (`step` -1) month or year.
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

/** The first day below `day` whose date differs within its first `length` letters. Days are sorted, newest first. */
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

/** The first day that shares the first `length` letters of `day`'s date. */
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
