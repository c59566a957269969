/** @import { Target } from "../models/target.js" */
import { renditionURL } from "../helpers/api.js";
import { make, symbol } from "../helpers/dom.js";
import { preferences } from "../helpers/preferences.js";
import { albumsMatching } from "../models/album-choice.js";
import { words } from "../words.js";
import { coverPage, place } from "./menu.js";

const mostRecent = 5;
/** On a phone, the popover is a sheet over the dimmed page. */
const phone = matchMedia("(max-width: 799px)");

/**
 * Opens a popover in which a person picks an album for some assets, or names a new one.
 * @param {Element | {x: number, y: number}} at
 * @param {Target} target
 * @param {import("./commands.js").Commands} commands
 * @param {() => void} added is called once they are in the album
 */
export function openAddToAlbum(at, target, commands, added) {
  const { collections } = commands.shell;
  const input = make("input", {
    type: "text", autocomplete: "off", placeholder: words.albums.filter,
    attributes: { "aria-label": words.albums.filter, role: "combobox", "aria-expanded": "true", "aria-controls": "album-choices" },
  });
  const list = make("div", { className: "choices", id: "album-choices", attributes: { role: "listbox", "aria-label": words.albums.addTo } });
  const popover = make("div", { className: "album-choice", popover: "auto", attributes: { role: "dialog", "aria-label": words.albums.addTo } }, input, list);
  let chosen = 0;
  let choices = [];

  const show = () => {
    choices = albumsMatching(collections, input.value, recent());
    const isTyped = input.value.trim() !== "" || input.placeholder === words.albums.nameNew;
    chosen = isTyped || choices.length === 0 ? 0 : 1;
    if (!isTyped) choices.unshift({ isNaming: true });
    list.replaceChildren(...choices.map((choice, index) => row(choice, index)));
    mark();
  };
  const row = (choice, index) => {
    const element = make("div", { className: "choice", id: `album-choice-${index}`, attributes: { role: "option" } });
    if (choice.isNew || choice.isNaming) {
      const name = choice.isNew ? words.albums.newNamed(choice.title) : words.albums.newAlbum;
      element.append(make("span", { className: "cover" }, symbol("plus")), make("span", { className: "name", textContent: name }));
    } else {
      const [cover] = choice.album.covers;
      const picture = cover ? make("img", { className: "cover", alt: "", src: renditionURL(cover, "grid") }) : make("span", { className: "cover" }, symbol("album"));
      const where = choice.path.length > 0 ? make("span", { className: "where", textContent: choice.path.join(" › ") }) : "";
      element.append(picture, make("span", { className: "name" }, choice.album.title, where), make("span", { className: "count", textContent: String(choice.album.count) }));
    }
    element.addEventListener("pointermove", () => {
      chosen = index;
      mark();
    });
    element.addEventListener("click", () => pick(choice));
    return element;
  };
  const mark = () => {
    [...list.children].forEach((element, index) => element.setAttribute("aria-selected", String(index === chosen)));
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", `album-choice-${chosen}`);
  };
  const askForName = () => {
    input.placeholder = words.albums.nameNew;
    choices = [];
    list.replaceChildren();
    input.focus();
  };
  const pick = async (choice) => {
    if (!choice) return;
    if (choice.isNaming) return askForName();
    popover.hidePopover();
    const make = () => commands.make(choice.title, { target });
    const add = async () => (await commands.addTo(target, choice.album)) && choice.album.id;
    const id = await (choice.isNew ? make() : add());
    if (!id) return;
    remember(id);
    added();
  };
  input.addEventListener("input", show);
  popover.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && choices.length > 0) chosen = (chosen + step + choices.length) % choices.length;
    if (step) mark();
    if (event.key === "Enter" && !event.isComposing) pick(choices[chosen]);
    if (step || event.key === "Enter") event.preventDefault();
  });
  popover.addEventListener("toggle", ({ newState }) => newState === "closed" && popover.remove());
  document.body.append(popover);
  popover.showPopover();
  if (phone.matches) coverPage(popover);
  show();
  place(popover, at);
  input.focus();
}

/** The albums that were filled last, the newest first. */
const recent = () => preferences.get("recentAlbums", []);

function remember(id) {
  if (id) preferences.set("recentAlbums", [id, ...recent().filter((other) => other !== id)].slice(0, mostRecent));
}
