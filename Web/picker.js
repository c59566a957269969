/**
 * Lets a person choose photos of their own library for this page. The page gets copies of what was
 * chosen, and nothing else. Copy this file to your site; it needs no other.
 *
 *     import { PhotoPicker } from "./picker.js";
 *     button.onclick = async () => {
 *       const photos = await PhotoPicker.open({ filter: "images", selectionLimit: 5 });
 *       for (const photo of photos) show(await photo.file());  // a File, as from <input type=file>
 *     };
 *
 * The keys of the configuration are documented in docs/PICKER.md.
 */

const version = 1;
const pickAddress = "web+calotype:pick";
/** All times are in milliseconds. The window says `ready` each half second. */
const readyWithin = { known: 15_000, unknown: 4_000 };
const lookEvery = 250;
/** The looks without an answer after which the window counts as crashed: two and a half seconds. */
const mostSilentLooks = 10;

const failure = (name, message) => new DOMException(message, name);

/** A photo or video that a person has chosen. */
class PickedPhoto {
  #session;

  /** @param {PickerSession} session @param {object} item */
  constructor(session, item) {
    this.#session = session;
    Object.assign(this, item);
    Object.freeze(this);
  }

  /**
   * Returns a copy as a `File`. Rejects with `AbortError` if the person closes the picker's window
   * before, or `signal` aborts.
   * @param {{kind?: "main" | "pairedVideo", signal?: AbortSignal,
   *   representation?: "current" | "compatible" | "automatic",
   *   onprogress?: (completed: number, total: number | null, stage: "making" | "sending") => void}}
   *   [options] `representation` instead of that of the configuration
   * @returns {Promise<File>}
   */
  file(options) {
    return this.#session.load(this.item, options);
  }

  /**
   * Returns an address from which this page alone can load a copy, for `<img>`, `<video>` or
   * `fetch`. It is valid for `seconds`, an hour by default. Rejects where the browser would block
   * it.
   * @param {{kind?: "main" | "pairedVideo", seconds?: number, signal?: AbortSignal,
   *   representation?: "current" | "compatible" | "automatic",
   *   onprogress?: (completed: number, total: number | null, stage: "making" | "sending") => void}}
   *   [options] as for `file`
   * @returns {Promise<{address: string, expires: string}>}
   */
  async address(options) {
    await this.#session.checkAddresses();
    return this.#session.load(this.item, options, "address");
  }
}

const isLocal = (host) =>
  /^(localhost|.*\.(localhost|local)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+|\[(::1|f[cde].*)\])$/.test(host);

/** One window of the picker. Fires `change` with `{photos}` while the selection is continuous. */
export class PickerSession extends EventTarget {
  #window;
  #library;
  #configuration;
  #port = null;
  /** The messages that are sent once the library has answered. */
  #early = [];
  /** The origin of the library that has answered. */
  #origin = "";
  #requests = new Map();
  #lastRequest = 0;
  /** The looks since the window was asked for a sign of life; 0 if it has answered. */
  #silentLooks = 0;
  #isGone = false;
  #watch;
  #readyTimer;
  #settle;
  #isChosen = false;
  #isOver = false;
  /**
   * @type {Promise<PickedPhoto[]>} what was chosen; if the person cancels, what was chosen before
   */
  finished;

  constructor({ library, ...configuration }) {
    super();
    if (library && !URL.canParse("/picker", library)) throw new TypeError("library: it has to be an address");
    this.#library = library ? new URL("/picker", library) : null;
    this.#configuration = configuration;
    this.finished = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    const width = Math.min(960, Math.floor(screen.availWidth * 0.9));
    const height = Math.min(720, Math.floor(screen.availHeight * 0.9));
    this.#window = open(this.#library ?? pickAddress, "_blank", `popup,width=${width},height=${height}`);
    if (!this.#window) return void this.#end(failure("NotAllowedError", "the browser has blocked the picker's window"));
    addEventListener("message", this.#greet);
    this.#readyTimer = setTimeout(
      () => this.#end(failure("NotFoundError", `no photo library has answered${this.#library ? ` at ${this.#library.origin}` : "; name its address by `library`"}`)),
      this.#library ? readyWithin.known : readyWithin.unknown,
    );
    this.#watch = setInterval(() => this.#look(), lookEvery);
  }

  /** Brings the window to the front. */
  focus() {
    this.#window?.focus();
  }

  get isOpen() {
    return !this.#isOver;
  }

  /** The origin of the library that has answered; empty before. */
  get origin() {
    return this.#origin;
  }

  /** Whether the person has not chosen yet. Afterward the window only hands over. */
  get isChoosing() {
    return !this.#isOver && !this.#isChosen;
  }

  /** Changes `selectionLimit`, `searchText` or `edgesWithoutContentMargins`. */
  update(changes) {
    this.#send({ type: "update", ...changes });
  }

  /** @param {string[]} identifiers */
  deselect(identifiers) {
    this.#send({ type: "deselect", identifiers });
  }

  /** Moves a chosen photo behind another one, or to the beginning. */
  move(identifier, after = null) {
    this.#send({ type: "move", identifier, after });
  }

  scrollToInitialPosition() {
    this.#send({ type: "scrollToInitialPosition" });
  }

  /** Shows fewer and larger photos. */
  zoomIn() {
    this.#send({ type: "zoomIn" });
  }

  /** Shows more and smaller photos. */
  zoomOut() {
    this.#send({ type: "zoomOut" });
  }

  /** Gives photos up, by default all. They can't be loaded any more, and their addresses end. */
  release(photos) {
    this.#send({ type: "release", items: photos?.map(({ item }) => item) });
  }

  /** Closes the window. What is being copied is given up. `revoke` ends the addresses too. */
  close({ revoke = false } = {}) {
    this.#send({ type: "close", revoke });
    this.#end(failure("AbortError", "the page has closed the picker"));
  }

  /** Throws if the browser keeps this page from loading addresses of the library. */
  async checkAddresses() {
    if (!isLocal(new URL(this.#origin).hostname) || isLocal(location.hostname)) return;
    const permission = await navigator.permissions?.query({ name: "local-network-access" }).catch(() => null);
    if (permission?.state === "granted") return;
    throw failure("NotAllowedError", "a public page can’t load addresses of a library in the local network; use file() instead");
  }

  load(item, { kind = "main", representation, seconds, signal, onprogress } = {}, type = "load") {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#isOver) return reject(failure("AbortError", "the picker's window is closed"));
      const request = ++this.#lastRequest;
      const abort = () => {
        this.#send({ type: "cancel", request });
        this.#answer(request)?.reject(signal.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      const clean = () => signal?.removeEventListener("abort", abort);
      this.#requests.set(request, { resolve, reject, onprogress, clean });
      this.#send({ type, request, item, kind, representation, ...(type === "address" && { seconds }) });
    });
  }

  #greet = (event) => {
    if (event.source !== this.#window || event.data?.calotype !== "ready") return;
    if (this.#library && event.origin !== this.#library.origin) {
      return this.#end(failure("SecurityError", `${event.origin} has answered for ${this.#library.origin}`));
    }
    if (!event.data.versions?.includes(version)) {
      return this.#end(failure("NotSupportedError", "the library's picker is of another version"));
    }
    clearTimeout(this.#readyTimer);
    removeEventListener("message", this.#greet);
    this.#origin = event.origin;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#receive(data);
    // Some browsers tell of the other end, so that a crash is noticed at once.
    port1.onclose = () => this.#lost();
    try {
      this.#window.postMessage({ calotype: "open", version, configuration: this.#configuration }, event.origin, [port2]);
    } catch ({ message }) {
      // The configuration has a function, or the library's address has no origin.
      return this.#end(new TypeError(message));
    }
    for (const message of this.#early.splice(0)) this.#send(message);
  };

  #receive(message) {
    this.#silentLooks = 0;
    const request = this.#requests.get(message.request);
    switch (message.type) {
      case "change":
        return this.dispatchEvent(new CustomEvent("change", { detail: { photos: this.#photos(message.items) } }));
      case "picked":
      case "cancelled":
        this.#isChosen = true;
        this.#settle.resolve(this.#photos(message.items));
        if (message.type === "cancelled") this.#end(failure("AbortError", "the person has canceled"));
        return;
      case "loading":
        return request?.onprogress?.(message.completed, message.total, message.stage);
      case "loaded":
        return this.#answer(message.request)?.resolve(message.file);
      case "addressed":
        return this.#answer(message.request)?.resolve({ address: message.address, expires: message.expires });
      case "error": {
        const error = failure(message.code === "bad-configuration" ? "TypeError" : "OperationError", message.message);
        if (request) return this.#answer(message.request).reject(error);
        if (message.code !== "unknown-type") this.#end(message.code === "bad-configuration" ? new TypeError(message.message) : error);
      }
    }
  }

  #photos(items) {
    return items.map((item) => new PickedPhoto(this, item));
  }

  #answer(request) {
    const answer = this.#requests.get(request);
    this.#requests.delete(request);
    answer?.clean();
    return answer;
  }

  #send(message) {
    if (this.#port) this.#port.postMessage(message);
    else this.#early.push(message);
  }

  /** Looks are counted, not their time: a browser holds the timers of a hidden page back. */
  #look() {
    // The last message of the window may come after its end.
    if (this.#isGone || this.#silentLooks > mostSilentLooks) return this.#lost();
    this.#isGone = this.#window.closed;
    if (this.#port && this.#silentLooks++ === 0) this.#send({ type: "ping" });
  }

  #lost() {
    this.#end(failure("AbortError", "the picker's window is closed"));
  }

  #end(error) {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#readyTimer);
    clearInterval(this.#watch);
    removeEventListener("message", this.#greet);
    this.#settle.reject(error);
    for (const request of [...this.#requests.keys()]) this.#answer(request).reject(error);
    this.#port?.close();
    this.#window?.close();
  }
}

let latest = null;

export const PhotoPicker = {
  /**
   * Opens the picker. Call it in a click's handler, or the browser blocks the window. Resolves with
   * the chosen photos; if the person cancels, with those that were preselected, or none.
   * @param {object} [configuration]
   * @returns {Promise<PickedPhoto[]>}
   */
  async open(configuration = {}) {
    return PhotoPicker.present(configuration).finished;
  },

  /**
   * Opens the picker and returns its session. While a person is choosing, its window comes to the
   * front and this throws `InvalidStateError`, since the answer belongs to the first caller.
   */
  present(configuration = {}) {
    if (latest?.isChoosing) {
      latest.focus();
      throw failure("InvalidStateError", "the picker is open already");
    }
    latest = new PickerSession(configuration);
    latest.finished.catch(() => {});
    return latest;
  },
};

/** The words for a visitor, by the names of errors. The events have those for developers. */
const problems = {
  NotAllowedError: "The browser has blocked the window.",
  NotFoundError: "No photo library has answered.",
};

/**
 * A button that opens the picker, and a form control whose value are the files.
 *
 *     <photo-picker name="photos" filter="images" selection-limit="5">Choose photos…</photo-picker>
 *
 * Fires `input` and `change` when it has files, `cancel`, and `error`. Unless a listener of `error`
 * calls `preventDefault()`, the part `problem` says that there are no photos. If the browser has
 * blocked the window or no library has answered, a link opens the picker, as the part `link`. While
 * a person chooses, it matches `:state(picking)`.
 */
export class PhotoPickerElement extends HTMLElement {
  static formAssociated = true;
  static observedAttributes = ["required", "disabled"];
  #internals = this.attachInternals();
  #button = document.createElement("button");
  #link = document.createElement("a");
  #problem = document.createElement("span");
  #isDisabled = false;
  /** @type {PickerSession | null} */
  #session = null;
  #files = [];

  constructor() {
    super();
    this.#button.type = "button";
    this.#button.part = "button";
    this.#button.append(document.createElement("slot"));
    Object.assign(this.#link, { part: "link", hidden: true, textContent: "Open the picker" });
    this.#problem.part = "problem";
    this.#problem.setAttribute("role", "status");
    this.attachShadow({ mode: "open", delegatesFocus: true }).append(this.#button, " ", this.#problem, " ", this.#link);
    this.#button.addEventListener("click", () => this.pick());
    this.#link.addEventListener("click", (event) => {
      // A click opens the window, and the page needs its handle.
      event.preventDefault();
      this.pick();
    });
  }

  connectedCallback() {
    this.#take(this.#files);
  }

  attributeChangedCallback() {
    this.#take(this.#files);
  }

  /** A form control is disabled by its own attribute, or by that of its `<fieldset>`. */
  formDisabledCallback(isDisabled) {
    this.#isDisabled = isDisabled;
    this.#button.disabled = isDisabled;
    this.#link.hidden ||= isDisabled;
  }

  formResetCallback() {
    this.#take([]);
  }

  /** The chosen files. @returns {File[]} */
  get files() {
    return [...this.#files];
  }

  /** Takes a file away. @param {File} file */
  remove(file) {
    this.#take(this.#files.filter((other) => other !== file));
  }

  /** Moves a file to a place from 0 on. @param {File} file @param {number} place */
  move(file, place) {
    const others = this.#files.filter((other) => other !== file);
    if (others.length < this.#files.length) this.#take(others.toSpliced(place, 0, file));
  }

  get #configuration() {
    const { library, filter, selection, representation } = Object.fromEntries(
      ["library", "filter", "selection", "representation"].map((name) => [name, this.getAttribute(name) ?? undefined]),
    );
    const parsed = filter?.startsWith("{") ? JSON.parse(filter) : filter;
    const limit = this.getAttribute("selection-limit");
    const configuration = { library: library || undefined, filter: parsed, selection, representation };
    return limit === null ? configuration : { ...configuration, selectionLimit: Number(limit) };
  }

  /** Opens the picker, as a click does. */
  async pick() {
    if (this.#isDisabled) return;
    if (this.#session) return this.#session.focus();
    this.#internals.states?.add("picking");
    this.#problem.textContent = "";
    try {
      const session = PhotoPicker.present(this.#configuration);
      this.#session = session;
      const photos = await session.finished;
      this.#link.hidden = true;
      if (photos.length === 0) return void this.dispatchEvent(new Event("cancel", { bubbles: true }));
      const loaded = await Promise.allSettled(photos.map((photo) => photo.file()));
      session.close();
      const failed = loaded.find(({ status }) => status === "rejected");
      const files = loaded.flatMap(({ value }) => value ?? []);
      if (files.length === 0 && failed) throw failed.reason;
      this.#take(files);
      for (const type of ["input", "change"]) this.dispatchEvent(new Event(type, { bubbles: true }));
      if (failed) this.#tell(failed.reason);
    } catch (error) {
      if (["NotAllowedError", "NotFoundError"].includes(error.name)) {
        const library = this.getAttribute("library");
        this.#link.href = library ? new URL("/picker", library) : pickAddress;
        this.#link.hidden = false;
      }
      if (error.name === "AbortError") this.dispatchEvent(new Event("cancel", { bubbles: true }));
      else this.#tell(error);
    } finally {
      this.#session = null;
      this.#internals.states?.delete("picking");
    }
  }

  #tell(error) {
    const { message } = error;
    const isShown = this.dispatchEvent(new ErrorEvent("error", { error, message, cancelable: true }));
    if (isShown) this.#problem.textContent = problems[error.name] ?? "The photos can’t be taken over.";
  }

  #take(files) {
    this.#files = files;
    const data = new FormData();
    const name = this.getAttribute("name");
    for (const file of name ? files : []) data.append(name, file);
    this.#internals.setFormValue(data);
    const isMissing = this.hasAttribute("required") && files.length === 0;
    this.#internals.setValidity(isMissing ? { valueMissing: true } : {}, isMissing ? "Choose at least one photo." : "", this.#button);
  }
}

// A page may have a second copy of this file, as in a bundle. The first one defines the element.
if (!customElements.get("photo-picker")) customElements.define("photo-picker", PhotoPickerElement);
