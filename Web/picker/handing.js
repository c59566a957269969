import { send } from "../helpers/send.js";
import { NotCopied, copy } from "./copying.js";

/** The seconds that an address is valid, unless the page says another time. */
const lifeOfAddress = 3_600;
/**
 * The size in bytes of the largest file whose digest is computed, since that takes it into memory.
 */
const largestDigest = 1 << 28;
/** The answer to a request for what was deleted. */
const gone = { code: "gone", message: "it was deleted or hidden" };
const unable = "the library can’t hand it over";
/** The number of files that are made at once: one can be downloaded while another is hashed. */
const atOnce = 2;

/**
 * Hands over to a page what was picked for it: as files, or as addresses.
 *
 * Fires `progress`, and `done` when everything that was asked for is answered.
 */
export class Handing extends EventTarget {
  #port;
  #origin;
  #wishes;
  /** The assets by the random names that the page has got. @type {Map<string, string>} */
  #items = new Map();
  #names = new Map();
  /** The addresses that were given, by the names of the items. @type {Map<string, string[]>} */
  #addresses = new Map();
  /**
   * The requests under way, each with its item.
   * @type {Map<number, {item: string, controller: AbortController}>}
   */
  #requests = new Map();
  #working = 0;
  /** Begins the requests that wait for their turn. @type {(() => void)[]} */
  #waiting = [];
  /** The finished fraction of each main file that is being copied. */
  #shares = new Map();
  /**
   * The kinds that the page has not got, by the names of the picked items.
   * @type {Map<string, Set<string>>}
   */
  #given = new Map();
  /** The files that could not be handed over: the kinds by the names of their items. */
  #failed = new Map();

  /**
   * @param {{postMessage: (message: object) => void}} port
   * @param {string} origin
   * @param {(representation?: string) => import("../models/handed-form.js").Wishes} wishes
   *   returns the options of the person, for a file in the representation that the page asks for
   */
  constructor(port, origin, wishes) {
    super();
    this.#port = port;
    this.#origin = origin;
    this.#wishes = wishes;
  }

  /**
   * Returns the name of an asset in this window, which says nothing of the library.
   * @param {string} id
   */
  nameOf(id) {
    const item = this.#names.get(id) ?? crypto.randomUUID();
    this.#names.set(id, item);
    this.#items.set(item, id);
    return item;
  }

  /** @param {string} item @returns {string | undefined} the asset of a name */
  assetOf(item) {
    return this.#items.get(item);
  }

  /** Hands an item over from now on. @param {string} item @param {string[]} kinds */
  expect(item, kinds) {
    this.#given.set(item, new Set(kinds));
  }

  /** @param {string} item whether it may be loaded */
  isGiven(item) {
    return this.#given.has(item);
  }

  /** The number of items that may be loaded. */
  get given() {
    return this.#given.size;
  }

  /** The number of items of which a file could not be handed over. */
  get failed() {
    return [...this.#failed.values()].filter(({ size }) => size > 0).length;
  }

  /** The number of items whose main file was asked for and answered. */
  get handed() {
    return [...this.#given.values()].filter((kinds) => !kinds.has("main")).length;
  }

  /** The finished fraction of all main files. */
  get share() {
    return [...this.#shares.values()].reduce((sum, share) => sum + share, this.handed) / this.given;
  }

  /**
   * Returns the kind of files that the page has not asked for yet.
   * @returns {"nothing" | "movies" | "files"}
   */
  get left() {
    if (this.handed < this.given) return "files";
    return [...this.#given.values()].some(({ size }) => size > 0) ? "movies" : "nothing";
  }

  get isBusy() {
    return this.#requests.size > 0;
  }

  /** Answers a request with the error that nothing of this name was picked. */
  refuse(request) {
    this.#fail(request, "not-picked", "this was not picked");
  }

  /**
   * Answers a request with a file or with its address.
   * @param {import("../models/picker-message.js").Message} asked
   * @param {import("../models/asset-pages.js").Cell} cell
   */
  async answer({ type, request, item, kind, seconds, representation }, cell) {
    const controller = new AbortController();
    this.#requests.set(request, { item, controller });
    const onprogress = (completed, total, stage) => {
      if (kind === "main" && total) this.#shares.set(request, completed / total);
      this.#port.postMessage({ type: "loading", request, completed, total, stage });
      this.dispatchEvent(new Event("progress"));
    };
    try {
      await this.#inTurn(async () => {
        controller.signal.throwIfAborted();
        const { file, bytes } = await copy(cell, kind, this.#wishes(representation), { signal: controller.signal, onprogress });
        if (type === "address") {
          const address = await this.#addressOf(file, item, cell.id, seconds, controller.signal);
          this.#port.postMessage({ type: "addressed", request, ...address });
        } else {
          const sha256 = await digest(file, bytes);
          controller.signal.throwIfAborted();
          this.#port.postMessage({ type: "loaded", request, file, sha256 });
        }
      });
      this.#given.get(item)?.delete(kind);
      this.#failed.get(item)?.delete(kind);
    } catch (error) {
      const { code, message } = reasonOf(error);
      this.#fail(request, code, message);
      // The page has its answer. What it has given up it may ask for again.
      if (code !== "cancelled" && this.#given.get(item)?.delete(kind)) this.#failed.set(item, new Set(this.#failed.get(item)).add(kind));
    }
    this.#shares.delete(request);
    this.#requests.delete(request);
    this.dispatchEvent(new Event(this.#requests.size === 0 ? "done" : "progress"));
  }

  cancel(request) {
    this.#requests.get(request)?.controller.abort();
  }

  cancelAll() {
    for (const { controller } of this.#requests.values()) controller.abort();
  }

  /**
   * Forgets items, by default all. Ends their addresses and the requests for them.
   * @param {string[] | null} [items]
   */
  release(items = null) {
    for (const { item, controller } of this.#requests.values()) if (items?.includes(item) ?? true) controller.abort();
    for (const item of items ?? [...this.#items.keys()]) {
      this.#names.delete(this.#items.get(item));
      this.#items.delete(item);
      this.#given.delete(item);
      this.#failed.delete(item);
      this.#addresses.get(item)?.forEach(endAddress);
      this.#addresses.delete(item);
    }
  }

  #fail(request, code, message) {
    this.#port.postMessage({ type: "error", request, code, message });
  }

  /** Leaves a copy with the server, and returns its address. */
  async #addressOf(file, item, asset, seconds, signal) {
    const query = new URLSearchParams({ origin: this.#origin, asset, name: file.name, seconds: seconds ?? lifeOfAddress });
    const response = await fetch(`/picker/v1/addresses?${query}`, { method: "POST", headers: { "Content-Type": file.type }, body: file });
    if (response.status === 404) throw new NotCopied(gone.message, gone.code);
    if (!response.ok) throw new NotCopied(response.status < 500 && response.status !== 429 ? unable : "there is no room; release some photos, or try again later");
    const answer = await response.json();
    // The page may have released the item, or given the request up, while the copy was sent.
    if (signal.aborted) endAddress(answer.id);
    signal.throwIfAborted();
    this.#addresses.set(item, [...(this.#addresses.get(item) ?? []), answer.id]);
    return { address: new URL(answer.path, location.origin).href, expires: answer.expires };
  }

  /** Runs at most `atOnce` pieces of work, in the order of the requests, to limit the memory. */
  async #inTurn(work) {
    if (this.#working === atOnce) await new Promise((begin) => this.#waiting.push(begin));
    else this.#working++;
    try {
      return await work();
    } finally {
      const begin = this.#waiting.shift();
      if (begin) begin();
      else this.#working--;
    }
  }
}

/** @param {string} address the public name of an address */
function endAddress(address) {
  send("DELETE", `/picker/v1/addresses/${address}`).catch(() => {});
}

/** Says why a request fails. The message of another error may name an asset of the library. */
function reasonOf(error) {
  if (error.name === "AbortError") return { code: "cancelled", message: "the request was canceled" };
  if (error.status === 404) return gone;
  return error instanceof NotCopied ? error : { code: "unreadable", message: unable };
}

/**
 * Returns the SHA-256 of a file in hexadecimal digits; null if it is too large.
 * @param {File} file
 * @param {Uint8Array} [bytes] its content, if it is in memory
 */
async function digest(file, bytes) {
  if (file.size > largestDigest || !crypto.subtle) return null;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes ?? (await file.arrayBuffer())));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
