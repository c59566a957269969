import { words } from "../words.js";

/**
 * Returns why a request failed, as a sentence.
 *
 * @param {import("./api.js").ServerError} error
 * @param {string} [silent] the sentence if there was no answer
 * @returns {string}
 */
export function reasonOf(error, silent = words.general.silent) {
  if (error.status === 0) return silent;
  const reason = error.message;
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? "" : "."}`;
}
