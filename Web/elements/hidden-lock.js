/** @import { Lock } from "../helpers/hidden-lock.js" */
import { make, symbol } from "../helpers/dom.js";
import { closeLock, fetchLock, openLock, setLock } from "../helpers/hidden-lock.js";
import { reasonOf } from "../helpers/reason.js";
import { route } from "../helpers/route.js";
import { words } from "../words.js";
import { ask } from "./ask.js";
import { showToast } from "./toasts.js";

/** The time in milliseconds after which a server that did not answer is asked again. */
const again = 2_000;

/**
 * The lock of Hidden: the form that opens it, and the buttons that set and remove it. The lock is
 * closed when the page leaves Hidden.
 *
 * Fires `change` when `content` has changed.
 */
export class HiddenLock extends EventTarget {
  /** The lock while the page shows Hidden. @type {Lock | null} */
  #lock = null;
  #isHere = false;
  #timer;
  #input = make("input", { type: "password", autocomplete: "current-password", required: true, ariaLabel: words.hidden.password });
  #hint = make("p", { className: "hint", hidden: true, attributes: { role: "alert" } });
  #unlock = make("button", { className: "button primary", textContent: words.hidden.unlock });
  #form = make(
    "form", { className: "unlock" },
    make("input", { name: "username", value: "owner", autocomplete: "username", hidden: true }), this.#input, this.#unlock, this.#hint);
  #closed = [symbol("lock"), make("h2", { textContent: words.hidden.title }), make("p", { textContent: words.hidden.text }), this.#form];
  /** @type {HTMLElement[]} */
  #tools = [];

  /** @param {typeof import("../shell.js").shell} shell */
  constructor(shell) {
    super();
    this.shell = shell;
    this.#form.addEventListener("submit", (event) => this.#submitted(event));
    shell.addEventListener("place", () => this.#placed());
    addEventListener("pagehide", () => this.#isHere && this.#leave());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#isHere && this.#ask());
    // The time may have passed while the computer slept.
    shell.live.addEventListener("open", () => this.#isHere && this.#ask());
    // Another page may have set, opened or closed the lock.
    shell.addEventListener("hidden", () => this.#isHere && this.#ask());
    this.#placed();
  }

  /**
   * Returns what Hidden shows in place of photos: the form, or what an empty view says with the
   * buttons of the lock, or nothing until the lock is known.
   * @param {Node[]} empty
   * @returns {Node[]}
   */
  content(empty) {
    if (!this.#lock) return [];
    if (this.#isClosed) return this.#closed;
    return [...empty, make("div", { className: "buttons" }, ...this.#buttons("button"))];
  }

  get #isClosed() {
    return this.#lock !== null && this.#lock.isSet && this.#lock.openSeconds === null;
  }

  #placed() {
    const isHere = this.shell.place.id === "allHidden";
    if (isHere === this.#isHere) return;
    this.#isHere = isHere;
    if (isHere) this.#ask();
    else this.#leave();
  }

  async #leave() {
    const mayBeOpen = this.#lock === null || this.#lock.openSeconds !== null;
    this.#take(null);
    if (!mayBeOpen) return;
    await closeLock();
    this.shell.refreshCollections();
  }

  /** Asks until the server answers: what is shown may have to go. */
  async #ask() {
    clearTimeout(this.#timer);
    const lock = await fetchLock().catch(() => null);
    if (!this.#isHere) return;
    if (!lock) return void (this.#timer = setTimeout(() => this.#ask(), again));
    const wasClosed = this.#isClosed;
    const isShown = this.shell.viewing.isOpen || this.shell.snapshot?.total > 0;
    if (lock.isSet && lock.openSeconds === null ? isShown : wasClosed) await this.#show(lock);
    else this.#take(lock);
  }

  /** @param {Lock | null} lock */
  #take(lock) {
    this.#lock = lock;
    clearTimeout(this.#timer);
    if (lock?.openSeconds != null) this.#timer = setTimeout(() => this.#ask(), lock.openSeconds * 1000);
    for (const button of this.#tools) button.remove();
    this.#tools = lock && !this.#isClosed ? this.#buttons("select-mode lock-tool") : [];
    this.shell.grid.header.tools.append(...this.#tools);
    this.dispatchEvent(new Event("change"));
  }

  /** Shows what the session sees now. @param {Lock} lock */
  async #show(lock) {
    if (!this.#isHere) return;
    this.#take(lock);
    if (this.#isClosed && this.shell.viewing.isOpen) route.close();
    await Promise.all([this.shell.reload(), this.shell.refreshCollections()]);
  }

  async #submitted(event) {
    event.preventDefault();
    this.#unlock.disabled = true;
    this.#hint.hidden = true;
    try {
      const lock = await openLock(this.#input.value);
      this.#input.value = "";
      if (!this.#isHere) await closeLock();
      await this.#show(lock);
    } catch (error) {
      this.#hint.textContent = error.status === 401 ? words.hidden.wrong : reasonOf(error, words.general.notAnswering);
      this.#hint.hidden = false;
      this.#input.select();
    }
    this.#unlock.disabled = false;
  }

  /** @param {string} className */
  #buttons(className) {
    const button = (textContent, act) => {
      const made = make("button", { type: "button", className, textContent });
      made.addEventListener("click", () => act().catch((error) => showToast(reasonOf(error, words.general.notAnswering))));
      return made;
    };
    if (!this.#lock.isSet) return [button(words.hidden.lock, () => this.#setUp())];
    return [button(words.hidden.lockNow, () => this.#lockNow()), button(words.hidden.remove, () => this.#remove())];
  }

  async #setUp() {
    if (this.#lock.hasPassword) {
      await this.#show(await setLock(true));
      return showToast(words.hidden.isSet);
    }
    const { needsPassword: title, needsPasswordText: text } = words.hidden;
    if (await ask({ title, text, confirm: words.changing.openSessions })) location.href = "/sessions";
  }

  async #lockNow() {
    await closeLock();
    await this.#show(await fetchLock());
  }

  async #remove() {
    await this.#show(await setLock(false));
    showToast(words.hidden.isRemoved);
  }
}
