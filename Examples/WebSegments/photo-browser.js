import { Thumbnails } from "../WebLibrary/thumbnails.js";
import { Peek } from "../WebLibrary/peek.js";
import { make } from "../WebLibrary/dom.js";

/**
 * Lets a person choose an image, in a dialog with a segment for each smart album that has images.
 * Resolves with the image at full size, or with `null` if there is none.
 */
export async function chooseImage(library) {
  const browser = new PhotoBrowser(library);
  document.body.append(browser.dialog);
  browser.dialog.showModal();
  return browser.chosen.finally(() => browser.dialog.remove());
}

/** Smart albums of which a list of all images has nothing, or whose images can't be shown. */
const leftOut = ["allHidden", "recentlyDeleted", "unreadable", "damaged"];
const mediumDate = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const fadeTime = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 175);

class PhotoBrowser {
  dialog = make("dialog", { className: "photo-browser", ariaLabel: "Choose an image" });
  #tabs = make("div", { className: "segments", role: "tablist", ariaLabel: "Albums" });
  #message = make("p", { className: "message", role: "status" });
  #list = make("ul", { className: "thumbnails", role: "tabpanel" });
  #peek = new Peek(this.#list, {
    title: ({ isFavorite }) => (isFavorite ? "Remove favorite" : "Make favorite"),
    picture: (asset) => this.#library.picture(asset, "screen"),
    act: (asset) => this.#toggleFavorite(asset),
  });
  #grid;
  #library;
  #segment;
  #shown;
  #offsets = new Map();
  #loading = null;
  #end;
  chosen = new Promise((resolve) => (this.#end = resolve));

  constructor(library) {
    this.#library = library;
    const close = make("button", { className: "close", ariaLabel: "Close", onclick: () => this.dialog.close() }, "✕");
    this.dialog.append(this.#tabs, close, this.#message, this.#list, this.#peek.dialog);
    this.#grid = new Thumbnails(
      this.#list, (asset, signal) => library.picture(asset, "grid", { signal }), (cell, asset) => this.#label(cell, asset));
    const listening = new AbortController();
    this.dialog.addEventListener("close", () => (listening.abort(), this.#end(null)));
    library.addEventListener("change", () => this.#refresh().catch((error) => (this.#message.textContent = error.message)), listening);
    library.addEventListener("access", () => library.hasAccess || this.dialog.close(), listening);
    this.#tabs.addEventListener("keydown", (event) => this.#moveAmongTabs(event));
    this.#list.addEventListener("click", ({ target }) => this.#choose(target.closest("li")));
    this.#start().catch((error) => (this.#message.textContent = error.message));
  }

  async #start() {
    if ((await this.#library.open()) === "notDetermined") {
      this.#message.textContent = "Answer in your photo library.";
      await this.#library.requestAccess();
    }
    if (!this.#library.hasAccess) return this.dialog.close();
    await this.#showTabs();
    await this.#selectFirst();
  }

  /** Shows a segment for each smart album with images, and always one for the favorites. */
  async #showTabs() {
    const albums = (await this.#library.collections())
      .filter(({ kind, id }) => kind === "smartAlbum" && !leftOut.includes(id))
      .filter(({ id, imageCount }) => imageCount > 0 || id === "favorites")
      .sort((one, other) => one.title.localeCompare(other.title));
    const known = new Map([...this.#tabs.children].map((tab) => [tab.value, tab]));
    const tabs = albums.map(({ id, title }) => known.get(id) ?? make("button", {
      value: id, role: "tab", tabIndex: -1, ariaSelected: false, onclick: ({ target }) => this.#select(target) }, title));
    if (tabs.length !== known.size || tabs.some((tab, place) => tab !== this.#tabs.children[place])) this.#tabs.replaceChildren(...tabs);
  }

  async #select(tab) {
    this.#segment = tab.value;
    for (const other of this.#tabs.children) [other.ariaSelected, other.tabIndex] = [other === tab, other === tab ? 0 : -1];
    tab.scrollIntoView({ inline: "nearest", block: "nearest" });
    await this.#images().then((images) => this.#fadeTo(tab.value, images), (error) => (this.#message.textContent = error.message));
  }

  #selectFirst = () => this.#select(this.#tabs.querySelector('[value="userLibrary"]') ?? this.#tabs.firstChild);
  #images = () => this.#library.assets(this.#segment, { where: "mediaType == 1" });

  /** Shows other images while the list is faded out, so that nothing jumps. */
  async #fadeTo(segment, assets) {
    if (segment !== this.#segment) return;
    await this.#list.animate({ opacity: [1, 0] }, { duration: fadeTime(), fill: "forwards" }).finished;
    if (segment !== this.#segment) return;
    this.#offsets.set(this.#shown, this.#list.scrollTop);
    [this.#shown, this.#message.textContent] = [segment, ""];
    this.#list.scrollTop = 0; // at its top, nothing is kept in sight
    this.#grid.show(assets);
    this.#list.scrollTop = this.#offsets.get(segment) ?? 0;
    this.#list.animate({ opacity: [0, 1] }, { duration: fadeTime(), fill: "forwards" });
  }

  /** Follows a change: several images are faded, and others change in place. */
  async #refresh() {
    if (!this.#segment) return;
    const [segment, assets] = [this.#segment, await this.#images()];
    await this.#showTabs();
    if (segment !== this.#segment) return;
    if (!this.#tabs.querySelector("[aria-selected=true]")) return this.#selectFirst(); // it has lost its last image
    if (Math.abs(assets.length - this.#grid.assets.length) > 1) return this.#fadeTo(segment, assets);
    this.#message.textContent = "";
    this.#grid.show(assets);
  }

  #label({ firstChild: button, image }, asset) {
    // The day is that of the place where the photo was taken.
    const date = mediumDate.format(new Date(`${asset.creationDate.slice(0, 10)}T12:00`));
    button.replaceChildren(image, make("span", { className: "label" }, `${asset.isFavorite ? "★ " : ""}${date}`));
    this.#peek.update(asset);
  }

  #moveAmongTabs(event) {
    const tabs = [...this.#tabs.children];
    const place = tabs.indexOf(event.target);
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = tabs.at(next % tabs.length);
    tab.focus();
    this.#select(tab);
  }

  /** The star and the menu's title change when the library says so. */
  async #toggleFavorite({ id, isFavorite }) {
    const change = { type: "setAssets", assets: [id], isFavorite: !isFavorite };
    this.#message.textContent = await this.#library.change(change).then(() => "", (error) => error.message);
  }

  async #choose(cell) {
    if (!cell || this.#loading) return;
    this.#loading = cell;
    cell.classList.add("loading");
    const onprogress = (completed, total) => cell.style.setProperty("--part", `${(100 * completed) / total}%`);
    try {
      this.#end(await this.#library.file(cell.asset, "full", { onprogress }));
      this.dialog.close();
    } catch (error) {
      this.#message.textContent = error.message;
    }
    cell.classList.remove("loading");
    this.#loading = null;
  }
}
