import { make } from "../helpers/dom.js";
import "./search-box.js";

/**
 * Adds the search to the sidebar, and what else may be meant below the head of a search.
 * @param {typeof import("../shell.js").shell} shell
 */
export function addSearch(shell) {
  document.querySelector("side-bar .search-slot").append(Object.assign(make("search-box"), { shell }));
  loadSuggestions(shell);
}

/** Loads what shows suggestions. If the server does not answer, loads it with a later view. */
const loadSuggestions = (shell) =>
  import("./search-suggestions.js").then(
    ({ showSuggestions }) => showSuggestions(shell),
    () => shell.addEventListener("view", () => loadSuggestions(shell), { once: true }),
  );
