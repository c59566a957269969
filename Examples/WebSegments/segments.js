import { make } from "../WebLibrary/dom.js";

/** A row of tabs, one for each album, over a panel that shows the selected one. */
export class Segments {
  element = make("div", { className: "segments", role: "tablist", ariaLabel: "Albums" });
  #panel;
  #select;

  /** @param {(album: string) => void} select is called when a person selects an album */
  constructor(panel, select) {
    this.#panel = panel;
    this.#select = select;
    this.element.addEventListener("click", ({ target }) => target.role === "tab" && select(target.value));
    this.element.addEventListener("keydown", (event) => this.#move(event));
  }

  /** The selected album. */
  get selected() {
    return this.element.querySelector("[aria-selected=true]")?.value;
  }

  set selected(album) {
    for (const tab of this.element.children) [tab.ariaSelected, tab.tabIndex] = tab.value === album ? [true, 0] : [false, -1];
    const tab = this.#tab(album);
    tab?.scrollIntoView({ inline: "nearest", block: "nearest" });
    if (tab) this.#panel.setAttribute("aria-labelledby", tab.id);
  }

  /** Returns an album that has a tab: this one, else the first. */
  orFirst(album) {
    return (this.#tab(album) ?? this.element.firstChild)?.value;
  }

  /** Shows albums. A tab stays the same element. */
  show(albums) {
    const tabs = albums.map(({ id, title }) => this.#tab(id) ?? this.#make(id, title));
    const { children } = this.element;
    if (tabs.length !== children.length || tabs.some((tab, place) => tab !== children[place])) this.element.replaceChildren(...tabs);
  }

  #tab(album) {
    return [...this.element.children].find(({ value }) => value === album);
  }

  #make(id, title) {
    const tab = make("button", { value: id, id: `segment-${id}`, role: "tab", tabIndex: -1, ariaSelected: false }, title);
    tab.setAttribute("aria-controls", this.#panel.id);
    return tab;
  }

  /** Moves by the arrow keys, Home and End. */
  #move(event) {
    const tabs = [...this.element.children];
    const place = tabs.indexOf(event.target);
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = tabs.at(next % tabs.length);
    tab.focus();
    this.#select(tab.value);
  }
}
