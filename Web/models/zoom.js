/**
 * @typedef {{width: number, height: number}} Size
 * @typedef {{x: number, y: number}} Point
 * @typedef {{scale: number, x: number, y: number}} Zoom
 *   `scale` 1 fits the stage. `x` and `y` are the distance of the picture's middle from the stage's,
 *   in pixels.
 */

/** The whole picture in the middle of the stage. @type {Zoom} */
export const fitted = Object.freeze({ scale: 1, x: 0, y: 0 });

/**
 * Returns the largest box with a picture's proportions in a stage. A small picture is enlarged at
 * most to twice its size.
 * @param {Size} picture
 * @param {Size} stage
 * @returns {Size}
 */
export function fit(picture, stage) {
  if (picture.width <= 0 || picture.height <= 0) return { width: stage.width, height: stage.height };
  const factor = Math.min(stage.width / picture.width, stage.height / picture.height, 2);
  return { width: picture.width * factor, height: picture.height * factor };
}

/**
 * Returns the greatest useful scale: four screen pixels for a picture pixel, and at least
 * threefold.
 * @param {Size} picture
 * @param {Size} box
 * @returns {number}
 */
export function greatestScale(picture, box) {
  return Math.max(3, (4 * picture.width) / box.width);
}

/**
 * Zooms by a factor, and keeps the content under a point in its place.
 * @param {Zoom} zoom
 * @param {number} factor
 * @param {Point} point from the stage's middle
 * @param {number} greatest
 * @returns {Zoom}
 */
export function zoomedAt(zoom, factor, point, greatest) {
  const scale = Math.min(Math.max(zoom.scale * factor, 1), greatest);
  const ratio = scale / zoom.scale;
  return { scale, x: point.x - (point.x - zoom.x) * ratio, y: point.y - (point.y - zoom.y) * ratio };
}

/**
 * Moves a picture back so that its edges leave no avoidable gap.
 * @param {Zoom} zoom
 * @param {Size} box
 * @param {Size} stage
 * @returns {Zoom}
 */
export function withinStage({ scale, x, y }, box, stage) {
  const roomX = Math.max(0, (box.width * scale - stage.width) / 2);
  const roomY = Math.max(0, (box.height * scale - stage.height) / 2);
  return { scale, x: Math.min(Math.max(x, -roomX), roomX), y: Math.min(Math.max(y, -roomY), roomY) };
}
