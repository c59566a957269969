import { nameMonths } from "../elements/month-headings.js";
import "../elements/photo-grid.js";
import { assetsOf, fetchDays, fetchIndex } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { Library } from "../models/library.js";
import { follow } from "../models/locate.js";
import { filterOfBoth, kindsIn } from "../models/picker-filter.js";
import { Albums } from "./albums.js";
import { words } from "./words.js";

const everything = { id: "userLibrary", title: words.photos };

/**
 * The library in the window: the photos of a collection, the albums, and the search.
 *
 * Fires `change` when places in the grid may have other photos.
 */
export class Browsing extends EventTarget {
  #configuration;
  #grid;
  #albumList;
  #searchField;
  #tabs;
  /** @type {import("./messages.js").Messages} */
  #messages;
  #firstAsset;
  #albums;
  /** The collection that is shown, in which a search looks. */
  #collection = everything;
  #hasBegun = false;
  #hasEnded = false;
  #view = new Library((place) => this.#sourceOf(place));

  /**
   * @param {object} options
   * @param {import("../models/picker-configuration.js").Configuration} options.configuration
   * @param {ReturnType<typeof import("./elements.js").elementsIn>} options.elements
   * @param {import("./messages.js").Messages} options.messages
   * @param {() => string | undefined} options.firstAsset returns the asset at which the grid
   *   begins, by default the newest one
   */
  constructor({ configuration, elements, messages, firstAsset }) {
    super();
    this.#configuration = configuration;
    this.#messages = messages;
    this.#firstAsset = firstAsset;
    const { albumList, grid, searchField, tabs } = elements;
    [this.#albumList, this.#grid, this.#searchField, this.#tabs] = [albumList, grid, searchField, tabs];
    nameMonths(grid);
    const { disabled } = configuration;
    searchField.placeholder = words.search;
    searchField.ariaLabel = words.search;
    searchField.hidden = disabled.has("search");
    searchField.value = configuration.searchText;
    searchField.addEventListener("input", () => this.#searchChanged());
    tabs.hidden = disabled.has("collectionNavigation");
    tabs.replaceChildren(...["photos", "albums"].map((name) => make("button", {
      type: "button", textContent: words[name], tabIndex: name === "photos" ? 0 : -1,
      attributes: { role: "tab", "aria-selected": String(name === "photos"), "aria-controls": (name === "photos" ? grid : albumList).id, "data-tab": name },
    })));
    tabs.addEventListener("click", ({ target }) => target.dataset.tab && this.#showTab(target.dataset.tab));
    tabs.addEventListener("keydown", (event) => this.#moveAmongTabs(event));
    this.#albums = new Albums(albumList, this.#filter, (collection) => this.#showPhotos(collection));
  }

  /** Shows the library for the first time. */
  begin() {
    this.#view.addEventListener("snapshot", () => this.#snapshotCame());
    this.#view.addEventListener("state", () => this.#stateChanged());
    this.#showPhotos();
  }

  /** Shows no changes of the library from now on. */
  end() {
    this.#hasEnded = true;
  }

  get hasPhotos() {
    return !this.#grid.hidden && (this.#view.snapshot?.total ?? 0) > 0;
  }

  /** Returns the function that fetches the assets that are shown. */
  fetchAssets() {
    return this.#sourceOf({ id: this.#collection.id, query: this.#query }).fetchAssets;
  }

  /** Asks the server soon what the library has now. */
  refresh() {
    this.#view.askSoon();
  }

  /** @param {string} text */
  search(text) {
    this.#searchField.value = text;
    this.#searchChanged();
  }

  /** Ends the search. Returns whether there was one. */
  endSearch() {
    if (this.#searchField.value === "") return false;
    this.search("");
    return true;
  }

  get #filter() {
    const { predicate } = this.#configuration;
    return predicate === null ? {} : { where: predicate };
  }

  /** Returns the filter of a search. `near` and the name of a city find a place. */
  async #filterWith(query) {
    const near = /\bnear\s/i.test(query) ? await import("../helpers/place-search.js").then(({ readPlace }) => readPlace(query)) : null;
    return filterOfBoth(this.#filter, near?.filter ?? (query === "" ? {} : { q: query }));
  }

  #sourceOf({ id, query }) {
    const filter = this.#filterWith(query);
    filter.catch(() => {}); // each request says it
    return {
      fetchDays: async () => fetchDays(id, "newest", await filter),
      fetchAssets: async (offset, limit, signal) => assetsOf(id, "newest", await filter)(offset, limit, signal),
      indexOf: async ({ id: asset }) => fetchIndex(id, "newest", asset, await filter),
    };
  }

  #searchChanged() {
    if (this.#albumList.hidden) this.#showPhotos();
    else this.#showTab("photos");
  }

  get #query() {
    return this.#searchField.value.trim();
  }

  #showPhotos(collection = this.#collection) {
    this.#collection = collection;
    this.#albumList.hidden = true;
    this.#grid.header.title = collection.title;
    this.dispatchEvent(new Event("change"));
    this.#view.show({ kind: "photos", id: collection.id, query: this.#query }, "newest");
  }

  async #snapshotCame() {
    const { snapshot } = this.#view;
    if (this.#hasEnded || !this.#albumList.hidden) return;
    const before = this.#grid.snapshot;
    const isSame = before.place === snapshot.place && before.total > 0 && snapshot.total > 0;
    if (isSame && (await this.#change(before, snapshot).then(() => true, () => false))) return;
    if (snapshot !== this.#view.snapshot) return;
    // The same photos have failed again. What is shown stays where it is.
    if (isSame && snapshot.revision === before.revision) return this.#view.retry();
    this.dispatchEvent(new Event("change"));
    this.#messages.clear();
    this.#grid.hidden = false;
    this.#grid.show(snapshot);
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.goToBeginning();
    }
    if (snapshot.total === 0) this.#sayThatNothingIsThere();
  }

  /**
   * Shows the changed view. The visible photos keep their places, unless the grid is at its top.
   * @param {import("../models/library.js").Snapshot} before
   * @param {import("../models/library.js").Snapshot} after
   */
  async #change(before, after) {
    const first = this.#grid.anchorIndex;
    const anchor = this.#grid.y === 0 ? null : { before: first, after: (await follow(first, before, after)).index };
    const place = anchor?.after ?? 0;
    await after.pages.loadRange({ first: Math.max(0, place - 30), end: Math.min(place + 60, after.total) });
    if (after !== this.#view.snapshot || this.#hasEnded || !this.#albumList.hidden) return;
    before.pages.close();
    this.dispatchEvent(new Event("change"));
    this.#grid.change(after, anchor);
    // The same revision comes again after a failure.
    if (after.revision === before.revision) this.#grid.retry();
  }

  #stateChanged() {
    const { state, snapshot } = this.#view;
    if (this.#hasEnded || !this.#albumList.hidden) return;
    if (state === "unreachable" || state === "refused") this.#messages.complain(words.unreachable);
    if (state === "signedOut") this.#messages.complain(words.signIn);
    if (state === "missing") {
      this.#grid.hidden = true;
      this.#messages.say(words.albumGone);
    }
    if (state !== "ready") return;
    this.#messages.clear();
    this.#grid.retry();
    if (snapshot?.total === 0) this.#sayThatNothingIsThere();
  }

  /** Goes to the asset at which the grid begins. */
  async goToBeginning() {
    const { snapshot } = this.#view;
    const id = this.#firstAsset();
    const index = id && snapshot ? await snapshot.indexOf({ id }) : -1;
    if (snapshot !== this.#view.snapshot) return;
    if (index >= 0) this.#grid.reveal(index);
    else this.#grid.goTo(0);
  }

  async #showTab(name) {
    for (const tab of this.#tabs.children) {
      const isSelected = tab.dataset.tab === name;
      [tab.ariaSelected, tab.tabIndex] = [String(isSelected), isSelected ? 0 : -1];
    }
    if (name === "photos") return this.#showPhotos(everything);
    this.#grid.hidden = true;
    this.#messages.clear();
    this.#albumList.hidden = false;
    await this.#albums.show().catch(() => this.#messages.complain(words.unreachable));
    if (!this.#albumList.hidden && this.#albumList.querySelector("button") === null && !this.#messages.isShown) this.#sayThatNothingIsThere();
  }

  /** Selects the tab that an arrow key reaches, as in other tab lists. */
  #moveAmongTabs(event) {
    const all = [...this.#tabs.children];
    const place = all.indexOf(event.target);
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined || place < 0) return;
    event.preventDefault();
    const tab = all.at(next % all.length);
    tab.focus();
    this.#showTab(tab.dataset.tab);
  }

  #sayThatNothingIsThere() {
    const kinds = kindsIn(this.#configuration.filter);
    const isSearching = this.#albumList.hidden && this.#query !== "";
    this.#messages.say(isSearching ? words.nothingFound(this.#query, kinds) : words.empty(kinds));
  }
}
