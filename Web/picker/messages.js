import { make } from "../helpers/dom.js";

/** Shows messages in place of the photos, and speaks to screen readers. */
export class Messages {
  #spoken;

  /**
   * @param {HTMLElement} element
   * @param {HTMLElement} spoken a status for people who can't see the page
   */
  constructor(element, spoken) {
    this.element = element;
    this.#spoken = spoken;
  }

  get isShown() {
    return this.element.childElementCount > 0;
  }

  /** Shows a paragraph, with elements below it, in place of the photos. @param {string} text */
  say(text, ...more) {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(make("p", { textContent: text }), ...more);
    if (hadFocus) this.element.focus();
  }

  /** Shows an error over the grid. @param {string} text */
  complain(text) {
    this.element.replaceChildren(make("p", { className: "trouble", textContent: text }));
  }

  /** Reads a text to people who can't see the page. @param {string} text */
  speak(text) {
    this.#spoken.textContent = text;
  }

  clear() {
    this.element.replaceChildren();
  }
}
