import { make } from "./dom.js";

/** A menu of albums: rows that are always there, and the albums of the library that have photos. */
export class AlbumMenu {
  #dialog;
  #button;
  #library;
  #tell;
  /** Counts the readings of the albums, whose answers may come out of order. */
  #readings = 0;
  #isOpening = false;

  /**
   * @param {HTMLDialogElement} dialog has rows `button[value]`, and a list `.albums` for others
   * @param {HTMLButtonElement} button opens the menu, and begins with the title of the album that
   *   is shown
   * @param {(title: string, id: string) => void} choose
   * @param {(error: Error) => void} tell says why the albums could not be read
   */
  constructor(dialog, button, library, choose, tell) {
    [this.#dialog, this.#button, this.#library, this.#tell] = [dialog, button, library, tell];
    button.addEventListener("click", () => this.#open());
    dialog.addEventListener("close", () => (button.ariaExpanded = false));
    dialog.addEventListener("click", ({ target }) => {
      const row = target.closest("button");
      if (row || target === dialog) dialog.close();
      if (row) choose(row.textContent, row.value);
    });
  }

  get isOpen() {
    return this.#dialog.open;
  }

  /** Marks the row of the album that is shown. */
  set current(id) {
    this.#dialog.dataset.current = id;
    for (const row of this.#dialog.querySelectorAll("button")) row.ariaCurrent = row.value === id ? "true" : null;
  }

  /** Shows the albums and the title of the shown one as they are now. */
  update() {
    const { current } = this.#dialog.dataset;
    const isFixed = this.#dialog.querySelector(`ul:not(.albums) [value="${current}"]`) !== null;
    if (this.isOpen || this.#isOpening) this.#fill().catch(this.#tell);
    else if (!isFixed) this.#read().catch(this.#tell);
  }

  /** Closes the menu, and forgets the albums. */
  clear() {
    this.#dialog.close();
    this.#dialog.querySelector(".albums").replaceChildren();
  }

  /** Resolves when a closed menu is out of sight. */
  gone() {
    return Promise.allSettled(this.#dialog.getAnimations().map(({ finished }) => finished));
  }

  async #open() {
    this.#isOpening = true;
    const isFilled = await this.#fill().then(() => this.#library.hasAccess, this.#tell);
    this.#isOpening = false;
    if (!isFilled) return;
    this.#dialog.showModal();
    this.#button.ariaExpanded = true;
  }

  /** Returns the albums, and titles the button; nothing if a later reading has begun. */
  async #read() {
    const library = this.#library;
    const reading = ++this.#readings;
    const albums = (await library.collections()).filter(({ kind }) => kind === "album");
    if (!library.hasAccess || reading !== this.#readings) return null;
    const shown = albums.find(({ id }) => id === this.#dialog.dataset.current);
    if (shown) this.#button.firstChild.textContent = shown.title;
    return albums;
  }

  async #fill() {
    const library = this.#library;
    const albums = await this.#read();
    if (!albums) return;
    const rows = albums.filter(({ count }) => count > 0).map(({ id, title }) => {
      const cover = make("img", { alt: "" });
      library.newest(id).then((newest) => library.picture(newest)).then((picture) => (cover.src = picture), () => {});
      return make("li", {}, make("button", { value: id }, cover, title));
    });
    this.#dialog.querySelector(".albums").replaceChildren(...rows);
    this.current = this.#dialog.dataset.current;
  }
}
