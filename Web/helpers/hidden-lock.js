import { request } from "./attended.js";
import { send } from "./send.js";

const path = "/api/v1/hidden-lock";

/**
 * The lock of Hidden, as this browser's session sees it.
 * @typedef {{isSet: boolean, hasPassword: boolean, openSeconds: number | null}} Lock
 *   `openSeconds` says how long the session still sees the hidden photos
 */

/** @returns {Promise<Lock>} */
export const fetchLock = () => send("GET", path);

/** @param {boolean} isSet @returns {Promise<Lock>} */
export const setLock = (isSet) => send("PUT", path, { isSet });

/** @param {string} password @returns {Promise<Lock>} */
export const openLock = (password) => send("POST", `${path}/opening`, { password });

/** Closes the lock for this session, even if the page is left meanwhile. */
export const closeLock = () => request(`${path}/opening`, { method: "DELETE", keepalive: true }).catch(() => {});
