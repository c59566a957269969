import { OwnChanges } from "../models/own-changes.js";
import { send } from "./send.js";

/**
 * Changes the library, and takes changes back.
 *
 *     const { created } = await changes.perform([{ type: "createAlbum", as: "$1", title }]);
 *
 * All changes of one call are one transaction. Fires `performed` with the server's answer.
 */
export class Changes extends EventTarget {
  #turn = Promise.resolve();
  own = new OwnChanges();

  /** @param {typeof send} [sending] */
  constructor(sending = send) {
    super();
    this.send = sending;
    /** Settles after the latest request was answered. @type {Promise<unknown>} */
    this.latest = Promise.resolve();
  }

  /**
   * Does work after all earlier work is done, so that an undo takes back the change before it, even
   * if that one still gathers its assets.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  inTurn(work) {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /**
   * @param {object[]} changes
   * @param {{isLong?: boolean}} [options] `latest` does not wait for a long change
   * @returns {Promise<{revision: string, transaction: number, created: object,
   *   isUndoable: boolean}>}
   */
  async perform(changes, options) {
    const answer = await this.#post("/api/v1/changes", { changes }, options);
    this.own.note(changes, answer);
    return answer;
  }

  /**
   * Takes back a transaction of this owner, or else the newest one.
   * @param {number} [transaction]
   */
  undo(transaction) {
    return this.#post("/api/v1/undo", transaction === undefined ? {} : { transaction });
  }

  /** Makes a change again that was taken back. @param {number} [transaction] */
  redo(transaction) {
    return this.#post("/api/v1/redo", transaction === undefined ? {} : { transaction });
  }

  async #post(path, body, { isLong = false } = {}) {
    const key = { "Idempotency-Key": randomKey() };
    const once = () => this.send("POST", path, body, key);
    // If an answer is lost, the key keeps the server from doing the same twice.
    const request = once().catch((error) => (error.status === 0 ? once() : Promise.reject(error)));
    if (!isLong) this.latest = request.catch(() => {});
    const answer = await request;
    this.dispatchEvent(new CustomEvent("performed", { detail: answer }));
    return answer;
  }
}

function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
