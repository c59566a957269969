import { make } from "../helpers/dom.js";
import "./search-box.js";

/**
 * Adds the search field to the sidebar, and suggestions below the title of a search.
 * @param {typeof import("../shell.js").shell} shell
 */
export function addSearch(shell) {
  document.querySelector("side-bar .search-slot").append(Object.assign(make("search-box"), { shell }));
  loadSuggestions(shell);
}

/** Loads the script that shows suggestions. If that fails, the next view tries again. */
const loadSuggestions = (shell) =>
  import("./search-suggestions.js").then(
    ({ showSuggestions }) => showSuggestions(shell),
    () => shell.addEventListener("view", () => loadSuggestions(shell), { once: true }),
  );
