/** @import { DayLayout } from "../models/day-layout.js" */
import { make } from "../helpers/dom.js";
import { dayHeading } from "../helpers/dates.js";

/** A track reaches at most this many windows out of sight, whatever a day's height. */
const reach = 4;

/**
 * The headings of the days near the window. Each stands in a track as high as its band, to whose top it sticks while
 * the track is scrolled; the browser does that without any code.
 */
export class DayBars {
  /** @type {Map<number, HTMLElement>} */
  #tracks = new Map();
  #layer;

  /** @param {HTMLElement} layer */
  constructor(layer) {
    this.#layer = layer;
  }

  /**
   * @param {DayLayout} layout
   * @param {number} offset
   * @param {{top: number, bottom: number}} stretch what is to be covered, in the library
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

  /** Forgets all headings: the layout is another, or the day has changed. */
  clear() {
    for (const track of this.#tracks.values()) track.remove();
    this.#tracks.clear();
  }

  #add(band, layout) {
    const now = new Date();
    const bar = make("div", { className: "day-bar" });
    for (const { day, left, width, isPacked } of layout.headingsOf(band)) {
      const name = layout.days[day][0];
      const heading = make("h2", { className: "day-name", textContent: dayHeading(name, now, { isShort: isPacked }) });
      heading.style.left = `${left}px`;
      heading.style.width = `${width}px`;
      if (isPacked) heading.title = dayHeading(name, now);
      bar.append(heading);
    }
    const track = make("div", { className: "day-track" }, bar);
    this.#tracks.set(band, track);
    this.#layer.append(track);
    return track;
  }
}
