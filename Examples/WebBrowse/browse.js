import { Library } from "../WebLibrary/library.js";
import { Thumbnails } from "../WebLibrary/thumbnails.js";
import { Choices } from "../WebLibrary/choices.js";
import { AssetStage } from "./asset-stage.js";
import { decorate } from "./cell.js";
import { make } from "../WebLibrary/dom.js";
import { pictureOfOneColor } from "../WebLibrary/one-color.js";

const address = new URLSearchParams(location.search).get("library") ?? "http://calotype.localhost:2839/";
const library = new Library(address, { name: "Browse photos", reason: "Shows your photos and albums, and changes them as you say." });
const [back, heading, edit, add, message, enable, albums, list, stage, footer, favorite, play, sharpen, remove] = [
  ".back", "h1", ".edit", ".add", ".message", ".enable", ".albums", ".thumbnails", ".asset", "footer", ".favorite", ".play", ".sharpen", ".delete",
].map((name) => document.querySelector(name));
const choices = new Choices();
const view = new AssetStage(stage, library);
const grid = new Thumbnails(list, (asset, signal, priority) => library.picture(asset, "grid", { signal, priority }), decorate);
let [collection, asset, hadAccess] = [null, null, false];
/** A message for the next place, and the problem that was told last. */
let [farewell, problem] = ["", ""];

/** Shows the place of the address, and says if that fails. */
async function refresh() {
  const failure = await show().then(() => "", (error) => error.message);
  if (failure || message.textContent === problem) message.textContent = failure;
  problem = failure;
}

// The address `#COLLECTION/ASSET` says what is shown. A list of albums has none, or a folder's.

async function show() {
  const [id, assetID] = location.hash.slice(1).split("/");
  enable.hidden = library.hasAccess;
  if (library.hasAccess !== hadAccess || library.refusal) message.textContent = library.refusal ?? "";
  hadAccess = library.hasAccess;
  if (!hadAccess) return showNothing();
  const all = await library.collections();
  collection = all.find((one) => one.id === id) ?? null;
  const isList = !collection || collection.kind === "folder";
  const next = collection && assetID && (await isIn(collection, assetID)) ? await library.asset(assetID).catch(() => null) : null;
  if (location.hash.slice(1) !== (assetID ? `${id}/${assetID}` : id)) return;
  if (asset && assetID === asset.id && !next) farewell = "This photo is gone.";
  if ((id && !collection) || (assetID && !next)) return location.replace(collection ? `#${id}` : "#");
  if (asset?.id !== next?.id) choices.close();
  asset = next;
  [albums.hidden, list.hidden, stage.hidden, footer.hidden] = [!isList, isList || asset, !asset, !asset];
  back.hidden = !id;
  back.href = `#${asset ? id : (collection?.parent ?? "")}`;
  heading.textContent = asset?.originalFilename ?? (id === "userLibrary" ? "All Photos" : collection?.title) ?? "Photos";
  edit.hidden = !asset;
  const mayAdd = isList ? library.status !== "limited" : id === "userLibrary" || collection.can.includes("addContent");
  add.hidden = asset !== null || !mayAdd;
  add.ariaLabel = isList ? "New album" : "Add a photo";
  if (asset) showButtons();
  await view.show(asset);
  if (asset) return;
  if (isList) showAlbums(all);
  else grid.show(await library.assets(id, { order: id === "userLibrary" ? "oldest" : collection.kind === "album" ? "custom" : "newest" }));
}

function showNothing() {
  choices.close();
  heading.textContent = "Photos";
  enable.disabled = Boolean(library.refusal);
  for (const element of [albums, list, stage, footer, back, edit, add]) element.hidden = true;
  albums.replaceChildren();
  grid.show([]);
  view.show((asset = null));
}

/** A photo that leaves a smart album stays open, unless it has left the library. */
async function isIn({ id, kind }, photo) {
  return (await library.contains(id, photo)) || (kind === "smartAlbum" && library.contains("userLibrary", photo));
}

function showAlbums(all) {
  const here = all.filter(({ kind, parent }) => kind !== "smartAlbum" && parent === (collection?.id ?? null));
  const smart = all.filter(({ kind, id }) => kind === "smartAlbum" && id !== "userLibrary");
  const photos = all.filter(({ id }) => id === "userLibrary").map((one) => ({ ...one, title: "All Photos" }));
  const sections = collection ? [["Albums", here]] : [["", photos], ["Smart Albums", smart], ["My Albums", here]];
  const row = ({ id, title, count }) =>
    make("li", {}, make("a", { href: `#${id}` }, make("span", {}, title), make("span", { className: "count" }, count)));
  const filled = sections.filter(([, rows]) => rows.length > 0);
  const list = filled.flatMap(([title, rows]) => [title ? make("h2", {}, title) : "", make("ul", {}, ...rows.map(row))]);
  const manage = make("button", { onclick: () => perform("Answer in your photo library.", () => library.manageSelection()) }, "Manage");
  const limits = make("p", { className: "count" }, "You see the photos that you have selected for this page.", manage);
  albums.replaceChildren(...(library.status === "limited" ? [limits] : []), ...list);
  if (filled.length === 0) albums.append(make("p", { className: "count" }, "No albums"));
}

function showButtons() {
  const { mediaType, mediaSubtypes, isFavorite, unreadableReason } = asset;
  favorite.ariaPressed = isFavorite;
  favorite.textContent = isFavorite ? "♥" : "♡";
  play.hidden = mediaType !== "video" && !mediaSubtypes.includes("photoLive");
  sharpen.hidden = Boolean(unreadableReason) || !view.isSmall(asset);
  edit.disabled = Boolean(unreadableReason);
}

/** Makes a change, and says what is waited for and what went wrong. Returns whether it was made. */
async function perform(text, change) {
  const place = location.hash;
  message.textContent = text;
  const failure = await change().then(() => "", (error) => error.message);
  if (failure || location.hash === place) message.textContent = failure;
  return !failure;
}

enable.addEventListener("click", () => perform("Answer in your photo library.", () => library.requestAccess()).then(refresh));
list.addEventListener("click", ({ target }) => {
  const cell = target.closest("li");
  if (cell) location.hash = `${collection.id}/${cell.dataset.id}`;
});
favorite.addEventListener("click", () =>
  perform("", () => library.change({ type: "setAssets", assets: [asset.id], isFavorite: !asset.isFavorite })));
play.addEventListener("click", () => perform("Loading…", () => view.play()));
sharpen.addEventListener("click", () => (view.sharpen(asset), refresh()));
edit.addEventListener("click", async () => {
  const { id, version } = asset;
  const choice = await choices.ask("Edit", [["sepia", "Sepia Tone"], ["chrome", "Chrome"], ...(asset.edit ? [["revert", "Revert"]] : [])]);
  const filter = { type: "editAssets", assets: [id], version, steps: { filter: choice } };
  if (choice) await perform("Saving…", () => library.change(choice === "revert" ? { type: "revertAssets", assets: [id] } : filter));
});
remove.addEventListener("click", async () => {
  // The person may go elsewhere before the owner has answered.
  const [place, { id, kind, title }, assets] = [location.hash, collection, [asset.id]];
  const leave = kind === "album" ? [["remove", `Remove from ${title}`]] : [];
  const choice = await choices.ask("Delete", [...leave, ["delete", "Delete from library", "danger"]]);
  const removal = { type: "removeAssets", collection: id, assets };
  const isGone =
    (choice === "remove" && (await perform("", () => library.change(removal)))) ||
    (choice === "delete" && (await perform("Confirm in your photo library.", () => library.change({ type: "deleteAssets", assets }))));
  if (isGone && location.hash === place) location.hash = id;
});
add.addEventListener("click", async () => {
  if (!list.hidden) return perform("", async () => library.add(await pictureOfOneColor(), "Color.jpg", collection.kind === "album" && collection.id));
  const title = make("input", { placeholder: "Title", required: true, ariaLabel: "Title" });
  const parent = collection?.id ?? null;
  if (await choices.ask("New album", [["create", "Create"]], title)) {
    await perform("", () => library.change({ type: "createAlbum", as: "$1", title: title.value, parent }));
  }
});

document.body.append(choices.dialog);
addEventListener("hashchange", () => {
  view.stop();
  [message.textContent, farewell] = [farewell, ""];
  refresh();
});
for (const type of ["change", "access"]) library.addEventListener(type, refresh);
library.open().then(refresh, (error) => (message.textContent = problem = error.message));
