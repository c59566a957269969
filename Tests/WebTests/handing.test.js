import assert from "node:assert/strict";
import { test } from "node:test";
import { Handing } from "../../Web/picker/handing.js";

const wishes = { includesLocation: true, includesCaptions: true, representation: "current", maxPixelSize: null };
const cell = (id) => ({ id, mediaType: "image", duration: 0, pixelWidth: 400, pixelHeight: 300, mediaSubtypes: [] });

/** Stands in for a library in which the files of some photos can't be read. */
function handingWith(...unreadable) {
  globalThis.fetch = async (url) => {
    if (!url.includes("/resources/")) return Response.json({ originalFilename: "a.jpg", resources: [{ type: "photo", uniformTypeIdentifier: "public.jpeg", bytes: 1 }] });
    return unreadable.some((id) => url.includes(`/resources/${id}/`)) ? new Response("", { status: 500 }) : new Response(new Uint8Array(1));
  };
  const heard = [];
  const handing = new Handing({ postMessage: (message) => heard.push(message.code ?? message.type) }, "http://page", () => wishes);
  const items = ["A", "B", "C"].map((id) => handing.nameOf(id));
  for (const item of items) handing.expect(item, ["main"]);
  const load = (index) => handing.answer({ type: "load", request: index, item: items[index], kind: "main" }, cell("ABC"[index]));
  return { handing, heard, load };
}

test("a file that could not be handed over is counted as such", async () => {
  const { handing, heard, load } = handingWith("B");
  for (const index of [0, 1, 2]) await load(index);
  assert.deepEqual([handing.failed, handing.given, handing.left], [1, 3, "nothing"]);
  assert.deepEqual(heard.filter((type) => type !== "loading"), ["loaded", "unreadable", "loaded"]);
});

test("a file that is handed over at the second time is not counted", async () => {
  const { handing, load } = handingWith("B");
  await load(1);
  assert.equal(handing.failed, 1);
  handingWith(); // the library can read it now
  await load(1);
  assert.equal(handing.failed, 0);
});
