import { Library } from "../WebLibrary/library.js";
import { Thumbnails } from "../WebLibrary/thumbnails.js";
import { duration, make } from "../WebLibrary/dom.js";

const address = new URLSearchParams(location.search).get("library") ?? "http://calotype.localhost:2839/";
const library = new Library(address, { name: "Browse photos", reason: "Shows your photos and albums, and changes them as you say." });
const [back, heading, edit, add, message, enable, albums, list, stage, footer, favorite, play, remove, choices] = [
  ".back", "h1", ".edit", ".add", ".message", ".enable", ".albums", ".thumbnails", ".asset", "footer", ".favorite", ".play",
  ".delete", ".choices",
].map((name) => document.querySelector(name));
const [still, movie] = stage.children;
const grid = new Thumbnails(list, (asset, signal) => library.picture(asset, "grid", { signal }), decorate);
let collection = null;
let asset = null;

// The address `#COLLECTION/ASSET` says what is shown. A list of albums has none, or a folder's.

async function show() {
  const [id, assetID] = location.hash.slice(1).split("/");
  enable.hidden = library.hasAccess;
  if (!library.hasAccess) {
    message.textContent = library.refusal ?? "";
    enable.disabled = Boolean(library.refusal);
    for (const element of [albums, list, stage, footer, back, edit, add]) element.hidden = true;
    return;
  }
  const all = await library.collections();
  collection = all.find((one) => one.id === id) ?? null;
  const isList = !collection || collection.kind === "folder";
  const next = collection && assetID && (await isIn(collection, assetID)) ? await library.asset(assetID).catch(() => null) : null;
  if (location.hash.slice(1) !== (assetID ? `${id}/${assetID}` : id)) return;
  if (asset && assetID === asset.id && !next) message.textContent = "This photo is gone.";
  if ((id && !collection) || (assetID && !next)) return location.replace(collection ? `#${id}` : "#");
  asset = next;
  [albums.hidden, list.hidden, stage.hidden, footer.hidden] = [!isList, isList || asset, !asset, !asset];
  back.hidden = !id;
  back.href = `#${asset ? id : (collection?.parent ?? "")}`;
  heading.textContent = asset?.originalFilename ?? (id === "userLibrary" ? "All Photos" : collection?.title) ?? "Photos";
  edit.hidden = !asset;
  add.hidden = asset !== null || !(isList || id === "userLibrary" || collection.can.includes("addContent"));
  add.ariaLabel = isList ? "New album" : "Add a photo";
  if (asset) await showAsset();
  else if (isList) showAlbums(all);
  else grid.show(await library.assets(id, { order: collection.kind === "album" ? "custom" : "newest" }));
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
  albums.replaceChildren(...sections.flatMap(([title, rows]) => [make("h2", {}, title), make("ul", {}, ...rows.map(row))]));
}

function decorate({ firstChild: button, image }, cell) {
  const badge = (className, text) => make("span", { className: `badge ${className}` }, text);
  const isVideo = cell.mediaType === "video";
  const isLive = cell.mediaSubtypes.includes("photoLive");
  button.replaceChildren(image, ...(isVideo ? [badge("", duration(cell.duration))] : []), ...(isLive ? [badge("live", "LIVE")] : []));
  if (cell.isFavorite) button.append(badge("star", "♥"));
  button.ariaLabel = `${isVideo ? "Video" : isLive ? "Live Photo" : "Photo"}, ${new Date(cell.creationDate).toLocaleString()}`;
}

async function showAsset() {
  const { id, version, mediaType, mediaSubtypes, isFavorite, unreadableReason } = asset;
  favorite.ariaPressed = isFavorite;
  favorite.textContent = isFavorite ? "♥" : "♡";
  play.hidden = mediaType !== "video" && !mediaSubtypes.includes("photoLive");
  edit.disabled = Boolean(unreadableReason);
  if (stage.dataset.shown === `${id}/${version}`) return;
  stage.dataset.shown = `${id}/${version}`;
  stop();
  for (const kind of ["grid", "screen"]) {
    const picture = await library.picture(asset, kind).catch(() => null);
    if (picture && stage.dataset.shown === `${id}/${version}`) still.src = picture;
  }
}

const stop = () => (movie.pause(), (movie.hidden = true));
/** Asks a person for a choice. Returns its value, or an empty text. */
async function choose(title, options, ...fields) {
  const buttons = options.map(([value, text, className = ""]) => make("button", { value, className }, text));
  choices.firstChild.replaceChildren(make("p", {}, title), ...fields, ...buttons, make("button", { value: "", formNoValidate: true }, "Cancel"));
  choices.returnValue = "";
  choices.showModal();
  await new Promise((resolve) => choices.addEventListener("close", resolve, { once: true }));
  return choices.returnValue;
}

/** Makes a change, and says what is waited for and what went wrong. */
async function perform(text, change) {
  message.textContent = text;
  message.textContent = await change().then(() => "", (error) => error.message);
}

enable.addEventListener("click", () => perform("Answer in your photo library.", () => library.requestAccess()).then(show));
list.addEventListener("click", ({ target }) => {
  const cell = target.closest("li");
  if (cell) location.hash = `${collection.id}/${cell.dataset.id}`;
});
favorite.addEventListener("click", () =>
  perform("", () => library.change({ type: "setAssets", assets: [asset.id], isFavorite: !asset.isFavorite })));
play.addEventListener("click", () => perform("Loading…", async () => {
  movie.src = URL.createObjectURL(await library.file(asset, "video"));
  movie.hidden = false;
  await movie.play();
}));
movie.addEventListener("ended", stop);
edit.addEventListener("click", async () => {
  const { id, version } = asset;
  const choice = await choose("Edit", [["sepia", "Sepia Tone"], ["chrome", "Chrome"], ...(asset.edit ? [["revert", "Revert"]] : [])]);
  const filter = { type: "editAssets", assets: [id], version, steps: { filter: choice } };
  if (choice) await perform("Saving…", () => library.change(choice === "revert" ? { type: "revertAssets", assets: [id] } : filter));
});
remove.addEventListener("click", async () => {
  const assets = [asset.id];
  const leave = collection.kind === "album" ? [["remove", `Remove from ${collection.title}`]] : [];
  const choice = await choose("Delete", [...leave, ["delete", "Delete from library", "danger"]]);
  if (choice === "remove") await perform("", () => library.change({ type: "removeAssets", collection: collection.id, assets }));
  if (choice === "delete") await perform("Confirm in your photo library.", () => library.change({ type: "deleteAssets", assets }));
  if (choice && !message.textContent) location.hash = collection.id;
});
add.addEventListener("click", async () => {
  if (!list.hidden) return perform("", async () => library.add(await picture(), "Color.jpg", collection.kind === "album" && collection.id));
  const title = make("input", { placeholder: "Title", required: true, ariaLabel: "Title" });
  const parent = collection?.id ?? null;
  if (await choose("New album", [["create", "Create"]], title)) {
    await perform("", () => library.change({ type: "createAlbum", as: "$1", title: title.value, parent }));
  }
});

/** Makes a picture of one color, upright or lying. */
function picture() {
  const sides = Math.random() < 0.5 ? [400, 300] : [300, 400];
  const canvas = make("canvas", { width: sides[0], height: sides[1] });
  const context = Object.assign(canvas.getContext("2d"), { fillStyle: `hsl(${Math.random() * 360} 70% 60%)` });
  context.fillRect(0, 0, ...sides);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg"));
}

addEventListener("hashchange", () => (stop(), show()));
for (const type of ["change", "access"]) library.addEventListener(type, show);
library.open().then(show);
