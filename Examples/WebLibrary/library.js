/**
 * A person's photo library, for a page of another origin. It uses the HTTP API (docs/HTTP.md) and
 * needs no other file.
 *
 *     const library = new Library("http://calotype.localhost:2839/", { name: "Slides", reason: "Shows your photos." });
 *     await library.open();
 *     if (!library.hasAccess) await library.requestAccess();
 *     const newest = await library.assets("userLibrary");
 *     image.src = await library.picture(newest[0], "screen");
 *
 * Fires `change` when anything in the library has changed, and when a library that did not answer
 * is back. Fires `access` when its owner has changed what this page may do.
 */
export class Library extends EventTarget {
  /** @type {"notDetermined" | "authorized" | "limited" | "denied" | "restricted"} */
  status = "notDetermined";
  #api;
  #client;
  #token;
  #pictures = new Map();
  #opening;

  /**
   * @param {string} address
   * @param {{name: string, reason: string}} client what the owner is told
   */
  constructor(address, client) {
    super();
    this.#api = new URL("/api/v1/", address);
    this.#client = client;
  }

  get hasAccess() {
    return this.status === "authorized" || this.status === "limited";
  }

  /** Says why this page has no access, if the owner has decided so. */
  get refusal() {
    return {
      denied: "This page may not see your photos. You can allow it on the access page of your library, and then load this page again.",
      restricted: "This page may not see your photos, and that can’t be changed here.",
    }[this.status];
  }

  /**
   * Reads what the owner has answered before. Nobody is asked. A library that does not answer is
   * asked again; `access` says that it has answered.
   */
  async open() {
    if (this.hasAccess) return this.status;
    clearTimeout(this.#opening);
    this.#token = localStorage.getItem("calotype-token");
    try {
      let answer = await this.#fetch("access/status");
      if (this.#token && !answer.ok) {
        localStorage.removeItem("calotype-token");
        this.#token = null;
        answer = await this.#fetch("access/status");
      }
      return this.#begin((await this.#json(answer)).readWrite);
    } catch (error) {
      const again = () => this.open().then(() => this.dispatchEvent(new Event("access")), () => {});
      this.#opening = setTimeout(again, 2000);
      throw error;
    }
  }

  /** Asks the owner, and waits for the answer. A page that is loaded again goes on waiting. */
  async requestAccess() {
    let request = JSON.parse(sessionStorage.getItem("calotype-request"));
    if (!request) {
      const body = { name: this.#client.name, usageDescription: this.#client.reason, level: "readWrite" };
      request = await this.#json(this.#fetch("access/requests", { body }));
      sessionStorage.setItem("calotype-request", JSON.stringify(request));
    }
    try {
      for (;;) {
        // The token comes once. A request that waits longer could take it along when the page is
        // left.
        const answer = await this.#json(this.#fetch(`access/requests/${request.request}`, { token: request.secret }));
        if (answer.status === "waiting") {
          await new Promise((resolve) => setTimeout(resolve, 500));
          continue;
        }
        sessionStorage.removeItem("calotype-request");
        if (answer.token) localStorage.setItem("calotype-token", (this.#token = answer.token));
        return this.#begin(answer.status);
      }
    } catch (error) {
      if (error.status) sessionStorage.removeItem("calotype-request");
      throw error;
    }
  }

  /** Asks the owner for another selection, and waits for it. Returns the ids of what was added. */
  async manageSelection() {
    const path = "access/selection/request";
    let answer = await this.#json(this.#fetch(path, { body: {} }));
    while (answer.status === "waiting") answer = await this.#json(this.#fetch(`${path}/${answer.request}?wait=30`));
    return answer.added;
  }

  /** Returns the smart albums, and the albums and folders in the order of their tree. */
  async collections() {
    return (await this.#json(this.#fetch("collections"))).collections;
  }

  /** Returns the assets of a collection. `where` is a predicate (docs/PREDICATES.md). */
  async assets(collection, { where = "", order = "newest" } = {}) {
    const assets = [];
    for (let total = 1; assets.length < total; ) {
      const query = new URLSearchParams({ order, offset: assets.length, limit: 500, ...(where && { where }) });
      const part = await this.#json(this.#fetch(`collections/${collection}/assets?${query}`));
      assets.push(...part.assets);
      total = part.assets.length > 0 ? part.total : 0;
    }
    return assets;
  }

  /** Returns the newest asset of a collection, if it has any. */
  async newest(collection) {
    return (await this.#json(this.#fetch(`collections/${collection}/assets?order=newest&limit=1`))).assets[0];
  }

  /**
   * Returns those of the picked assets that this page may see, in the order of their identifiers.
   *
   * @param {string[]} identifiers what `PhotoPicker` has given with `identifiers: true`
   */
  async picked(identifiers) {
    return (await this.#json(this.#fetch(`picked?identifiers=${identifiers}`))).assets;
  }

  async contains(collection, asset) {
    const answer = await this.#fetch(`collections/${collection}/assets?at=${asset}`);
    return answer.ok && (await answer.json()).index !== null;
  }

  asset(id) {
    return this.#json(this.#fetch(`assets/${id}`));
  }

  /** Returns an address of the `grid` or `screen` picture, which an `<img>` can show. */
  async picture(asset, kind = "grid", { signal, priority } = {}) {
    const key = `${asset.id}/${asset.version}/${kind}`;
    const known = this.#pictures.get(key);
    this.#pictures.delete(key);
    this.#pictures.set(key, known ?? URL.createObjectURL(await this.file(asset, kind, { signal, priority })));
    if (this.#pictures.size > 600) {
      const [[oldest, url]] = this.#pictures;
      this.#pictures.delete(oldest);
      URL.revokeObjectURL(url);
    }
    return this.#pictures.get(key);
  }

  /** Returns the bytes of a rendition: `grid`, `screen`, `full` or `video`. */
  async file(asset, kind, { signal, priority, onprogress } = {}) {
    const path = `renditions/${asset.id}/${asset.version}/${kind}`;
    const answer = await this.#checked(this.#fetch(path, { signal, priority }));
    const total = Number(answer.headers.get("Content-Length"));
    const parts = [];
    let completed = 0;
    for await (const part of partsOf(answer.body)) {
      parts.push(part);
      completed += part.length;
      onprogress?.(completed, total);
    }
    return new Blob(parts, { type: answer.headers.get("Content-Type") });
  }

  /** Makes changes in one transaction. */
  change(...changes) {
    return this.#json(this.#fetch("changes", { body: { changes } }));
  }

  /** Adds a file as an asset, and to an album if there is one, in one transaction. */
  async add(file, name, album) {
    const fields = { "Content-Type": file.type, "Upload-Name": encodeURIComponent(name) };
    const { upload } = await this.#json(this.#fetch("uploads", { body: file, fields }));
    return this.#json(this.#fetch("imports", { body: { uploads: [upload], ...(album && { album }) } }));
  }

  #begin(status) {
    this.status = status;
    if (this.hasAccess) this.#listen();
    return status;
  }

  /** Reads the stream of events. `EventSource` can't send a token. */
  async #listen() {
    for (let last, isBack = false; ; isBack = true) {
      await visible();
      const { signal, stop } = untilHidden();
      try {
        const answer = await this.#checked(this.#fetch("changes/stream", { fields: last && { "Last-Event-ID": last }, signal }));
        if (isBack) this.dispatchEvent(new Event("change"));
        let text = "";
        for await (const part of partsOf(answer.body.pipeThrough(new TextDecoderStream()))) {
          const events = (text + part).split("\n\n");
          text = events.pop();
          for (const event of events) {
            const fields = Object.fromEntries(event.split("\n").map((line) => line.split(/: (.*)/s)));
            last = fields.id ?? last;
            if (fields.event === "access") this.status = JSON.parse(fields.data).readWrite;
            if (fields.event) this.dispatchEvent(new Event(fields.event === "access" ? "access" : "change"));
          }
        }
      } catch (error) {
        if (error.status === 401) {
          this.status = "notDetermined";
          return this.dispatchEvent(new Event("access"));
        }
      } finally {
        stop();
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  #fetch(path, { body, fields = {}, token = this.#token, signal, priority } = {}) {
    const isFile = body instanceof Blob;
    const headers = { ...fields };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body && !isFile) headers["Content-Type"] = "application/json";
    const content = body && !isFile ? JSON.stringify(body) : body;
    const options = { method: body ? "POST" : "GET", headers, signal, priority, body: content };
    return fetch(new URL(path, this.#api), options).catch((error) => {
      throw error.name === "AbortError" ? error : new Error("The library does not answer.");
    });
  }

  async #checked(request) {
    const answer = await request;
    if (answer.ok) return answer;
    const { detail, title } = await answer.json().catch(() => ({}));
    throw Object.assign(new Error(detail ?? title ?? answer.statusText), { status: answer.status });
  }

  async #json(request) {
    return (await this.#checked(request)).json();
  }
}

/** Resolves when the page can be seen. */
async function visible() {
  while (document.hidden) await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}

/**
 * Returns a signal that comes when the page is hidden. A browser has six connections to a library,
 * which hidden pages leave to others.
 */
function untilHidden() {
  const controller = new AbortController();
  const listen = () => document.hidden && controller.abort();
  document.addEventListener("visibilitychange", listen);
  return { signal: controller.signal, stop: () => document.removeEventListener("visibilitychange", listen) };
}

/** Returns the parts of a stream. Safari's streams have no iterator of their own. */
async function* partsOf(stream) {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}
