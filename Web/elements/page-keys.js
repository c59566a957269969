/** @import { Organizing } from "./organizing.js" */
import { preferences } from "../helpers/preferences.js";
import { route } from "../helpers/route.js";
import { Ranges } from "../models/ranges.js";
import { selectionKey } from "./selection-keys.js";
import { focusToast, hideToast } from "./toasts.js";

/** The time in milliseconds within which a letter follows `g`. */
const goingTime = 1_500;
/** The places that the letters after `g` open. */
const places = {
  p: { kind: "photos", id: "userLibrary" },
  f: { kind: "smart", id: "favorites" },
  h: { kind: "smart", id: "allHidden" },
  d: { kind: "smart", id: "recentlyDeleted" },
};

/** The keys for larger and smaller pictures. */
const densities = { "+": -1, "=": -1, "-": 1 };

/** The keys that select and change. Keys of one letter act only alone, and never in fields. */
export class PageKeys {
  #goingSince = -Infinity;

  /** @param {Organizing} organizing */
  constructor(organizing) {
    this.organizing = organizing;
    this.grid = organizing.grid;
    // Before the grid's own keys, which move the focus without selecting.
    document.addEventListener("keydown", (event) => this.#pressed(event), true);
  }

  #pressed(event) {
    if (event.defaultPrevented || event.isComposing) return;
    if (isEditable(event.target) || document.querySelector("dialog[open], [popover]:popover-open")) return;
    // An open editor has its own keys.
    if (this.organizing.viewer.isEditing && event.key !== "F6") return;
    const act = this.#everywhere(event) ?? (this.organizing.viewed ? this.#inViewer(event) : this.#inGrid(event));
    if (!act || act() === false) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @returns {(() => unknown) | null | undefined} */
  #everywhere(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const { commands } = this.organizing;
    if (isCommand && !event.altKey && event.key.toLowerCase() === "z") return () => (event.shiftKey ? commands.redo() : commands.undo());
    if (isCommand && !event.altKey && event.key.toLowerCase() === "y") return () => commands.redo();
    if (isCommand && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "f") return () => this.#behindViewer("search");
    if (isCommand || event.altKey) return null;
    if (event.key === "F6") return () => focusToast() || this.organizing.requests.focusCard();
    if (!preferences.get("letterKeys", true)) return event.key === "?" ? () => this.#showKeys() : null;
    const going = event.timeStamp - this.#goingSince < goingTime;
    this.#goingSince = event.key === "g" ? event.timeStamp : -Infinity;
    if (going && event.key === "a") return () => this.#behindViewer("albums");
    if (going && places[event.key]) return () => this.organizing.shell.go(places[event.key]);
    if (event.key === "?") return () => this.#showKeys();
    if (event.key === "/") return () => this.#behindViewer("search");
    return null;
  }

  /**
   * Closes the viewer and goes to a part of the page.
   * @param {"search" | "albums"} part
   */
  #behindViewer(part) {
    const { shell, viewed } = this.organizing;
    const show = () => shell.dispatchEvent(new CustomEvent(part));
    if (!viewed) return show();
    shell.viewing.addEventListener("close", show, { once: true });
    route.close();
  }

  async #showKeys() {
    const { showKeys } = await import("./keys-sheet.js");
    showKeys(this.organizing.viewed !== null);
  }

  #inViewer(event) {
    if (this.organizing.viewer.isEditing) return null;
    const name = keyOf(event);
    return ["F", "H", "A", "E", "Delete", "Ctrl+Delete"].includes(name) ? () => this.organizing.runKey(name) : null;
  }

  #inGrid(event) {
    const { organizing, grid } = this;
    // If the address names an asset, the viewer is about to cover the grid.
    if (route.assetID !== null) return null;
    // A view without photos can be renamed too.
    if (event.key === "F2" && !event.target.closest("side-bar")) return () => organizing.renameShown();
    if (!grid.takesKeys) return null;
    if (event.target !== document.body && !grid.contains(event.target) && !event.target.closest("selection-bar, .toasts")) return null;
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") return () => this.#escape();
    if (event.altKey && event.key.startsWith("Arrow")) return () => this.#reorder(event.key);
    const select = selectionKey(event, grid, (step) => organizing.apply(step));
    if (select) return select;
    if (!isCommand && !event.altKey && densities[event.key] && preferences.get("letterKeys", true)) return () => grid.zoom(densities[event.key]);
    const name = keyOf(event);
    if (name === "D") return () => organizing.toggleFocusedDay();
    return name ? () => organizing.runKey(name) : null;
  }

  #escape() {
    const { organizing } = this;
    if (organizing.gestures.isActive) return organizing.gestures.cancel();
    if (organizing.panel.hide()) return true;
    if (organizing.selection.mode !== "idle") return organizing.apply({ type: "clear" });
    if (document.querySelector(".toast")) return hideToast();
    return false;
  }

  /** Moves the selected assets of an album by one place, or by one row. */
  #reorder(key) {
    const { organizing, grid } = this;
    const { present } = organizing;
    if (!organizing.canReorder || !present) return false;
    const { first } = present.places;
    // Beyond the first or the last row are the ends of the album.
    const rows = (count) => grid.layout.assetRowsAway(first, count) - first || count * grid.layout.columns;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: rows(-1), ArrowDown: rows(1) };
    const last = grid.snapshot.total - present.count;
    const index = Math.max(0, Math.min(first + steps[key], last));
    organizing.reorder(Ranges.joining(present.places.list), index);
  }
}

/** Returns the name of a key in the table of commands: "F", "Delete" or "Ctrl+Delete", or "". */
function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  if (altKey || shiftKey || (key.length === 1 && !preferences.get("letterKeys", true))) return "";
  const isCommand = ctrlKey || metaKey;
  if (key === "Delete" || key === "Backspace") return isCommand ? "Ctrl+Delete" : "Delete";
  return !isCommand && /^[a-z]$/i.test(key) ? key.toUpperCase() : "";
}

const isEditable = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));
