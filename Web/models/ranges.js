/**
 * A set of places in a view, kept as sorted ranges. It is a value: its methods return other sets.
 * A range costs the same for any number of places.
 *
 *     Ranges.of([0, 3], [5, 6]).add(3, 5).list  // [[0, 6]]
 */
export class Ranges {
  /** @type {Ranges} */
  static none = new Ranges([]);

  /**
   * @param {[number, number][]} list sorted pairs of first and end that neither touch nor overlap
   */
  constructor(list) {
    this.list = list;
    this.size = list.reduce((size, [first, end]) => size + end - first, 0);
  }

  /** @param {...[number, number]} pairs in any order @returns {Ranges} */
  static of(...pairs) {
    return Ranges.joining(pairs);
  }

  /** @param {[number, number][]} pairs in any order @returns {Ranges} */
  static joining(pairs) {
    const sorted = pairs.filter(([first, end]) => first < end).sort((one, other) => one[0] - other[0]);
    const list = [];
    for (const [first, end] of sorted) {
      const last = list.at(-1);
      if (last && first <= last[1]) last[1] = Math.max(last[1], end);
      else list.push([first, end]); // a pair of its own, since it may grow
    }
    return list.length === 0 ? Ranges.none : new Ranges(list);
  }

  /** @param {Iterable<number>} places @returns {Ranges} */
  static ofPlaces(places) {
    return Ranges.joining(Array.from(places, (place) => [place, place + 1]));
  }

  get isEmpty() {
    return this.size === 0;
  }

  /** @param {number} place @returns {boolean} */
  has(place) {
    const range = this.list[this.#lastStartingBy(place)];
    return range !== undefined && place < range[1];
  }

  /** @param {number} first @param {number} end @returns {"none" | "some" | "all"} */
  coverage(first, end) {
    const inside = this.within(first, end).size;
    return inside === 0 ? "none" : inside === end - first ? "all" : "some";
  }

  /** @param {number} first @param {number} end @returns {Ranges} */
  add(first, end) {
    return first < end ? Ranges.joining([...this.list, [first, end]]) : this;
  }

  /** @param {number} first @param {number} end @returns {Ranges} */
  remove(first, end) {
    const list = [];
    for (const [start, stop] of this.list) {
      if (start < Math.min(stop, first)) list.push([start, Math.min(stop, first)]);
      if (Math.max(start, end) < stop) list.push([Math.max(start, end), stop]);
    }
    return new Ranges(list);
  }

  /** @param {Ranges} other @returns {Ranges} */
  union(other) {
    return Ranges.joining([...this.list, ...other.list]);
  }

  /** @param {Ranges} other @returns {Ranges} */
  minus(other) {
    return other.list.reduce((rest, [first, end]) => rest.remove(first, end), this);
  }

  /** @param {number} first @param {number} end @returns {Ranges} */
  within(first, end) {
    const list = [];
    for (let index = Math.max(0, this.#lastStartingBy(first)); index < this.list.length; index++) {
      const [start, stop] = this.list[index];
      if (start >= end) break;
      if (Math.max(start, first) < Math.min(stop, end)) list.push([Math.max(start, first), Math.min(stop, end)]);
    }
    return new Ranges(list);
  }

  /** The first place, or -1. @returns {number} */
  get first() {
    return this.list[0]?.[0] ?? -1;
  }

  /** All places in order. @returns {Generator<number>} */
  *places() {
    for (const [first, end] of this.list) for (let place = first; place < end; place++) yield place;
  }

  #lastStartingBy(place) {
    let low = 0;
    let high = this.list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.list[middle][0] <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
