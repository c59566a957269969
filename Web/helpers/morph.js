import { make, wantsLessMotion } from "./dom.js";

const timing = { duration: 250, easing: "cubic-bezier(.2, .8, .2, 1)" };

/**
 * Returns the look of a picture that covers a cell of the grid: smaller, and cut off like there.
 * @param {DOMRect} picture
 * @param {DOMRect} cell
 */
function inCell(picture, cell) {
  const scale = Math.max(cell.width / picture.width, cell.height / picture.height);
  const x = cell.left + cell.width / 2 - picture.left - picture.width / 2;
  const y = cell.top + cell.height / 2 - picture.top - picture.height / 2;
  const cut = [(picture.height - cell.height / scale) / 2, (picture.width - cell.width / scale) / 2];
  return { transform: `translate(${x}px, ${y}px) scale(${scale})`, clipPath: `inset(${cut.map((side) => `${side}px`).join(" ")})` };
}

/**
 * Lets a picture grow from a cell of the grid to its place.
 * @param {HTMLElement} picture
 * @param {DOMRect} cell
 * @returns {Animation | null} null if the person prefers reduced motion
 */
export function growFrom(picture, cell) {
  const place = picture.getBoundingClientRect();
  if (wantsLessMotion() || place.width === 0) return null;
  return picture.animate([inCell(place, cell), { clipPath: "inset(0)" }], timing);
}

/**
 * Shows a copy of a cell's picture, which shrinks from where the picture was to its cell.
 * @param {HTMLElement | undefined} cell
 * @param {DOMRect} place
 */
export function shrinkTo(cell, place) {
  const image = cell?.querySelector("img");
  if (!image || wantsLessMotion() || place.width === 0) return;
  const copy = make("img", { src: image.currentSrc, alt: "", className: "shrinking", attributes: { "aria-hidden": "true" } });
  for (const side of ["left", "top", "width", "height"]) copy.style[side] = `${place[side]}px`;
  document.body.append(copy);
  const animation = copy.animate([{ clipPath: "inset(0)" }, inCell(place, cell.getBoundingClientRect())], timing);
  // The person's next action ends it at once.
  const events = ["pointerdown", "wheel", "keydown"];
  const end = () => {
    for (const type of events) removeEventListener(type, end, true);
    copy.remove();
  };
  for (const type of events) addEventListener(type, end, true);
  animation.onfinish = end;
}
