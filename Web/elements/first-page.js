/**
 * Runs a function once what is in the page now has been on the screen for a frame.
 * @param {() => void} then
 */
export function afterFrame(then) {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

/**
 * Marks, for benchmarks, that every cell in the window has its picture: each has been loaded and decoded, put into the
 * page, and a frame has passed since.
 */
export function markFirstPage() {
  performance.mark("calotype-first-page");
}
