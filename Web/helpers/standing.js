/**
 * The part of a view that a person was looking at: an asset, and its distance from the window's
 * top.
 *
 * @typedef {{revision: string, id: string | undefined, index: number, offset: number}} Standing
 */

/** Keeps the standing of each view, in the browser's history and for the tab. */
export const standing = {
  /** @param {string} key @param {Standing} place */
  save(key, place) {
    history.replaceState({ ...history.state, standing: { key, ...place } }, "");
    try {
      sessionStorage.setItem(`standing:${key}`, JSON.stringify(place));
    } catch {
      // Without storage, the history still keeps it.
    }
  },

  /** @param {string} key @returns {Standing | null} */
  of(key) {
    const kept = history.state?.standing;
    if (kept?.key === key) return kept;
    try {
      return JSON.parse(sessionStorage.getItem(`standing:${key}`));
    } catch {
      return null;
    }
  },
};
