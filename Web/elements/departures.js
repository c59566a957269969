import { fetchAsset } from "../helpers/api.js";
import { departureOf } from "../models/departure.js";
import { words } from "../words.js";
import { showToast } from "./toasts.js";

/** The number of changes of the stream that are remembered. */
const mostChanges = 20;
/** The milliseconds for which a change of this page is taken for the cause, if none is known. */
const ownTime = 3_000;

/**
 * Says why the open asset has left the view, unless this page did it, which has said so already.
 * @param {typeof import("../shell.js").shell} shell
 * @param {import("./commands.js").Commands} commands
 */
export function announceDepartures(shell, commands) {
  const changes = [];
  const own = new Set();
  let changedAt = -Infinity;
  shell.addEventListener("change", ({ detail }) => {
    if (detail) changes.push(detail);
    if (changes.length > mostChanges) changes.shift();
  });
  commands.changes.addEventListener("performed", ({ detail }) => {
    own.add(detail?.transaction);
    changedAt = performance.now();
  });
  shell.viewing.addEventListener("gone", ({ detail: asset }) => announce(asset, performance.now()));

  async function announce({ id, mediaType }, time) {
    const { place, collection } = shell;
    const now = await fetchAsset(id).catch((error) => (error.status === 404 ? null : Promise.reject(error))).catch(() => undefined);
    await commands.changes.latest;
    const cause = departureOf(changes, id, place.id);
    if (cause ? own.has(cause.transaction) : time - changedAt < ownTime || now === undefined) return;
    const isUndoable = cause?.isUndoable && !cause.client && now !== null;
    const action = isUndoable ? { label: words.general.undo, act: () => commands.undo(cause.transaction) } : undefined;
    showToast(sentence(words.viewer.left[mediaType] ?? words.viewer.left.image, now, collection), { action });
  }
}

/**
 * Returns the sentence about an asset that left the view.
 * @param {(what: string) => string} said
 * @param {object | null | undefined} now the asset as it is now
 * @param {{id: string, title: string} | null} collection
 */
function sentence(said, now, collection) {
  const { departed } = words.viewer;
  if (!now || now.daysLeft !== undefined) return said(departed.deleted);
  if (now.isHidden && collection?.id !== "allHidden") return said(departed.hidden);
  return said(collection ? departed.from(collection.title) : departed.search);
}
