/** The server did not answer, or it answered with an error. */
export class ServerError extends Error {
  /**
   * @param {string} message
   * @param {number} status 0 if the server did not answer
   */
  constructor(message, status) {
    super(message);
    this.name = "ServerError";
    this.status = status;
  }
}

async function get(path, { signal, revision } = {}) {
  const headers = revision === undefined ? {} : { "If-None-Match": `"${revision}"` };
  let response;
  try {
    response = await fetch(path, { signal, headers, cache: revision === undefined ? "default" : "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError(`${path}: the server does not answer`, 0);
  }
  if (response.status === 304) return null;
  if (!response.ok) throw new ServerError(`${path}: ${response.status}`, response.status);
  return response.json();
}

/** @returns {Promise<{isEncrypted: boolean}>} */
export const fetchSession = () => get("/api/v1/session");

/**
 * Waits until this browser's session has ended, or the server stops waiting. Throws `ServerError`
 * 401 if it has ended.
 * @param {AbortSignal} signal
 */
export async function waitForSessionEnd(signal) {
  const response = await fetch("/api/v1/session/end", { signal, cache: "no-store" });
  if (!response.ok) throw new ServerError("the session has ended", response.status);
}

/** @returns {Promise<{name: string, assetCount: number, revision: string}>} */
export const fetchLibrary = () => get("/api/library");

/**
 * Returns the days of the library, or null if it is still at `revision`.
 * @param {string} [revision]
 * @returns {Promise<{revision: string, total: number, days: [string, number][]} | null>}
 */
export const fetchDays = (revision) => get("/api/days", { revision });

/** @type {import("../models/asset-pages.js").FetchPage} */
export const fetchAssets = (offset, limit, signal) => get(`/api/assets?offset=${offset}&limit=${limit}`, { signal });

/** Returns all properties of an asset. @param {string} id @returns {Promise<object>} */
export const fetchAsset = (id) => get(`/api/assets/${encodeURIComponent(id)}`);

/**
 * Returns the address of a rendition.
 * @param {{id: string, version: string}} asset
 * @param {"grid" | "screen" | "full" | "video"} kind
 * @returns {string}
 */
export function renditionURL({ id, version }, kind) {
  return `/renditions/${encodeURIComponent(id)}/${encodeURIComponent(version)}/${kind}`;
}

/**
 * Returns the address of an original.
 * @param {string} id
 * @param {number} index
 * @returns {string}
 */
export function resourceURL(id, index) {
  return `/resources/${encodeURIComponent(id)}/${index}`;
}
