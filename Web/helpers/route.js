// The history moves a moment after `history.back()`. A second call would leave the view.
let isGoingBack = false;
for (const type of ["popstate", "pageshow"]) addEventListener(type, () => (isGoingBack = false));

/**
 * The open asset in the page's address. `/album/{id}#/asset/{id}` shows an asset over an album.
 *
 * Opening an asset adds an entry to the browser's history, and stepping to another asset replaces
 * the entry. Back therefore closes the viewer.
 */
export const route = {
  /** The id of the asset that the address names, or null. @returns {string | null} */
  get assetID() {
    const match = /^#\/asset\/([^/]+)$/.exec(location.hash);
    return match ? decodeURIComponent(match[1]) : null;
  },

  /** @param {string} id @returns {string} */
  addressOf(id) {
    return `#/asset/${encodeURIComponent(id)}`;
  },

  /** @param {string} id */
  open(id) {
    history.pushState({ ...history.state, isOpened: true }, "", this.addressOf(id));
  },

  /** @param {string} id */
  replace(id) {
    history.replaceState(history.state, "", this.addressOf(id));
  },

  /** Goes back to the view, by the browser's Back if the previous entry is the view. */
  close() {
    if (isGoingBack) return;
    if (history.state?.isOpened) {
      isGoingBack = true;
      history.back();
    } else {
      history.replaceState(history.state, "", location.pathname + location.search);
      dispatchEvent(new PopStateEvent("popstate"));
    }
  },
};
