import { configurationOf, mayOpen } from "../models/picker-configuration.js";

const version = 1;
/** All times are in milliseconds. */
const sayReadyEvery = 500;
const sayReadyFor = 20_000;
const signOfLifeEvery = 2_000;
/** The refusal of a page over HTTP, and of one without an origin. */
export const insecureOrigin = "origin: it has to be HTTPS, or of this machine";

/**
 * The port of a page. Its signs of life are asked for by messages, because a browser holds the
 * timers of a hidden window back. They are answered before the scripts of the picker are loaded.
 */
class PagePort {
  #port;
  #waiting = [];
  #take = null;

  /** @param {MessagePort} port */
  constructor(port) {
    this.#port = port;
    port.onmessage = ({ data }) => {
      if (data?.type === "ping") this.postMessage({ type: "alive" });
      else if (this.#take) this.#take({ data });
      else this.#waiting.push({ data });
    };
  }

  set onmessage(take) {
    this.#take = take;
    for (const event of this.#waiting.splice(0)) take(event);
  }

  async postMessage(message) {
    this.#port.postMessage(message);
  }
}

/**
 * Waits for the page that has opened this window. Resolves with its port, its origin and the
 * checked configuration. Rejects with the reason, which the page has got too, or with `silent` if
 * it says nothing.
 * @returns {Promise<{port: PagePort, origin: string, configuration:
 *   import("../models/picker-configuration.js").Configuration}>}
 */
function meetOpener() {
  const { opener } = window;
  return new Promise((resolve, reject) => {
    const ready = () => opener.postMessage({ calotype: "ready", versions: [version] }, "*");
    const timer = setInterval(ready, sayReadyEvery);
    const end = setTimeout(() => {
      clearInterval(timer);
      removeEventListener("message", greet);
      reject(new Error("silent"));
    }, sayReadyFor);
    const greet = (event) => {
      if (event.source !== opener || event.data?.calotype !== "open" || event.ports.length !== 1) return;
      clearInterval(timer);
      clearTimeout(end);
      removeEventListener("message", greet);
      // From here on, only the port counts: another document in the opener's place has none.
      window.opener = null;
      const port = new PagePort(event.ports[0]);
      try {
        if (!mayOpen(event.origin, location)) throw new TypeError(insecureOrigin);
        if (event.data.version !== version) throw new RangeError(`version: it has to be ${version}`);
        const configuration = configurationOf(event.data.configuration);
        port.postMessage({ type: "opened", version, features: [] });
        // For copies of picker.js that do not ask.
        setInterval(() => port.postMessage({ type: "alive" }), signOfLifeEvery);
        resolve({ port, origin: event.origin, configuration });
      } catch (error) {
        const code = error instanceof RangeError ? "unsupported-version" : "bad-configuration";
        port.postMessage({ type: "error", code, message: error.message });
        reject(error);
      }
    };
    addEventListener("message", greet);
    ready();
  });
}

/**
 * The name of a session of the server, or null. Its program or page talks to the server alone, so
 * that the page may also have opened this window in the ordinary way.
 */
export const session = new URLSearchParams(location.hash.slice(1)).get("s");
if (session) window.opener = null;

/** The meeting with the page that has opened this window, or null if none has. */
export const meeting = window.opener ? meetOpener() : null;
// The picker reports a refusal later.
meeting?.catch(() => {});
