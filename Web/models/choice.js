/** @import { AssetPages } from "./asset-pages.js" */
import { Outdated } from "./asset-pages.js";
import { next, nothingSelected } from "./selection.js";

/**
 * The chosen assets of a list that is loaded in parts: some from before, by their identifiers, and
 * places. A range that shrinks never takes away an asset from before. `renew` follows a change of
 * the list.
 *
 *     const choice = new Choice(pages, ["A"]);
 *     choice.toggle(3);
 *     await choice.all()  // ["A", the identifier at 3]
 */
export class Choice {
  #pages;
  #before;
  #selection = { ...nothingSelected, isSelectMode: true };
  /** The identifiers of the chosen places, in the order of choosing. @type {Map<number, string>} */
  #ids = new Map();
  /** The chosen places whose identifiers are not loaded. @type {Set<number>} */
  #missing = new Set();
  #loading = Promise.resolve();

  /** @param {AssetPages} pages @param {string[]} [before] */
  constructor(pages, before = []) {
    this.#pages = pages;
    this.#before = new Set(before);
    /** Called when another number is chosen. */
    this.onChange = () => {};
  }

  /** The number of chosen assets, as far as their identifiers are loaded. */
  get count() {
    return this.#all.length;
  }

  /**
   * @param {number} place
   * @param {string} [id] the identifier of the asset that is shown at the place
   * @returns {boolean}
   */
  has(place, id = this.#pages.at(place)?.id) {
    if (this.#pages.isExact(place)) return this.#selection.chosen.has(place) || this.#before.has(id);
    return this.#all.includes(id);
  }

  /**
   * Chooses a place or unchooses it. With Shift it chooses the range from the last one.
   * @param {number} place
   * @param {boolean} [shift]
   */
  toggle(place, shift = false) {
    const id = this.#pages.at(place)?.id;
    if (id === undefined || !this.#pages.isExact(place)) return;
    const { chosen } = this.#selection;
    const wasBefore = !shift && this.#before.delete(id);
    if (!wasBefore || chosen.has(place)) this.#selection = next(this.#selection, { type: "click", place, on: "circle", shift }).state;
    for (const gone of chosen.minus(this.#selection.chosen).places()) this.#ids.delete(gone);
    const added = [...this.#selection.chosen.minus(chosen).places()];
    this.onChange();
    for (const place of added) this.#missing.add(place);
    // Places that can't be loaded now are loaded by the next choice, or at the end.
    this.#loading = this.#loading.then(() => this.#load()).catch(() => {});
  }

  /**
   * Follows a change of the list. The chosen assets whose identifiers are loaded stay chosen.
   * Returns whether others were left out.
   * @param {AssetPages} pages the list after the change
   */
  renew(pages) {
    const isIncomplete = this.#missing.size > 0;
    this.#before = new Set(this.#all);
    this.#pages = pages;
    this.#selection = { ...nothingSelected, isSelectMode: true };
    this.#ids.clear();
    this.#missing.clear();
    this.onChange();
    return isIncomplete;
  }

  /**
   * Returns the identifiers of all that is chosen. Throws if they can't be loaded, and `Outdated`
   * if the list has changed.
   */
  async all() {
    await this.#loading;
    await this.#load();
    return this.#all;
  }

  get #all() {
    return [...new Set([...this.#before, ...this.#ids.values()])];
  }

  async #load() {
    for (const place of [...this.#missing]) {
      const pages = this.#pages;
      const cell = pages.at(place) ?? (await pages.load(place, { isExact: true }));
      if (pages !== this.#pages) return;
      if (!pages.isExact(place)) throw new Outdated();
      this.#missing.delete(place);
      if (cell && this.#selection.chosen.has(place)) this.#ids.set(place, cell.id);
    }
    this.onChange();
  }
}
