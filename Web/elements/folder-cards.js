/** @import { CollectionList } from "../models/collections.js" */
import { make } from "../helpers/dom.js";
import { folderPhotos } from "../helpers/source.js";
import { addressOf, placeOfCollection } from "../models/places.js";
import { words } from "../words.js";
import { showCover } from "./collection-cover.js";

/**
 * The collections of a folder as cards, and a switch for the photos in all of them.
 *
 * Fires `open` with a place as `detail`, and `photos` when the switch is used.
 */
export class FolderCards extends EventTarget {
  #cards = make("div", { className: "cards", attributes: { role: "list" } });
  #checkbox = make("input", { type: "checkbox", attributes: { role: "switch" } });
  #switch = make("label", { className: "folder-photos" }, this.#checkbox, words.view.folder);
  /** @type {Map<string, HTMLElement>} */
  #byID = new Map();
  element = make("div", { className: "folder" }, this.#cards, this.#switch);

  constructor() {
    super();
    this.#checkbox.addEventListener("change", () => {
      folderPhotos.areShown = this.#checkbox.checked;
      this.dispatchEvent(new Event("photos"));
    });
    this.#cards.addEventListener("click", (event) => {
      const card = event.target.closest(".card");
      if (!card || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("open", { detail: card.place }));
    });
  }

  /** @param {CollectionList} list @param {string} folder */
  show(list, folder) {
    const children = list.childrenOf(folder);
    const shown = new Map();
    for (const collection of children) {
      const card = this.#byID.get(collection.id) ?? this.#make(collection);
      this.#describe(card, collection);
      shown.set(collection.id, card);
    }
    this.#byID = shown;
    const cards = [...shown.values()];
    if (cards.some((card, index) => this.#cards.children[index] !== card) || cards.length !== this.#cards.children.length) {
      this.#cards.replaceChildren(...cards);
    }
    this.#cards.setAttribute("aria-label", words.view.collectionsIn(list.at(folder)?.title ?? ""));
    this.#cards.hidden = cards.length === 0;
    this.#switch.hidden = cards.length === 0;
    this.#checkbox.checked = folderPhotos.areShown;
  }

  #make({ id }) {
    const text = make("span", { className: "text" }, make("strong"), make("span"));
    return make("a", { className: "card", attributes: { role: "listitem", "data-collection": id } }, make("span", { className: "cover" }), text);
  }

  #describe(card, collection) {
    card.place = placeOfCollection(collection);
    card.href = addressOf(card.place);
    showCover(card.querySelector(".cover"), collection);
    const [title, count] = card.querySelector(".text").children;
    title.textContent = collection.title;
    count.textContent = words.items(collection.count);
  }
}
