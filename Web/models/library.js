/** @import { Day } from "./day-layout.js" */
import { AssetPages } from "./asset-pages.js";

/**
 * The interval in milliseconds between requests for changes, and the longest one while the server
 * does not answer.
 */
const interval = 5_000;
const longestInterval = 30_000;
const soon = 1_000;

/**
 * A library at one revision: its days, and its cells as they are loaded.
 *
 * @typedef {{revision: string, total: number, days: Day[], pages: AssetPages}} Snapshot
 */

/**
 * The server's library, which is polled while the page is visible.
 *
 * Fires `snapshot` when there is a new one, and `state` when `state` has changed. The states are
 * `loading`, `ready`, `unreachable` while the server does not answer, and `signedOut` while this
 * browser has no valid cookie. During an import, a page may be of a later revision than the days.
 * The page is shown, and the days are requested soon.
 */
export class Library extends EventTarget {
  #api;
  #timer;
  #delay = interval;
  #isAsking = false;
  #isSoon = false;
  /** @type {Snapshot | null} */
  snapshot = null;
  /** @type {"loading" | "ready" | "unreachable" | "signedOut"} */
  state = "loading";

  /** @param {{fetchDays: typeof import("../helpers/api.js").fetchDays, fetchAssets: import("./asset-pages.js").FetchPage}} api */
  constructor(api) {
    super();
    this.#api = api;
  }

  /** Requests changes now, and then at intervals. */
  async ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#isSoon = false;
    clearTimeout(this.#timer);
    try {
      const answer = await this.#api.fetchDays(this.snapshot?.revision);
      this.#delay = interval;
      this.#enter("ready");
      if (answer) this.#take(answer);
    } catch (error) {
      this.#delay = Math.min(this.#delay * 2, longestInterval);
      this.#enter(error.status === 401 ? "signedOut" : "unreachable");
    }
    this.#isAsking = false;
    this.#askIn(this.#delay);
  }

  /** Requests changes soon, because a page was of another revision or failed. */
  askSoon() {
    if (["unreachable", "signedOut"].includes(this.state) || this.#isAsking || this.#isSoon) return;
    this.#isSoon = true;
    this.#askIn(soon);
  }

  /** Stops the requests while the page is hidden. */
  pause() {
    clearTimeout(this.#timer);
  }

  #askIn(milliseconds) {
    clearTimeout(this.#timer);
    if (!globalThis.document?.hidden) this.#timer = setTimeout(() => this.ask(), milliseconds);
  }

  #take({ revision, total, days }) {
    const pages = new AssetPages(async (offset, limit, signal) => {
      const page = await this.#api.fetchAssets(offset, limit, signal);
      if (page.revision !== this.snapshot.revision) this.askSoon();
      return page;
    });
    this.snapshot = { revision, total, days, pages };
    this.dispatchEvent(new Event("snapshot"));
  }

  #enter(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}
