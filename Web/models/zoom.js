/**
 * @typedef {{width: number, height: number}} Size
 * @typedef {{x: number, y: number}} Point
 * @typedef {{scale: number, x: number, y: number}} Zoom
 *   `scale` 1 fits the stage. `x` and `y` are the distance of the picture's middle from the
 *   stage's, in pixels.
 */

/** The whole picture in the middle of the stage. @type {Zoom} */
export const fitted = Object.freeze({ scale: 1, x: 0, y: 0 });

/**
 * Returns the largest box with a picture's proportions in a stage. A small picture is not enlarged:
 * each of its pixels is one of the screen's.
 * @param {Size} picture
 * @param {Size} stage
 * @param {number} [pixelRatio] the number of screen pixels for a pixel of the page
 * @returns {Size}
 */
export function fit(picture, stage, pixelRatio = 1) {
  if (picture.width <= 0 || picture.height <= 0) return { width: stage.width, height: stage.height };
  const factor = Math.min(stage.width / picture.width, stage.height / picture.height, 1 / pixelRatio);
  return { width: picture.width * factor, height: picture.height * factor };
}

/**
 * Returns the scale of 100 %: a screen pixel for a picture pixel.
 * @param {Size} picture
 * @param {Size} box
 * @param {number} [pixelRatio]
 * @returns {number}
 */
export function actualScale(picture, box, pixelRatio = 1) {
  return picture.width > 0 ? picture.width / box.width / pixelRatio : 1;
}

/**
 * Returns the greatest scale, 800 %: a picture pixel covers eight screen pixels on each side.
 * @param {Size} picture
 * @param {Size} box
 * @param {number} [pixelRatio]
 * @returns {number}
 */
export function greatestScale(picture, box, pixelRatio = 1) {
  return 8 * actualScale(picture, box, pixelRatio);
}

/**
 * Returns the scale that fingers reach which pull beyond the limits: the further, the harder.
 * @param {number} scale
 * @param {number} greatest
 * @returns {number}
 */
export function stretched(scale, greatest) {
  if (scale > greatest) return greatest * Math.cbrt(scale / greatest);
  return scale < 1 ? Math.cbrt(scale) : scale;
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
  return scaledAt(zoom, Math.min(Math.max(zoom.scale * factor, 1), greatest), point);
}

/**
 * Sets the scale, within no limits, and keeps the content under a point in its place.
 * @param {Zoom} zoom
 * @param {number} scale
 * @param {Point} point from the stage's middle
 * @returns {Zoom}
 */
export function scaledAt(zoom, scale, point) {
  const ratio = scale / zoom.scale;
  return { scale, x: point.x - (point.x - zoom.x) * ratio, y: point.y - (point.y - zoom.y) * ratio };
}

/**
 * Moves a picture by less than a screen pixel, so that its pixels are the screen's and stay sharp.
 * @param {Zoom} zoom
 * @param {Size} box
 * @param {Size} stage
 * @param {number} pixelRatio
 * @returns {Zoom}
 */
export function onPixels({ scale, x, y }, box, stage, pixelRatio) {
  const aligned = (offset, length, room) => {
    const start = (room - length * scale) / 2;
    return Math.round((start + offset) * pixelRatio) / pixelRatio - start;
  };
  return { scale, x: aligned(x, box.width, stage.width), y: aligned(y, box.height, stage.height) };
}

/**
 * Returns the ends of a zoomed picture that are shown: -1 for the left one, 1 for the right one.
 * The picture can't be moved further there.
 * @param {Zoom} zoom
 * @param {Size} box
 * @param {Size} stage
 * @returns {number[]}
 */
export function endsShown({ scale, x }, box, stage) {
  const room = Math.max(0, (box.width * scale - stage.width) / 2);
  return [-1, 1].filter((side) => -side * x >= room - 0.5);
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
