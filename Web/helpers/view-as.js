/**
 * The client as whom the owner looks at the library in this tab, or null. `/?as=ID&name=NAME`
 * begins it, and it stays until it is stopped. The picker of another page always shows the owner's
 * library, also in a window that got this tab's storage.
 */

const key = "calotype-view-as";

function read() {
  if (globalThis.location?.pathname.startsWith("/picker")) return null;
  // These pages are the owner's.
  if (/^\/(access|history|sessions)$/.test(globalThis.location?.pathname ?? "")) sessionStorage.removeItem(key);
  const parameters = new URLSearchParams(globalThis.location?.search ?? "");
  if (parameters.has("as")) {
    sessionStorage.setItem(key, JSON.stringify({ id: parameters.get("as"), name: parameters.get("name") ?? "" }));
    history.replaceState(history.state, "", location.pathname);
  }
  try {
    return JSON.parse(globalThis.sessionStorage?.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @type {{id: string, name: string} | null} */
export const viewedAs = read();

/** Returns the path of a request that is answered as to the client. @param {string} path */
export function seen(path) {
  return viewedAs ? `${path}${path.includes("?") ? "&" : "?"}as=${encodeURIComponent(viewedAs.id)}` : path;
}

/** Looks at the library as a client sees it. @param {{id: string, name: string}} client */
export function viewAs({ id, name }) {
  location.href = `/?${new URLSearchParams({ as: id, name })}`;
}

/** Looks at the library as its owner again. */
export function stopViewing() {
  sessionStorage.removeItem(key);
  location.href = "/access";
}
