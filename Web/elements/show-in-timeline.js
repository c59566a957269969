import { everything } from "../models/places.js";

/** The time in milliseconds for which the asset is outlined. */
const pointedOutTime = 1_500;

/**
 * Shows an asset among all photos, with the focus and an outline.
 * @param {typeof import("../shell.js").shell} shell
 * @param {string} id
 */
export async function showInTimeline(shell, id) {
  const isThere = shell.place.kind === "photos" && shell.snapshot.place === shell.place;
  const shown = isThere || new Promise((resolve) => shell.addEventListener("view", resolve, { once: true }));
  await shell.go(everything);
  await shown;
  const { grid } = shell;
  const index = await shell.indexOf(id);
  if (index < 0 || shell.place.kind !== "photos") return;
  await grid.snapshot.pages.load(index);
  grid.focusAsset(index);
  const element = grid.cellAt(index)?.element;
  element?.classList.add("pointed-out");
  setTimeout(() => element?.classList.remove("pointed-out"), pointedOutTime);
}
