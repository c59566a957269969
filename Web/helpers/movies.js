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

/** The time in milliseconds between two questions how far a movie is. */
const followTime = 500;

/**
 * Tells how many percent of a movie the server has made, until the movie is there.
 * @param {{id: string, version: string}} asset
 * @param {AbortSignal} signal ends the questions
 * @param {(percent: number) => void} tell
 */
export async function followMaking(asset, signal, tell) {
  while (!signal.aborted) {
    const answer = await request(renditionURL(asset, "video"), { method: "HEAD", signal }).catch(() => null);
    if (signal.aborted || answer?.status !== 204) return;
    const progress = answer.headers.get("Calotype-Progress");
    if (progress !== null) tell(Math.floor(100 * Number(progress)));
    await new Promise((resolve) => setTimeout(resolve, followTime));
  }
}
