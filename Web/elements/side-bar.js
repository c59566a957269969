/** @import { Row } from "../models/collections.js" */
import { make, symbol } from "../helpers/dom.js";
import { preferences } from "../helpers/preferences.js";
import { viewedAs } from "../helpers/view-as.js";
import { albumGroup, CollectionList, draftRow, emptyAction, fold, sidebarRows, smartGroup } from "../models/collections.js";
import { addressOf, everything, placeOf, placeOfCollection } from "../models/places.js";
import { words } from "../words.js";
import { showCover } from "./collection-cover.js";

/** The number of rows that are made above and below the visible ones. */
const margin = 6;
/** The number of albums from which on a field filters them. */
const many = 15;
/** The time in milliseconds between two letters of one name that is typed. */
const typingPause = 800;
const groups = new Set([smartGroup, albumGroup]);
/** On a phone the albums come first, since not all groups fit. */
const phone = matchMedia("(max-width: 799px)");

/**
 * The library's collections: all photos, the smart albums, and the tree of albums and folders. Only
 * the rows near the window have elements, and a row keeps its element while it changes.
 *
 * Fires `open` with a place as `detail`.
 */
export class SideBar extends HTMLElement {
  #filter = make("input", {
    type: "search", className: "filter", placeholder: words.sidebar.filter, ariaLabel: words.sidebar.filter, hidden: true,
  });
  #content = make("div", { className: "rows" });
  #tree = make(
    "div", { className: "tree", attributes: { role: "tree", "aria-label": words.sidebar.label } }, this.#content);
  #list = new CollectionList();
  /** @type {Row[]} */
  #rows = [];
  /** @type {Map<string, HTMLElement>} */
  #elements = new Map();
  #collapsed = new Set(preferences.get("sidebarCollapsed", []));
  #expanded = new Set(preferences.get("sidebarExpanded", []));
  /** The album or folder that gets its title. */
  #draft = null;
  #showsEmpty = preferences.get("sidebarShowsEmpty", false);
  #current = everything.id;
  #active = everything.id;
  #rowHeight = 0;
  #typed = { text: "", time: 0 };
  /** Whether the window shows nothing of the sidebar, whatever covers it. */
  isClosed = false;
  /** Functions that are called with an element and its row when the element shows the row. */
  decorators = new Set();

  connectedCallback() {
    const close = make(
      "button", { type: "button", className: "close-sidebar", ariaLabel: words.sidebar.close, title: words.sidebar.close },
      symbol("sidebar"));
    close.addEventListener("click", () => this.dispatchEvent(new Event("close")));
    const name = make("h2", { className: "library-name" });
    const head = make("div", { className: "head" }, name, close);
    const pages = [["/history", words.view.history], ["/access", words.view.access], ["/sessions", words.view.sessions]];
    const links = pages.map(([href, textContent]) => make("a", { href, textContent }));
    const foot = make("nav", { className: "sidebar-links", ariaLabel: words.sidebar.more }, ...links);
    foot.addEventListener("click", (event) => this.#clickedLink(event));
    this.append(head, make("div", { className: "search-slot" }), this.#filter, this.#tree, foot);
    this.#filter.addEventListener("input", () => this.#arrange());
    this.#filter.addEventListener("keydown", (event) => this.#pressedInFilter(event));
    this.#tree.addEventListener("scroll", () => this.#render(), { passive: true });
    this.#tree.addEventListener("click", (event) => this.#clicked(event));
    this.#tree.addEventListener("auxclick", (event) => event.button === 1 && this.#openElsewhere(event));
    this.#tree.addEventListener("keydown", (event) => this.#pressed(event));
    this.#tree.addEventListener("focusin", (event) => this.#activate(this.#rowAt(event.target)?.id));
    phone.addEventListener("change", () => this.#arrange());
    new ResizeObserver(() => this.#resized()).observe(this.#tree);
  }

  /** @param {string} name */
  set libraryName(name) {
    this.querySelector(".library-name").textContent = name;
  }

  /** @param {CollectionList} list */
  show(list) {
    const isFound = !this.#list.at(this.#current) && Boolean(list.at(this.#current));
    this.#list = list;
    this.#filter.hidden = list.albumCount < many && this.#filter.value === "";
    if (isFound) this.#showCurrent();
    else this.#arrange();
  }

  /**
   * Marks the collection that the page shows, and opens the folders around it.
   * @param {string} id
   */
  mark(id) {
    if (id === this.#current) return;
    this.#current = id;
    this.#showCurrent();
  }

  #showCurrent() {
    this.#active = this.#current;
    for (const { id } of this.#list.parentsOf(this.#current)) this.#expanded.add(id);
    this.#arrange();
    this.reveal(this.#current);
  }

  /** Expands a folder. @param {string} id */
  expand(id) {
    this.#setExpanded(id, true);
  }

  /**
   * Adds a row for an album or folder that gets its title, and returns the row's element.
   * @param {{kind: "album" | "folder", parent: string | null}} draft
   */
  addDraft(draft) {
    this.#draft = draft;
    this.#filter.value = "";
    this.#collapsed.delete(albumGroup);
    if (draft.parent) this.#expanded.add(draft.parent);
    this.#active = draftRow;
    this.#arrange();
    this.reveal(draftRow);
    const element = this.#elements.get(draftRow);
    element.querySelector(".cover").replaceChildren(symbol(draft.kind));
    return element;
  }

  removeDraft() {
    this.#draft = null;
    if (this.#active === draftRow) this.#active = this.#current;
    this.#arrange();
  }

  /** Puts the focus on the row that Tab reaches. */
  focusActive() {
    this.#focus(this.#rows.find(({ id }) => id === this.#active));
  }

  /** Puts the focus on the heading of the albums, beside which albums are made. */
  focusAlbums() {
    this.#focus(this.#rows.find(({ id }) => id === albumGroup));
  }

  /** Returns the element of a collection's row, if it is near the window. @param {string} id */
  rowOf(id) {
    return this.#elements.get(id);
  }

  /** Scrolls as little as needed to show a row. @param {string} id */
  reveal(id) {
    const index = this.#rows.findIndex((row) => row.id === id);
    const height = this.#rowHeight;
    if (index < 0 || height === 0) return;
    const { scrollTop, clientHeight } = this.#tree;
    if (index * height < scrollTop) this.#tree.scrollTop = index * height;
    else if ((index + 1) * height > scrollTop + clientHeight) this.#tree.scrollTop = (index + 1) * height - clientHeight;
    this.#render();
  }

  #resized() {
    const isFirst = this.#rowHeight === 0;
    this.#rowHeight = parseFloat(getComputedStyle(this).getPropertyValue("--row-height"));
    this.#render();
    if (isFirst) this.reveal(this.#current);
  }

  #arrange() {
    this.#rows = sidebarRows(this.#list, {
      collapsed: this.#collapsed, expanded: this.#expanded, showsEmpty: this.#showsEmpty, filter: this.#filter.value, draft: this.#draft,
      areAlbumsFirst: phone.matches, hasHints: !viewedAs,
    });
    if (!this.#rows.some(({ id }) => id === this.#active)) this.#active = this.#rows[0]?.id ?? everything.id;
    this.#render();
  }

  #render() {
    const height = this.#rowHeight;
    const { scrollTop, clientHeight } = this.#tree;
    if (height === 0) return;
    this.#content.style.height = `${this.#rows.length * height}px`;
    const first = Math.max(0, Math.floor(scrollTop / height) - margin);
    const end = Math.min(this.#rows.length, Math.ceil((scrollTop + clientHeight) / height) + margin);
    const shown = new Map();
    this.#rows.forEach((row, index) => {
      if ((index < first || index >= end) && row.id !== this.#active) return;
      const element = this.#elements.get(row.id) ?? makeRow(row);
      describe(element, row, row.id === this.#current);
      element.style.transform = `translateY(${index * height}px)`;
      element.tabIndex = row.id === this.#active ? 0 : -1;
      for (const decorate of this.decorators) decorate(element, row);
      shown.set(row.id, element);
    });
    for (const [id, element] of this.#elements) if (!shown.has(id)) element.remove();
    this.#elements = shown;
    let next = this.#content.firstChild;
    for (const element of shown.values()) {
      // An element that is inserted again loses the focus, so the others move around it.
      if (element.contains(document.activeElement)) {
        while (next !== element) {
          const other = next;
          next = next.nextSibling;
          other.remove();
        }
      }
      if (element === next) next = next.nextSibling;
      else this.#content.insertBefore(element, next);
    }
  }

  #rowAt(target) {
    const element = target instanceof Element ? target.closest(".row") : null;
    return this.#rows.find(({ id }) => id === element?.dataset.collection);
  }

  #clicked(event) {
    const row = this.#rowAt(event.target);
    if (!row || event.defaultPrevented) return;
    if (row.isExpanded !== undefined && (row.kind === "group" || event.target.closest(".twisty"))) {
      this.#setExpanded(row.id, !row.isExpanded);
    } else if (row.kind === "collection" && (event.ctrlKey || event.metaKey)) this.#openElsewhere(event);
    else this.#open(row);
  }

  /** Opens the pages that are places of this page without loading it again. */
  #clickedLink(event) {
    const place = event.target.closest("a") && placeOf(event.target.closest("a"));
    // An owner's page ends the view of a client. This loads the whole page again.
    if (!place || place === everything || viewedAs || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("open", { detail: place }));
  }

  #openElsewhere(event) {
    const row = this.#rowAt(event.target);
    if (row?.kind === "collection") window.open(addressOf(placeOfCollection(row.collection)), "_blank", "noopener");
  }

  #open(row) {
    if (row.kind === "group") return this.#setExpanded(row.id, !row.isExpanded);
    if (row.id === emptyAction) {
      this.#showsEmpty = !this.#showsEmpty;
      preferences.set("sidebarShowsEmpty", this.#showsEmpty);
      return this.#arrange();
    }
    if (row.kind === "collection") this.dispatchEvent(new CustomEvent("open", { detail: placeOfCollection(row.collection) }));
  }

  #setExpanded(id, isExpanded) {
    const isGroup = groups.has(id);
    const set = isGroup ? this.#collapsed : this.#expanded;
    if (isExpanded === isGroup) set.delete(id);
    else set.add(id);
    preferences.set(isGroup ? "sidebarCollapsed" : "sidebarExpanded", [...set]);
    this.#arrange();
  }

  #activate(id) {
    if (id === undefined || id === this.#active) return;
    this.#active = id;
    this.#render();
  }

  #focus(row) {
    if (!row) return;
    this.#active = row.id;
    this.reveal(row.id);
    this.#elements.get(row.id)?.focus({ preventScroll: true });
  }

  #pressedInFilter(event) {
    if (event.key === "ArrowDown") this.#focus(this.#rows[0]);
    else if (event.key === "Enter") this.#rows.filter(({ kind }) => kind === "collection").slice(0, 1).forEach((row) => this.#open(row));
    else if (event.key === "Escape" && this.#filter.value !== "") {
      this.#filter.value = "";
      this.#arrange();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #pressed(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
    // A button in a row, such as the one for a new album, is pressed by its own keys.
    if (event.target.closest("button") && ["Enter", " "].includes(event.key)) return;
    const index = this.#rows.findIndex(({ id }) => id === this.#active);
    const row = this.#rows[index];
    if (!row) return;
    const moves = {
      ArrowDown: () => this.#rows[index + 1],
      ArrowUp: () => this.#rows[index - 1],
      Home: () => this.#rows[0],
      End: () => this.#rows.at(-1),
      ArrowRight: () => this.#inward(row, index),
      ArrowLeft: () => this.#outward(row, index),
    };
    if (event.key === "Enter" || event.key === " ") this.#open(row);
    else if (moves[event.key]) this.#focus(moves[event.key]());
    else if (event.key.length === 1) this.#focus(this.#named(event, index));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #inward(row, index) {
    if (row.isExpanded === false) this.#setExpanded(row.id, true);
    else if (row.isExpanded) return this.#rows[index + 1];
    return row;
  }

  #outward(row, index) {
    if (row.isExpanded) {
      this.#setExpanded(row.id, false);
      return row;
    }
    return this.#rows.slice(0, index).findLast(({ level }) => level < row.level) ?? row;
  }

  /** Returns the next row whose title begins with the letters that were typed. */
  #named(event, index) {
    const isNew = event.timeStamp - this.#typed.time > typingPause;
    const text = (isNew ? "" : this.#typed.text) + fold(event.key);
    this.#typed = { text, time: event.timeStamp };
    const from = isNew ? index + 1 : index;
    const inOrder = [...this.#rows.slice(from), ...this.#rows.slice(0, from)];
    return inOrder.find(({ title }) => fold(title).startsWith(text));
  }
}

function makeRow({ id, kind }) {
  const twisty = make("span", { className: "twisty" }, symbol("chevron"));
  const attributes = { role: "treeitem", "data-collection": id };
  const title = make("span", { className: "title" });
  if (kind !== "collection" && kind !== "draft") return make("div", { className: `row ${kind}`, attributes }, title, twisty);
  return make(
    "div", { className: "row collection", attributes },
    twisty, make("span", { className: "cover" }), title, make("span", { className: "count" }));
}

/** @param {HTMLElement} element @param {Row} row @param {boolean} isCurrent */
function describe(element, row, isCurrent) {
  const { collection, title, level, position, setSize, isExpanded } = row;
  const set = (name, value) => {
    if (value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  };
  const text = (selector, value) => {
    const child = element.querySelector(selector);
    if (child && child.textContent !== value) child.textContent = value;
  };
  set("aria-level", level);
  set("aria-posinset", position);
  set("aria-setsize", setSize);
  set("aria-expanded", isExpanded);
  element.style.setProperty("--depth", Math.max(0, level - 2));
  element.classList.toggle("has-rows", isExpanded !== undefined);
  text(".title", title);
  if (!collection) return;
  const { row: ofAlbum, folderRow, lockedRow } = words.sidebar;
  const say = collection.isLocked ? lockedRow : collection.kind === "folder" ? folderRow : ofAlbum;
  set("aria-label", say(title, collection.count));
  set("aria-current", isCurrent ? "page" : undefined);
  set("aria-selected", isCurrent);
  text(".count", collection.isLocked ? "" : new Intl.NumberFormat().format(collection.count));
  showCover(element.querySelector(".cover"), collection);
}

customElements.define("side-bar", SideBar);
