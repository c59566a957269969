/** @import { DayLayout } from "../models/day-layout.js" */
import { make } from "../helpers/dom.js";
import { dayHeading, narrowHeadings } from "../helpers/dates.js";

/** The number of windows by which a track may extend out of sight, even if its band is higher. */
const reach = 4;

/** Estimates in pixels: a letter of a heading beside others, and what is not text in it. */
const sizes = { tiny: { letter: 8, rest: 6 }, phone: { letter: 8.4, rest: 16 }, desktop: { letter: 8.4, rest: 40 } };
const isPhone = matchMedia("(max-width: 599px)");

/**
 * The headings of the days near the window. Each heading is inside a track that covers its band.
 * CSS makes it stick to the top of the window while the track scrolls.
 */
export class DayBars {
  /** @type {Map<number, HTMLElement>} */
  #tracks = new Map();
  #layer;
  #grid;

  /** @param {HTMLElement} layer @param {import("./photo-grid.js").PhotoGrid} grid */
  constructor(layer, grid) {
    this.#layer = layer;
    this.#grid = grid;
  }

  /** Runs the grid's decorators for all headings. */
  decorate() {
    for (const track of this.#tracks.values()) {
      for (const heading of track.querySelectorAll(".day-name")) this.#decorate(heading);
    }
  }

  #decorate(heading) {
    for (const decorate of this.#grid.headingDecorators) decorate(heading, Number(heading.dataset.day));
  }

  /**
   * @param {DayLayout} layout
   * @param {number} offset
   * @param {{top: number, bottom: number}} stretch the part of the library to cover
   */
  show(layout, offset, { top, bottom }) {
    const first = layout.total > 0 ? layout.bandAt(top) : 0;
    const last = layout.total > 0 ? layout.bandAt(bottom) : -1;
    for (const [band, track] of this.#tracks) {
      if (band >= first && band <= last) continue;
      track.remove();
      this.#tracks.delete(band);
    }
    const room = (bottom - top) * reach;
    for (let band = first; band <= last; band++) {
      const track = this.#tracks.get(band) ?? this.#add(band, layout);
      const trackTop = Math.max(layout.bandTops[band], top - room);
      const trackBottom = Math.min(layout.bandTops[band + 1] - layout.metrics.bandGap, bottom + room);
      track.style.top = `${trackTop - offset}px`;
      track.style.height = `${Math.max(0, trackBottom - trackTop)}px`;
    }
  }

  /** Removes all headings, because the layout or the current day has changed. */
  clear() {
    for (const track of this.#tracks.values()) track.remove();
    this.#tracks.clear();
  }

  #add(band, layout) {
    const now = new Date();
    const bar = make("div", { className: "day-bar" });
    const headings = layout.headingsOf(band);
    const { letter, rest } = sizes[this.#grid.classList.contains("tiny") ? "tiny" : isPhone.matches ? "phone" : "desktop"];
    headings.forEach(({ day, left, width, isPacked }, index) => {
      const name = layout.days[day][0];
      const before = headings[index - 1] && layout.days[headings[index - 1].day][0];
      const text = isPacked ? packedHeading(name, before, (width - rest) / letter, now) : dayHeading(name, now);
      const heading = make("h2", { className: "day-name" }, make("span", { textContent: text }));
      heading.style.left = `${left}px`;
      heading.style.width = `${width}px`;
      if (isPacked) heading.title = heading.ariaLabel = dayHeading(name, now);
      heading.dataset.day = day;
      this.#decorate(heading);
      bar.append(heading);
    });
    const track = make("div", { className: "day-track" }, bar);
    this.#tracks.set(band, track);
    this.#layer.append(track);
    return track;
  }
}

/**
 * Returns the heading of a day beside others: the longest one that fits, or else the shortest.
 * @param {string | null} day
 * @param {string | null | undefined} before the day on the left
 * @param {number} room the number of letters that fit
 * @param {Date} now
 */
function packedHeading(day, before, room, now) {
  const isFirstOfMonth = day?.slice(0, 7) !== before?.slice(0, 7);
  const texts = [dayHeading(day, now, { isShort: true }), ...narrowHeadings(day, { isFirstOfMonth })];
  return texts.find(({ length }) => length <= room) ?? texts.at(-1);
}
