import { renditionURL } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { spokenLabel } from "../helpers/format.js";
import { words } from "./words.js";

/** The distance in pixels that makes a press a drag, and the milliseconds of a long press. */
const dragDistance = 6;
const holdTime = 450;

/**
 * The chosen photos in their order. A click removes a photo. If the order counts, a drag or an
 * arrow key moves a photo. A drag by a finger begins with a long press: a swipe scrolls the tray.
 */
export class Tray {
  #element;
  #isOrdered;
  #remove;
  #move;
  /**
   * @type {{button: HTMLElement, id: number, startX: number, x: number, isTouch: boolean,
   *   scrollLeft: number} | null}
   */
  #press = null;
  #isDragging = false;
  #holdTimer;

  /**
   * @param {HTMLElement} element
   * @param {{isOrdered: boolean, remove: (id: string) => void,
   *   move: (id: string, after: string | null) => void}} options
   */
  constructor(element, { isOrdered, remove, move }) {
    this.#element = element;
    this.#isOrdered = isOrdered;
    this.#remove = remove;
    this.#move = move;
    if (!isOrdered) return;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("contextmenu", (event) => event.pointerType === "touch" && event.preventDefault());
    element.addEventListener("touchmove", (event) => this.#isDragging && event.cancelable && event.preventDefault(), { passive: false });
    addEventListener("pointermove", (event) => this.#moved(event));
    addEventListener("pointerup", (event) => event.pointerId === this.#press?.id && this.#drop());
    addEventListener("pointercancel", (event) => event.pointerId === this.#press?.id && this.cancel());
    addEventListener("blur", () => this.cancel());
  }

  get isShown() {
    return !this.#element.hidden;
  }

  /** Cancels the drag. Returns whether there was one. */
  cancel() {
    clearTimeout(this.#holdTimer);
    const wasDragging = this.#isDragging;
    this.#isDragging = false;
    this.#press?.button.classList.remove("dragged");
    if (this.#press) this.#press.button.style.translate = "";
    this.#press = null;
    return wasDragging;
  }

  /** @param {import("../models/asset-pages.js").Cell[]} cells none to hide the tray */
  show(cells) {
    // The dragged photo may be gone, or at another place.
    this.cancel();
    const before = [...this.#element.querySelectorAll("button")];
    const place = before.indexOf(document.activeElement);
    const { scrollLeft } = this.#element;
    this.#element.hidden = cells.length === 0;
    this.#element.replaceChildren(...cells.map((cell, index) => this.#item(cell, index, cells)));
    this.#element.scrollLeft = scrollLeft;
    if (place < 0) return;
    const buttons = [...this.#element.querySelectorAll("button")];
    const same = buttons.find(({ dataset }) => dataset.id === before[place].dataset.id);
    (same ?? buttons[Math.min(place, buttons.length - 1)])?.focus();
  }

  #item(cell, index, cells) {
    const image = make("img", { alt: "", draggable: false, loading: "lazy", src: renditionURL(cell, "grid") });
    const button = make("button", { type: "button", ariaLabel: words.removeOne(spokenLabel(cell)), title: words.remove, attributes: { "data-id": cell.id } }, image);
    button.addEventListener("click", () => this.#remove(cell.id));
    button.addEventListener("keydown", ({ key }) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
      const place = index + step;
      if (!this.#isOrdered || !step || place < 0 || place >= cells.length) return;
      this.#move(cell.id, (step > 0 ? cells[place] : cells[place - 1])?.id ?? null);
    });
    return make("li", {}, button);
  }

  #down({ target, pointerId: id, isPrimary, button: pressed, pointerType, clientX: x }) {
    const button = target.closest("button");
    if (!button || !isPrimary || pressed !== 0) return;
    const isTouch = pointerType !== "mouse";
    this.#press = { button, id, startX: x, x, isTouch, scrollLeft: this.#element.scrollLeft };
    if (isTouch) this.#holdTimer = setTimeout(() => this.#begin(), holdTime);
  }

  #begin() {
    this.#isDragging = true;
    this.#press.button.classList.add("dragged");
    if (this.#press.isTouch) navigator.vibrate?.(10);
  }

  #moved({ pointerId, clientX }) {
    const press = this.#press;
    if (pointerId !== press?.id) return;
    press.x = clientX;
    const isFar = Math.abs(clientX - press.startX) >= dragDistance;
    if (!this.#isDragging && isFar) {
      if (press.isTouch) return void this.cancel(); // the tray scrolls
      this.#begin();
    }
    if (this.#isDragging) press.button.style.translate = `${clientX - press.startX + this.#element.scrollLeft - press.scrollLeft}px`;
  }

  #drop() {
    const { button, x } = this.#press;
    if (!this.cancel()) return;
    // The click that follows must not remove a photo.
    const swallow = (event) => event.stopPropagation();
    this.#element.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => this.#element.removeEventListener("click", swallow, { capture: true }));
    const isBefore = ({ left, width }) => left + width / 2 < x;
    const others = [...this.#element.querySelectorAll("button")].filter((other) => other !== button);
    const after = others.filter((other) => isBefore(other.getBoundingClientRect())).at(-1);
    this.#move(button.dataset.id, after?.dataset.id ?? null);
  }
}
