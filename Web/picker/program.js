import { send } from "../helpers/send.js";

/** The time in milliseconds after which a server that did not answer is asked again. */
const askAgain = 500;
/** The seconds that a request for commands waits. */
const pollSeconds = 25;
/** The time in milliseconds between two requests for commands once the program has its answer. */
const askAfterAnswer = 2_000;
const answers = new Set(["change", "picked", "cancelled"]);

/**
 * A session of the server in place of a page's port: a program has asked for this picker. The
 * server hands the files over itself.
 */
export class ProgramPort {
  #path;
  #latest = Promise.resolve();
  #isAnswered = false;
  /** Ends the request for commands that waits. */
  #waiting = new AbortController();
  /** @type {(event: {data: unknown}) => void} */
  onmessage = () => {};

  /** @param {string} id the public name of the session */
  constructor(id) {
    this.#path = `/picker/v1/windows/${encodeURIComponent(id)}`;
  }

  /**
   * Returns what the program asks for. A page of another origin has an `origin`, and a program on
   * another machine an `address`.
   * @returns {Promise<{configuration: object, clientName: string, origin?: string,
   *   address?: string, needsCode: boolean, choosesAccess: boolean, isOpen: boolean}>}
   */
  show() {
    return send("GET", this.#path);
  }

  /** Sends the digits that the person has typed. @param {string} code */
  confirm(code) {
    return send("POST", `${this.#path}/code`, { code });
  }

  /**
   * Sends an answer after the ones before. Resolves when it was sent, and rejects if it could not
   * be.
   */
  postMessage({ type, items, wishes }) {
    if (!answers.has(type)) return Promise.resolve();
    const { representation, includesLocation: includeLocation, includesCaptions: includeCaptions } = wishes;
    const body = { type, assets: items.map(({ asset }) => asset), representation, includeLocation, includeCaptions };
    const sent = this.#latest.then(() => send("POST", `${this.#path}/answer`, body));
    this.#latest = sent.then(
      () => type !== "change" && this.#stopWaiting(),
      () => {},
    );
    return sent;
  }

  /**
   * Leaves the connection to others. The window may stay open for long, and six windows that wait
   * would take all connections that a browser has to the library.
   */
  #stopWaiting() {
    this.#isAnswered = true;
    this.#waiting.abort();
  }

  /**
   * Says at once when the window is hidden or shown: a browser may stop the scripts of a hidden
   * one, which the server then waits for longer. A window that is leaving is gone soon.
   */
  #watchVisibility() {
    let isLeaving = false;
    const tell = () => this.#askForCommands(0, 0, { isHidden: document.hidden && !isLeaving, keepalive: true }).catch(() => {});
    document.addEventListener("visibilitychange", () => !isLeaving && tell());
    addEventListener("pagehide", () => {
      isLeaving = true;
      tell();
    });
    // The person may have come back to it.
    addEventListener("pageshow", () => (isLeaving = false));
  }

  #askForCommands(since, wait, { isHidden, keepalive = false, signal }) {
    const query = new URLSearchParams({ since, wait, hidden: isHidden ? 1 : 0 });
    return send("GET", `${this.#path}/commands?${query}`, undefined, {}, { keepalive, signal });
  }

  /** Passes the program's commands on until it closes the picker. */
  async follow() {
    this.#watchVisibility();
    for (let since = 0; ; ) {
      let news;
      try {
        news = this.#isAnswered
          ? await this.#askForCommands(since, 0, { isHidden: document.hidden })
          : await this.#askForCommands(since, pollSeconds, { isHidden: document.hidden, signal: this.#waiting.signal });
      } catch (error) {
        if (error.status === 404) break;
        await pause(askAgain);
        continue;
      }
      for (const data of news.commands) this.onmessage({ data });
      if (news.isClosed) break;
      since = news.next;
      if (this.#isAnswered) await pause(askAfterAnswer);
    }
    this.onmessage({ data: { type: "close" } });
  }
}

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
