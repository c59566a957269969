/** @import { PhotoGrid } from "./photo-grid.js" */
import { loadWorld } from "../helpers/world.js";

/**
 * Adds the name of the place to what a screen reader says of a cell, once the keyboard is in the
 * grid: the names are loaded for it.
 * @param {PhotoGrid} grid
 */
export function speakPlaces(grid) {
  let world = null;
  grid.decorators.add((cell) => {
    const { latitude, longitude } = cell.asset;
    if (world && latitude !== undefined) cell.placeName = world.shortNameOf(latitude, longitude);
  });
  grid.addEventListener("focusin", async ({ target }) => {
    if (world || !target.matches(":focus-visible")) return;
    world = await loadWorld();
    grid.decorate();
  });
}
