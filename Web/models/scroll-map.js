/** Below every browser's limit on an element's height (Firefox: 17.9 million pixels), and exact in single precision. */
export const greatestScrollHeight = 4_000_000;
/** Near both ends of a longer library the scroll position moves pixel by pixel with it. */
const endZone = 500_000;

/**
 * Maps positions in a library of any height (`y`) to scroll positions of an element of bounded height (`scrollTop`).
 *
 *     const map = new ScrollMap(43_000_000, 800);
 *     map.scrollTopFor(42_999_200)  // 3_999_200, the end
 *
 * A library that fits maps to itself. A higher one maps to itself at its beginning, to the element's end at its own
 * end, and in proportion in between, so that a scroll bar tells and finds the right place. Scrolling by small steps
 * is pixel by pixel everywhere: `ScrollPosition` keeps the difference.
 */
export class ScrollMap {
  /**
   * @param {number} height the library's height
   * @param {number} windowHeight
   * @param {number} [limit] the greatest height of the scrolled element
   */
  constructor(height, windowHeight, limit = greatestScrollHeight) {
    this.scrollHeight = Math.min(height, limit);
    this.windowHeight = windowHeight;
    this.lastY = Math.max(0, height - windowHeight);
    this.lastScrollTop = Math.max(0, this.scrollHeight - windowHeight);
    this.zone = Math.min(endZone, this.lastScrollTop / 4);
  }

  get isExact() {
    return this.lastY === this.lastScrollTop;
  }

  /** @param {number} y @returns {number} */
  scrollTopFor(y) {
    return convert(y, this.lastY, this.lastScrollTop, this.zone);
  }

  /** @param {number} scrollTop @returns {number} */
  yFor(scrollTop) {
    return convert(scrollTop, this.lastScrollTop, this.lastY, this.zone);
  }
}

function convert(value, last, otherLast, zone) {
  const clamped = Math.min(Math.max(value, 0), last);
  if (last === otherLast || clamped <= zone) return clamped;
  if (clamped >= last - zone) return otherLast - (last - clamped);
  return zone + ((clamped - zone) * (otherLast - 2 * zone)) / (last - 2 * zone);
}

/**
 * Where the window is in the library, told by what the browser scrolls.
 *
 * `offset` is what has to be added to a `scrollTop` to get the `y` that is shown there. It stays as it is while a
 * person scrolls by wheel, finger or key, so that a pixel scrolled is a pixel moved; a step that is more than a scroll
 * bar's smallest is a jump and is looked up in the map. `settle` brings the two back in line while nothing moves.
 */
export class ScrollPosition {
  /** @param {ScrollMap} map */
  constructor(map) {
    this.map = map;
    this.scrollTop = 0;
    this.offset = 0;
  }

  get y() {
    return this.scrollTop + this.offset;
  }

  /**
   * The browser scrolled.
   * @param {number} scrollTop
   * @returns {number | null} the scrollTop to set because there is no room to go on, or null
   */
  scrolled(scrollTop) {
    const { map } = this;
    const step = Math.abs(scrollTop - this.scrollTop);
    this.scrollTop = scrollTop;
    if (map.isExact) return null;
    const smallestJump = map.lastScrollTop / map.windowHeight / 2;
    if (step > smallestJump) {
      this.offset = Math.round(map.yFor(scrollTop)) - scrollTop;
      return null;
    }
    const isAtEdge = scrollTop < map.windowHeight || scrollTop > map.lastScrollTop - map.windowHeight;
    const isOutside = this.y < 0 || this.y > map.lastY;
    return isAtEdge || isOutside ? this.settle() : null;
  }

  /**
   * Brings the scroll position back to the one that the map has for this `y`.
   * @returns {number | null} the scrollTop to set, or null if it is right
   */
  settle() {
    const y = Math.min(Math.max(this.y, 0), this.map.lastY);
    const scrollTop = Math.round(this.map.scrollTopFor(y));
    if (Math.abs(scrollTop - this.scrollTop) < 1) return null;
    return this.moveTo(y);
  }

  /**
   * Goes to a place in the library.
   * @param {number} y
   * @returns {number} the scrollTop to set
   */
  moveTo(y) {
    const target = Math.round(Math.min(Math.max(y, 0), this.map.lastY));
    this.scrollTop = Math.round(this.map.scrollTopFor(target));
    this.offset = target - this.scrollTop;
    return this.scrollTop;
  }
}
