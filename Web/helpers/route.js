// The history moves a moment after `history.back()`. A second call would leave the view.
let isGoingBack = false;
for (const type of ["popstate", "pageshow"]) addEventListener(type, () => (isGoingBack = false));

/** The delay in milliseconds before a refused address is written again. */
const rest = 1_000;
let late;
addEventListener("popstate", () => clearTimeout(late));

/**
 * Returns a function that changes the browser's history, and returns whether the browser has done
 * so. Safari refuses the hundredth change in half a minute, and Firefox the two hundredth in ten
 * seconds.
 * @param {"pushState" | "replaceState"} method
 * @returns {(state: unknown, address?: string) => boolean}
 */
const attempt = (method) => (state, address) => {
  try {
    history[method](state, "", address);
    return true;
  } catch {
    return false;
  }
};

export const pushEntry = attempt("pushState");
export const replaceEntry = attempt("replaceState");

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
    clearTimeout(late);
    const address = this.addressOf(id);
    // Browsers do not count changes of the fragment.
    if (!pushEntry({ ...history.state, isOpened: true }, address)) location.hash = address;
  },

  /** @param {string} id */
  replace(id) {
    clearTimeout(late);
    if (replaceEntry(history.state, this.addressOf(id))) return;
    late = setTimeout(() => this.assetID !== null && this.replace(id), rest);
  },

  /** Goes back to the view, by the browser's Back if the previous entry is the view. */
  close() {
    if (isGoingBack) return;
    if (history.state?.isOpened) {
      isGoingBack = true;
      history.back();
    } else {
      clearTimeout(late);
      if (!replaceEntry(history.state, location.pathname + location.search)) location.replace("#");
      dispatchEvent(new PopStateEvent("popstate"));
    }
  },
};
