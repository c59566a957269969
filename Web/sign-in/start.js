/**
 * Signs this browser in with the secret after the `#` of an owner link.
 *
 * The secret is removed from the address first, so that it is not kept in the history.
 */
const status = document.querySelector("#status");
const link = location.hash.slice(1);
history.replaceState(null, "", "/start");
enter();

async function enter() {
  if (link === "") {
    show("This address is incomplete. Run `calotype open` on the machine of the library for a link.");
    return;
  }
  let response;
  try {
    response = await fetch("/api/v1/session/link", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ link }),
    });
  } catch {
    show("The server does not answer.");
    return;
  }
  if (response.ok) {
    location.replace("/");
    return;
  }
  const { detail } = await response.json();
  show(`${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`);
}

function show(text) {
  status.textContent = text;
}
