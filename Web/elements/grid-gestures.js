/** @import { PhotoGrid } from "./photo-grid.js" */
/** @import { Selection, Effect } from "../models/selection.js" */
import { make } from "../helpers/dom.js";
import { Ranges } from "../models/ranges.js";

/** The distance in pixels that makes a press a drag, and the milliseconds of a long press. */
const dragDistance = 6;
const holdTime = 450;
/** Near the window's edge the view scrolls at these pixels a second, faster nearer to the edge. */
const edge = 60;
const greatestSpeed = 1_200;

/**
 * The owner of a grid's selection. Without `drag`, a mouse can begin a band anywhere, and a long
 * press does nothing. With `isOneByOne`, no gesture but a click selects.
 *
 * @typedef {{grid: PhotoGrid, selection: Selection, isOneByOne?: boolean,
 *   apply: (event: {type: string}) => {effect: Effect | null},
 *   toggleDay?: (day: number, at: number) => void,
 *   drag?: (press: object) => {move: () => void, end?: () => void, cancel?: () => void},
 *   menus?: {openAt: (at: {x: number, y: number}, place: number, options?: object) => void}
 * }} Selecting
 */

/** The gestures that select: clicks, a rubber band, a finger's sweep, a long press. */
export class GridGestures {
  /**
   * @type {{id: number, x: number, y: number, startX: number, startY: number, place: number,
   *   snapshot: object, isTouch: boolean, canDrag: boolean} | null}
   */
  #press = null;
  /** The focused asset before a press, which moves the focus to the pressed one. */
  #focusedBefore = null;
  #gesture = null;
  #holdTimer;
  #frame = 0;
  #isClickOver = false;
  #band = make("div", { className: "rubber-band", hidden: true });

  /** @param {Selecting} selecting @param {AbortSignal} [signal] ends them */
  constructor(selecting, signal) {
    this.selecting = selecting;
    this.grid = selecting.grid;
    this.grid.parentElement.append(this.#band);
    const { grid } = this;
    grid.addEventListener("pointerdown", (event) => this.#down(event));
    grid.addEventListener("click", (event) => this.#clicked(event), true);
    grid.addEventListener("contextmenu", (event) => this.#menu(event));
    grid.addEventListener("dragstart", (event) => event.preventDefault());
    // Two fingers change the density.
    grid.addEventListener("touchstart", ({ touches }) => touches.length > 1 && this.cancel(), { passive: true });
    grid.addEventListener("touchmove", (event) => this.#gesture && event.cancelable && event.preventDefault(), { passive: false });
    addEventListener("pointermove", (event) => this.#moved(event), { signal });
    addEventListener("pointerup", (event) => this.#up(event), { signal });
    addEventListener("pointercancel", (event) => event.pointerId === this.#press?.id && this.#interrupt(), { signal });
    addEventListener("blur", () => this.#interrupt(), { signal });
  }

  get isActive() {
    return this.#gesture !== null;
  }

  /** Ends a gesture and restores what was selected before it. */
  cancel() {
    clearTimeout(this.#holdTimer);
    this.#press = null;
    if (!this.#gesture) return;
    this.#gesture.cancel?.();
    this.#finish("cancel");
  }

  #clicked(event) {
    // A key clicks, too.
    if (this.#isClickOver && event.detail > 0) {
      this.#isClickOver = false;
      event.preventDefault();
      return event.stopPropagation();
    }
    const focused = this.#focusedBefore ?? this.grid.focusedIndex;
    this.#focusedBefore = null;
    const heading = event.target.closest?.(".day-circle");
    if (heading) return this.selecting.toggleDay(Number(heading.dataset.day), event.timeStamp);
    const place = this.grid.indexOf(event.target);
    if (place < 0) return;
    const on = event.target.closest(".circle") ? "circle" : "picture";
    const toggle = event.ctrlKey || event.metaKey;
    const by = event.pointerType === "touch" ? "touch" : "mouse";
    const { effect } = this.selecting.apply({ type: "click", place, on, toggle, by, shift: event.shiftKey, focused, at: event.timeStamp });
    if (effect?.type === "open") return;
    event.preventDefault();
    event.stopPropagation();
    // A pointer needs no ring around the photo that it has just pressed. A key does.
    this.grid.focusAsset(place, event.detail > 0 ? { focusVisible: false } : {});
  }

  #down(event) {
    if (!event.isPrimary || event.button !== 0 || this.#gesture) return;
    this.#isClickOver = false;
    this.#focusedBefore = this.grid.focusedIndex;
    if (event.target.closest(".circle, .day-circle, button, select, input, a:not(.open)")) return;
    const isTouch = event.pointerType !== "mouse";
    const place = this.grid.indexOf(event.target);
    const { drag } = this.selecting;
    const isBand = !isTouch && (place < 0 || event.altKey || !drag);
    if (isBand && event.offsetX > this.grid.clientWidth) return; // on the scroll bar
    const { clientX: x, clientY: y, pointerId: id } = event;
    this.#press = { id, x, y, startX: x, startY: y, place, snapshot: this.grid.snapshot, isTouch, canDrag: !isBand };
    if (isBand) event.preventDefault();
    if (isTouch && place >= 0 && drag) this.#holdTimer = setTimeout(() => this.#held(), holdTime);
  }

  /** Returns whether another asset may be at the pressed place by now. */
  get #isOutdated() {
    return this.#press.place >= 0 && this.#press.snapshot !== this.grid.snapshot;
  }

  #held() {
    const { place, x, y } = this.#press;
    if (this.#isOutdated) return void (this.#press = null);
    this.#isClickOver = true;
    if (this.selecting.selection.mode === "selecting") return this.#begin(this.selecting.drag(this.#press));
    this.#press = null;
    navigator.vibrate?.(10);
    this.selecting.menus.openAt({ x, y }, place, { isPeek: true });
  }

  #moved(event) {
    const press = this.#press;
    if (event.pointerId !== press?.id) return;
    const [dx, dy] = [event.clientX - press.startX, event.clientY - press.startY];
    Object.assign(press, { x: event.clientX, y: event.clientY });
    if (this.#gesture) return this.#gesture.move();
    if (Math.hypot(dx, dy) < dragDistance) return;
    clearTimeout(this.#holdTimer);
    if (this.#isOutdated || this.selecting.isOneByOne) return void (this.#press = null);
    if (!press.isTouch) return this.#begin(press.canDrag ? this.selecting.drag(press) : this.#banding(event));
    const isSweep = this.selecting.selection.mode === "selecting" && press.place >= 0 && Math.abs(dx) > Math.abs(dy);
    if (isSweep) this.#begin(this.#sweeping());
    else this.#press = null;
  }

  #up(event) {
    // After Escape, the button is lifted later.
    if (event.pointerId !== this.#press?.id) return void (event.pointerType === "mouse" && !this.#gesture && this.#forgetClick());
    clearTimeout(this.#holdTimer);
    this.#press = null;
    if (!this.#gesture) return;
    this.#gesture.end?.();
    this.#finish("end");
    this.#forgetClick();
  }

  /** Cancels what no click follows. */
  #interrupt() {
    this.cancel();
    this.#forgetClick();
  }

  /** Takes clicks again. The browser sends one after the pointer is lifted, if it sends any. */
  #forgetClick() {
    setTimeout(() => (this.#isClickOver = false));
  }

  #begin(gesture) {
    this.#gesture = gesture;
    this.#isClickOver = true;
    document.documentElement.classList.add("is-dragging");
    gesture.move();
    let last = performance.now();
    const scroll = (now) => {
      this.#scrollAtEdge((now - last) / 1000);
      last = now;
      this.#frame = requestAnimationFrame(scroll);
    };
    this.#frame = requestAnimationFrame(scroll);
  }

  #finish(type) {
    cancelAnimationFrame(this.#frame);
    this.#gesture = null;
    this.#band.hidden = true;
    document.documentElement.classList.remove("is-dragging");
    this.selecting.apply({ type });
  }

  #scrollAtEdge(seconds) {
    const box = this.grid.getBoundingClientRect();
    const { x, y } = this.#press ?? {};
    if (y === undefined || x < box.left || x > box.right) return;
    const outside = y < box.top + edge ? y - box.top - edge : y > box.bottom - edge ? y - box.bottom + edge : 0;
    if (outside === 0) return;
    const before = this.grid.y;
    this.grid.goTo(before + (Math.max(-edge, Math.min(edge, outside)) / edge) * greatestSpeed * Math.min(seconds, 0.1));
    if (this.grid.y !== before) this.#gesture?.move();
  }

  #banding(event) {
    const { selecting, grid } = this;
    const press = this.#press;
    const start = { x: press.startX, y: press.startY + grid.y };
    selecting.apply({ type: "startBand", isAdding: event.altKey || event.ctrlKey || event.metaKey || event.shiftKey });
    this.#band.hidden = false;
    return {
      move: () => {
        const y = start.y - grid.y;
        const rectangle = {
          left: Math.min(start.x, press.x), right: Math.max(start.x, press.x) + 1, top: Math.min(y, press.y), bottom: Math.max(y, press.y) + 1,
        };
        this.#draw(rectangle);
        selecting.apply({ type: "band", places: Ranges.ofPlaces(placesTouching(grid, rectangle)) });
      },
    };
  }

  #draw({ left, right, top, bottom }) {
    const box = this.grid.getBoundingClientRect();
    const [first, last] = [Math.max(top, box.top - 4), Math.min(bottom, box.bottom + 4)];
    const { style } = this.#band;
    style.transform = `translate(${left - box.left}px, ${first - box.top}px)`;
    style.width = `${right - left}px`;
    style.height = `${Math.max(0, last - first)}px`;
  }

  #sweeping() {
    const { selecting, grid } = this;
    const press = this.#press;
    selecting.apply({ type: "startSweep", place: press.place });
    return {
      move: () => {
        const box = grid.getBoundingClientRect();
        const y = Math.max(box.top + 1, Math.min(press.y, box.bottom - 1));
        const place = grid.assetAtPoint(Math.max(box.left, press.x), y);
        if (place >= 0) selecting.apply({ type: "sweep", place });
      },
    };
  }

  #menu(event) {
    const place = this.grid.indexOf(event.target);
    const isTouch = event.pointerType === "touch"; // a long press opens it
    if (place < 0 || (!isTouch && !this.selecting.menus)) return;
    event.preventDefault();
    if (isTouch) return;
    const isByKey = event.clientX === 0 && event.clientY === 0;
    const box = event.target.closest(".cell").getBoundingClientRect();
    this.selecting.menus.openAt(isByKey ? { x: box.left + 12, y: box.top + 12 } : { x: event.clientX, y: event.clientY }, place);
  }
}

/** Returns the indexes of the assets that touch a rectangle of the page. */
function placesTouching({ layout, origin }, { left, top, right, bottom }) {
  const { first, end } = layout.assetsWithin(top - origin.top, bottom - origin.top);
  const touching = [];
  for (let index = first; index < end; index++) {
    const box = layout.boxOf(index);
    const [x, y] = [box.left + origin.left, box.top + origin.top];
    if (x < right && x + box.width > left && y < bottom && y + box.height > top) touching.push(index);
  }
  return touching;
}
