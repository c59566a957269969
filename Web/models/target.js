/** @import { Cell } from "./asset-pages.js" */
import { Ranges } from "./ranges.js";
import { renewed } from "./renewal.js";

/** The longest range of which each identifier is sent. Longer ones are sent as ranges. */
const mostIdentifiers = 500;
const mostExamined = 5_000;

/** The assets that a command is for: places in a view, or one asset wherever it is. */
export class Target {
  /** Whether this page has made all of them favorites. */
  isFavored = false;

  /**
   * @param {import("./library.js").Snapshot} snapshot
   * @param {Ranges} places
   * @param {[number, number][]} [picked] the same places in the order of choosing
   */
  constructor(snapshot, places, picked = places.list) {
    this.snapshot = snapshot;
    this.places = places;
    this.picked = picked;
    this.count = places.size;
  }

  /** @param {Cell} cell @returns {Target} */
  static of(cell) {
    const pages = { at: () => cell, load: async () => cell, replace: () => {} };
    return new Target({ revision: "", total: 1, days: [], pages }, Ranges.of([0, 1]));
  }

  /**
   * The places whose cells are loaded, among the first thousands, with their cells.
   * @returns {[number, Cell][]}
   */
  get loaded() {
    const loaded = [];
    let examined = 0;
    for (const place of this.places.places()) {
      const cell = this.snapshot.pages.at(place);
      if (cell) loaded.push([place, cell]);
      if (++examined === mostExamined) break;
    }
    return loaded;
  }

  /** The cells that are loaded, among the first thousands. @returns {Cell[]} */
  get cells() {
    return this.loaded.map(([, cell]) => cell);
  }

  /** Whether all are known to be favorites. Of large selections, not all assets are loaded. */
  get isFavorite() {
    const { cells } = this;
    const isKnown = cells.length === this.count || this.isFavored || this.snapshot.place?.id === "favorites";
    return this.count > 0 && isKnown && cells.every(({ isFavorite }) => isFavorite);
  }

  /** Returns the first assets as a target of their own. @param {number} count */
  first(count) {
    const ranges = [];
    let rest = count;
    for (const [first, end] of this.places.list) {
      ranges.push([first, Math.min(end, first + rest)]);
      rest -= end - first;
      if (rest <= 0) break;
    }
    return new Target(this.snapshot, Ranges.of(...ranges));
  }

  /**
   * Returns the assets as the server takes them, one for each change of a batch. Throws `Outdated`
   * if an asset that isn't loaded can't be told, because the library has changed.
   * @param {{areIdentifiers?: boolean, isPicked?: boolean}} [options] whether ranges are resolved
   *   here, and whether the order of choosing counts
   * @returns {Promise<(string[] | {range: object})[]>}
   */
  async selects({ areIdentifiers = false, isPicked = false } = {}) {
    const { place, order, revision, total } = this.snapshot;
    // The server can't resolve a range of a search.
    const collection = place && place.kind !== "search" ? place.id : null;
    const ranges = isPicked ? this.picked : this.places.list;
    if (areIdentifiers || !collection || this.count <= mostIdentifiers) return [await this.#identifiers(ranges)];
    const selects = [];
    let short = [];
    const flush = async () => {
      if (short.length > 0) selects.push(await this.#identifiers(short));
      short = [];
    };
    for (const [first, end] of ranges) {
      if (end - first < mostIdentifiers) short.push([first, end]);
      else {
        await flush();
        selects.push({ range: { collection, order, revision, total, first, end } });
      }
    }
    await flush();
    return selects;
  }

  /**
   * Returns the same assets as the server takes them after the library has changed. Throws
   * `Outdated` if they can't be told.
   * @param {import("./renewal.js").Present} present
   * @param {{isPicked?: boolean}} [options]
   * @returns {Promise<(string[] | {range: object})[]>}
   */
  renewed(present, { isPicked = false } = {}) {
    return renewed(this.snapshot, isPicked ? this.picked : this.places.list, present);
  }

  async #identifiers(ranges) {
    const { pages } = this.snapshot;
    const identifiers = [];
    for (const [first, end] of ranges) {
      for (let place = first; place < end; place++) {
        const cell = pages.at(place) ?? (await pages.load(place, { isExact: true }));
        if (cell) identifiers.push(cell.id);
      }
    }
    return identifiers;
  }
}
