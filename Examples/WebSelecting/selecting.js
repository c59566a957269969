import { PhotoPicker } from "../../Web/picker.js";
import { duration, make } from "../WebLibrary/dom.js";

const library = new URLSearchParams(location.search).get("library") ?? "http://calotype.localhost:2839/";
const [progress, stage, footer, facts, count, next] = ["progress", ".stage", "footer", "dl", ".count", ".next"].map((name) =>
  document.querySelector(name));
const hint = stage.textContent;
/** The selected photos, in the order of selecting. The files of those selected again are kept. */
let selection = [];
let current = 0;

for (const button of document.querySelectorAll("nav button")) button.addEventListener("click", () => select(button.value));
next.addEventListener("click", () => display((current + 1) % selection.length));

async function select(filter) {
  const preselected = selection.map(({ photo }) => photo.identifier).filter(Boolean);
  try {
    const photos = await PhotoPicker.open({
      library, filter, selection: "ordered", selectionLimit: 0, representation: "compatible", identifiers: true,
      ...(preselected.length > 0 && { preselected }), purpose: "Shown on this page" });
    const before = new Map(selection.map((one) => [one.photo.identifier ?? one.photo.item, one]));
    const isAsBefore = photos.length === selection.length && photos.every(({ identifier }, index) => identifier === selection[index].photo.identifier);
    // A canceled picker hands over what was selected before. None are left if all were deselected.
    if (isAsBefore) return;
    selection = photos.map((photo) => before.get(photo.identifier ?? photo.item) ?? load(photo));
    await display(0);
  } catch (error) {
    // A picker that is open comes to the front.
    if (error.name !== "InvalidStateError") showMessage(error.message);
  }
}

/** Starts to load a photo, with the movie if it is a Live Photo. */
function load(photo) {
  const one = { photo, part: 0 };
  const onprogress = (completed, total) => {
    one.part = total ? completed / total : 0;
    if (selection[current] === one) progress.value = one.part;
  };
  one.file = photo.file({ onprogress });
  one.movie = photo.isLivePhoto ? photo.file({ kind: "pairedVideo" }) : null;
  for (const file of [one.file, one.movie]) file?.catch(() => {}); // told when it is displayed
  return one;
}

async function display(index) {
  current = index;
  if (selection.length === 0) return showNothing();
  const one = selection[index];
  footer.hidden = false;
  next.disabled = selection.length < 2;
  count.textContent = `${index + 1} of ${selection.length}`;
  facts.replaceChildren();
  progress.value = one.part;
  progress.classList.add("shown");
  try {
    const file = await one.file;
    const views = one.photo.mediaType === "video" ? [videoView(file)] : await imageViews(file, one);
    const rows = await metadata(one.photo, file);
    if (selection[current] !== one) return;
    stage.replaceChildren(...views);
    facts.replaceChildren(...rows.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  } catch (error) {
    if (selection[current] === one) showMessage(error.message);
  }
  if (selection[current] === one) progress.classList.remove("shown");
}

function showNothing() {
  footer.hidden = true;
  progress.classList.remove("shown");
  showMessage(hint);
}

function showMessage(text) {
  stage.replaceChildren(make("p", { className: "empty", role: "status" }, text));
}

const videoView = (file) => make("video", { src: URL.createObjectURL(file), controls: true, playsInline: true });

/** Returns the image of a photo, and for a Live Photo a button that plays its movie over it. */
async function imageViews(file, { photo, movie }) {
  const image = make("img", { src: URL.createObjectURL(file), alt: photo.name });
  await image.decode();
  if (!movie) return [image];
  const video = make("video", { playsInline: true, hidden: true, onended: () => (video.hidden = true) });
  const play = make("button", { className: "live", ariaLabel: "Play Live Photo" }, "LIVE");
  play.addEventListener("click", async () => {
    try {
      video.src ||= URL.createObjectURL(await movie);
      video.hidden = false;
      await video.play();
    } catch (error) {
      showMessage(error.message);
    }
  });
  return [image, video, play];
}

/** Returns what the picker says of a photo, and the date in the file itself. */
async function metadata(photo, file) {
  const beginning = new TextDecoder("latin1").decode(await file.slice(0, 65_536).arrayBuffer());
  const [, year, month, day, time] = /(\d{4}):(\d\d):(\d\d) (\d\d:\d\d):\d\d/.exec(beginning) ?? [];
  const rows = [["Name", file.name], ["Type", file.type], ["Size", `${photo.pixelWidth} × ${photo.pixelHeight}, ${Math.ceil(file.size / 1000)} kB`]];
  if (photo.mediaType === "video") rows.push(["Duration", duration(photo.duration)]);
  if (year) rows.push(["Taken", `${year}-${month}-${day} ${time}`]);
  return rows;
}
