import { make } from "./dom.js";

/**
 * A large picture with a menu of one entry, for the cells of `Thumbnails`. It opens by a held
 * finger, a right click, Shift+F10 or the menu key.
 */
export class Peek {
  #image = make("img", { alt: "" });
  #entry = make("button");
  dialog = make("dialog", { className: "peek", ariaLabel: "Image" }, this.#image, this.#entry);
  #asset;
  #options;
  #isPressed = false;

  /**
   * @param {HTMLElement} list the cells
   * @param {{title: (asset: object) => string, picture: (asset: object) => Promise<string>,
   *          act: (asset: object) => void}} options
   */
  constructor(list, options) {
    this.#options = options;
    list.addEventListener("pointerdown", (event) => this.#hold(event));
    list.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const cell = event.target.closest("li");
      if (cell && !this.dialog.open) this.#open(cell);
    });
    this.dialog.addEventListener("pointerdown", () => (this.#isPressed = true));
    this.dialog.addEventListener("click", (event) => this.#filter(event), true);
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close());
    this.#entry.addEventListener("click", () => this.#act());
  }

  /** Shows what has changed of an asset, if the menu is open for it. */
  update(asset) {
    if (this.#asset?.id !== asset.id) return;
    this.#asset = asset;
    this.#entry.textContent = this.#options.title(asset);
  }

  /** Closes the menu of an asset that is not there any more. */
  keep(assets) {
    if (this.dialog.open && !assets.some(({ id }) => id === this.#asset.id)) this.dialog.close();
  }

  /** Drops the click that ends a hold: it began on the cell. Clicks by keys have no detail. */
  #filter(event) {
    if (event.detail > 0 && !this.#isPressed) event.stopPropagation();
  }

  #open({ asset, image }) {
    this.#asset = asset;
    this.update(asset);
    this.#image.src = image.src;
    this.dialog.showModal();
    const show = (address) => this.#asset.id === asset.id && (this.#image.src = address);
    this.#options.picture(asset).then(show, () => {});
  }

  #act() {
    this.dialog.close();
    this.#options.act(this.#asset);
  }

  /** Follows a held finger, which may go on to the menu. */
  #hold(down) {
    const cell = down.target.closest("li");
    const isTouch = down.pointerType === "touch";
    this.#isPressed = false;
    this.dialog.classList.toggle("held", isTouch);
    if (!cell || !isTouch) return;
    const listening = new AbortController();
    const { signal } = listening;
    const timer = setTimeout(() => this.#open(cell), 300);
    const length = ({ clientX, clientY }) => Math.hypot(clientX - down.clientX, clientY - down.clientY);
    const end = () => {
      clearTimeout(timer);
      listening.abort();
      this.dialog.style.translate = "";
    };
    const follow = (move) => {
      if (this.dialog.open) this.dialog.style.translate = `0 ${(move.clientY - down.clientY) / 4}px`;
      else if (length(move) > 10) end();
    };
    const release = (up) => {
      const isOnEntry = length(up) > 10 && document.elementFromPoint(up.clientX, up.clientY) === this.#entry;
      end();
      if (isOnEntry) this.#act();
    };
    addEventListener("pointermove", follow, { signal });
    addEventListener("pointerup", release, { signal });
    addEventListener("pointercancel", end, { signal });
    // While the picture is shown, the finger moves it and not the page.
    addEventListener("touchmove", (event) => this.dialog.open && event.preventDefault(), { passive: false, signal });
  }
}
