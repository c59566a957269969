/** @import { PhotoGrid } from "./photo-grid.js" */

/** The pixels that the wheel turns for a step, and the milliseconds after which it begins anew. */
const wheelStep = 50;
const wheelPause = 400;
/** The factor by which the distance of two fingers grows for a step. */
const pinchStep = 1.35;

/**
 * Shows larger and smaller pictures by the wheel with Ctrl, and by two fingers.
 * @param {PhotoGrid} grid
 */
export function followDensityGestures(grid) {
  let turned = 0;
  let turnedAt = -Infinity;
  let distance = 0;

  const turn = (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const isNew = event.timeStamp - turnedAt > wheelPause;
    turnedAt = event.timeStamp;
    turned = (isNew ? 0 : turned) + event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
    if (Math.abs(turned) < wheelStep) return;
    grid.zoom(Math.sign(turned), { x: event.clientX, y: event.clientY });
    turned = 0;
  };
  const pinch = ({ touches }) => {
    if (touches.length !== 2 || distance === 0) return;
    const [one, other] = touches;
    const now = distanceOf(touches);
    const at = { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
    if (now < distance * pinchStep && now * pinchStep > distance) return;
    grid.zoom(now > distance ? -1 : 1, at);
    distance = now;
  };
  grid.addEventListener("wheel", turn, { passive: false });
  grid.addEventListener("touchstart", ({ touches }) => (distance = touches.length === 2 ? distanceOf(touches) : 0), { passive: true });
  grid.addEventListener("touchmove", pinch, { passive: true });
}

const distanceOf = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
