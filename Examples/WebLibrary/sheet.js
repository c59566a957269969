/** A sheet with two places: off below the window, and up over its whole height. */
export class Sheet {
  #element;
  #ground;
  #list;
  #isLocked = true;
  #isUp = false;
  #isCovered = false;

  /**
   * @param {HTMLElement} ground the page below, with a button that pulls the sheet up
   * @param {HTMLElement} list a list in the sheet: at its top, it is pulled down with the sheet
   */
  constructor(element, ground, list) {
    this.#element = element;
    this.#ground = ground;
    this.#list = list;
    this.handle = element.querySelector('[role="slider"]');
    this.#pan(ground);
    this.#pan(this.handle.parentElement);
    this.#pan(list, (distance) => distance > 0 && list.scrollTop <= 0);
    list.addEventListener("scroll", () => this.#markTop());
    addEventListener("keydown", (event) => this.#press(event));
    this.#markTop();
    this.#place(false);
  }

  /** A locked sheet is off and stays there. */
  set isLocked(isLocked) {
    this.#isLocked = isLocked;
    if (isLocked) this.#place(false);
  }

  /** A sheet that another part of the page covers stays in its place. */
  set isCovered(isCovered) {
    this.#isCovered = isCovered;
    this.#place(this.#isUp);
  }

  /** Moves the sheet for a person. The focus leaves what the sheet covers or takes away. */
  move({ isUp }) {
    const hadFocus = (isUp ? this.#ground : this.#element).contains(document.activeElement);
    this.#place(isUp);
    const next = isUp ? this.handle : this.#ground.querySelector("button:not([hidden])");
    if (hadFocus) next?.focus({ preventScroll: true });
  }

  #place(isUp) {
    this.#isUp = isUp;
    this.#element.inert = !isUp || this.#isCovered;
    this.#ground.inert = isUp || this.#isCovered;
    this.#element.classList.remove("panning");
    this.#element.style.transform = isUp ? "none" : "";
    this.handle.ariaValueNow = Number(isUp);
    this.handle.ariaValueText = isUp ? "Up" : "Down";
  }

  /** Moves the sheet with the pointer. Its last direction decides where it goes. */
  #pan(area, canBegin = () => true) {
    area.addEventListener("pointerdown", (down) => {
      if (this.#isLocked) return;
      const start = this.#element.getBoundingClientRect().top;
      let [y, direction] = [down.clientY, 0];
      const listening = new AbortController();
      const follow = ({ clientY }) => {
        const distance = clientY - down.clientY;
        if (direction === 0 && (Math.abs(distance) < 4 || !canBegin(distance))) return;
        direction = Math.sign(clientY - y) || direction;
        y = clientY;
        this.#element.classList.add("panning");
        this.#element.style.transform = `translateY(${Math.max(0, start + distance)}px)`;
      };
      const end = () => {
        listening.abort();
        if (direction === 0) return;
        this.move({ isUp: direction < 0 });
        // The click that ends a pan opens nothing.
        const swallow = (click) => click.stopPropagation();
        addEventListener("click", swallow, true);
        setTimeout(() => removeEventListener("click", swallow, true));
      };
      addEventListener("pointermove", follow, listening);
      for (const type of ["pointerup", "pointercancel"]) addEventListener(type, end, listening);
    });
  }

  /** Lets the browser scroll the list, but not down beyond its top. */
  #markTop() {
    this.#list.classList.toggle("at-top", this.#list.scrollTop <= 0);
  }

  #press({ key, target }) {
    if (this.#isLocked || this.#isCovered || target.closest("dialog")) return;
    if (key === "ArrowUp" && !this.#isUp) this.move({ isUp: true });
    if (key === "ArrowDown" && target === this.handle) this.move({ isUp: false });
  }
}
