import { words } from "../words.js";

/**
 * Signs this browser in with the secret after the `#` of an owner link.
 *
 * The secret is removed from the address first, so that it is not kept in the history.
 */
const status = document.querySelector("#status");
const link = location.hash.slice(1);
history.replaceState(null, "", "/start");
enter().catch(() => show(words.signIn.unreachable));

async function enter() {
  const problem = link === "" ? words.signIn.incomplete : await use(link);
  // A person who opens an old link again wants the library, not another session.
  if (problem === null || (await isSignedIn())) location.replace("/");
  else show(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`);
}

/** Signs in by a link. Returns the reason if the server refuses it, or null. */
async function use(link) {
  const response = await fetch("/api/v1/session/link", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ link }),
  });
  return response.ok ? null : (await response.json()).detail;
}

async function isSignedIn() {
  return (await fetch("/api/v1/session", { cache: "no-store" })).ok;
}

/** Shows a text whose parts between backticks are commands. */
function show(text) {
  status.replaceChildren(...text.split("`").map((part, index) => (index % 2 === 1 ? code(part) : part)));
}

function code(text) {
  const element = document.createElement("code");
  element.textContent = text;
  return element;
}
