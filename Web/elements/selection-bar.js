import { make, symbol } from "../helpers/dom.js";
import { commandsFor, keyName } from "../models/commands.js";
import { words } from "../words.js";

const symbols = {
  favorite: "heart-line", unfavorite: "heart", addTo: "add-to", hide: "hidden", unhide: "show", removeFrom: "remove",
  deleteFromLibrary: "trash", deleteForGood: "trash", restore: "restore", information: "info", download: "download",
};
const inBar = ["favorite", "unfavorite", "addTo", "hide", "unhide", "information", "download", "restore", "removeFrom", "deleteFromLibrary", "deleteForGood"];

/**
 * The number of selected assets and what can be done with them. Fires `command`, `all` and `clear`.
 */
export class SelectionBar extends HTMLElement {
  #count = make("strong");
  #all = make("button", { type: "button", className: "all", textContent: words.selection.all });
  #actions = make("div", { className: "actions", attributes: { role: "toolbar", "aria-label": words.selection.actions } });
  #spoken = make("span", { className: "spoken", attributes: { role: "status" } });
  /** The text to speak when the timer ends. */
  #wanted = "";
  #timer;
  #shown = "";

  connectedCallback() {
    const clear = iconButton("close", words.selection.clear, "Escape");
    clear.classList.add("clear");
    clear.addEventListener("click", () => this.dispatchEvent(new Event("clear")));
    this.#all.addEventListener("click", () => this.dispatchEvent(new Event("all")));
    this.append(clear, this.#count, this.#all, this.#actions, this.#spoken);
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", words.selection.actions);
    this.hidden = true;
  }

  /**
   * @param {import("../models/selection.js").Selection} selection
   * @param {object | null} collection
   * @param {boolean} isFavorite
   * @param {number} total the number of assets in the view
   */
  show(selection, collection, isFavorite, total) {
    const count = selection.chosen.size;
    this.hidden = count === 0 && !selection.isSelectMode;
    document.documentElement.classList.toggle("is-selecting", !this.hidden);
    this.#speak(count);
    if (this.hidden) return;
    this.#all.hidden = count >= total;
    this.#count.textContent = count === 0 ? words.selection.none : words.selection.count(count);
    const commands = commandsFor({ collection, count: Math.max(1, count), isFavorite }).filter(({ name }) => inBar.includes(name));
    const state = `${count === 0} ${collection?.id} ${commands.map(({ name }) => name)}`;
    if (state === this.#shown) return;
    this.#shown = state;
    this.#actions.replaceChildren(...commands.map((command) => this.#button(command, collection, count === 0)));
  }

  #button({ name, key, isDangerous }, collection, isDisabled) {
    const label = name === "removeFrom" ? words.commands.removeFrom(collection.title) : words.commands[name];
    const button = iconButton(symbols[name], label, key);
    button.disabled = isDisabled;
    // Restore looks like Back, and Delete for good like Delete, so both show their names.
    if (collection?.id === "recentlyDeleted") {
      button.classList.add("named");
      button.append(make("span", { textContent: label }));
    }
    button.dataset.command = name;
    button.classList.toggle("dangerous", isDangerous ?? false);
    if (name === "favorite" || name === "unfavorite") button.setAttribute("aria-pressed", String(name === "unfavorite"));
    button.addEventListener("click", () => this.dispatchEvent(new CustomEvent("command", { detail: { name, button } })));
    return button;
  }

  /** Tells a screen reader the number, at most once a second. */
  #speak(count) {
    const text = count === 0 ? "" : words.selection.count(count);
    this.#wanted = text;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#spoken.textContent !== this.#wanted) this.#spoken.textContent = this.#wanted;
    }, 1_000);
  }
}

/**
 * A round button with a symbol.
 * @param {string} symbolName
 * @param {string} label
 * @param {string} [key]
 */
export function iconButton(symbolName, label, key) {
  const title = key ? `${label} (${keyName(key)})` : label;
  const attributes = { "aria-label": label, ...(key && { "aria-keyshortcuts": key.replace("Ctrl", "Control") }) };
  return make("button", { type: "button", className: "icon", title, attributes }, symbol(symbolName));
}

/** A button that leads from a page to all photos. @param {{go: (place: object) => void}} shell */
export function backButton(shell) {
  const button = iconButton("back", words.general.back);
  button.classList.add("leave");
  button.addEventListener("click", () => shell.go({ kind: "photos", id: "userLibrary" }));
  return button;
}

customElements.define("selection-bar", SelectionBar);
