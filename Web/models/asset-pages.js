/**
 * @typedef {{id: string, version: string, mediaType: string, mediaSubtypes: string[],
 *   creationDate: string | null, pixelWidth: number, pixelHeight: number, duration: number,
 *   isFavorite: boolean, placeholder: string | null, unreadable: boolean, daysLeft?: number,
 *   datePrecision?: string, burstCount?: number, isBurstPick?: boolean, hasRaw?: boolean,
 *   latitude?: number, longitude?: number, burstFrames?: Cell[]}} Cell
 * @typedef {(offset: number, limit: number, signal: AbortSignal) => Promise<{revision: string,
 *   assets: Cell[]}>} FetchPage
 */

/** The number of assets that are requested at once. */
export const pageSize = 100;

/** The library has gone on, so that the assets of an earlier revision can't be told any more. */
export class Outdated extends Error {
  kind = "outdated";
}

/**
 * The cells of a library, loaded in aligned pages on demand.
 *
 *     const pages = new AssetPages(fetchPage);
 *     pages.want([{first: 0, end: 40}, {first: 40, end: 120}]);  // visible first
 *     pages.at(3)                                                // undefined until loaded
 *
 * A page that is no longer wanted is aborted. There are at most `atOnce` concurrent requests. The
 * `capacity` pages used last are kept. `onPage` is called when a page is loaded, `onFailure` if a
 * page fails. A page of another revision than `revision` is shown, but its places are not exact.
 */
export class AssetPages {
  #fetchPage;
  #pageSize;
  #atOnce;
  #capacity;
  #revision;
  /** The pages of another revision. @type {Set<number>} */
  #later = new Set();
  /** @type {Map<number, Cell[]>} in the order of last use */
  #pages = new Map();
  /** @type {Map<number, AbortController>} */
  #underWay = new Map();
  /** @type {number[]} */
  #wanted = [];

  /**
   * @param {FetchPage} fetchPage
   * @param {{pageSize?: number, atOnce?: number, capacity?: number, revision?: string}} [options]
   */
  constructor(fetchPage, { pageSize: size = pageSize, atOnce = 4, capacity = 200, revision } = {}) {
    this.#fetchPage = fetchPage;
    this.#pageSize = size;
    this.#atOnce = atOnce;
    this.#capacity = capacity;
    this.#revision = revision;
    /** @type {() => void} */
    this.onPage = () => {};
    /** @type {(error: Error) => void} */
    this.onFailure = () => {};
  }

  /** @param {number} asset @returns {Cell | undefined} */
  at(asset) {
    return this.#pages.get(Math.floor(asset / this.#pageSize))?.[asset % this.#pageSize];
  }

  /**
   * Returns whether a loaded cell has this index at the revision of the pages.
   * @param {number} asset
   */
  isExact(asset) {
    return !this.#later.has(Math.floor(asset / this.#pageSize));
  }

  /**
   * Sets the wanted assets, the most urgent first, and replaces the previous ones.
   * @param {{first: number, end: number}[]} ranges
   */
  want(ranges) {
    const wanted = new Set();
    for (const { first, end } of ranges) {
      for (let page = Math.floor(first / this.#pageSize); page * this.#pageSize < end; page++) wanted.add(page);
    }
    for (const [page, abort] of this.#underWay) {
      if (wanted.has(page)) continue;
      this.#underWay.delete(page);
      abort.abort();
    }
    for (const page of [...wanted].reverse()) this.#touch(page);
    this.#wanted = [...wanted].filter((page) => !this.#pages.has(page));
    this.#start();
  }

  /**
   * Returns the cell at an index, and loads its page if necessary.
   * @param {number} asset
   * @param {{isExact?: boolean}} [options] whether a page that comes from another revision is
   *   refused with `Outdated`
   * @returns {Promise<Cell | undefined>}
   */
  async load(asset, { isExact = false } = {}) {
    const page = Math.floor(asset / this.#pageSize);
    if (!this.#pages.has(page)) {
      const offset = page * this.#pageSize;
      const answer = await this.#fetchPage(offset, this.#pageSize, new AbortController().signal);
      if (isExact && this.#isLater(answer)) throw new Outdated();
      this.#keep(page, answer);
    }
    return this.at(asset);
  }

  /**
   * Loads every cell of a range.
   * @param {{first: number, end: number}} range
   */
  async loadRange({ first, end }) {
    const start = Math.floor(first / this.#pageSize) * this.#pageSize;
    const loads = [];
    for (let asset = start; asset < end; asset += this.#pageSize) loads.push(this.load(asset));
    await Promise.all(loads);
  }

  /** Takes the first cells, which came with another answer. @param {Cell[]} assets */
  begin(assets) {
    this.#pages.set(0, assets);
  }

  /** Shows other cells at places whose pages are loaded. @param {[number, Cell][]} cells */
  replace(cells) {
    for (const [asset, cell] of cells) {
      const page = this.#pages.get(Math.floor(asset / this.#pageSize));
      if (page) page[asset % this.#pageSize] = cell;
    }
    this.onPage();
  }

  /** Aborts all requests. */
  close() {
    this.want([]);
  }

  #start() {
    while (this.#underWay.size < this.#atOnce) {
      const page = this.#wanted.find((page) => !this.#underWay.has(page));
      if (page === undefined) return;
      this.#request(page);
    }
  }

  async #request(page) {
    const abort = new AbortController();
    this.#underWay.set(page, abort);
    try {
      const answer = await this.#fetchPage(page * this.#pageSize, this.#pageSize, abort.signal);
      if (!abort.signal.aborted) this.#keep(page, answer);
    } catch (error) {
      if (!abort.signal.aborted) this.onFailure(error);
    } finally {
      this.#wanted = this.#wanted.filter((other) => other !== page || abort.signal.aborted);
      if (this.#underWay.get(page) === abort) this.#underWay.delete(page);
      this.#start();
    }
  }

  #isLater({ revision }) {
    return this.#revision !== undefined && revision !== this.#revision;
  }

  #keep(page, answer) {
    this.#pages.set(page, answer.assets);
    if (this.#isLater(answer)) this.#later.add(page);
    else this.#later.delete(page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= this.#capacity) break;
      this.#pages.delete(oldest);
    }
    this.onPage();
  }

  #touch(page) {
    const cells = this.#pages.get(page);
    if (!cells) return;
    this.#pages.delete(page);
    this.#pages.set(page, cells);
  }
}
