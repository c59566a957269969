import { make, symbol } from "../helpers/dom.js";
import { preferences } from "../helpers/preferences.js";
import { keyName } from "../models/commands.js";
import { words } from "../words.js";

const groups = {
  everywhere: ["?", "/", "G P", "G A", "G F", "G H", "G D", "Ctrl+Z", "Ctrl+Shift+Z", "F6", "Esc"],
  viewer: ["← →", "+ − 0 1", "← → ↑ ↓", "L", "F", "H", "A", "E", "I", "Delete", "Ctrl+Delete"],
  photos: ["← → ↑ ↓", "Home End", "Ctrl+Home Ctrl+End", "Page ↑ ↓", "Enter", "Space", "Shift+arrows", "Ctrl+A", "D", "+ −", "F", "H", "A", "E", "I", "Delete", "Ctrl+Delete", "Alt+arrows", "F2"],
  video: ["K", "J L", "Shift+← →", ", .", "0–9", "M", "< >", "Shift+F"],
  albums: ["Enter", "F2", "Alt+↑ ↓", "Delete"],
};

/**
 * Shows the keys of the view: those of the grid and the sidebar, or those of one photo.
 * @param {boolean} isInViewer
 */
export function showKeys(isInViewer) {
  const shown = ["everywhere", ...(isInViewer ? ["viewer", "video"] : ["photos", "albums"])];
  const close = make("button", { type: "button", className: "icon", ariaLabel: words.general.close, autofocus: true }, symbol("close"));
  const dialog = make("dialog", { className: "keys" }, make("header", {}, make("h2", { id: "keys-title", textContent: words.keys.title }), close));
  dialog.setAttribute("aria-labelledby", "keys-title");
  const columns = make("div", { className: "columns" });
  for (const group of shown) {
    const nameOf = (key) => words.keys.namesIn[group]?.[key] ?? words.keys.names[key];
    const rows = groups[group].flatMap((key) => [make("dt", {}, make("kbd", { textContent: keyName(key) })), make("dd", { textContent: nameOf(key) })]);
    columns.append(make("section", {}, make("h3", { textContent: words.keys[group] }), make("dl", {}, ...rows)));
  }
  const letters = make("input", { type: "checkbox", checked: preferences.get("letterKeys", true) });
  letters.addEventListener("change", () => preferences.set("letterKeys", letters.checked));
  dialog.append(columns, make("label", { className: "letters" }, letters, words.keys.letters));
  document.body.append(dialog);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "?") dialog.close();
  });
  dialog.showModal();
}
