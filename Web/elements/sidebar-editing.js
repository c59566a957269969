/** @import { Organizing } from "./organizing.js" */
import { make } from "../helpers/dom.js";
import { dropOn, isWithin, placesFor, stepIn } from "../models/collection-moves.js";
import { words } from "../words.js";
import { openMenu } from "./menu.js";
import { iconButton } from "./selection-bar.js";

const dragDistance = 6;
/**
 * The time in milliseconds after which a second click on the same row renames it, and after which a
 * folder opens.
 */
const slowClick = 500;
const openingTime = 600;

/** Albums and folders in the sidebar: made, renamed, moved, ordered and deleted. */
export class SidebarEditing {
  #press = null;
  #drag = null;
  #openTimer;
  #lastClick = { id: "", time: 0 };
  #mark = make("div", { className: "row-mark", hidden: true });
  #isClickOver = false;

  /**
   * @param {Organizing} organizing
   * @param {HTMLElement & {expand: (id: string) => void}} sidebar
   */
  constructor(organizing, sidebar) {
    this.shell = organizing.shell;
    this.commands = organizing.commands;
    this.sidebar = sidebar;
    sidebar.append(this.#mark);
    sidebar.addEventListener("contextmenu", (event) => this.#menu(event));
    sidebar.addEventListener("keydown", (event) => this.#pressed(event), true);
    sidebar.addEventListener("click", (event) => this.#clicked(event), true);
    sidebar.addEventListener("pointerdown", (event) => this.#down(event));
    sidebar.decorators.add((element, row) => this.#decorate(element, row));
    addEventListener("pointermove", (event) => this.#moved(event));
    addEventListener("pointerup", () => this.#up());
    addEventListener("pointercancel", () => this.#cancel());
    addEventListener("keydown", (event) => event.key === "Escape" && this.#drag && this.#cancel(), true);
  }

  /** Asks for the title of an album or folder in a new row. Makes it, unless there is no title. */
  async make(kind, parent = null) {
    const { albums } = words;
    const isFolder = kind === "folder";
    const row = this.sidebar.addDraft({ kind, parent });
    const label = isFolder ? albums.nameNewFolder : albums.nameNew;
    const title = await this.#titleIn(row, { label, placeholder: isFolder ? albums.untitledFolder : albums.untitled });
    const id = title && (await this.commands.make(title, { kind, parent }));
    if (id) await this.#rowOf(id);
    const hadFocus = row.contains(document.activeElement);
    this.sidebar.removeDraft();
    if (id) this.sidebar.dispatchEvent(new CustomEvent("open", { detail: { kind, id } }));
    if (hadFocus && id) this.sidebar.rowOf(id)?.focus({ preventScroll: true });
    else if (hadFocus) this.sidebar.focusActive();
  }

  /** Edits the title of a row in place. */
  async rename(id) {
    const row = this.sidebar.rowOf(id);
    const collection = this.shell.collections.at(id);
    if (!row || !collection || !this.#can(collection, "rename") || row.querySelector("input")) return;
    const text = await this.#titleIn(row, { label: words.albums.rename, value: collection.title });
    if (text === null || text === collection.title) return;
    if (await this.commands.rename(collection, text)) return;
    const title = this.sidebar.rowOf(id)?.querySelector(".title");
    if (title) title.textContent = this.shell.collections.at(id)?.title ?? collection.title;
  }

  /**
   * Edits the title of the collection that the page shows.
   * @returns {boolean} whether it can be renamed
   */
  renameShown() {
    const { collection, collections } = this.shell;
    if (!this.#can(collection, "rename") || this.sidebar.inert) return false;
    for (const { id } of collections.parentsOf(collection.id)) this.sidebar.expand(id);
    this.sidebar.reveal(collection.id);
    this.rename(collection.id);
    return true;
  }

  /**
   * Asks for a title in a row. Enter keeps it, and so does leaving the field. Escape does not.
   * @param {HTMLElement} row
   * @param {{label: string, value?: string, placeholder?: string}} options
   * @returns {Promise<string | null>}
   */
  #titleIn(row, { label, value = "", placeholder = "" }) {
    const title = row.querySelector(".title");
    const input = make("input", { type: "text", value, placeholder, className: "rename", ariaLabel: label, maxLength: 500 });
    const hint = make("span", { className: "rename-hint", textContent: words.albums.needsTitle, hidden: true });
    title.hidden = true;
    title.after(input, hint);
    input.focus();
    input.select();
    return new Promise((resolve) => {
      let isOver = false;
      const end = (text) => {
        if (isOver) return;
        isOver = true;
        if (document.activeElement === input) row.focus({ preventScroll: true });
        input.remove();
        hint.remove();
        title.hidden = false;
        if (text !== null) title.textContent = text;
        resolve(text);
      };
      const keep = () => {
        const text = input.value.trim();
        if (text !== "") return end(text);
        hint.hidden = false;
        input.setAttribute("aria-invalid", "true");
      };
      input.addEventListener("keydown", (event) => {
        event.stopPropagation();
        if (event.key === "Enter" && !event.isComposing) keep();
        if (event.key === "Escape") end(null);
      });
      for (const type of ["click", "pointerdown"]) input.addEventListener(type, (event) => event.stopPropagation());
      input.addEventListener("blur", () => end(input.value.trim() || null));
    });
  }

  #decorate(element, { id, kind }) {
    if (id === "group:albums" && !element.querySelector(".add-album")) {
      const button = iconButton("plus", words.albums.newAlbum);
      button.classList.add("add-album");
      button.addEventListener("click", (event) => {
        event.stopPropagation();
        openMenu(button, this.#makingItems(null));
      });
      element.append(button);
    }
    if (kind === "collection" && this.#can(this.shell.collections.at(id), "rename") && !element.querySelector(".row-options")) {
      const button = iconButton("more", words.albums.options(this.shell.collections.at(id).title));
      button.classList.add("row-options");
      button.tabIndex = -1;
      button.addEventListener("click", (event) => {
        event.stopPropagation();
        openMenu(button, this.#itemsOf(this.shell.collections.at(id)));
      });
      element.append(button);
    }
  }

  #makingItems(parent) {
    return [
      { label: words.albums.newAlbum, symbol: "album", act: () => this.make("album", parent) },
      { label: words.albums.newFolder, symbol: "folder", act: () => this.make("folder", parent) },
    ];
  }

  #itemsOf(collection) {
    const { albums } = words;
    const items = collection.kind === "album" && this.#can(collection, "addContent")
      ? [{ label: albums.addPhotos, act: () => this.commands.fill(collection), group: 0 }] : [];
    items.push({ label: albums.rename, key: "F2", act: () => this.rename(collection.id), group: 1 });
    const places = placesFor(this.shell.collections, collection);
    if (places.length > 0) items.push({ label: albums.moveTo, act: () => this.#chooseFolder(collection, places), group: 1 });
    for (const [label, by, key] of [[albums.moveUp, -1, "Alt+↑"], [albums.moveDown, 1, "Alt+↓"]]) {
      const isAtEnd = stepIn(this.shell.collections.childrenOf(collection.parent), collection.id, by) === null;
      if (!isAtEnd) items.push({ label, key, act: () => this.#step(collection, by), group: 1 });
    }
    if (this.#can(collection, "delete")) {
      items.push({ label: albums.delete(collection.kind), isDangerous: true, act: () => this.commands.deleteCollection(collection), group: 2 });
    }
    const making = collection.kind === "folder" ? this.#makingItems(collection.id).map((item) => ({ ...item, group: 0 })) : [];
    return [...making, ...items];
  }

  #chooseFolder(collection, places) {
    const { albums } = words;
    const items = places.map(({ id, path }) => ({
      label: id === null ? albums.top : path.join(" › "), symbol: id === null ? undefined : "folder", group: id === null ? 0 : 1,
      act: async () => {
        await this.commands.moveCollection(collection, id);
        if (id !== null) this.sidebar.expand(id);
        this.sidebar.rowOf(collection.id)?.focus();
      },
    }));
    openMenu(this.sidebar.rowOf(collection.id), items, { label: albums.moveTo });
  }

  #can(collection, what) {
    return collection != null && collection.kind !== "smartAlbum" && (collection.can ?? []).includes(what);
  }

  #collectionAt(target) {
    const row = target instanceof Element ? target.closest("[role=treeitem][data-collection]") : null;
    return row ? this.shell.collections.at(row.dataset.collection) : undefined;
  }

  #menu(event) {
    const collection = this.#collectionAt(event.target);
    if (!this.#can(collection, "rename")) return;
    event.preventDefault();
    const isByKey = event.clientX === 0 && event.clientY === 0;
    openMenu(isByKey ? event.target.closest("[role=treeitem]") : { x: event.clientX, y: event.clientY }, this.#itemsOf(collection));
  }

  #pressed(event) {
    const collection = this.#collectionAt(event.target);
    if (event.target.closest("input, button") || !this.#can(collection, "rename")) return;
    const step = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (step) this.#step(collection, step);
    else if (isPlain && event.key === "F2") this.rename(collection.id);
    else if (isPlain && event.key === "Delete") this.commands.deleteCollection(collection);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** A slow second click on a row renames it. */
  #clicked(event) {
    if (this.#isClickOver) {
      this.#isClickOver = false;
      event.stopPropagation();
      return event.preventDefault();
    }
    const collection = this.#collectionAt(event.target);
    const last = this.#lastClick;
    this.#lastClick = { id: collection?.id, time: event.timeStamp };
    const elapsed = event.timeStamp - last.time;
    const isSlow = collection && last.id === collection.id && elapsed > slowClick && elapsed < 4 * slowClick;
    if (!isSlow || !event.target.closest(".title") || event.pointerType === "touch" || !this.#can(collection, "rename")) return;
    event.stopPropagation();
    event.preventDefault();
    this.rename(collection.id);
  }

  #step(collection, by) {
    const index = stepIn(this.shell.collections.childrenOf(collection.parent), collection.id, by);
    if (index !== null) this.commands.moveCollection(collection, collection.parent, index);
  }

  #down(event) {
    const collection = this.#collectionAt(event.target);
    if (event.button !== 0 || event.pointerType === "touch" || event.target.closest("button, input, .twisty")) return;
    if (!this.#can(collection, "rename")) return;
    this.#isClickOver = false;
    this.#press = { x: event.clientX, y: event.clientY, collection };
  }

  #moved({ clientX, clientY }) {
    const press = this.#press;
    if (!press) return;
    if (!this.#drag && Math.hypot(clientX - press.x, clientY - press.y) < dragDistance) return;
    if (!this.#drag) this.#begin(press.collection);
    this.#drag.badge.style.transform = `translate(${clientX + 12}px, ${clientY + 8}px)`;
    const row = document.elementFromPoint(clientX, clientY)?.closest("[role=treeitem][data-collection]");
    const box = row?.getBoundingClientRect();
    const over = row && this.shell.collections.at(row.dataset.collection);
    const isGroup = row?.dataset.collection === "group:albums";
    const part = box ? (clientY - box.top) / box.height : 0;
    const drop = isGroup ? { parent: null, index: 0, on: null } : over ? dropOn(this.shell.collections, press.collection, over, part) : null;
    this.#showDrop(drop, row, box);
  }

  #begin(collection) {
    const badge = make("div", { className: "drag-badge row-badge" }, make("span", { textContent: collection.title }));
    document.body.append(badge);
    document.documentElement.classList.add("is-dragging");
    this.#drag = { collection, badge, drop: null, row: null };
    this.#isClickOver = true;
  }

  #showDrop(drop, row, box) {
    const drag = this.#drag;
    if (drag.row !== row) {
      clearTimeout(this.#openTimer);
      const id = row?.dataset.collection;
      const isOther = id && this.shell.collections.at(id)?.kind === "folder" && !isWithin(this.shell.collections, id, drag.collection.id);
      if (isOther) this.#openTimer = setTimeout(() => this.sidebar.expand(id), openingTime);
    }
    drag.row?.classList.remove("drop-target");
    Object.assign(drag, { drop, row });
    this.#mark.hidden = !drop || drop.edge === undefined;
    if (drop?.on) row.classList.add("drop-target");
    if (this.#mark.hidden) return;
    const side = this.sidebar.getBoundingClientRect();
    const indent = row.querySelector(".title").getBoundingClientRect().left - side.left - 8;
    this.#mark.style.transform = `translate(${indent}px, ${(drop.edge === "before" ? box.top : box.bottom) - side.top - 1}px)`;
    this.#mark.style.width = `${side.width - indent - 12}px`;
  }

  async #up() {
    const drag = this.#drag;
    this.#cancel();
    if (!drag?.drop) return;
    await this.commands.moveCollection(drag.collection, drag.drop.parent, drag.drop.index);
  }

  #cancel() {
    clearTimeout(this.#openTimer);
    this.#press = null;
    if (!this.#drag) return;
    this.#drag.row?.classList.remove("drop-target");
    this.#drag.badge.remove();
    this.#drag = null;
    this.#mark.hidden = true;
    document.documentElement.classList.remove("is-dragging");
    setTimeout(() => (this.#isClickOver = false));
  }

  /** Waits until a collection has a row. */
  async #rowOf(id) {
    for (let frame = 0; frame < 120 && !this.sidebar.rowOf(id); frame++) await new Promise(requestAnimationFrame);
  }
}
