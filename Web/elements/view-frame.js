/** @import { PhotoGrid } from "./photo-grid.js" */
/** @import { SideBar } from "./side-bar.js" */
import { preferences } from "../helpers/preferences.js";
import { addressOf, everything, isPage, ordersOf } from "../models/places.js";
import { words } from "../words.js";

const phone = matchMedia("(max-width: 799px)");
/** The time in milliseconds until a page that did not come is loaded again. */
const retry = 2_000;
/** Pages of their own, which are loaded when they are first shown. */
const pages = {
  history: () => import("./history-page.js"),
  access: () => import("./access-page.js"),
};

function mark(element, isCurrent) {
  if (isCurrent) element.setAttribute("aria-current", "page");
  else element.removeAttribute("aria-current");
}

/** The parts around the grid: its header, the sidebar, and on a phone the bar at the bottom. */
export class ViewFrame {
  /** @type {import("./folder-cards.js").FolderCards | null} */
  #cards = null;
  #page = null;
  /** Whether a phone shows the field for a search, without the rest of the sidebar. */
  isSearching = false;

  /**
   * @param {typeof import("../shell.js").shell} shell
   * @param {PhotoGrid} grid
   * @param {SideBar} sidebar
   * @param {HTMLElement} bar
   */
  constructor(shell, grid, sidebar, bar) {
    this.shell = shell;
    this.grid = grid;
    this.sidebar = sidebar;
    this.bar = bar;
    this.toggle = document.querySelector(".sidebar-toggle");
    this.toggle.ariaLabel = this.toggle.title = words.sidebar.toggle;
    this.#setOpen(!phone.matches && preferences.get("sidebarIsOpen", true));
    phone.addEventListener("change", () => this.#setOpen(!phone.matches && preferences.get("sidebarIsOpen", true)));
    this.#listen();
    this.#labelBar();
  }

  #listen() {
    const { shell, grid, sidebar } = this;
    grid.header.addEventListener("order", ({ detail }) => shell.sort(detail));
    this.toggle.addEventListener("click", () => this.#toggle());
    sidebar.addEventListener("close", () => this.#toggle());
    sidebar.addEventListener("open", ({ detail }) => this.#open(detail));
    sidebar.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !phone.matches || event.defaultPrevented) return;
      this.#toggle();
      event.stopPropagation();
    });
    // After a click on a row, keys act on the photos, and not on the row.
    sidebar.addEventListener("click", ({ target, detail }) => {
      if (detail > 0 && target.closest("[role=treeitem]") === document.activeElement) document.activeElement.blur();
    });
    shell.addEventListener("albums", () => this.#showAlbums());
    // Before the search box puts the focus in its field.
    shell.addEventListener("search", () => this.#showSearch());
    shell.addEventListener("place", () => this.#placed());
    shell.addEventListener("view", () => this.#describe());
    shell.addEventListener("snapshot", () => this.#describe());
    shell.addEventListener("collections", () => this.#collected());
    shell.addEventListener("library", () => {
      sidebar.libraryName = shell.library.name;
      this.#describe();
    });
  }

  #labelBar() {
    this.bar.ariaLabel = words.bar.label;
    for (const button of this.bar.children) button.querySelector("span").textContent = words.bar[button.dataset.view];
    this.bar.addEventListener("click", (event) => {
      const view = event.target.closest("button")?.dataset.view;
      if (view === "albums") this.#toggle();
      else if (view === "photos") this.#open(everything);
      else if (view === "search") this.shell.dispatchEvent(new CustomEvent("search"));
    });
  }

  #open(place) {
    this.isSearching = false;
    if (phone.matches) this.#setOpen(false);
    this.shell.go(place);
  }

  /** Shows the field for a search: on a phone above its results, else in the sidebar. */
  #showSearch() {
    if (!phone.matches) return this.isOpen || this.#toggle();
    this.isSearching = true;
    this.#setOpen(false);
  }

  #showAlbums() {
    if (!this.isOpen) this.#toggle();
    this.sidebar.focusAlbums();
  }

  #toggle() {
    const isOpen = !this.isOpen;
    if (!phone.matches) preferences.set("sidebarIsOpen", isOpen);
    this.#setOpen(isOpen);
    if (isOpen) this.sidebar.focusActive();
    else if (phone.matches) this.bar.querySelector("[data-view=albums]").focus();
    else this.toggle.focus();
  }

  #setOpen(isOpen) {
    this.isOpen = isOpen;
    if (isOpen || !phone.matches) this.isSearching = false;
    document.body.classList.toggle("with-sidebar", isOpen);
    document.body.classList.toggle("with-search", this.isSearching);
    this.sidebar.isClosed = !isOpen && !this.isSearching;
    this.sidebar.inert = this.sidebar.isClosed || Boolean(this.shell.viewing?.isOpen);
    this.toggle.hidden = isOpen || phone.matches;
    this.#markBar();
  }

  /** Marks what the bar at the bottom of a phone, or a link of the sidebar, has opened. */
  #markBar() {
    const { place } = this.shell;
    const shown = !place || isPage(place) ? null : place.kind === "photos" || place.kind === "search" ? place.kind : "albums";
    const current = this.isSearching ? "search" : this.isOpen ? "albums" : shown;
    for (const button of this.bar.children) mark(button, button.dataset.view === current);
    for (const link of this.sidebar.querySelectorAll(".sidebar-links a")) mark(link, place && link.pathname === addressOf(place));
  }

  #placed() {
    const { place } = this.shell;
    this.sidebar.mark(place.id);
    this.isSearching = phone.matches && place.kind === "search";
    this.#setOpen(this.isOpen && !this.isSearching);
    this.#showPage(place);
    this.#describe();
  }

  async #showPage(place) {
    this.#page?.remove();
    this.#page = null;
    const main = this.grid.parentElement;
    main.classList.toggle("with-page", isPage(place));
    if (!isPage(place)) return;
    const isLoaded = await pages[place.kind]().then(() => true, () => false);
    if (this.shell.place !== place) return;
    if (!isLoaded) return void setTimeout(() => this.shell.place === place && this.#showPage(place), retry);
    this.#page = Object.assign(document.createElement(`${place.kind}-page`), { shell: this.shell });
    main.append(this.#page);
  }

  #collected() {
    this.sidebar.show(this.shell.collections);
    this.#describe();
  }

  /** Writes the header once the grid shows the wanted place. */
  #describe() {
    const { shell, grid } = this;
    const { place, collection, order } = shell;
    document.title = [this.#title(), shell.library?.name].filter(Boolean).join(" – ");
    if (isPage(place) || (grid.snapshot.pages && grid.snapshot.place !== place)) return;
    const { header } = grid;
    header.title = this.#title();
    header.summary = grid.snapshot.pages || collection ? this.#summary() : "";
    header.showOrders(grid.snapshot.total > 1 ? ordersOf(place) : [], order);
    grid.label = this.#title();
    if (place.kind !== "folder") this.#cards?.element.remove();
    else if (this.#cards) this.#showCards(place);
    else this.#loadCards();
  }

  #showCards({ id }) {
    this.#cards.show(this.shell.collections, id);
    if (!this.#cards.element.parentNode) this.grid.header.below.append(this.#cards.element);
  }

  /** Loads the cards when the first folder is shown. */
  async #loadCards() {
    const { shell } = this;
    const { FolderCards } = await import("./folder-cards.js");
    if (!this.#cards) {
      this.#cards = new FolderCards();
      this.#cards.addEventListener("open", ({ detail }) => shell.go(detail));
      this.#cards.addEventListener("photos", () => shell.reload());
    }
    this.#describe();
  }

  #title() {
    const { place, collection } = this.shell;
    if (place.kind === "photos") return words.view.allPhotos;
    if (place.kind === "search") return words.view.search(place.query);
    if (isPage(place)) return words.view[place.kind];
    return collection?.title ?? "";
  }

  #summary() {
    const { place, collection } = this.shell;
    if (collection?.isLocked) return "";
    const { days, total, understood = [] } = this.grid.snapshot;
    const count = place.kind === "folder" && collection ? collection.count : total;
    const dates = [days[0]?.[0] ?? collection?.startDate, days.at(-1)?.[0] ?? collection?.endDate];
    const years = dates.map((date) => date?.slice(0, 4)).filter(Boolean).sort();
    return [...new Set([this.#counted(count), [...new Set(years)].join("–"), ...understood])].filter(Boolean).join(" · ");
  }

  /** "37 photos, 12 videos", or the number of items while the kinds are not known. */
  #counted(count) {
    const { collection } = this.shell;
    if (!collection || collection.count !== count) return words.items(count);
    const { imageCount, videoCount } = collection;
    if (imageCount + videoCount !== count || count === 0) return words.items(count);
    return [imageCount > 0 && words.photos(imageCount), videoCount > 0 && words.videos(videoCount)].filter(Boolean).join(", ");
  }
}
