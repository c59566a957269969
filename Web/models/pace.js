/** The speed, in windows per second, above which a person can't recognize pictures. */
const highestSpeed = 8;
const shortestStep = 16;

/**
 * The speed and direction of a person's scrolling through the library.
 *
 *     pace.moved(y, performance.now());
 *     if (!pace.isTooFast) pages.want(…);
 */
export class Pace {
  #y = 0;
  #time = 0;
  isTooFast = false;
  isResting = false;
  /** 1 to older assets, -1 to newer ones. */
  direction = 1;

  /** @param {number} windowHeight */
  constructor(windowHeight) {
    this.windowHeight = windowHeight;
  }

  /**
   * @param {number} y in pixels
   * @param {number} time in milliseconds
   */
  moved(y, time) {
    const distance = y - this.#y;
    if (distance === 0) return;
    this.isResting = false;
    const speed = Math.abs(distance) / this.windowHeight / (Math.max(time - this.#time, shortestStep) / 1000);
    this.isTooFast = speed > highestSpeed && Math.abs(distance) > this.windowHeight / 4;
    this.direction = Math.sign(distance);
    this.#y = y;
    this.#time = time;
  }

  rested() {
    this.isTooFast = false;
    this.isResting = true;
  }

  /**
   * The distances to prepare around the window, in pixels: less behind while it moves.
   * @returns {{above: number, below: number}}
   */
  get margins() {
    const [ahead, behind] = [this.windowHeight, this.windowHeight / (this.isResting ? 1 : 2)];
    return this.direction > 0 ? { above: behind, below: ahead } : { above: ahead, below: behind };
  }
}
