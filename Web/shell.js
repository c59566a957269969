/** @import { Order, Place } from "./models/places.js" */
/** @import { Collection } from "./models/collections.js" */
import { fetchCollections, fetchLibrary, openChanges } from "./helpers/api.js";
import { preferences } from "./helpers/preferences.js";
import { pushEntry, replaceEntry, route } from "./helpers/route.js";
import { sourceOf } from "./helpers/source.js";
import { standing } from "./helpers/standing.js";
import { CollectionList } from "./models/collections.js";
import { Library } from "./models/library.js";
import { LiveChanges } from "./models/live.js";
import { follow } from "./models/locate.js";
import { addressOf, everything, isPage, isSamePlace, ordersOf, placeOf } from "./models/places.js";

/** The time in milliseconds after scrolling when the place is written to the browser's history. */
const restBeforeSaving = 150;
/** The cells that are loaded before a view is shown: a window of a large screen. */
const firstCells = 60;
/** The least time in milliseconds between two requests for the collections because of changes. */
const collectionsInterval = 200;
/** The time in milliseconds until the collections are requested again after a failure. */
const collectionsRetry = 2_000;

/**
 * The page's state, which its parts share: the place in the library, the collections, and the
 * grid's view of them.
 *
 * Fires `place` when another place is wanted, `view` with `{before, after}` when it is shown,
 * `snapshot` with `{before, after}` when the shown view has changed, `collections`, `library`,
 * `connection` with the view's state as `detail`, `lock` when the lock of Hidden was set, opened or
 * closed in another page, and the events of `LiveChanges`.
 */
class Shell extends EventTarget {
  /** @type {import("./elements/photo-grid.js").PhotoGrid} */
  grid;
  /** @type {import("./elements/viewing.js").Viewing} */
  viewing;
  /** @type {{name: string, features: string[], isOwner: boolean} | null} */
  library = null;
  collections = new CollectionList();
  view = new Library(sourceOf);
  live = new LiveChanges(openChanges);
  /** @type {Place} */
  place = everything;
  /** @type {Order} */
  order = "newest";
  /**
   * Prepares for a later snapshot of the shown view. Returns what is done in the step in which the
   * grid shows it, so that no key or click in between acts on other assets.
   * @type {(before: import("./models/library.js").Snapshot,
   *   after: import("./models/library.js").Snapshot) => Promise<() => void>}
   */
  prepare = async () => () => {};
  #before = null;
  #isUpdating = false;
  #savingTimer;
  /** @type {Promise<void> | null} */
  #askingCollections = null;
  #isLeaving = false;
  #needsCollections = false;
  #collectionsTimer;
  #collectionsAsked = -Infinity;

  /** The snapshot that the grid shows. */
  get snapshot() {
    return this.grid.snapshot;
  }

  /** The collection that the page shows, or null. @returns {Collection | null} */
  get collection() {
    return this.collections.at(this.place.id) ?? null;
  }

  addressOf = addressOf;

  /**
   * Begins with the place of the address.
   * @param {import("./elements/photo-grid.js").PhotoGrid} grid
   * @param {import("./elements/viewing.js").Viewing} viewing
   */
  async start(grid, viewing) {
    this.grid = grid;
    this.viewing = viewing;
    this.view.addEventListener("snapshot", () => this.#update());
    this.view.addEventListener("state", () => this.#entered());
    for (const type of ["change", "reset", "access", "confirm", "edit", "hidden"]) {
      this.live.addEventListener(type, ({ detail }) => this.#heard(type, detail));
    }
    // Without a stream, the page asks as often as it tries to open one.
    this.live.addEventListener("lost", () => this.#heard("lost"));
    addEventListener("popstate", () => this.#wentBack());
    addEventListener("pagehide", () => this.#save());
    grid.addEventListener("move", () => this.#saveSoon());
    grid.addEventListener("density", ({ detail }) => preferences.set(`density:${grid.snapshot.place.id}`, detail));
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#pause() : this.#resume()));
    this.refreshLibrary();
    this.refreshCollections();
    await this.#show(placeOf(location));
    viewing.followAddress();
  }

  /**
   * Goes to a place. Its view is shown where it was left.
   * @param {Place} place
   * @param {{replace?: boolean}} [options]
   */
  async go(place, { replace = false } = {}) {
    if (isSamePlace(place, this.place) && route.assetID === null) return this.grid.goTo(this.#start);
    this.#save();
    // Kept in the history entry, so that Escape finds the previous view after a reload, too.
    const hasViewBehind = place.kind === "search" && (!replace || this.kept("hasViewBehind"));
    const state = hasViewBehind ? { kept: { hasViewBehind } } : null;
    if (replace) replaceEntry(state, addressOf(place));
    else if (!pushEntry(state, addressOf(place))) return location.assign(addressOf(place));
    this.viewing.followAddress();
    await this.#show(place);
  }

  /** Shows the place in another order. @param {Order} order */
  async sort(order) {
    this.#save();
    preferences.set(`order:${this.place.id}`, order);
    await this.#show({ ...this.place });
  }

  /** Shows the place again, because its content has changed. */
  reload() {
    return this.#show({ ...this.place });
  }

  /** Requests the view and the collections now. */
  async refresh() {
    await Promise.all([this.view.ask(), this.refreshCollections()]);
  }

  /** Returns the index of an asset in the view, or -1. @param {string} id */
  indexOf(id) {
    return this.snapshot.indexOf({ id });
  }

  /**
   * Keeps a value in this entry of the browser's history.
   * @param {string} key
   * @param {unknown} value
   */
  keep(key, value) {
    replaceEntry({ ...history.state, kept: { ...history.state?.kept, [key]: value } });
  }

  /** Returns a value that this entry of the browser's history keeps. @param {string} key */
  kept(key) {
    return history.state?.kept?.[key];
  }

  async refreshLibrary() {
    try {
      this.library = await fetchLibrary();
      this.#fire("library");
    } catch {
      // `view.state` reports that the server does not answer.
    }
  }

  /** Requests the collections. Requests during an answer are joined. */
  async refreshCollections() {
    clearTimeout(this.#collectionsTimer);
    this.#collectionsTimer = undefined;
    this.#needsCollections = true;
    this.#askingCollections ??= this.#askForCollections().finally(() => (this.#askingCollections = null));
    await this.#askingCollections;
  }

  async #askForCollections() {
    this.#collectionsAsked = performance.now();
    while (this.#needsCollections) {
      this.#needsCollections = false;
      try {
        const { collections, revision } = await fetchCollections();
        this.collections = new CollectionList(collections, revision);
        // A page without photos follows changes too: what programs ask for has to appear in it.
        if (isPage(this.place) && !this.live.isStarted) this.live.start(revision);
        this.#fire("collections");
      } catch (error) {
        // Without another request, the sidebar would stay empty until something changes.
        if (error.status === 401) this.#leave();
        else this.#refreshCollectionsSoon(collectionsRetry);
        break;
      }
    }
  }

  /** Requests the collections soon, because something has changed or the last request failed. */
  #refreshCollectionsSoon(interval = collectionsInterval) {
    const delay = Math.max(0, this.#collectionsAsked + interval - performance.now());
    this.#collectionsTimer ??= setTimeout(() => this.refreshCollections(), delay);
  }

  /** The height at which a view begins: the end if the oldest asset is first. */
  get #start() {
    return this.order === "oldest" ? this.grid.layout.height : 0;
  }

  async #show(place) {
    this.#before = this.place;
    this.place = place;
    const orders = ordersOf(place);
    const kept = preferences.get(`order:${place.id}`, orders[0]);
    this.order = orders.includes(kept) ? kept : orders[0];
    this.#fire("place");
    if (!isPage(place)) await this.view.show(place, this.order);
  }

  #wentBack() {
    const place = placeOf(location);
    const isElsewhere = !isSamePlace(place, this.place);
    // The person may have scrolled until this moment.
    if (isElsewhere) this.#save(standing.leave);
    this.viewing.followAddress();
    if (isElsewhere) this.#show(place);
  }

  get #key() {
    return `${addressOf(this.place)} ${this.order}`;
  }

  #saveSoon() {
    clearTimeout(this.#savingTimer);
    this.#savingTimer = setTimeout(() => this.#save(), restBeforeSaving);
  }

  #save(keep = standing.save) {
    clearTimeout(this.#savingTimer);
    // In a view without photos there is no place to come back to.
    if (this.snapshot.place === this.place && this.snapshot.order === this.order && this.snapshot.total > 0) {
      keep(this.#key, this.grid.standing);
    }
  }

  async #update() {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    let shown;
    while (shown !== this.view.snapshot && this.view.snapshot) {
      shown = this.view.snapshot;
      try {
        await this.#bring(shown);
      } catch {
        if (shown === this.view.snapshot) this.view.retry();
      }
    }
    this.#isUpdating = false;
  }

  async #bring(snapshot) {
    if (preferences.get(`layout:${snapshot.place.id}`, "square") === "fit") {
      const { arrange } = await import("./elements/fit-grid.js");
      await arrange(this.grid, snapshot);
    }
    const before = this.grid.snapshot;
    const isSameView = before.place === snapshot.place && before.order === snapshot.order;
    return isSameView ? this.#change(before, snapshot) : this.#enter(before, snapshot);
  }

  /** Shows another view, where it was left. */
  async #enter(before, snapshot) {
    const kept = standing.of(this.#key);
    const place = snapshot.total > 0 ? await this.#found(kept, snapshot) : null;
    const first = place === "end" ? snapshot.total - firstCells : (place?.index ?? 0) - firstCells / 3;
    if (before.pages && snapshot.total > 0) {
      await snapshot.pages.loadRange({ first: Math.max(0, Math.floor(first)), end: Math.min(first + firstCells, snapshot.total) });
    }
    if (snapshot !== this.view.snapshot) return;
    before.pages?.close();
    this.grid.show(snapshot, place, preferences.get(`density:${snapshot.place.id}`, 0));
    if (!this.live.isStarted) this.live.start(snapshot.revision);
    this.#fire("view", { before: this.#before, after: snapshot.place });
  }

  async #found(kept, snapshot) {
    if (!kept) return this.order === "oldest" ? "end" : null;
    if (kept.revision === snapshot.revision && kept.index < snapshot.total) return kept;
    const index = kept.id === undefined ? -1 : await snapshot.indexOf({ id: kept.id });
    return { index: index >= 0 ? index : Math.min(kept.index, snapshot.total - 1), offset: kept.offset };
  }

  /**
   * Shows the changed view. The visible assets keep their place, unless the window is at the very
   * beginning.
   */
  async #change(before, snapshot) {
    const { grid } = this;
    if (before.total === 0 || snapshot.total === 0) {
      const take = await this.prepare(before, snapshot);
      if (snapshot.place !== this.view.snapshot?.place) return;
      grid.show(snapshot);
      take();
    } else {
      const first = grid.anchorIndex;
      const anchor = (await follow(first, before, snapshot)).index;
      const near = grid.y === 0 ? 0 : anchor;
      await snapshot.pages.loadRange({ first: Math.max(0, near - 30), end: Math.min(near + 60, snapshot.total) });
      const take = await this.prepare(before, snapshot);
      if (snapshot.place !== this.view.snapshot?.place) return;
      before.pages.close();
      // The person may have scrolled away from the top meanwhile.
      grid.change(snapshot, grid.y === 0 ? null : { before: first, after: anchor });
      // The same revision comes again after a failure.
      if (snapshot.revision === before.revision) grid.retry();
      take();
    }
    this.#fire("snapshot", { before, after: snapshot });
    await this.viewing.changed(before, snapshot);
  }

  #entered() {
    const { state } = this.view;
    if (state === "signedOut") return this.#leave();
    if (state === "ready") {
      this.grid.retry();
      this.viewing.retry();
      if (this.live.isStarted) {
        this.live.start();
        this.refreshCollections();
      }
    }
    this.#fire("connection", state);
  }

  #heard(type, detail) {
    this.#fire(type, detail);
    if (type === "hidden") return this.#heardOfLock(detail);
    if (["access", "confirm", "edit"].includes(type)) return;
    this.#refreshCollectionsSoon();
    if (detail?.collections?.deleted?.includes(this.place.id)) this.view.lose();
    else if (this.view.state !== "missing" || detail?.collections?.inserted?.includes(this.place.id)) this.view.askSoon();
  }

  /**
   * Shows what the session sees after the lock of Hidden was set, opened or closed, perhaps in
   * another page. The view of Hidden itself does so too.
   */
  #heardOfLock({ isLocked }) {
    const hidden = this.collections.at("allHidden");
    if (!hidden || Boolean(hidden.isLocked) === isLocked) return;
    this.#fire("lock");
    this.refreshCollections();
    if (this.place.id !== "recentlyDeleted") return;
    if (this.viewing.isOpen) route.close();
    this.reload();
  }

  /** Shows the page for signing in, because the session has ended. */
  #leave() {
    if (!this.#isLeaving) location.reload();
    this.#isLeaving = true;
  }

  #pause() {
    this.#save();
    clearTimeout(this.#collectionsTimer);
    this.#collectionsTimer = undefined;
    this.view.pause();
    this.live.pause();
  }

  #resume() {
    this.view.resume();
    if (this.live.isStarted) this.live.start();
    this.refreshCollections();
  }

  #fire(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

export const shell = new Shell();
