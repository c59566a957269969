/** @import { PhotoGrid } from "./photo-grid.js" */
import { make } from "../helpers/dom.js";
import { loadWorld } from "../helpers/world.js";
import { placesOfDay } from "../models/day-places.js";
import { words } from "../words.js";

/** Estimates in pixels: a letter of the date, a letter of a name, and the gaps with the circle. */
const widths = { date: 9.5, name: 8.2, rest: 46 };

/** The milliseconds until names that could not be loaded are loaded again. */
const retryInterval = 60_000;

/** The number of places whose names are kept. */
const knownLimit = 10_000;

/**
 * Adds the names of places to the headings of days: "Friday 14 June  Oslo, Bergen". The names are
 * loaded once a photo with a place is shown.
 * @param {PhotoGrid} grid
 */
export function showPlaces(grid) {
  /** @type {import("../models/world-map.js").World | null} */
  let world = null;
  let nextLoad = 0;
  const known = new Map();
  /** The days whose photos were loaded since the last frame. */
  const changed = new Set();

  const nameOf = (latitude, longitude) => {
    const key = `${latitude} ${longitude}`;
    if (known.size >= knownLimit) known.clear();
    if (!known.has(key)) known.set(key, world.shortNameOf(latitude, longitude));
    return known.get(key);
  };
  const write = (heading) => {
    const { layout, snapshot } = grid;
    if (!world || !snapshot.pages) return;
    const date = heading.firstElementChild;
    const day = layout.assetsOfDay(Number(heading.dataset.day));
    const names = placesOfDay(day, (index) => snapshot.pages.at(index), nameOf);
    const room = parseFloat(heading.style.width) - date.textContent.length * widths.date - widths.rest;
    while (words.dates.places(names).length * widths.name > room && names.pop());
    // The space is for screen readers.
    const text = names.length > 0 ? ` ${words.dates.places(names)}` : "";
    let places = heading.querySelector(".day-places");
    if (text === (places?.textContent ?? "")) return;
    if (!places) date.after((places = make("span", { className: "day-places" })));
    places.textContent = text;
  };
  const writeChanged = () => {
    const days = [...changed];
    changed.clear();
    for (const day of days) {
      const heading = grid.querySelector(`.day-name[data-day="${day}"]`);
      if (heading) write(heading);
    }
  };
  const load = async () => {
    nextLoad = Infinity;
    world = await loadWorld();
    nextLoad = Date.now() + retryInterval;
    if (world) grid.decorate();
  };
  grid.headingDecorators.add(write);
  grid.decorators.add(({ asset, index }) => {
    if (asset.latitude === undefined || index < 0 || grid.layout.metrics.headingHeight === 0) return;
    if (!world) {
      if (Date.now() >= nextLoad) load();
      return;
    }
    if (changed.size === 0) requestAnimationFrame(writeChanged);
    changed.add(grid.layout.dayOf(index));
  });
  grid.decorate();
}
