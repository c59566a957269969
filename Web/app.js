import "./elements/asset-viewer.js";
import "./elements/date-scrubber.js";
import "./elements/photo-grid.js";
import { Viewing } from "./elements/viewing.js";
import { fetchAssets, fetchDays, fetchLibrary } from "./helpers/api.js";
import { localDay } from "./helpers/dates.js";
import { isExposed, leaveWithSession } from "./helpers/session.js";
import { Library } from "./models/library.js";
import { follow } from "./models/locate.js";

const find = (selector) => document.querySelector(selector);
const grid = find("photo-grid");
const notice = find(".notice");
const library = new Library({ fetchDays, fetchAssets });
const notices = {
  unreachable: "The server does not answer.",
};
const viewing = new Viewing(grid, find("asset-viewer"));

/** @type {"idle" | "updating" | "updatingAndNeedsUpdate"} */
let state = "idle";
let shownOn = localDay(new Date());

find("date-scrubber").follow(grid);
library.addEventListener("snapshot", update);
library.addEventListener("state", showState);
find(".notice button").addEventListener("click", () => library.ask());
document.addEventListener("visibilitychange", () => (document.hidden ? library.pause() : wake()));
nameLibrary();
await library.ask();
viewing.followAddress();
leaveWithSession();
if (await isExposed()) find(".exposed").hidden = false;

async function update() {
  if (state !== "idle") {
    state = "updatingAndNeedsUpdate";
    return;
  }
  state = "updating";
  const snapshot = library.snapshot;
  snapshot.pages.onFailure = () => library.askSoon();
  find(".empty").hidden = snapshot.total > 0;
  try {
    await bring(snapshot);
  } catch {
    library.askSoon();
  }
  const needsUpdate = state === "updatingAndNeedsUpdate";
  state = "idle";
  if (needsUpdate) update();
}

/**
 * Shows a snapshot. The visible assets keep their place, unless the window is at the very beginning
 * of the library.
 */
async function bring(snapshot) {
  const before = grid.snapshot;
  if (!before.pages || before.total === 0) return grid.show(snapshot);
  const isAtTop = grid.y === 0;
  const first = isAtTop ? 0 : grid.firstVisible;
  const anchor = isAtTop ? 0 : await follow(first, before, snapshot);
  if (anchor >= 0) await snapshot.pages.loadRange({ first: Math.max(0, anchor - 30), end: Math.min(anchor + 60, snapshot.total) });
  before.pages.close();
  grid.change(snapshot, isAtTop || anchor < 0 ? null : { before: first, after: anchor });
  await viewing.changed(before, snapshot);
}

function showState() {
  if (library.state === "signedOut") return location.reload();
  const text = notices[library.state];
  notice.hidden = text === undefined;
  notice.querySelector("span").textContent = text ?? "";
  if (library.state === "ready") {
    nameLibrary();
    grid.retry();
  }
}

async function nameLibrary() {
  try {
    const { name } = await fetchLibrary();
    grid.libraryName = name;
    document.title = name;
  } catch {
    // `library.state` already reports that the server does not answer.
  }
}

function wake() {
  const today = localDay(new Date());
  if (today !== shownOn) grid.relabel();
  shownOn = today;
  library.ask();
}
