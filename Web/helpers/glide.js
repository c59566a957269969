import { wantsLessMotion } from "./dom.js";

const time = 200;
const easing = "cubic-bezier(0.2, 0.8, 0.2, 1)";
/** The number of cells that come and go from which on the whole view fades. */
const several = 8;

/**
 * Moves cells from where they were to where they are. New cells fade in. If many have changed, the
 * view fades as a whole.
 *
 * @typedef {Map<string, {element: HTMLElement, left: number, top: number, width: number,
 *   height: number}>} Boxes by the asset's id
 * @param {HTMLElement} layer
 * @param {Boxes} before
 * @param {Boxes} after
 */
export function glide(layer, before, after) {
  if (wantsLessMotion()) return;
  const come = [...after.keys()].filter((id) => !before.has(id)).length;
  const gone = [...before.keys()].filter((id) => !after.has(id)).length;
  if (Math.max(come, gone) > several) {
    layer.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: 175, easing: "ease-out" });
    return;
  }
  for (const [id, { element, left, top, width, height }] of after) {
    const old = before.get(id);
    if (!old) {
      if (before.size > 0) element.animate([{ opacity: 0, transform: "scale(0.9)" }, { opacity: 1, transform: "none" }], { duration: time, easing });
    } else if (old.left !== left || old.top !== top || old.width !== width || old.height !== height) {
      const transform = `translate(${old.left - left}px, ${old.top - top}px) scale(${old.width / width}, ${old.height / height})`;
      element.animate([{ transform, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], { duration: time, easing });
    }
  }
}
