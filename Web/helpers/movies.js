import { renditionURL } from "./api.js";
import { request } from "./attended.js";

/**
 * Returns whether the server has a movie that browsers play, or would have to make one.
 * @param {{id: string, version: string}} asset
 */
export async function isMovieMade(asset) {
  const answer = await request(renditionURL(asset, "video"), { method: "HEAD" }).catch(() => null);
  return answer?.status === 200;
}

/**
 * Returns the server's reason why it has no movie, or "".
 * @param {{id: string, version: string}} asset
 * @param {AbortSignal} signal
 */
export async function fetchMovieTrouble(asset, signal) {
  const answer = await request(renditionURL(asset, "video"), { headers: { Range: "bytes=0-0" }, signal }).catch(() => null);
  if (!answer || answer.ok) return "";
  return (await answer.json().catch(() => ({}))).detail ?? "";
}
