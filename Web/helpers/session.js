import { fetchSession, waitForSessionEnd } from "./api.js";

const pause = 5_000;

/**
 * Leaves the library when this browser's session ends: the server answers the page's address with
 * the page on which a person signs in.
 *
 * A hidden page does not wait, because a browser has few connections for all pages of a server.
 */
export async function leaveWithSession() {
  for (;;) {
    await untilVisible();
    const controller = new AbortController();
    const stop = () => controller.abort();
    document.addEventListener("visibilitychange", stop, { once: true });
    try {
      await waitForSessionEnd(controller.signal);
    } catch (error) {
      if (error.status === 401) {
        location.reload();
        return;
      }
      if (error.name !== "AbortError") await new Promise((resolve) => setTimeout(resolve, pause));
    } finally {
      document.removeEventListener("visibilitychange", stop);
    }
  }
}

/** Returns whether others in the network can read along. */
export async function isExposed() {
  try {
    return !(await fetchSession()).isEncrypted;
  } catch {
    return false;
  }
}

function untilVisible() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}
