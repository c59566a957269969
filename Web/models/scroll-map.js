/**
 * The greatest height of a scrolled element: below the limit of every browser (Firefox: 17.9
 * million pixels), and exact in single precision.
 */
export const greatestScrollHeight = 4_000_000;
/**
 * The height at both ends of a longer library within which the scroll position follows it pixel by
 * pixel.
 */
const endZone = 500_000;

/**
 * Maps positions in a library of any height (`y`) to scroll positions of an element of limited
 * height (`scrollTop`).
 *
 *     const map = new ScrollMap(43_000_000, 800);
 *     map.scrollTopFor(42_999_200)  // 3_999_200, the end
 *
 * If the library fits, both positions are equal. In a higher library they are equal near the
 * beginning, the ends coincide, and the part between is in proportion, so that a scroll bar shows
 * and reaches the right place. Small steps scroll pixel by pixel everywhere, because
 * `ScrollPosition` keeps the difference.
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
 * The position of the window in the library, computed from the browser's scroll position.
 *
 * `offset` plus `scrollTop` is the shown `y`. The offset stays the same while a person scrolls by
 * wheel, finger or key, so that each scrolled pixel moves the library by a pixel. A step larger
 * than the smallest one of a scroll bar is a jump, whose `y` comes from the map. `restore` moves
 * back to the position of the map. It is for moments without scrolling.
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
   * Takes a scroll position from the browser.
   * @param {number} scrollTop
   * @returns {number | null} the scrollTop to set if there is no room to go on, or null
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
    return isAtEdge || isOutside ? this.restore() : null;
  }

  /**
   * Restores the scroll position that the map has for this `y`.
   * @returns {number | null} the scrollTop to set, or null if it is right
   */
  restore() {
    const y = Math.min(Math.max(this.y, 0), this.map.lastY);
    const scrollTop = Math.round(this.map.scrollTopFor(y));
    if (Math.abs(scrollTop - this.scrollTop) < 1) return null;
    return this.moveTo(y);
  }

  /**
   * Goes to a position in the library.
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
