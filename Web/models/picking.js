/**
 * The selection of the picker: identifiers in the order of choosing. It is a value: its methods
 * return other selections.
 *
 *     new Picking([], 2).toggle("a").toggle("b").toggle("c").isRefused  // true
 */
export class Picking {
  /**
   * @param {string[]} ids
   * @param {number} limit 0 for none
   * @param {boolean} [isRefused] whether the last choice was over the limit
   */
  constructor(ids, limit, isRefused = false) {
    this.ids = ids;
    this.limit = limit;
    this.isRefused = isRefused;
  }

  /** @type {Map<string, number> | null} */
  #numbers = null;

  get count() {
    return this.ids.length;
  }

  /** Whether no further asset can be chosen. */
  get isFull() {
    return this.limit > 0 && this.count >= this.limit;
  }

  /** Whether more are chosen than allowed, as after a preselection or an update of the limit. */
  get isOver() {
    return this.limit > 0 && this.count > this.limit;
  }

  /** The place of an asset from 1 on, or 0. @param {string} id */
  numberOf(id) {
    this.#numbers ??= new Map(this.ids.map((other, index) => [other, index + 1]));
    return this.#numbers.get(id) ?? 0;
  }

  /** Whether another selection has the same assets in the same order. @param {Picking} other */
  isSame({ ids }) {
    return ids.length === this.count && ids.every((id, index) => id === this.ids[index]);
  }

  /** @param {string} id @returns {Picking} */
  toggle(id) {
    if (this.ids.includes(id)) return this.without([id]);
    // If only one can be chosen, another one takes its place.
    if (this.limit === 1 && this.count === 1) return new Picking([id], 1);
    return this.isFull ? new Picking(this.ids, this.limit, true) : new Picking([...this.ids, id], this.limit);
  }

  /** Chooses all that fit. @param {string[]} ids @returns {Picking} */
  adding(ids) {
    const chosen = new Set(this.ids);
    const added = ids.filter((id) => !chosen.has(id));
    const room = this.limit > 0 ? Math.max(0, this.limit - this.count) : added.length;
    return new Picking([...this.ids, ...added.slice(0, room)], this.limit, added.length > room);
  }

  /** @param {string[]} ids @returns {Picking} */
  without(ids) {
    const gone = new Set(ids);
    return new Picking(this.ids.filter((id) => !gone.has(id)), this.limit);
  }

  /**
   * Moves an asset behind another one, or to the beginning. Assets that are not chosen are ignored.
   * @param {string} id
   * @param {string | null} after
   * @returns {Picking}
   */
  moving(id, after) {
    if (!this.ids.includes(id) || id === after || (after !== null && !this.ids.includes(after))) return this;
    const others = this.ids.filter((other) => other !== id);
    others.splice(after === null ? 0 : others.indexOf(after) + 1, 0, id);
    return new Picking(others, this.limit);
  }

  /** @param {number} limit @returns {Picking} */
  limitedTo(limit) {
    return new Picking(this.ids, limit);
  }
}
