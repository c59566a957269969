/**
 * The page's address. `#/asset/{id}` shows an asset, anything else shows the library.
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
    history.pushState({ isOpened: true }, "", this.addressOf(id));
  },

  /** @param {string} id */
  replace(id) {
    history.replaceState(history.state, "", this.addressOf(id));
  },

  /** Goes back to the library, by the browser's Back if the previous entry is the library. */
  close() {
    if (history.state?.isOpened) history.back();
    else {
      history.replaceState(null, "", "#/");
      dispatchEvent(new PopStateEvent("popstate"));
    }
  },
};
