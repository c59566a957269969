import { Library } from "../WebLibrary/library.js";
import { Thumbnails } from "../WebLibrary/thumbnails.js";
import { duration, grow, make } from "../WebLibrary/dom.js";
import { PhotoPicker } from "../../Web/picker.js";
import { Sheet } from "../WebLibrary/sheet.js";

const address = new URLSearchParams(location.search).get("library") ?? "http://calotype.localhost:2839/";
const library = new Library(address, { name: document.title, reason: "Shows your photos, so that you can share one as a story." });
const [reason, enable, swipe, title, select, notice, list, menu, editor, problem] = [
  ".reason", ".enable", ".swipe", ".title", ".select", ".notice", ".thumbnails", ".menu", ".editor", ".problem",
].map((name) => document.querySelector(name));
const [still, movie] = editor.querySelectorAll(".stage");
const sheet = new Sheet(document.querySelector(".sheet"), document.querySelector(".camera"), list);
const grid = new Thumbnails(list, (asset, signal) => library.picture(asset, "grid", { signal }), decorate);
/** Says why something has failed, unless the person has ended it by closing the picker. */
const tell = ({ name, message }) => (problem.textContent = name === "AbortError" ? "" : message);
const allSelected = "You see the photos that you have selected for this page";
/** The id of the album that is shown, or the identifiers of what the search has found. */
let [album, chosen] = ["userLibrary", []];

// Access
function showAccess() {
  enable.hidden = library.status !== "notDetermined";
  swipe.hidden = !library.hasAccess;
  sheet.isLocked = !library.hasAccess;
  reason.textContent = library.refusal ?? (library.hasAccess ? "" : "Share a moment from your photos.");
  if (!library.hasAccess) grid.show([]);
  return library.hasAccess && showAlbum();
}

enable.addEventListener("click", async () => {
  enable.disabled = true;
  reason.textContent = "Answer in your photo library.";
  const problem = await library.requestAccess().then(() => null, (error) => error.message);
  enable.disabled = false;
  await showAccess();
  if (problem) reason.textContent = problem;
});
swipe.addEventListener("click", () => sheet.move({ isUp: true }));
// The grid follows the library when the owner has answered.
notice.querySelector(".manage").addEventListener("click", () => library.manageSelection().catch(() => {}));
library.addEventListener("access", showAccess);
library.addEventListener("change", () => Promise.all([showAlbum(), menu.open && fillMenu()]));

// The grid
async function showAlbum() {
  const shown = album;
  const assets = await (Array.isArray(shown) ? library.picked(shown) : library.assets(shown));
  if (shown !== album) return;
  notice.hidden = library.status !== "limited";
  const unseen = Array.isArray(shown) ? shown.length - assets.length : 0;
  notice.firstChild.textContent = unseen > 0 ? `${document.title} may not see ${unseen} of the photos that you picked` : allSelected;
  grid.show(assets);
}

function decorate({ firstChild: button, image }, asset) {
  const place = chosen.indexOf(asset.id);
  const isVideo = asset.mediaType === "video";
  const badge = isVideo ? make("span", { className: "badge" }, duration(asset.duration)) : "";
  button.replaceChildren(image, badge, place >= 0 ? make("span", { className: "number" }, place + 1) : "");
  button.ariaLabel = `${isVideo ? "Video" : "Photo"}, ${new Date(asset.creationDate).toLocaleString()}`;
  button.ariaPressed = select.ariaPressed === "true" ? place >= 0 : null;
}

list.addEventListener("click", ({ target }) => {
  const cell = target.closest("li");
  if (!cell) return;
  if (select.ariaPressed !== "true") return openEditor(cell);
  const { id } = cell.asset;
  chosen = chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id];
  grid.show(grid.assets);
});
select.addEventListener("click", () => {
  select.ariaPressed = select.ariaPressed !== "true";
  chosen = [];
  grid.show(grid.assets);
});

// The albums
async function fillMenu() {
  const albums = (await library.collections()).filter(({ kind, count }) => kind === "album" && count > 0);
  const rows = albums.map(({ id, title }) => {
    const cover = make("img", { alt: "" });
    library.newest(id).then((newest) => library.picture(newest)).then((picture) => (cover.src = picture), () => {});
    return make("li", {}, make("button", { value: id }, cover, title));
  });
  menu.querySelector(".albums").replaceChildren(...rows);
}

title.addEventListener("click", async () => {
  await fillMenu();
  menu.showModal();
  title.ariaExpanded = true;
});
menu.addEventListener("close", () => (title.ariaExpanded = false));
menu.addEventListener("click", async ({ target }) => {
  if (target === menu) return menu.close();
  const row = target.closest("button");
  if (!row) return;
  menu.close();
  if (row.value !== "search") return show(row.textContent, row.value);
  // The picker comes once the menu is gone.
  await Promise.allSettled(menu.getAnimations().map(({ finished }) => finished));
  await search().catch(tell);
});

function show(name, id) {
  [title.firstChild.textContent, album, chosen, list.scrollTop, problem.textContent] = [name, id, [], 0, ""];
  return showAlbum();
}

/** Shows what the person picks, as far as this page may see it. */
async function search() {
  const session = PhotoPicker.present({ library: address, selectionLimit: 10, selection: "ordered", identifiers: true });
  const photos = await session.finished;
  session.close();
  if (photos.length > 0) await show("Search Result", photos.map(({ identifier }) => identifier));
}

// The editor
async function openEditor({ asset, image }) {
  const isVideo = asset.mediaType === "video";
  [editor.asset, still.src, problem.textContent] = [asset, image.src, ""];
  const loading = library.file(asset, isVideo ? "video" : "full").catch((error) => error);
  await grow(image, still, () => (editor.hidden = false), "opening");
  const file = await loading;
  if (editor.asset !== asset) return; // the person has left this asset, or has opened another one
  if (file instanceof Error) return tell(file);
  URL.revokeObjectURL(editor.address);
  const sharp = Object.assign(isVideo ? movie : new Image(), { src: (editor.address = URL.createObjectURL(file)) });
  await (isVideo ? movie.play() : sharp.decode()).catch(() => {});
  if (editor.asset !== asset) return;
  if (isVideo) movie.hidden = false;
  else still.src = sharp.src;
}

async function closeEditor() {
  const cell = grid.cell(editor.asset.id);
  [editor.asset, problem.textContent] = [null, ""];
  Object.assign(movie, { hidden: true }).pause();
  cell?.scrollIntoView({ block: "nearest" });
  await grow(still, cell?.image ?? still, () => (editor.hidden = true), "closing");
  cell?.firstChild.focus({ preventScroll: true });
}

editor.querySelector(".back").addEventListener("click", closeEditor);
addEventListener("keydown", ({ key }) => key === "Escape" && editor.asset && closeEditor());
library.open().then(showAccess);
