import { make, symbol } from "../helpers/dom.js";
import { folderPhotos } from "../helpers/source.js";
import { stopViewing, viewedAs } from "../helpers/view-as.js";
import { undoableOf } from "../models/departure.js";
import { everything, isPage } from "../models/places.js";
import { words } from "../words.js";
import { HiddenLock } from "./hidden-lock.js";

/**
 * Shows what a view without photos says, and that a collection was deleted.
 * @param {typeof import("../shell.js").shell} shell
 * @param {HTMLElement} backdrop
 */
export function showBackdrop(shell, backdrop) {
  /**
   * The transaction that deleted each collection, if the owner can undo it.
   * @type {Map<string, number>}
   */
  const deletions = new Map();
  const lock = viewedAs ? null : new HiddenLock(shell);
  lock?.addEventListener("change", update);
  shell.addEventListener("change", ({ detail }) => {
    const transaction = undoableOf(detail ?? {});
    for (const id of detail?.collections?.deleted ?? []) if (transaction !== undefined) deletions.set(id, transaction);
    if (shell.view.state === "missing") update();
  });
  for (const type of ["view", "snapshot", "connection", "place"]) shell.addEventListener(type, update);
  update();

  function update() {
    const { place, snapshot } = shell;
    const isMissing = shell.view.state === "missing" && !isPage(place);
    document.body.classList.toggle("view-is-missing", isMissing);
    if (isMissing) return show(missing(shell, deletions.get(place.id)));
    const isShown = snapshot.pages && snapshot.place === place;
    const hasCards = place.kind === "folder" && shell.collections.childrenOf(place.id).length > 0;
    if (!isShown || snapshot.total > 0 || (hasCards && !folderPhotos.areShown)) return show([]);
    const content = [...emptyView(place, hasCards, snapshot.understood), ...fillButton()];
    show(lock && place.id === "allHidden" ? lock.content(content) : content);
  }

  /** A button that fills an empty album, if this page may. */
  function fillButton() {
    const { place, collection } = shell;
    if (place.kind !== "album" || viewedAs || !(collection?.can ?? []).includes("addContent")) return [];
    const button = make("button", { type: "button", className: "button primary", textContent: words.albums.addPhotos });
    button.addEventListener("click", () => shell.commands?.fill(collection));
    return [make("div", { className: "buttons" }, button)];
  }

  function show(content) {
    backdrop.hidden = content.length === 0;
    // The same form stays, with its focus and what was typed.
    if (content.length > 0 && content.every((node, index) => node === backdrop.childNodes[index])) return;
    backdrop.replaceChildren(...content);
  }
}

const symbols = { favorites: "heart-line", recentlyDeleted: "trash", allHidden: "hidden", album: "album", folder: "folder", search: "search" };

function emptyView(place, hasCards, understood = []) {
  if (viewedAs && place.id === everything.id) return clientView(words.empty.client(viewedAs.name));
  const key = place.kind === "folder" && hasCards ? "folderPhotos" : words.empty[place.id] ? place.id : place.kind === "smart" ? "smartAlbum" : place.kind;
  const [title, text] = words.empty[key] ?? words.empty.smartAlbum;
  const picture = place.id === everything.id
    ? make("img", { src: "/favicon.svg", alt: "", width: 72, height: 72 })
    : symbol(symbols[place.id] ?? symbols[place.kind] ?? "photo");
  const content = [picture, make("h2", { textContent: title }), make("p", { textContent: text })];
  if (understood.length > 0) content.push(make("p", { textContent: words.view.understood(understood.join(" · ")) }));
  if (place.id !== everything.id) return content;
  return [
    ...content, make("pre", {}, make("code", { textContent: words.importing.command })),
    make("p", { className: "faint", textContent: words.importing.path }),
  ];
}

/** Returns what is shown if the client as whom the owner looks is forgotten, or has no access. */
const clientGone = () => clientView(words.missing.client(viewedAs.name));

function clientView([title, text]) {
  const back = make("button", { type: "button", className: "button", textContent: words.connection.stopViewing });
  back.addEventListener("click", stopViewing);
  return [symbol("program"), make("h2", { textContent: title }), make("p", { textContent: text }), make("div", { className: "buttons" }, back)];
}

function missing(shell, transaction) {
  // Everything but an album is gone only with the client.
  if (viewedAs && !["album", "folder"].includes(shell.place.kind)) return clientGone();
  const all = make("button", { type: "button", className: "button", textContent: words.missing.showAll });
  all.addEventListener("click", () => shell.go(everything));
  const buttons = make("div", { className: "buttons" }, all);
  if (transaction !== undefined) {
    const back = make("button", { type: "button", className: "button primary", textContent: words.missing.undo });
    back.addEventListener("click", () => shell.commands?.undo(transaction));
    buttons.prepend(back);
  }
  return [symbol("album"), make("h2", { textContent: words.missing.title }), make("p", { textContent: words.missing.album }), buttons];
}
