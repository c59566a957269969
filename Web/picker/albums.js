import { showCover } from "../elements/collection-cover.js";
import { assetsOf, fetchCollections } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { number } from "../words.js";
import { words } from "./words.js";

/** The number of albums that are asked for at the same time. */
const atOnce = 6;
/** Photos that a person has put out of sight. */
const unseen = new Set(["recentlyDeleted", "allHidden"]);

/** The albums in which a filter leaves something, each with its newest photo and their number. */
export class Albums {
  #element;
  #filter;
  #choose;
  #turn = 0;

  /**
   * @param {HTMLElement} element
   * @param {import("../helpers/api.js").Filter} filter
   * @param {(collection: import("../models/collections.js").Collection) => void} choose
   */
  constructor(element, filter, choose) {
    this.#element = element;
    this.#filter = filter;
    this.#choose = choose;
  }

  /** Shows the albums, in their order, as they are known. */
  async show() {
    const turn = ++this.#turn;
    const { collections } = await fetchCollections();
    const all = collections.filter(({ id, kind, count }) => kind !== "folder" && count > 0 && !unseen.has(id));
    const places = all.map(() => make("li", { hidden: true }));
    this.#element.replaceChildren(...places);
    let next = 0;
    const work = async () => {
      while (next < all.length && turn === this.#turn) {
        const index = next++;
        const collection = await this.#filtered(all[index]);
        places[index].hidden = collection.count === 0;
        if (collection.count > 0) places[index].append(this.#card(collection));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  /** Returns an album with the number and the cover that the filter leaves. */
  async #filtered(collection) {
    if (!this.#filter.where) return collection;
    const { total, assets } = await assetsOf(collection.id, "newest", this.#filter)(0, 1);
    return { ...collection, count: total, covers: assets };
  }

  #card(collection) {
    const cover = make("span", { className: "cover" });
    showCover(cover, collection);
    const title = make("span", { className: "title", textContent: collection.title });
    const count = make("span", { className: "faint number", textContent: number(collection.count) });
    const button = make("button", { type: "button", ariaLabel: words.album(collection.title, collection.count) }, cover, title, count);
    button.addEventListener("click", () => this.#choose(collection));
    return button;
  }
}
