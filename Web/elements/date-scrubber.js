/** @import { PhotoGrid } from "./photo-grid.js" */
import { make } from "../helpers/dom.js";
import { monthAndYear } from "../helpers/times.js";
import { ScrubberScale } from "../models/scrubber-scale.js";
import { words } from "../words.js";
import { PictureStrip } from "./picture-strip.js";

const leastGapOfYears = 22;
const leastGapOfMonths = 6;
/** The pixels around the middle of a year's label in which there are no months. */
const clearanceOfYears = 12;
/**
 * The time in milliseconds that the handle stays after scrolling, on devices without a hovering
 * pointer.
 */
const linger = 1_200;

/** The time in milliseconds between two digits of one year. */
const typingPause = 1_500;

/** The bar on the right edge, which goes to any date by pointer, finger or keys. */
export class DateScrubber extends HTMLElement {
  #bubble = make("output", { className: "bubble" });
  #handle = make("div", { className: "handle" });
  #ghost = make("div", { className: "ghost" });
  #marks = make("div", { className: "marks", attributes: { "aria-hidden": "true" } });
  #strip = new PictureStrip();
  #track = make("div", { className: "track" }, this.#marks, this.#ghost, this.#handle, this.#bubble, this.#strip.element);
  #typed = { text: "", time: -Infinity };
  #idleTimer;
  /** @type {PhotoGrid} */
  #grid;
  #layout;
  /** @type {ScrubberScale | null} */
  #scale = null;
  #fraction = 0;
  /** The distance from the finger to the handle that it holds, as a fraction of the track. */
  #grip = 0;
  /** The year that was shown last while a finger drags. */
  #tickedYear = "";

  connectedCallback() {
    this.append(this.#track);
    this.tabIndex = 0;
    const attributes = { role: "slider", "aria-label": words.dates.label, "aria-orientation": "vertical", "aria-valuemin": "0" };
    for (const [name, value] of Object.entries(attributes)) this.setAttribute(name, value);
    this.#handle.addEventListener("pointerdown", (event) => this.#grab(event));
    this.addEventListener("pointerdown", (event) => this.#grab(event));
    this.addEventListener("pointermove", (event) => this.#hover(event));
    this.addEventListener("pointerleave", () => this.classList.remove("hovered"));
    for (const type of ["pointerup", "pointercancel"]) this.addEventListener(type, () => this.#release());
    this.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** @param {PhotoGrid} grid */
  follow(grid) {
    this.#grid = grid;
    grid.addEventListener("move", () => this.#moved());
    if (grid.layout) this.#moved();
  }

  #moved() {
    const { layout, y } = this.#grid;
    this.hidden = layout.metrics.headingHeight === 0 || layout.total === 0 || layout.height <= this.#grid.windowHeight;
    if (this.hidden) return;
    if (layout !== this.#layout) this.#rescale(layout);
    const fraction = this.#scale.fractionOf(y);
    if (fraction !== this.#fraction) this.#showActive();
    this.#fraction = fraction;
    const day = this.#dayShown();
    this.#handle.style.top = `${fraction * 100}%`;
    const text = monthAndYear(layout.days[day][0]);
    if (this.ariaValueNow !== String(day)) {
      this.ariaValueNow = String(day);
      this.ariaValueText = text;
    }
    if (!this.classList.contains("hovered")) this.#showBubble(fraction, text);
    if (this.classList.contains("dragged")) this.#strip.show(this.#grid.snapshot, this.#scale.assetsOfMonth(day));
  }

  #rescale(layout) {
    this.#layout = layout;
    this.#scale = new ScrubberScale(layout, this.#grid.windowHeight);
    this.setAttribute("aria-valuemax", String(Math.max(0, layout.days.length - 1)));
    const { clientHeight: height } = this.#track;
    const labels = this.#scale.yearMarks(height, leastGapOfYears);
    const months = this.#scale.monthMarks(height, leastGapOfMonths, { labels, clearance: clearanceOfYears });
    const at = (fraction, mark) => {
      mark.style.top = `${fraction * 100}%`;
      return mark;
    };
    this.#marks.replaceChildren(
      ...labels.map(({ year, fraction }) => at(fraction, make("span", { className: "mark", textContent: year }))),
      ...months.map((fraction) => at(fraction, make("span", { className: "month" }))),
    );
  }

  #dayShown() {
    return this.#scale.dayAt(this.#fraction);
  }

  #showBubble(fraction, text) {
    if (this.#bubble.textContent !== text) this.#bubble.textContent = text;
    this.#bubble.style.top = `${fraction * 100}%`;
    this.#strip.element.style.top = `min(${fraction * 100}%, 100% - 76px)`;
  }

  #showActive() {
    this.classList.add("active");
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.classList.remove("active"), linger);
  }

  #fractionAt(event) {
    const { top, height } = this.#track.getBoundingClientRect();
    return Math.min(Math.max((event.clientY - top) / height + this.#grip, 0), 1);
  }

  #grab(event) {
    if (event.button !== 0 || this.classList.contains("dragged")) return;
    event.preventDefault();
    this.setPointerCapture(event.pointerId);
    // A handle that is grabbed at its edge does not jump to the finger.
    if (event.target === this.#handle) this.#grip = this.#fraction - this.#fractionAt(event);
    this.#tickedYear = "";
    this.classList.add("dragged");
    this.#goTo(event);
  }

  #release() {
    if (!this.classList.contains("dragged")) return;
    this.classList.remove("dragged");
    this.#grip = 0;
    this.#strip.hide();
    this.#showActive();
  }

  /** Vibrates a phone briefly when the finger reaches another year. */
  #tick({ pointerType }) {
    if (pointerType !== "touch") return;
    const year = this.#layout.days[this.#dayShown()][0].slice(0, 4);
    // Browsers log a warning if a page vibrates before its first tap.
    if (this.#tickedYear && year !== this.#tickedYear && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(8);
    this.#tickedYear = year;
  }

  #hover(event) {
    if (this.classList.contains("dragged")) return this.#goTo(event);
    if (event.pointerType === "touch" || !this.#scale) return;
    this.classList.add("hovered");
    const fraction = this.#fractionAt(event);
    this.#ghost.style.top = `${fraction * 100}%`;
    this.#showBubble(fraction, monthAndYear(this.#layout.days[this.#scale.dayAt(fraction)][0]));
  }

  #goTo(event) {
    this.classList.remove("hovered");
    this.#grid.goTo(this.#scale.yAt(this.#fractionAt(event)));
    this.#tick(event);
  }

  #pressed(event) {
    if (!this.#scale || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (by, unit) => this.#scale.yOfDay(this.#scale.dayStepped(this.#dayShown(), by, unit));
    const moves = {
      ArrowDown: () => step(1, "month"),
      ArrowUp: () => step(-1, "month"),
      ArrowRight: () => step(1, "month"),
      ArrowLeft: () => step(-1, "month"),
      PageDown: () => step(1, "year"),
      PageUp: () => step(-1, "year"),
      Home: () => 0,
      End: () => this.#scale.lastY,
    };
    const isDigit = /^\d$/.test(event.key);
    if (isDigit) this.#type(event);
    else if (moves[event.key]) this.#grid.goTo(moves[event.key]());
    else return;
    event.preventDefault();
  }

  /** Four digits go to their year. */
  #type({ key, timeStamp }) {
    const isNew = timeStamp - this.#typed.time > typingPause || this.#typed.text.length === 4;
    this.#typed = { text: (isNew ? "" : this.#typed.text) + key, time: timeStamp };
    if (this.#typed.text.length === 4) this.#grid.goTo(this.#scale.yOfDay(this.#scale.dayOfYear(this.#typed.text)));
  }
}

customElements.define("date-scrubber", DateScrubber);
