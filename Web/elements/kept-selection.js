import { isSamePlace } from "../models/places.js";
import { Ranges } from "../models/ranges.js";

/** A browser limits how often its history is written, in milliseconds. */
const rest = 300;
/** The largest number of selected assets whose identifiers are kept. */
const mostNamed = 200;

/** The selection of a view, kept in its entry of the browser's history. */
export class KeptSelection {
  #timer;
  /** The snapshot and the selected places that are kept soon. */
  #pending = null;

  /** @param {typeof import("../shell.js").shell} shell */
  constructor(shell) {
    this.shell = shell;
  }

  /** Keeps the selection soon. @param {Ranges} chosen */
  keepSoon(chosen) {
    this.#pending = { snapshot: this.shell.snapshot, chosen };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keepNow(), rest);
  }

  /** Returns what was selected in the view that has come, if it has not changed since. */
  begin() {
    const { snapshot } = this.shell;
    // Another order of the same view has the same entry.
    if (this.#pending?.snapshot.place && isSamePlace(this.#pending.snapshot.place, snapshot.place)) this.#keepNow();
    clearTimeout(this.#timer);
    this.#pending = null;
    const kept = this.shell.kept("selection");
    return kept && isOf(kept, snapshot) ? Ranges.joining(kept.ranges) : Ranges.none;
  }

  /** Returns the places of a few selected assets in a view that has changed since. */
  async moved() {
    const kept = this.shell.kept("selection");
    const { snapshot } = this.shell;
    if (!kept?.ids || isOf(kept, snapshot) || snapshot.total === 0) return Ranges.none;
    const places = [];
    for (const [index, place] of [...Ranges.joining(kept.ranges).places()].entries()) {
      const id = kept.ids[index];
      const isThere = place < snapshot.total && (await snapshot.pages.load(place))?.id === id;
      const found = isThere ? place : await snapshot.indexOf({ id });
      // The server may have answered at a later revision than that of the pages.
      if (isThere || (found >= 0 && found < snapshot.total && (await snapshot.pages.load(found))?.id === id)) places.push(found);
    }
    return snapshot === this.shell.snapshot ? Ranges.ofPlaces(places) : Ranges.none;
  }

  #keepNow() {
    clearTimeout(this.#timer);
    const { shell } = this;
    const { snapshot, chosen } = this.#pending;
    this.#pending = null;
    // While another view loads, the entry belongs to that view already.
    if (!snapshot.place || !isSamePlace(shell.place, snapshot.place)) return;
    const isKept = shell.kept("selection") != null;
    if (chosen.isEmpty && !isKept) return;
    const { revision, order, total } = snapshot;
    shell.keep("selection", chosen.isEmpty ? null : { revision, order, total, ranges: chosen.list, ids: idsOf(snapshot, chosen) });
  }
}

/**
 * Returns whether places that are kept are those of a snapshot. The order and the switch of a
 * folder's photos change the places of a view at the same revision.
 */
const isOf = (kept, { revision, order, total }) => kept.revision === revision && kept.order === order && kept.total === total;

/** Returns the identifiers of some places, if they are few and loaded. */
function idsOf({ pages }, places) {
  if (places.size > mostNamed) return undefined;
  const cells = [...places.places()].map((place) => pages.at(place));
  return cells.every(Boolean) ? cells.map(({ id }) => id) : undefined;
}
