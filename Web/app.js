import "./elements/photo-grid.js";
import "./elements/side-bar.js";
import { Viewing } from "./elements/viewing.js";
import { ViewFrame } from "./elements/view-frame.js";
import { localDay } from "./helpers/dates.js";
import { stopViewing, viewedAs } from "./helpers/view-as.js";
import { isPage } from "./models/places.js";
import { shell } from "./shell.js";
import { words } from "./words.js";

/** The time in milliseconds after which the rest of the page is loaded, even if a picture fails. */
const longestWait = 2_000;
const find = (selector) => document.querySelector(selector);
const grid = find("photo-grid");
const viewer = find("asset-viewer");
let shownOn = localDay(new Date());

new ViewFrame(shell, grid, find("side-bar"), find(".bottom-bar"));
showConnection(find(".notice"));
document.addEventListener("visibilitychange", relabel);
shell.start(grid, new Viewing(grid, viewer, [find("main"), find("side-bar"), find(".sidebar-toggle"), find(".bottom-bar")]));
if (viewedAs) showEyes(find(".eyes"));
await firstPictures();
const { complete } = await import("./later.js");
complete(shell);

/** Waits until the first pictures are shown, or there are none, or the person does something. */
function firstPictures() {
  return new Promise((resolve) => {
    if (isPage(shell.place)) resolve();
    grid.addEventListener("firstpage", resolve);
    shell.addEventListener("view", () => shell.snapshot.total === 0 && resolve());
    shell.addEventListener("connection", ({ detail }) => detail !== "ready" && resolve());
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, resolve, { once: true });
    setTimeout(resolve, longestWait);
  });
}

/** Says that the page shows what a client sees. */
function showEyes(bar) {
  bar.hidden = false;
  document.body.classList.add("with-eyes");
  bar.querySelector("span").textContent = words.connection.viewingAs(viewedAs.name);
  const button = bar.querySelector("button");
  button.textContent = words.connection.stopViewing;
  button.addEventListener("click", stopViewing);
}

/** Says while the server does not answer, or answers with an error. */
function showConnection(notice) {
  const button = notice.querySelector("button");
  button.textContent = words.connection.tryAgain;
  button.addEventListener("click", () => shell.view.ask());
  shell.addEventListener("connection", ({ detail }) => {
    const text = { unreachable: words.connection.unreachable, refused: words.connection.refused }[detail];
    notice.hidden = !text;
    notice.querySelector("span").textContent = text ?? "";
  });
}

/** Writes the headings again if a new day has begun. */
function relabel() {
  const today = localDay(new Date());
  if (today !== shownOn) grid.relabel();
  shownOn = today;
}
