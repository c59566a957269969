/** @import { DayLayout } from "../models/day-layout.js" */
import { make } from "../helpers/dom.js";
import { dayHeading } from "../helpers/dates.js";

/** The number of windows by which a track may extend out of sight, even if its band is higher. */
const reach = 4;

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
    for (const { day, left, width, isPacked } of layout.headingsOf(band)) {
      const name = layout.days[day][0];
      const text = make("span", { textContent: dayHeading(name, now, { isShort: isPacked }) });
      const heading = make("h2", { className: "day-name" }, text);
      heading.style.left = `${left}px`;
      heading.style.width = `${width}px`;
      if (isPacked) heading.title = dayHeading(name, now);
      heading.dataset.day = day;
      this.#decorate(heading);
      bar.append(heading);
    }
    const track = make("div", { className: "day-track" }, bar);
    this.#tracks.set(band, track);
    this.#layer.append(track);
    return track;
  }
}
