import { fetchSession } from "./api.js";

/** Returns whether others in the network can read along. */
export async function isExposed() {
  try {
    return !(await fetchSession()).isEncrypted;
  } catch {
    return false;
  }
}
