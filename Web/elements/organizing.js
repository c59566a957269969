import { Changes } from "../helpers/changes.js";
import { indexInOwnOrder } from "../helpers/own-order.js";
import { fetchChanges } from "../helpers/api.js";
import { make, symbol } from "../helpers/dom.js";
import { route } from "../helpers/route.js";
import { following } from "../models/follow-ranges.js";
import { placeAt } from "../models/insertion.js";
import { Ranges } from "../models/ranges.js";
import { followedPlaces, next, nothingSelected } from "../models/selection.js";
import { Target } from "../models/target.js";
import { words } from "../words.js";
import { openAddToAlbum } from "./add-to-album.js";
import { AssetDrag } from "./asset-drag.js";
import { AssetMenus } from "./asset-menus.js";
import { Commands } from "./commands.js";
import "./access-requests.js";
import { announceDepartures } from "./departures.js";
import { addSearch } from "./finding.js";
import { GridGestures } from "./grid-gestures.js";
import { KeptSelection } from "./kept-selection.js";
import { PageKeys } from "./page-keys.js";
import { PanelBeside } from "./panel-beside.js";
import "./selection-bar.js";
import { RunningEdits } from "./running-edits.js";
import { markCell, markHeading } from "./selection-marks.js";
import { SidebarEditing } from "./sidebar-editing.js";
import { showToast } from "./toasts.js";

/** A larger selection can be taken back after it was cleared. */
const easilySelected = 20;

/** The largest selection whose assets are loaded when it is restored. */
const mostLoaded = 200;

/**
 * The number of updated assets above which the page first waits for the answers to its own changes.
 * If these explain the new view, no asset has to be looked for.
 */
const mostUpdated = 200;

/** The largest number of assets of an album that can be reordered while another order is shown. */
const mostListed = 5_000;

/** Connects the selection with the grid, and runs commands on what is selected or open. */
export class Organizing {
  selection = nothingSelected;
  /** The selected places of which all have become favorites. @type {Ranges | null} */
  #favored = null;
  #bar = make("selection-bar");
  /** @type {KeptSelection} */
  #kept;
  /** The place that gets the focus once the view follows a command, and the snapshot before. */
  #focusAfter = null;
  /** Takes the offer to restore a cleared selection away. */
  #withdraw = () => {};
  #selectButton = make("button", { type: "button", className: "select-mode", title: words.selection.select }, symbol("select"), words.selection.select);
  #addButton = make(
    "button", { type: "button", className: "add-photos", title: words.albums.addPhotos, ariaLabel: words.albums.addPhotos, hidden: true },
    symbol("plus"));
  menus = new AssetMenus(this);
  sidebar = document.querySelector("side-bar");
  viewer = document.querySelector("asset-viewer");

  /** @param {EventTarget & object} shell */
  constructor(shell) {
    this.shell = shell;
    this.#kept = new KeptSelection(shell);
    this.grid = shell.grid;
    this.commands = new Commands(shell, new Changes());
    this.commands.showFavorite = (target, isFavorite) => this.#showFavorite(target, isFavorite);
    shell.commands = this.commands;
    this.panel = new PanelBeside(this.grid, this.commands);
    this.grid.parentElement.append(this.#bar);
    this.#bar.addEventListener("clear", () => this.apply({ type: "clear" }));
    this.#bar.addEventListener("all", () => this.selectAll());
    this.#bar.addEventListener("command", ({ detail }) => this.menus.runInBar(detail));
    this.grid.decorators.add((cell) => markCell(cell, this.selection.chosen));
    this.grid.headingDecorators?.add((heading, day) => {
      const { first, end } = this.grid.layout.assetsOfDay(day);
      markHeading(heading, day, this.selection.chosen.coverage(first, end));
    });
    this.gestures = new GridGestures(this);
    this.keys = new PageKeys(this);
    this.#addButtons();
    shell.addEventListener("view", () => this.#viewChanged());
    shell.addEventListener("snapshot", ({ detail }) => this.#snapshotChanged(detail));
    for (const type of ["place", "collections"]) shell.addEventListener(type, () => (this.#addButton.hidden = !this.canAdd));
    for (const type of ["change", "reset"]) {
      shell.addEventListener(type, ({ detail }) => {
        this.panel.changed(detail ?? {});
        this.viewer.changed(detail ?? {});
      });
    }
    shell.prepare = (before, after) => this.#follow(before, after);
    announceDepartures(shell, this.commands);
    this.viewer.commands = this.commands;
    this.viewer.addEventListener("command", ({ detail }) => this.menus.runInViewer(detail));
    this.viewer.addEventListener("keep", ({ detail: { only, frames } }) => {
      if (only) this.commands.keepOnlyFrame(frames, only);
      else this.commands.keepAllFrames(frames);
    });
    addSearch(shell);
    this.requests = Object.assign(make("access-requests"), { shell });
    document.body.append(this.requests);
    this.editing = new SidebarEditing(this, this.sidebar);
    new RunningEdits(shell);
    shell.refreshCollections();
    this.#viewChanged();
  }

  /** The shown collection, or null for a search. */
  get collection() {
    return this.shell.collection ?? null;
  }

  get selected() {
    const { chosen, picked } = this.selection;
    return Object.assign(new Target(this.grid.snapshot, chosen, picked), { isFavored: this.#favored === chosen });
  }

  /** The asset that the viewer shows, or null. */
  get viewed() {
    const cell = this.shell.viewing?.asset;
    return cell ? Target.of(cell) : null;
  }

  /** @param {Ranges} places */
  targetOf(places) {
    return places === this.selection.chosen ? this.selected : new Target(this.grid.snapshot, places);
  }

  /** Whether photos can be added to the shown album. */
  get canAdd() {
    return this.collection?.kind === "album" && (this.collection.can ?? []).includes("addContent");
  }

  get canReorder() {
    const { collection } = this;
    const isListed = this.shell.order === "custom" || this.grid.snapshot.total <= mostListed;
    return collection?.kind === "album" && isListed && (collection.can ?? []).includes("rearrangeContent");
  }

  /**
   * Applies an event to the selection and shows the result.
   * @param {{type: string}} event
   */
  apply(event) {
    const before = this.selection;
    const result = next(before, event);
    this.selection = result.state;
    // A selection that follows a change only loses assets.
    const isSame = event.type === "change" ? result.state.chosen.size === before.chosen.size : result.state.chosen === before.chosen;
    if (isSame && this.#favored === before.chosen) this.#favored = result.state.chosen;
    if (result.effect?.type === "cleared") this.#wasCleared(result.effect.places);
    if (result.state !== before) this.#show();
    if (!isSame) this.panel.showSoon(() => this.selected);
    else if (event.type === "change") this.panel.follow(before.chosen, this.selected);
    return result;
  }

  /** Renames the shown album or folder. @returns {boolean} whether it can be renamed */
  renameShown() {
    return this.editing.renameShown();
  }

  /** Begins to drag what is selected. @param {{x: number, y: number, place: number}} press */
  drag(press) {
    this.apply({ type: "startDrag", place: press.place });
    return new AssetDrag(this, press);
  }

  selectAll() {
    this.apply({ type: "all", total: this.grid.snapshot.total });
  }

  /** @param {number} day the day's index */
  toggleDay(day) {
    this.apply({ type: "toggleRange", ...this.grid.layout.assetsOfDay(day) });
  }

  /** Selects the day of the focused asset. @returns {boolean} whether the view has days */
  toggleFocusedDay() {
    const { layout } = this.grid;
    const place = this.grid.indexOf(document.activeElement);
    const day = place < 0 ? -1 : layout.dayOf(place);
    if (!layout.days[day]?.[0]) return false;
    this.toggleDay(day);
    return true;
  }

  /**
   * Runs a command.
   * @param {string} name of `commandsFor`
   * @param {Target | null} target
   * @param {Element | {x: number, y: number}} [at] where a popover of the command opens
   */
  async run(name, target, at = this.grid) {
    if (!target || target.count === 0) return;
    const isSelection = target.places === this.selection.chosen;
    switch (name) {
      case "open":
        return this.#cellOf(target)?.querySelector(".open").click();
      case "select":
        return this.apply({ type: "enterSelectMode", place: this.grid.indexOf(this.#cellOf(target)) });
      case "addTo":
        return openAddToAlbum(at === this.grid ? this.#middle() : at, target, this.commands, () => this.#added(target));
      case "information":
        return this.panel.show(target);
      case "edit":
        return this.#edit(target);
      case "showInTimeline":
        return this.#showInTimeline(target);
      case "removeFrom":
      case "useAsCover":
        return this.#done(await this.commands[name](target, this.collection), name, isSelection, target);
      case "favorite":
        return this.#favorite(target, isSelection);
      default:
        return this.#done(await this.commands[name](target), name, isSelection, target);
    }
  }

  /**
   * Runs the command of a key, if the present target has one.
   * @param {string} key
   * @returns {boolean}
   */
  runKey(key) {
    const target = this.present;
    if (!target) return false;
    const isViewer = this.viewed !== null;
    const commands = this.menus.commandsFor(target, isViewer);
    const isLibraryDelete = ({ name }) => key === "Ctrl+Delete" && name === "deleteFromLibrary";
    const command = commands.find((command) => command.key === key || isLibraryDelete(command));
    if (!command) return false;
    if (command.name === "information" && isViewer) return false;
    this.run(command.name, target, isViewer ? this.#middle() : this.#cellOrMiddle());
    return true;
  }

  /**
   * Returns what a key acts on: the open asset, else the selection, else the focused cell.
   * @returns {Target | null}
   */
  get present() {
    if (this.viewed) return this.viewed;
    if (!this.selection.chosen.isEmpty) return this.selected;
    const place = this.grid.indexOf(document.activeElement);
    return place < 0 ? null : this.targetOf(Ranges.of([place, place + 1]));
  }

  /**
   * Moves assets within their album. In another order than the album's own one, they come before
   * the same asset in that one, which is then shown.
   * @param {Ranges} places
   * @param {number} index after they were taken out
   */
  async reorder(places, index) {
    const { collection, shell } = this;
    const target = this.targetOf(places);
    if (shell.order === "custom") {
      const isThere = places.list.length === 1 && places.first === index;
      const answer = !isThere && (await this.commands.move(target, collection, index));
      if (answer) this.#focusSoon(index, target, answer);
      return;
    }
    const { pages, total } = this.grid.snapshot;
    const next = placeAt(places, index);
    const [moved] = await target.selects({ areIdentifiers: true });
    const own = await indexInOwnOrder(collection, moved, next < total ? (await pages.load(next)).id : null);
    if (!(await this.commands.move(target, collection, own)) || this.collection?.id !== collection.id) return;
    const isShown = new Promise((resolve) => shell.addEventListener("view", resolve, { once: true }));
    await shell.sort("custom");
    await isShown;
    this.grid.focusAsset(own);
  }

  /** Edits the open asset, or opens one for it. @param {Target} target */
  async #edit(target) {
    if (!this.viewed) {
      const [[id]] = await target.selects({ areIdentifiers: true });
      route.open(id);
      await this.shell.viewing.followAddress();
      if (this.shell.viewing.asset?.id !== id) return;
    }
    if (this.viewer.classList.contains("is-unreadable")) return showToast(words.editing.unreadable);
    const { edit } = await import("./photo-editor.js");
    if (this.viewed && this.viewer.canEdit && !this.viewer.isEditing) await edit(this.viewer, this.commands);
  }

  async #showInTimeline(target) {
    const [[id]] = await target.selects({ areIdentifiers: true });
    const { showInTimeline } = await import("./show-in-timeline.js");
    await showInTimeline(this.shell, id);
  }

  /** Makes assets favorites. The same key then takes all back, also those that aren't loaded. */
  async #favorite(target, isSelection) {
    if (isSelection) this.#favored = target.places;
    const answer = await this.commands.favorite(target);
    if (!answer) this.#favored = null;
    this.#show();
  }

  /** Ends select mode once the selected photos are in an album. */
  #added({ places }) {
    const isSelected = String(places.list) === String(this.selection.chosen.list);
    if (isSelected && this.selection.isSelectMode) this.apply({ type: "choose", places: Ranges.none, isSelectMode: false });
  }

  /** Ends the selection after a command whose assets leave the view, and focuses the next one. */
  #done(answer, name, isSelection, target) {
    if (!answer) return;
    if (name === "unfavorite") this.#favored = null;
    const { id } = this.shell.place ?? {};
    const isLeaving = ["hide", "unhide", "removeFrom", "deleteFromLibrary", "deleteForGood", "restore"].includes(name) || (name === "unfavorite" && id === "favorites");
    if (!isLeaving) return;
    if (!this.viewed) this.#focusSoon(target.places.first, target, answer);
    // Meanwhile another view may be shown, or others may be selected.
    const { chosen } = this.selection;
    const isStillSelected = chosen === target.places || (chosen.isEmpty && this.#isOfView(target.snapshot));
    if (isSelection && isStillSelected) this.apply({ type: "choose", places: Ranges.none, isSelectMode: false });
  }

  /** Puts the focus on a place as soon as the view follows a command. */
  #focusSoon(index, { snapshot }, { revision }) {
    const { grid } = this;
    if (revision === snapshot.revision || !this.#isOfView(snapshot)) return;
    if (grid.snapshot === snapshot) this.#focusAfter = { index, snapshot };
    else grid.focusAsset(Math.min(index, grid.snapshot.total - 1));
  }

  /** Returns whether a snapshot is of the view that is shown, now or before a change. */
  #isOfView({ place, order }) {
    return place === this.grid.snapshot.place && order === this.grid.snapshot.order;
  }

  /** Returns the cell near the window that shows the only asset of a target, or null. */
  #cellOf(target) {
    const [cell] = target.count === 1 ? target.cells : [];
    return cell ? this.grid.querySelector(`.cell:not([hidden])[data-id="${CSS.escape(cell.id)}"]`) : null;
  }

  #middle() {
    return { x: innerWidth / 2 - 150, y: Math.max(80, innerHeight / 2 - 220) };
  }

  #cellOrMiddle() {
    return this.grid.cellAt(this.grid.focusedIndex)?.element ?? this.#middle();
  }

  #wasCleared(places) {
    if (places.size <= easilySelected) return;
    const { snapshot } = this.grid;
    const act = async () => {
      let shown, map;
      do {
        shown = this.grid.snapshot;
        map = await this.#mapOf(places, snapshot, shown);
      } while (shown !== this.grid.snapshot && this.#isOfView(snapshot));
      if (this.#isOfView(snapshot)) this.apply({ type: "choose", places: map(places) });
    };
    this.#withdraw = showToast(words.selection.cleared, { action: { label: words.general.undo, act } });
  }

  #show() {
    this.grid.decorate();
    this.grid.classList.toggle("selecting", this.selection.mode !== "idle");
    this.#bar.show(this.selection, this.collection, this.selected.isFavorite, this.grid.snapshot.total);
    this.#selectButton.hidden = !this.#bar.hidden;
    this.#addButton.hidden = !this.canAdd;
    this.#kept.keepSoon(this.selection.chosen);
  }

  #addButtons() {
    this.#selectButton.addEventListener("click", () => this.apply({ type: "enterSelectMode" }));
    this.#addButton.addEventListener("click", () => this.commands.fill(this.collection));
    this.grid.header?.tools?.append(this.#addButton, this.#selectButton);
  }

  #viewChanged() {
    const places = this.#kept.begin();
    this.selection = places.isEmpty ? nothingSelected : next(nothingSelected, { type: "choose", places }).state;
    this.#focusAfter = null;
    this.#withdraw();
    this.panel.close();
    this.#show();
    if (places.isEmpty) this.#restore();
    else if (places.size <= mostLoaded) this.#load(places);
  }

  /** Selects what was selected before, in a view that has changed since. */
  async #restore() {
    const places = await this.#kept.moved().catch(() => Ranges.none);
    if (this.selection === nothingSelected && !places.isEmpty) this.apply({ type: "choose", places });
  }

  /** Loads a few selected assets, because those that aren't loaded can't be followed. */
  async #load(places) {
    const { pages } = this.grid.snapshot;
    try {
      for (const place of places.places()) await pages.load(place, { isExact: true });
    } catch {
      // They leave the selection when the view changes.
    }
  }

  #snapshotChanged({ before, after }) {
    const wanted = this.#focusAfter;
    this.#focusAfter = null;
    if (wanted?.snapshot === before) this.grid.focusAsset(Math.min(wanted.index, after.total - 1));
  }

  /**
   * Finds out where the selected assets are in a later snapshot. Returns what selects them there,
   * as soon as the grid shows it.
   */
  async #follow(before, after) {
    let selection, places, map;
    do {
      selection = this.selection;
      places = followedPlaces(selection);
      map = await this.#mapOf(places, before, after);
    } while (selection !== this.selection);
    if (places.isEmpty && selection.anchor < 0) return () => {};
    return () => this.apply({ type: "change", map, total: after.total });
  }

  /** Returns a function that maps places of a snapshot to those of a later one of the view. */
  async #mapOf(places, before, after) {
    if (before === after || this.#isUnmoved(before, after)) return (asked) => asked;
    if (places.isEmpty) return () => Ranges.none;
    const changes = await fetchChanges(before.revision).then(
      ({ assets, collections }) => ({ ...assets, isRegrouped: Object.values(collections).some((ids) => ids.length > 0) }),
      () => ({ isKnown: false }),
    );
    if (changes.updated?.length > mostUpdated) {
      // This page may have made the change, and the answer may not have arrived yet.
      await this.commands.changes.inTurn(() => {});
      if (this.#isUnmoved(before, after)) return (asked) => asked;
    }
    return following(places, before, after, changes).catch(() => () => Ranges.none);
  }

  /** Returns whether this page alone has changed a view, and has moved no asset. */
  #isUnmoved(before, after) {
    const dependsOnValues = before.place?.kind === "search" || before.place?.id === "favorites";
    const isSame = !dependsOnValues && before.order === after.order && before.total === after.total;
    return isSame && this.commands.changes.own.leads(before.revision, after.revision);
  }

  #showFavorite(target, isFavorite) {
    const before = target.loaded;
    const show = (cells) => {
      target.snapshot.pages.replace(cells);
      const shown = cells.find(([, { id }]) => id === this.shell.viewing.asset?.id);
      if (shown) this.viewer.showFavorite(shown[1].isFavorite);
      this.#show();
    };
    show(before.map(([place, cell]) => [place, { ...cell, isFavorite }]));
    return () => show(before);
  }
}

/** Makes the page's assets selectable and changeable. @param {EventTarget & object} shell */
export const organize = (shell) => new Organizing(shell);
