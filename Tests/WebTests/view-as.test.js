import assert from "node:assert/strict";
import { test } from "node:test";

/** Loads the module in a tab that looks at the library as a client, at an address. */
async function loadedAt(pathname) {
  const kept = JSON.stringify({ id: "C1", name: "Slideshow" });
  globalThis.location = { pathname, search: "" };
  globalThis.sessionStorage = { getItem: () => kept };
  return import(`../../Web/helpers/view-as.js?at=${encodeURIComponent(pathname)}`);
}

test("a tab goes on to look at the library as a client", async () => {
  const { seen, viewedAs } = await loadedAt("/album/A");
  assert.deepEqual(viewedAs, { id: "C1", name: "Slideshow" });
  assert.equal(seen("/api/v1/library"), "/api/v1/library?as=C1");
});

test("a picker that a tab opens shows the owner's library", async () => {
  const { seen, viewedAs } = await loadedAt("/picker");
  assert.equal(viewedAs, null);
  assert.equal(seen("/api/v1/library"), "/api/v1/library");
});
