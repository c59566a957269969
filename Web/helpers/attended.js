import { attention } from "./api.js";

/** The time in milliseconds for which a page is attended after a person did something in it. */
export const attendedTime = 60_000;

/**
 * Knows whether a person is at the page. A page goes on asking the server while nobody is there,
 * and that must not keep its session alive.
 */
export class Attendance {
  #acted;
  #told;

  /** A person has opened the page. @param {number} now */
  constructor(now) {
    this.#acted = now;
    this.#told = now;
  }

  /**
   * Notes that a person did something. Returns true if no request has told the server so for a
   * while: pictures that the browser loads can't tell it.
   * @param {number} now
   * @returns {boolean}
   */
  act(now) {
    this.#acted = now;
    return now - this.#told >= attendedTime;
  }

  /**
   * Returns the header fields of a request.
   * @param {number} now
   * @param {boolean} isHidden
   * @returns {Record<string, string>}
   */
  fields(now, isHidden) {
    if (isHidden || now - this.#acted >= attendedTime) return { "Calotype-Unattended": "1" };
    this.#told = now;
    return {};
  }
}

const attendance = new Attendance(performance.now());
const isHidden = () => Boolean(globalThis.document?.hidden);
attention.fields = () => attendance.fields(performance.now(), isHidden());

/**
 * Sends a request like `fetch`. Its header says so if nobody is at the page.
 * @param {string} path
 * @param {RequestInit & {headers?: Record<string, string>}} [options]
 * @returns {Promise<Response>}
 */
export function request(path, { headers, ...options } = {}) {
  return fetch(path, { ...options, headers: { ...headers, ...attention.fields() } });
}

/**
 * Returns whether an event shows that a person is there, who may also watch a movie. A browser also
 * reports a pointer under which the page has moved, and a looping movie plays without end.
 * @param {{isTrusted: boolean, type: string, target?: any, movementX?: number, movementY?: number}}
 *   event
 */
export function isOfPerson({ isTrusted, type, target, movementX, movementY }) {
  if (type === "pointermove") return isTrusted && Boolean(movementX || movementY);
  return isTrusted && !(type === "timeupdate" && target.loop);
}

function noteAct(event) {
  if (!isOfPerson(event) || isHidden() || !attendance.act(performance.now())) return;
  request("/api/v1/session", { method: "HEAD" }).catch(() => {});
}

// Scrolling is not among them, because the page itself scrolls when others change the library.
for (const type of ["click", "input", "keydown", "pointerdown", "pointermove", "timeupdate", "wheel"]) {
  globalThis.addEventListener?.(type, noteAct, { capture: true, passive: true });
}
