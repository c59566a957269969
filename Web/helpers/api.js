/** The server is not there, or it answers with an error. */
export class ServerError extends Error {
  /**
   * @param {string} message
   * @param {number} status 0 when nothing answered
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

/** @returns {Promise<{name: string, assetCount: number, revision: string}>} */
export const fetchLibrary = () => get("/api/library");

/**
 * The days of the library, or null if it is still at `revision`.
 * @param {string} [revision]
 * @returns {Promise<{revision: string, total: number, days: [string, number][]} | null>}
 */
export const fetchDays = (revision) => get("/api/days", { revision });

/** @type {import("../models/asset-pages.js").FetchPage} */
export const fetchAssets = (offset, limit, signal) => get(`/api/assets?offset=${offset}&limit=${limit}`, { signal });

/** @param {string} id @returns {Promise<object>} the asset in full */
export const fetchAsset = (id) => get(`/api/assets/${encodeURIComponent(id)}`);

/**
 * The address of a rendition.
 * @param {{id: string, version: string}} asset
 * @param {"grid" | "screen" | "full" | "video"} kind
 * @returns {string}
 */
export function renditionURL({ id, version }, kind) {
  return `/renditions/${encodeURIComponent(id)}/${encodeURIComponent(version)}/${kind}`;
}

/**
 * The address of an original.
 * @param {string} id
 * @param {number} index
 * @returns {string}
 */
export function resourceURL(id, index) {
  return `/resources/${encodeURIComponent(id)}/${index}`;
}
