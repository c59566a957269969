/** @import { Snapshot } from "../models/library.js" */
/** @import { PhotoGrid } from "./photo-grid.js" */
import { ask, collectionPath } from "../helpers/api.js";
import { FitLayout } from "../models/fit-layout.js";
import { everything } from "../models/places.js";

/**
 * The shapes of the assets in the snapshots whose photos are shown whole.
 * @type {WeakMap<Snapshot, Uint8Array>}
 */
const shapes = new WeakMap();
/** The layout that was asked for last, since the grid asks more than once. */
let last = { snapshot: null, key: "", layout: null };

/**
 * Loads the shapes of a snapshot's photos, so that the grid shows them whole.
 * @param {PhotoGrid} grid
 * @param {Snapshot} snapshot
 */
export async function arrange(grid, snapshot) {
  grid.layoutOf = layoutOf;
  try {
    if (!shapes.has(snapshot)) shapes.set(snapshot, await fetchAspects(snapshot));
  } catch {
    // Squares show the photos too. The page says by itself that the server does not answer.
  }
}

/** Shows a snapshot as squares again. @param {Snapshot} snapshot */
export function square(snapshot) {
  shapes.delete(snapshot);
}

/** Smaller pictures than usual are squares, since whole ones would have no room. */
function layoutOf(snapshot, metrics, density) {
  const aspects = shapes.get(snapshot);
  if (!aspects || density > 0) return null;
  const key = JSON.stringify(metrics);
  if (last.snapshot !== snapshot || last.key !== key) last = { snapshot, key, layout: new FitLayout(snapshot.days, metrics, aspects) };
  return last.layout;
}

async function fetchAspects({ place, order, filter }) {
  const id = place.kind === "search" ? everything.id : place.id;
  const answer = await ask(`${collectionPath(id)}/aspects?${new URLSearchParams({ order, ...(await filter?.()) })}`);
  return new Uint8Array(await answer.arrayBuffer());
}
