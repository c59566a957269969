/** @import { ZoomStage } from "./zoom-stage.js" */
import { swipeOf } from "../models/swipe.js";

/** The time in milliseconds after which a finger that does not move counts as held down. */
const holdTime = 280;
/** The time in milliseconds in which a second tap makes a double one. */
const doubleTime = 250;
const stillness = 8;
/** The height in pixels of a movie's own controls, which are dragged too. */
const controlsHeight = 96;
/** The time in milliseconds without a wheel's events that ends its gesture. */
const gestureRest = 300;
/** The limit of a wheel event's pixels, and the logarithm of the zoom factor of one pixel. */
const wheel = { most: 300, zoom: 0.0022 };
/** The same with Ctrl. Browsers send a pinch on a trackpad like this, in smaller steps. */
const pinchedWheel = { most: 40, zoom: 0.01 };

/**
 * Reports swipes over a movie, also on its controls, which cover all of a small movie. A finger
 * that moves the time or the volume does not swipe.
 * @param {HTMLVideoElement} movie
 * @param {(swipe: "next" | "previous" | "close") => void} act
 */
export function followSwipes(movie, act) {
  let start = null;
  const begin = ({ pointerType, clientX: x, clientY: y, timeStamp, isPrimary }) => {
    const isOnControls = y > movie.getBoundingClientRect().bottom - controlsHeight;
    start = pointerType === "mouse" || !isPrimary ? null : { x, y, timeStamp, isOnControls };
  };
  const drop = () => (start = null);
  const dropOnControls = () => start?.isOnControls && drop();
  // Chromium's controls hide a finger's `pointerdown` and `pointerup`, but not its `pointerover`
  // and `lostpointercapture`.
  movie.addEventListener("pointerover", (event) => event.pointerType === "touch" && begin(event));
  movie.addEventListener("pointerdown", begin);
  movie.addEventListener("pointercancel", drop);
  for (const type of ["seeking", "volumechange"]) movie.addEventListener(type, dropOnControls);
  movie.addEventListener("lostpointercapture", ({ clientX, clientY, timeStamp }) => {
    // The event of a seek may come later.
    if (movie.seeking) dropOnControls();
    if (!start) return;
    const swipe = swipeOf({ x: clientX - start.x, y: clientY - start.y }, (timeStamp - start.timeStamp) / 1000, movie.clientWidth);
    drop();
    if (swipe !== "none") act(swipe);
  });
}

/** The gestures of mouse, trackpad and fingers on a stage: zoom, move, swipe, tap and hold. */
export class StageGestures {
  /** @type {Map<number, {x: number, y: number}>} */
  #pointers = new Map();
  /** The place and time at which the pointer went down, and the ends that were shown then. */
  #start = null;
  /** The effect of the pointer since it has moved. @type {"none" | "pan" | "sideways" | "down"} */
  #drag = "none";
  #holdTimer;
  #isHolding = false;
  #tapTimer;
  #wheeledAt = -Infinity;
  #lastTap = { x: 0, y: 0, time: -Infinity, isTouch: false };

  /** @param {ZoomStage} stage */
  constructor(stage) {
    this.stage = stage;
    stage.addEventListener("wheel", (event) => this.#wheeled(event), { passive: false });
    stage.addEventListener("dblclick", (event) => !this.#lastTap.isTouch && this.#doubled(this.#pointOf(event)));
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#moved(event));
    stage.addEventListener("pointerup", (event) => this.#up(event));
    stage.addEventListener("pointercancel", (event) => this.#up(event));
    stage.addEventListener("contextmenu", (event) => (this.#isHolding || this.#start?.isTouch) && event.preventDefault());
  }

  #pointOf({ clientX, clientY }) {
    const { left, top, width, height } = this.stage.parentElement.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  }

  /**
   * Zooms with Ctrl, or vertically if the picture is zoomed already. A zoomed picture moves
   * horizontally. Otherwise, a gesture goes to one neighbor. A rest ends the gesture.
   */
  #wheeled(event) {
    event.preventDefault();
    const { ctrlKey, deltaX, deltaY, deltaMode, timeStamp } = event;
    const isGoingOn = timeStamp - this.#wheeledAt < gestureRest;
    this.#wheeledAt = timeStamp;
    const isSideways = Math.abs(deltaX) > Math.abs(deltaY);
    const { scale, x, y } = this.stage.zoom;
    if (ctrlKey || (this.stage.isZoomed && !isSideways)) {
      const { most, zoom } = ctrlKey ? pinchedWheel : wheel;
      const pixels = deltaMode === WheelEvent.DOM_DELTA_LINE ? deltaY * 16 : deltaY;
      this.stage.zoomBy(Math.exp(-Math.min(Math.max(pixels, -most), most) * zoom), this.#pointOf(event));
    } else if (this.stage.isZoomed) this.stage.zoomTo({ scale, x: x - deltaX, y });
    else if (!isGoingOn) this.stage.dispatchEvent(new CustomEvent("swipe", { detail: (isSideways ? deltaX : deltaY) > 0 ? "next" : "previous" }));
  }

  #down(event) {
    if (event.button !== 0) return;
    this.stage.endSettling();
    this.stage.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.#pointOf(event));
    clearTimeout(this.#holdTimer);
    this.#drag = "none";
    if (this.#pointers.size > 1) {
      this.#start = null;
      return this.stage.drag(0, 0);
    }
    const ends = this.stage.isZoomed ? this.stage.endsShown : [-1, 1];
    this.#start = { ...this.#pointOf(event), time: event.timeStamp, isTouch: event.pointerType !== "mouse", ends };
    if (this.stage.isLive) this.#holdTimer = setTimeout(() => this.#hold(true), holdTime);
  }

  #moved(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#pointOf(event);
    this.#pointers.set(event.pointerId, now);
    if (this.#pointers.size === 2) return this.#pinched(event.pointerId, before, now);
    if (!this.#start) return;
    const moved = { x: now.x - this.#start.x, y: now.y - this.#start.y };
    if (this.#drag === "none" && Math.hypot(moved.x, moved.y) > stillness) {
      clearTimeout(this.#holdTimer);
      if (this.#isHolding) this.#hold(false);
      this.#drag = this.#dragFor(moved);
    }
    if (this.#drag === "sideways") this.stage.drag(moved.x, 0);
    else if (this.#drag === "down") this.stage.drag(moved.x, moved.y);
    else if (this.stage.isZoomed) {
      const { scale, x, y } = this.stage.zoom;
      this.stage.zoomTo({ scale, x: x + now.x - before.x, y: y + now.y - before.y });
    }
  }

  /**
   * Returns the effect of a drag in a direction. The end of a zoomed picture hands the drag on to
   * the neighbor.
   */
  #dragFor({ x, y }) {
    if (!this.#start.isTouch) return "pan";
    const isSideways = Math.abs(x) > Math.abs(y);
    if (isSideways && this.#start.ends.includes(-Math.sign(x))) return "sideways";
    return this.stage.isZoomed || isSideways ? "pan" : "down";
  }

  #pinched(id, before, now) {
    const [other] = [...this.#pointers].filter(([pointer]) => pointer !== id).map(([, point]) => point);
    const distance = (point) => Math.hypot(point.x - other.x, point.y - other.y);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.stage.pinchBy(distance(now) / Math.max(1, distance(before)), middle);
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    clearTimeout(this.#holdTimer);
    this.stage.endPinch();
    const [start, drag] = [this.#start, this.#drag];
    this.#start = null;
    this.#drag = "none";
    if (this.#isHolding) return this.#hold(false);
    if (!start || drag === "pan") return;
    if (event.type === "pointercancel") return this.stage.settle("none");
    const point = this.#pointOf(event);
    if (drag === "none") return this.#tapped(event, point);
    const moved = { x: drag === "down" ? 0 : point.x - start.x, y: drag === "down" ? point.y - start.y : 0 };
    const swipe = swipeOf(moved, (event.timeStamp - start.time) / 1000, this.stage.clientWidth);
    this.stage.settle(swipe);
  }

  /** Waits whether a second tap follows. Not each browser tells of the two taps of a finger. */
  #tapped({ pointerType, timeStamp }, point) {
    const { x, y, time } = this.#lastTap;
    const isTouch = pointerType !== "mouse";
    const isDouble = isTouch && timeStamp - time < doubleTime && Math.hypot(point.x - x, point.y - y) < 3 * stillness;
    this.#lastTap = { ...point, time: isDouble ? -Infinity : timeStamp, isTouch };
    clearTimeout(this.#tapTimer);
    if (isDouble) return this.#doubled(point);
    this.#tapTimer = setTimeout(() => this.stage.dispatchEvent(new Event("tap")), doubleTime);
  }

  #doubled(point) {
    clearTimeout(this.#tapTimer);
    this.stage.toggleZoom(point);
  }

  #hold(isHolding) {
    this.#isHolding = isHolding;
    this.stage.dispatchEvent(new CustomEvent("hold", { detail: isHolding }));
  }
}
