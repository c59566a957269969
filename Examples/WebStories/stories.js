import { Library } from "../WebLibrary/library.js";
import { Thumbnails } from "../WebLibrary/thumbnails.js";
import { duration, make } from "../WebLibrary/dom.js";
import { AlbumMenu } from "../WebLibrary/album-menu.js";
import { Editor } from "../WebLibrary/editor.js";
import { PhotoPicker } from "../../Web/picker.js";
import { Sheet } from "../WebLibrary/sheet.js";

const address = new URLSearchParams(location.search).get("library") ?? "http://calotype.localhost:2839/";
const purpose = "Shows your photos, so that you can share one as a story.";
const library = new Library(address, { name: document.title, reason: purpose });
const [reason, enable, swipe, title, select, notice, list, problem] = [
  ".reason", ".enable", ".swipe", ".title", ".select", ".notice", ".thumbnails", ".problem",
].map((name) => document.querySelector(name));
const sheet = new Sheet(document.querySelector(".sheet"), document.querySelector(".camera"), list);
const grid = new Thumbnails(list, (asset, signal, priority) => library.picture(asset, "grid", { signal, priority }), decorate);
const menu = new AlbumMenu(document.querySelector(".menu"), title, library, choose, tell);
const editor = new Editor(document.querySelector(".editor"), {
  cell: (id) => grid.cell(id),
  file: (asset, kind) => library.file(asset, kind),
  cover: (isCovered) => (sheet.isCovered = isCovered),
  say: (message) => (problem.textContent = message),
});
const allSelected = "You see the photos that you have selected for this page";
/** The id of the album that is shown, or the identifiers of what the search has found. */
let [album, chosen, failure] = ["userLibrary", [], ""];

/** Says why something has failed, unless a person has ended it or the page has no access. */
function tell({ name, message, status }) {
  failure = name === "AbortError" || status === 401 || status === 403 ? "" : message;
  problem.textContent = failure;
}

// Access
function showAccess() {
  enable.hidden = library.status !== "notDetermined";
  swipe.hidden = !library.hasAccess;
  sheet.isLocked = !library.hasAccess;
  reason.textContent = library.refusal ?? (library.hasAccess ? "" : "Share a moment from your photos.");
  if (library.hasAccess) return follow();
  editor.clear();
  menu.clear();
  setAlbum("Recents", "userLibrary");
  grid.show([]);
  setSelecting(false);
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
library.addEventListener("change", () => Promise.all([follow().then(() => editor.retry()), menu.update()]));

// The grid
/** Shows the album as it is now. */
async function follow() {
  try {
    await showAlbum();
    if (problem.textContent === failure) problem.textContent = "";
  } catch (error) {
    tell(error);
  }
}

async function showAlbum() {
  const [shown, isResult] = [album, Array.isArray(album)];
  const assets = await (isResult ? library.picked(shown) : library.assets(shown)).catch((error) => {
    if (error.status !== 404) throw error;
  });
  if (shown !== album || !library.hasAccess) return;
  if (!assets) return show("Recents", "userLibrary").then(() => (problem.textContent = "This album is gone."));
  notice.hidden = library.status !== "limited";
  const unseen = isResult ? shown.length - assets.length : 0;
  const missing = `${document.title} may not see ${unseen} of the photos that you picked`;
  notice.firstChild.textContent = unseen > 0 ? missing : allSelected;
  const ids = new Set(assets.map(({ id }) => id));
  chosen = chosen.filter((id) => ids.has(id));
  grid.show(assets);
  // A photo that has only left the album stays open.
  const { asset } = editor;
  const isGone = asset && !ids.has(asset.id) && !(await library.contains("userLibrary", asset.id));
  if (isGone && asset === editor.asset) editor.leave("This photo is gone.");
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
  if (select.ariaPressed !== "true") return editor.open(cell);
  const { id } = cell.asset;
  chosen = chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id];
  grid.show(grid.assets);
});
function setSelecting(isSelecting) {
  select.ariaPressed = isSelecting;
  chosen = [];
  grid.show(grid.assets);
}
select.addEventListener("click", () => setSelecting(select.ariaPressed !== "true"));

// The albums
async function choose(name, id) {
  if (id !== "search") return show(name, id);
  await menu.gone();
  await search().catch(tell);
}

function setAlbum(name, id) {
  [title.firstChild.textContent, album, chosen, list.scrollTop, problem.textContent] = [name, id, [], 0, ""];
  menu.current = Array.isArray(id) ? "search" : id;
}

function show(name, id) {
  setAlbum(name, id);
  return follow();
}

/** Shows what the person picks, as far as this page may see it. */
async function search() {
  const wish = { library: address, selectionLimit: 10, selection: "ordered", identifiers: true };
  const session = PhotoPicker.present(wish);
  const photos = await session.finished;
  session.close();
  if (photos.length > 0) await show("Search Result", photos.map(({ identifier }) => identifier));
}

// A key steps back by one.
addEventListener("keydown", ({ key, repeat }) => {
  if (key !== "Escape" || repeat || menu.isOpen) return;
  if (editor.asset) editor.leave();
  else if (select.ariaPressed === "true") setSelecting(false);
  else sheet.move({ isUp: false });
});
library.open().then(showAccess).catch(tell);
