import { make } from "../helpers/dom.js";
import { nearbySearch } from "../helpers/place-search.js";
import { addressOf, placeOfCollection } from "../models/places.js";
import { words } from "../words.js";

/**
 * Shows below the head of a search what else may be meant: albums, kinds and places.
 * @param {typeof import("../shell.js").shell} shell
 */
export function showSuggestions(shell) {
  const bar = make("nav", { className: "suggestions", ariaLabel: words.search.suggestions });
  bar.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // A further search takes the place of this one, so that Escape returns to the view from before.
    shell.go(link.place, { replace: link.place.kind === "search" });
  });
  bar.addEventListener("keydown", (event) => {
    const links = [...bar.children];
    const place = links.indexOf(document.activeElement) + { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (links[place]) links[place].focus();
    else if (event.key === "ArrowUp") shell.dispatchEvent(new CustomEvent("search"));
    else if (event.key === "ArrowDown" && shell.grid.snapshot.total > 0) shell.grid.focusAsset(Math.max(0, shell.grid.firstVisible));
    else return;
    event.preventDefault();
  });
  for (const type of ["view", "snapshot"]) shell.addEventListener(type, show);
  show();

  async function show() {
    const { place, suggestions = [] } = shell.snapshot;
    if (place?.kind !== "search") return bar.remove();
    const links = suggestions.map(({ id, kind, title }) => link(placeOfCollection({ id, kind }), title));
    const nearby = await nearbySearch(place.query).catch(() => null);
    if (shell.snapshot.place !== place) return;
    if (nearby) links.push(link({ kind: "search", id: "search", query: nearby.query }, words.search.near(nearby.city)));
    bar.replaceChildren(...links);
    if (links.length === 0) bar.remove();
    else if (!bar.isConnected) shell.grid.header.below.append(bar);
  }
}

const link = (place, textContent) => make("a", { href: addressOf(place), textContent, place });
