import { replaceEntry } from "./route.js";

/**
 * The part of a view that a person was looking at: an asset, and its distance from the window's
 * top.
 *
 * @typedef {{revision: string, id: string | undefined, index: number, offset: number}} Standing
 */

/** The key of the browser's present history entry. */
let shown = null;

/** Keeps the standing of each view, in the browser's history and for the tab. */
export const standing = {
  /** @param {string} key @param {Standing} place */
  save(key, place) {
    shown = history.state?.standing?.entry ?? String(performance.timeOrigin + performance.now());
    replaceEntry({ ...history.state, standing: { key, entry: shown, ...place } });
    store(`standing:${key}`, place);
    remove(leftName(key));
  },

  /**
   * Keeps the place at which Back or Forward left a view. The browser has changed entries already,
   * so the place can't be written to the view's own.
   * @param {string} key
   * @param {Standing} place
   */
  leave(key, place) {
    store(`standing:${key}`, place);
    if (shown !== null) store(leftName(key), place);
  },

  /** @param {string} key @returns {Standing | null} */
  of(key) {
    const kept = history.state?.standing;
    shown = kept?.entry ?? null;
    if (kept?.key === key) return read(leftName(key)) ?? kept;
    return read(`standing:${key}`);
  },
};

const leftName = (key) => `left:${shown} ${key}`;

function store(name, place) {
  try {
    sessionStorage.setItem(name, JSON.stringify(place));
  } catch {
    // Without storage, the history still keeps it.
  }
}

function remove(name) {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Without storage, there is nothing to remove.
  }
}

/** @returns {Standing | null} */
function read(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}
