import { make, symbol } from "../helpers/dom.js";
import { words } from "../words.js";

/**
 * The field that searches as it is typed in. Its results are a view like any other. Escape returns
 * to the view from before. The arrow down goes to the suggestions, or to the results.
 */
export class SearchBox extends HTMLElement {
  #input = make("input", {
    type: "search", placeholder: words.search.placeholder, autocomplete: "off", spellcheck: false, enterKeyHint: "search",
    attributes: { "aria-label": words.search.label, "aria-keyshortcuts": "/" },
  });
  #spoken = make("span", { className: "spoken", attributes: { role: "status" } });
  /** @type {EventTarget & object} */
  shell;

  connectedCallback() {
    this.setAttribute("role", "search");
    this.append(make("label", {}, symbol("search"), this.#input), this.#spoken);
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("keydown", (event) => this.#pressed(event));
    this.shell.addEventListener("place", () => this.#placeChanged());
    this.shell.addEventListener("search", () => this.focus());
    for (const type of ["view", "snapshot"]) this.shell.addEventListener(type, () => this.#tell());
    this.#placeChanged();
  }

  focus() {
    this.#input.focus();
    this.#input.select();
  }

  #typed() {
    const query = this.#input.value.trim();
    if (query === "") this.#leave();
    else this.#search(query);
  }

  async #search(query) {
    const { place } = this.shell;
    await this.shell.go({ kind: "search", id: "search", query }, { replace: place.kind === "search" });
  }

  #leave() {
    this.#input.value = "";
    if (this.shell.place.kind !== "search") return;
    if (this.shell.kept("hasViewBehind")) history.back();
    else this.shell.go({ kind: "photos", id: "userLibrary" });
  }

  #pressed(event) {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.#leave();
      this.#input.blur();
      this.#focusGrid();
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      const { grid, place } = this.shell;
      const suggestion = place.kind === "search" ? document.querySelector(".suggestions a") : null;
      const isFound = grid.snapshot.total > 0 || grid.snapshot.place !== place;
      if (suggestion && event.key === "ArrowDown") suggestion.focus();
      else if (isFound) this.#focusGrid();
      // If nothing was found, the person goes on typing, or takes what else may be meant.
      else suggestion?.click();
    } else return;
    event.preventDefault();
  }

  /** Focuses the first visible asset, or an empty grid: its next view focuses its first one. */
  #focusGrid() {
    const { grid } = this.shell;
    if (grid.snapshot.total > 0) grid.focusAsset(Math.max(0, grid.firstVisible));
    else grid.focus({ preventScroll: true });
  }

  /** Tells a screen reader how many were found. The page itself says that nothing was. */
  #tell() {
    const { place, snapshot } = this.shell;
    const isFound = place.kind === "search" && snapshot.place === place && snapshot.total > 0;
    this.#spoken.textContent = isFound ? words.search.found(snapshot.total) : "";
  }

  #placeChanged() {
    const { place } = this.shell;
    const query = place.kind === "search" ? (place.query ?? "") : "";
    // Words that are being typed keep their spaces.
    if (this.#input.value.trim() !== query) this.#input.value = query;
  }
}

customElements.define("search-box", SearchBox);
