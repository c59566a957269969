import { permission } from "../access-words.js";
import { make } from "../helpers/dom.js";
import { Picking } from "../models/picking.js";
import { configurationOf } from "../models/picker-configuration.js";
import { Browsing } from "../picker/browsing.js";
import { Choosing } from "../picker/choosing.js";
import { elementsIn } from "../picker/elements.js";
import { cellsOf } from "../picker/identifiers.js";
import { Messages } from "../picker/messages.js";
import { words } from "../words.js";

/**
 * Ends when the style of the picker's page is there; null before the first dialog.
 * @type {Promise<void> | null}
 */
let style = null;

/** The largest number of chosen photos with which the tray opens by itself. */
const trayLimit = 200;

/**
 * Shows the picker in a dialog. The owner selects photos for an album, or those that a program may
 * see. The dialog has the whole library, the albums and the search. What is chosen stays
 * chosen in all of them.
 * @param {{title: string, chosen?: string[], confirm?: string, isNeeded?: boolean, hint?: string,
 *   signal?: AbortSignal}} options `chosen` are selected at the beginning, `isNeeded` asks for at
 *   least one, `hint` is shown while none is chosen, and `signal` cancels
 * @returns {Promise<string[] | null>} identifiers, or null if it was canceled
 */
export async function choosePhotos({ title, chosen = [], confirm = words.general.done, isNeeded = false, hint = "", signal }) {
  style ??= loadStyle();
  await style;
  if (signal?.aborted) return null;
  const spoken = make("p", { className: "spoken", attributes: { role: "status" } });
  const text = make("section", { className: "message", tabIndex: -1 });
  const note = make("p", { className: "hint", textContent: hint });
  const dialog = dialogWith(title, note, spoken, text);
  const elements = elementsIn(dialog);
  const { grid, cancelButton, addButton } = elements;
  const messages = new Messages(text, spoken);
  const configuration = configurationOf({ selectionLimit: 0 });
  const ending = new AbortController();
  const browsing = new Browsing({ configuration, elements, messages, firstAsset: () => undefined });
  const choosing = new Choosing({
    configuration, elements, messages, browsing, isOpen: () => dialog.open,
    labelOf: () => confirm, mayBeEmpty: !isNeeded, target: dialog, signal: ending.signal,
  });
  const tell = () => {
    messages.speak(permission.pickerHint(choosing.picking.count));
    note.hidden = hint === "" || choosing.picking.count > 0;
  };
  choosing.addEventListener("choice", tell);
  // Keys act in the dialog alone. Escape ends a gesture or a search before it ends the dialog.
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape" && (choosing.cancelGesture() || browsing.endSearch())) event.preventDefault();
  });
  document.body.append(dialog);
  dialog.showModal();
  grid.label = title;
  choosing.picking = new Picking(chosen, 0);
  tell();
  // The grid focuses its first photo as soon as it has one.
  grid.focus({ preventScroll: true });
  browsing.begin();
  // Hidden photos have no cell, but stay chosen.
  if (chosen.length > 0) cellsOf(chosen).then((cells) => choosing.know(cells, { isShown: cells.length <= trayLimit })).catch(() => {});
  signal?.addEventListener("abort", () => dialog.close(), { signal: ending.signal });

  return new Promise((resolve) => {
    let answer = null;
    cancelButton.addEventListener("click", () => dialog.close());
    addButton.addEventListener("click", async () => {
      const ids = await choosing.settled();
      // The dialog says what could not be loaded.
      if (ids === null) return;
      answer = ids;
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      browsing.end();
      ending.abort();
      dialog.remove();
      resolve(answer);
    });
  });
}

function dialogWith(title, note, spoken, text) {
  const button = (className, textContent = "") => make("button", { type: "button", className, textContent });
  const grid = make("photo-grid", { id: "chooser-photos", tabIndex: -1 });
  const albums = make("ul", { id: "chooser-albums", className: "albums", hidden: true });
  const bar = make("header", { className: "picker-bar" },
    button("cancel button", words.general.cancel), make("nav", { className: "tabs", attributes: { role: "tablist" } }),
    make("input", { type: "search", className: "search", autocomplete: "off", spellcheck: false }), button("count"), button("add button primary"));
  return make("dialog", { className: "picker chooser", attributes: { "aria-labelledby": "chooser-title" } },
    spoken, make("h2", { id: "chooser-title", textContent: title }), note, bar,
    make("div", { className: "choosing" }, grid, albums, text), make("ol", { className: "tray", hidden: true }));
}

function loadStyle() {
  const link = make("link", { rel: "stylesheet", href: "/picker/picker.css" });
  return new Promise((resolve) => {
    link.addEventListener("load", () => resolve());
    // Without its style, the dialog can still be used. The next one tries again.
    link.addEventListener("error", () => {
      link.remove();
      style = null;
      resolve();
    });
    document.head.append(link);
  });
}
