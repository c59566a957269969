/** @import { Day } from "./day-layout.js" */
/** @import { Cell } from "./asset-pages.js" */
/** @import { Order, Place } from "./places.js" */
import { AssetPages, pageSize } from "./asset-pages.js";

/** The least time in milliseconds between two requests: at most five layouts a second. */
const interval = 200;
/** The time in milliseconds until a server that does not answer is asked again. */
const retry = 2_000;
/** The longest time until photos are asked for again that have failed several times. */
const longestRetry = 60_000;

/** The statuses of a server, or of a proxy before it, that answers later. */
const passing = new Set([429, 502, 503, 504]);

/**
 * A view at one revision: its days, and its cells as they are loaded. `indexOf` asks for the index
 * of an asset, which is -1 if the asset is not in the view. `understood` has the terms that a
 * search has understood. `filter` returns what limits a search to its results.
 *
 * @typedef {{place: Place, order: Order, revision: string, total: number, days: Day[],
 *   pages: AssetPages, understood?: string[], suggestions?: {id: string, kind: string,
 *   title: string}[], indexOf: (asset: {id: string,
 *   creationDate?: string | null}) => Promise<number>,
 *   filter?: () => Promise<import("../helpers/api.js").Filter>}} Snapshot
 * @typedef {{fetchDays: () => Promise<{revision: string, total: number, days: Day[],
 *   assets?: Cell[], understood?: string[]}>, fetchAssets: import("./asset-pages.js").FetchPage,
 *   indexOf: (asset: {id: string}) => Promise<number>,
 *   filter?: () => Promise<import("../helpers/api.js").Filter>}} Source
 */

/**
 * The view that the page shows: a collection of the server's library in an order.
 *
 * Fires `snapshot` when there is a new one, and `state` when `state` has changed. The states are
 * `loading`, `ready`, `missing` if the collection does not exist, `unreachable` while the server
 * does not answer, `refused` if it answers with another error, and `signedOut` while this browser
 * has no valid cookie. During an import, a page may be of a later revision than the days. The page
 * is shown, and the days are requested soon.
 */
export class Library extends EventTarget {
  #sourceOf;
  #timer;
  #asked = -Infinity;
  #isAsking = false;
  #isPaused = false;
  /**
   * Whether a part failed to load. The next answer then becomes a new snapshot, even at the same
   * revision.
   */
  #isIncomplete = false;
  /** The number of times that a part of this revision of the view has failed to load. */
  #failures = 0;
  /** @type {{place: Place, order: Order} | null} */
  #wanted = null;
  /** @type {Snapshot | null} */
  snapshot = null;
  /** @type {"loading" | "ready" | "missing" | "unreachable" | "refused" | "signedOut"} */
  state = "loading";

  /** @param {(place: Place, order: Order) => Source} sourceOf */
  constructor(sourceOf) {
    super();
    this.#sourceOf = sourceOf;
  }

  /** Shows a view, which replaces the current one. @param {Place} place @param {Order} order */
  async show(place, order) {
    this.#wanted = { place, order };
    this.#isAsking = false;
    await this.ask();
  }

  /** Requests the view now. */
  async ask() {
    const wanted = this.#wanted;
    if (this.#isAsking || !wanted) return;
    this.#isAsking = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asked = performance.now();
    let delay = null;
    try {
      const source = this.#sourceOf(wanted.place, wanted.order);
      const answer = await source.fetchDays();
      if (wanted !== this.#wanted) return;
      this.#enter("ready");
      this.#take(source, wanted, answer);
    } catch (error) {
      if (wanted !== this.#wanted) return;
      if (error.status === 404) this.lose();
      else if (error.status > 0 && error.status !== 401 && !passing.has(error.status)) this.#enter("refused");
      else {
        this.#enter(error.status === 401 ? "signedOut" : "unreachable");
        delay = retry;
      }
    }
    this.#isAsking = false;
    if (delay !== null) this.#askIn(delay);
  }

  /** Takes note that the collection was deleted. */
  lose() {
    this.snapshot = null;
    this.#enter("missing");
  }

  /** Requests the view soon, because it has changed. */
  askSoon() {
    if (["unreachable", "signedOut"].includes(this.state)) return;
    if (this.#isIncomplete) {
      // News do not wait for a retry.
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    this.#askIn(Math.max(0, this.#asked + interval - performance.now()));
  }

  /**
   * Requests the view again after a while, since a part of the snapshot did not come. The answer
   * becomes a new snapshot even if nothing has changed.
   */
  retry() {
    this.#isIncomplete = true;
    if (["unreachable", "signedOut"].includes(this.state)) return;
    this.#askIn(Math.min(retry * 2 ** this.#failures, longestRetry));
    this.#failures += 1;
  }

  /** Stops the requests while the page is hidden. */
  pause() {
    this.#isPaused = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Goes on after a pause. */
  resume() {
    this.#isPaused = false;
    return this.ask();
  }

  #askIn(milliseconds) {
    if (this.#timer !== undefined || this.#isPaused) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isAsking) this.#askIn(interval);
      else this.ask();
    }, milliseconds);
  }

  #take(source, { place, order }, { revision, total, days, assets, understood, suggestions }) {
    const current = this.snapshot;
    const isSame = current?.place === place && current.order === order && current.revision === revision;
    if (isSame && !this.#isIncomplete) return;
    if (!isSame) this.#failures = 0;
    this.#isIncomplete = false;
    const pages = new AssetPages(async (offset, limit, signal) => {
      const page = await source.fetchAssets(offset, limit, signal);
      if (page.revision !== revision && this.snapshot?.pages === pages) this.askSoon();
      return page;
    }, { revision });
    pages.onFailure = () => this.snapshot?.pages === pages && this.retry();
    if (assets?.length === Math.min(total, pageSize)) pages.begin(assets);
    this.snapshot = { place, order, revision, total, days, understood, suggestions, pages, indexOf: source.indexOf, filter: source.filter };
    this.dispatchEvent(new Event("snapshot"));
  }

  #enter(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}
