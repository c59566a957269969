import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../Web/picker/identifiers.js";

const idOf = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Answers requests for cells a moment later, and notes them. */
function answering() {
  const noted = { urls: [], most: 0 };
  let running = 0;
  globalThis.fetch = async (url) => {
    noted.urls.push(String(url));
    noted.most = Math.max(noted.most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    const names = [...decodeURIComponent(url).matchAll(/"([0-9A-F-]{36})"/g)];
    return Response.json({ assets: names.map(([, id]) => ({ id })) });
  };
  return noted;
}

test("a large preselection is read in few requests, a few at a time (B-06)", async () => {
  const noted = answering();
  const ids = Array.from({ length: 3_000 }, (_, number) => idOf(number));
  assert.deepEqual((await cellsOf(ids)).map(({ id }) => id), ids);
  assert.equal(noted.urls.length, 20);
  assert.equal(noted.most, 4);
  // Proxies accept addresses of 8 kB.
  assert.ok(Math.max(...noted.urls.map((url) => url.length)) < 7_500);
});

test("texts that are no identifiers are not asked for", async () => {
  const noted = answering();
  assert.deepEqual(await cellsOf([null, "x", "\"}"]), []);
  assert.equal(noted.urls.length, 0);
  assert.equal((await cellsOf(["x", idOf(1)])).length, 1);
});
