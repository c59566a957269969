/** @import { ZoomStage } from "./zoom-stage.js" */
import { swipeOf } from "../models/swipe.js";

/** The time in milliseconds after which a finger that does not move counts as held down. */
const holdTime = 280;
const stillness = 8;

/** The gestures of mouse, trackpad and fingers on a stage: zoom, move, swipe and hold. */
export class StageGestures {
  /** @type {Map<number, {x: number, y: number}>} */
  #pointers = new Map();
  #start = null;
  #holdTimer;
  #isHolding = false;

  /** @param {ZoomStage} stage */
  constructor(stage) {
    this.stage = stage;
    stage.addEventListener("wheel", (event) => this.#wheeled(event), { passive: false });
    stage.addEventListener("dblclick", (event) => stage.toggleZoom(this.#pointOf(event)));
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#moved(event));
    stage.addEventListener("pointerup", (event) => this.#up(event));
    stage.addEventListener("pointercancel", (event) => this.#up(event));
    stage.addEventListener("contextmenu", (event) => this.#isHolding && event.preventDefault());
  }

  #pointOf({ clientX, clientY }) {
    const { left, top, width, height } = this.stage.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  }

  #wheeled(event) {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
    const speed = event.ctrlKey ? 0.01 : 0.0022;
    this.stage.zoomBy(Math.exp(-Math.min(Math.max(pixels, -300), 300) * speed), this.#pointOf(event));
  }

  #down(event) {
    if (event.button !== 0) return;
    this.stage.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.#pointOf(event));
    clearTimeout(this.#holdTimer);
    if (this.#pointers.size > 1) {
      this.#start = null;
      return this.stage.drag(0, 0);
    }
    this.#start = { ...this.#pointOf(event), time: event.timeStamp, isTouch: event.pointerType !== "mouse" };
    this.#holdTimer = setTimeout(() => this.#hold(true), holdTime);
  }

  #moved(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#pointOf(event);
    if (this.#pointers.size === 2) this.#pinched(event.pointerId, before, now);
    else if (this.stage.isZoomed) {
      const { scale, x, y } = this.stage.zoom;
      this.stage.zoomTo({ scale, x: x + now.x - before.x, y: y + now.y - before.y });
    } else if (this.#start?.isTouch && !this.#isHolding) {
      this.stage.drag(now.x - this.#start.x, now.y - this.#start.y);
    }
    if (this.#start && Math.hypot(now.x - this.#start.x, now.y - this.#start.y) > stillness) clearTimeout(this.#holdTimer);
    this.#pointers.set(event.pointerId, now);
  }

  #pinched(id, before, now) {
    const [other] = [...this.#pointers].filter(([pointer]) => pointer !== id).map(([, point]) => point);
    const distance = (point) => Math.hypot(point.x - other.x, point.y - other.y);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.stage.zoomBy(distance(now) / Math.max(1, distance(before)), middle);
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    clearTimeout(this.#holdTimer);
    const start = this.#start;
    this.#start = null;
    this.stage.drag(0, 0);
    if (this.#isHolding) return this.#hold(false);
    if (!start?.isTouch || this.stage.isZoomed || event.type === "pointercancel") return;
    const point = this.#pointOf(event);
    const moved = { x: point.x - start.x, y: point.y - start.y };
    const swipe = swipeOf(moved, (event.timeStamp - start.time) / 1000, this.stage.clientWidth);
    if (swipe !== "none") this.stage.dispatchEvent(new CustomEvent("swipe", { detail: swipe }));
  }

  #hold(isHolding) {
    this.#isHolding = isHolding;
    this.stage.dispatchEvent(new CustomEvent("hold", { detail: isHolding }));
  }
}
