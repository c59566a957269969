/**
 * Runs a function after the current content of the page has been on the screen for a frame.
 * @param {() => void} then
 */
export function afterFrame(then) {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

/**
 * Marks for benchmarks that every cell in the window shows its picture: each picture is loaded,
 * decoded and in the page, and a frame has passed since.
 */
export function markFirstPage() {
  performance.mark("calotype-first-page");
}
