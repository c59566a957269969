/**
 * Interprets a finger's drag over a picture that fits its stage, once the finger is lifted.
 *
 *     swipeOf({ x: -120, y: 8 }, 0.2, 390)  // "next"
 *
 * @param {{x: number, y: number}} moved in pixels
 * @param {number} seconds
 * @param {number} width width of the stage
 * @returns {"next" | "previous" | "close" | "none"}
 */
export function swipeOf(moved, seconds, width) {
  const isSideways = Math.abs(moved.x) > Math.abs(moved.y);
  const distance = isSideways ? Math.abs(moved.x) : Math.abs(moved.y);
  const speed = distance / Math.max(seconds, 0.001);
  const isFar = distance > width / 3;
  const isFlick = distance > 30 && speed > 400;
  if (!isFar && !isFlick) return "none";
  if (isSideways) return moved.x < 0 ? "next" : "previous";
  return moved.y > 0 ? "close" : "none";
}
