/** The time in milliseconds before a stream that the server has refused is opened again. */
const retry = 2_000;

/**
 * The server's stream of changes. The browser opens it again after a break, and names the last
 * event that it had, so that none is missed.
 *
 * Fires `change`, `reset`, `access`, `confirm`, `edit` and `hidden` with the event's data as
 * `detail`, `open` when the stream begins (again), and `lost` when it breaks.
 */
export class LiveChanges extends EventTarget {
  #open;
  #source = null;
  #timer;
  #since = "";

  /** @param {(since: string) => EventSource} open */
  constructor(open) {
    super();
    this.#open = open;
  }

  get isStarted() {
    return this.#since !== "";
  }

  /**
   * Begins with the changes after a token, or goes on after a pause.
   * @param {string} [since]
   */
  start(since = this.#since) {
    this.pause();
    this.#since = since;
    const source = this.#open(since);
    this.#source = source;
    source.addEventListener("open", () => this.#fire("open"));
    source.addEventListener("error", () => this.#failed(source));
    for (const type of ["change", "reset", "access", "confirm", "edit", "hidden"]) {
      source.addEventListener(type, (event) => this.#received(type, event));
    }
  }

  /** Closes the stream. */
  pause() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #received(type, { data, lastEventId }) {
    if (lastEventId) this.#since = lastEventId;
    this.#fire(type, data ? JSON.parse(data) : null);
  }

  #failed(source) {
    if (source !== this.#source) return;
    this.#fire("lost");
    if (source.readyState === 2) this.#timer = setTimeout(() => this.start(), retry);
  }

  #fire(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
