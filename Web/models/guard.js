/** The time in milliseconds in which nothing opens. */
const delay = 800;

/**
 * Keeps buttons that appear under a pointer from being pressed by accident, or by a double
 * click that a page has provoked.
 *
 *     const guard = new Guard(performance.now());
 *     guard.watch(window);
 *     guard.isOpen(event.timeStamp)
 *
 * It opens 800 ms after the buttons have appeared or the window got the focus, and only once the
 * pointer has moved or a key was released since. A finger does neither: for a finger, a whole tap
 * opens it whose touch began after that time. A press that begins before that time is ignored,
 * even if it ends later.
 */
export class Guard {
  #since;
  #hasMoved = false;
  #touchedAt = -Infinity;
  /** Whether a button or key is down. */
  #isPressed = false;
  /** Whether the latest press began too early. */
  #isEarly = false;

  /** @param {number} now in milliseconds */
  constructor(now) {
    this.#since = now;
  }

  /** The buttons have appeared, or the window got the focus. @param {number} now */
  appeared(now) {
    this.#since = now;
    this.#hasMoved = false;
    this.#isEarly = this.#isPressed;
  }

  /** A button of the pointer, or a key, was pressed. @param {number} now */
  pressed(now) {
    this.#isPressed = true;
    this.#isEarly = now - this.#since < delay;
  }

  /** The button or key was released. Its click comes only now. */
  released() {
    this.#isPressed = false;
  }

  /** The pointer was moved, or a key was released. */
  moved() {
    this.#hasMoved = true;
  }

  /** A finger or a pen has touched. @param {number} now */
  touched(now) {
    this.#touchedAt = now;
  }

  /** The finger or the pen was lifted. */
  lifted() {
    if (this.#touchedAt - this.#since >= delay) this.#hasMoved = true;
  }

  /** Learns from the events of a window what its person does. @param {EventTarget} window */
  watch(window) {
    const listen = (type, act) => window.addEventListener(type, act, { capture: true, passive: true });
    listen("pointermove", () => this.moved());
    listen("keydown", ({ repeat, timeStamp }) => !repeat && this.pressed(timeStamp));
    listen("keyup", () => [this.moved(), this.released()]);
    listen("pointerdown", ({ timeStamp }) => this.pressed(timeStamp));
    for (const type of ["pointerup", "pointercancel"]) listen(type, () => this.released());
    listen("pointerdown", ({ pointerType, timeStamp }) => pointerType !== "mouse" && this.touched(timeStamp));
    listen("pointerup", ({ pointerType }) => pointerType !== "mouse" && this.lifted());
    listen("focus", ({ target, timeStamp }) => target === window && this.appeared(timeStamp));
  }

  /** @param {number} now */
  isOpen(now) {
    return this.#hasMoved && !this.#isEarly && now - this.#since >= delay;
  }
}
