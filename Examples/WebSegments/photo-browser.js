import { Thumbnails } from "../WebLibrary/thumbnails.js";
import { Peek } from "../WebLibrary/peek.js";
import { make } from "../WebLibrary/dom.js";
import { Segments } from "./segments.js";

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
  #message = make("p", { className: "message", role: "status" });
  #list = make("ul", { className: "thumbnails" });
  #panel = make("div", { className: "panel", role: "tabpanel", id: "segment" }, this.#list);
  #tabs = new Segments(this.#panel, (segment) => this.#select(segment));
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
    this.dialog.append(this.#tabs.element, close, this.#message, this.#panel, this.#peek.dialog);
    const picture = (asset, signal, priority) => library.picture(asset, "grid", { signal, priority });
    this.#grid = new Thumbnails(this.#list, picture, (cell, asset) => this.#label(cell, asset));
    const listening = new AbortController();
    this.dialog.addEventListener("close", () => (listening.abort(), this.#end(null)));
    const tell = ({ message }) => this.#say(message);
    const start = () => this.#start().catch(tell);
    library.addEventListener("change", () => (this.#shown ? this.#refresh().catch(tell) : start()), listening);
    library.addEventListener("access", () => (this.#shown ? library.hasAccess || this.dialog.close() : start()), listening);
    this.#list.addEventListener("click", ({ target }) => this.#choose(target.closest("li")));
    start();
  }

  async #start() {
    const status = await this.#library.open();
    if (status === "notDetermined") this.#say("Answer in your photo library.");
    if (status === "notDetermined") await this.#library.requestAccess();
    if (!this.#library.hasAccess) return this.dialog.close();
    await this.#showTabs();
    await this.#selectFirst();
  }

  /** Shows a message. Without one, a person who has limited the page is told so. */
  #say(text) {
    const manage = () => this.#library.manageSelection().catch(({ message }) => this.#say(message));
    const limits = ["You see the photos that you have selected for this page.", make("button", { onclick: manage }, "Manage")];
    this.#message.replaceChildren(...(text || this.#library.status !== "limited" ? [text] : limits));
  }

  /** Shows a segment for each smart album with images, and always one for the favorites. */
  async #showTabs() {
    const albums = (await this.#library.collections())
      .filter(({ kind, id }) => kind === "smartAlbum" && !leftOut.includes(id))
      .filter(({ id, imageCount }) => imageCount > 0 || id === "favorites")
      .sort((one, other) => one.title.localeCompare(other.title));
    this.#tabs.show(albums);
  }

  async #select(segment) {
    this.#segment = this.#tabs.selected = segment;
    try {
      await this.#fadeTo(segment, await this.#images());
    } catch (error) {
      // The images of the segment before are still there.
      if (segment === this.#segment && this.#shown) this.#segment = this.#tabs.selected = this.#shown;
      this.#say(error.message);
    }
  }

  #selectFirst = () => this.#select(this.#tabs.orFirst("userLibrary"));
  #images = () => this.#library.assets(this.#segment, { where: "mediaType == 1" });

  /** Shows other images while the list is faded out, so that nothing jumps. */
  async #fadeTo(segment, assets) {
    if (segment !== this.#segment) return;
    await this.#list.animate({ opacity: [1, 0] }, { duration: fadeTime(), fill: "forwards" }).finished;
    if (segment !== this.#segment) return;
    this.#offsets.set(this.#shown, this.#list.scrollTop);
    this.#shown = segment;
    this.#say("");
    this.#list.scrollTop = 0; // at its top, nothing is kept in sight
    this.#grid.show(assets);
    this.#list.scrollTop = this.#offsets.get(segment) ?? 0;
    this.#list.animate({ opacity: [0, 1] }, { duration: fadeTime(), fill: "forwards" });
  }

  /** Follows a change: several images are faded, and others change in place. */
  async #refresh() {
    const [segment, assets] = [this.#segment, await this.#images()];
    await this.#showTabs();
    if (segment !== this.#segment) return;
    this.#peek.keep(assets);
    if (!this.#tabs.selected) return this.#selectFirst(); // it has no image any more
    if (Math.abs(assets.length - this.#grid.assets.length) > 1) return this.#fadeTo(segment, assets);
    this.#say("");
    this.#grid.show(assets);
  }

  #label({ firstChild: button, image }, asset) {
    // The day is that of the place where the photo was taken.
    const date = mediumDate.format(new Date(`${asset.creationDate.slice(0, 10)}T12:00`));
    button.replaceChildren(image, make("span", { className: "label" }, `${asset.isFavorite ? "★ " : ""}${date}`));
    this.#peek.update(asset);
  }

  /** The star and the menu's title change when the library says so. */
  async #toggleFavorite({ id, isFavorite }) {
    const change = { type: "setAssets", assets: [id], isFavorite: !isFavorite };
    this.#say(await this.#library.change(change).then(() => "", (error) => error.message));
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
      this.#say(error.message);
    }
    cell.classList.remove("loading");
    this.#loading = null;
  }
}
