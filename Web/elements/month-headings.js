/** @import { PhotoGrid } from "./photo-grid.js" */
import { knownDate, narrowHeadings } from "../helpers/dates.js";
import { monthAndYear } from "../helpers/times.js";
import { precisionOfDay } from "../models/day-precision.js";

/** The first day of a month. */
const firstDay = /-01$/u;

/**
 * Returns a month for a heading beside others: the longest text of at most `room` letters, else the
 * shortest text.
 * @param {string} day
 * @param {number} room
 */
const shortMonth = (day, room) => {
  const texts = [monthAndYear(day), monthAndYear(day, undefined, "short"), narrowHeadings(day, { isFirstOfMonth: true }).at(-1)];
  return texts.find(({ length }) => length <= room) ?? texts.at(-1);
};

/**
 * Names the headings of days after a month or a year if nothing more is known of their photos:
 * "June 1985" in place of "Saturday 1 June 1985".
 * @param {PhotoGrid} grid
 */
export function nameMonths(grid) {
  /** The texts of the day. @type {WeakMap<HTMLElement, {text: string, title: string}>} */
  const days = new WeakMap();
  /** The days whose photos were loaded since the last frame. */
  const changed = new Set();

  const write = (heading) => {
    const { layout, snapshot } = grid;
    const day = Number(heading.dataset.day);
    const name = layout.days[day][0];
    if (!snapshot.pages || !firstDay.test(name ?? "")) return;
    const date = heading.firstElementChild;
    if (!days.has(heading)) days.set(heading, { text: date.textContent, title: heading.title });
    const { text, title } = days.get(heading);
    const precision = precisionOfDay(layout.assetsOfDay(day), (index) => snapshot.pages.at(index));
    const known = precision === "day" ? title || text : knownDate(name, precision);
    // Only the heading of a day beside others has a title. Its text must not become longer.
    if (title) heading.title = heading.ariaLabel = known;
    if (precision === "day") date.textContent = text;
    else date.textContent = (title && precision === "month" && shortMonth(name, text.length)) || known;
  };
  const writeChanged = () => {
    for (const day of changed) {
      const heading = grid.querySelector(`.day-name[data-day="${day}"]`);
      if (heading) write(heading);
    }
    changed.clear();
  };
  grid.headingDecorators.add(write);
  grid.decorators.add(({ index }) => {
    const { days, metrics } = grid.layout;
    if (index < 0 || metrics.headingHeight === 0) return;
    const day = grid.layout.dayOf(index);
    if (!firstDay.test(days[day][0] ?? "")) return;
    if (changed.size === 0) requestAnimationFrame(writeChanged);
    changed.add(day);
  });
  grid.decorate();
}
