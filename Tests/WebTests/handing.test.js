import assert from "node:assert/strict";
import { test } from "node:test";
import { Handing } from "../../Web/picker/handing.js";

const wishes = { includesLocation: true, includesCaptions: true, representation: "current", maxPixelSize: null };
const idOf = (letter) => `00000000-0000-4000-8000-00000000000${letter}`;
const cell = (id) => ({ id, mediaType: "image", duration: 0, pixelWidth: 400, pixelHeight: 300, mediaSubtypes: [] });

/** Stands in for a library in which the files of some photos can't be read. */
function handingWith(...unreadable) {
  globalThis.fetch = async (url) => {
    if (url.includes("/collections/")) return Response.json({ assets: ["A", "B", "C"].map((letter) => cell(idOf(letter))) });
    if (!url.includes("/resources/")) return Response.json({ originalFilename: "a.jpg", resources: [{ type: "photo", uniformTypeIdentifier: "public.jpeg", bytes: 1 }] });
    return unreadable.some((id) => url.includes(`/resources/${idOf(id)}/`)) ? new Response("", { status: 500 }) : new Response(new Uint8Array(1));
  };
  const heard = [];
  const handing = new Handing({ postMessage: (message) => heard.push(message.code ?? message.type) }, "http://page", () => wishes);
  const items = ["A", "B", "C"].map((letter) => handing.nameOf(idOf(letter)));
  for (const item of items) handing.expect(item, ["main"]);
  const load = (index) => handing.answer({ type: "load", request: index, item: items[index], kind: "main" }, cell(idOf("ABC"[index])));
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

test("T-14 an error says nothing of the library", async () => {
  for (const [status, code] of [[401, "unreadable"], [404, "gone"], [500, "unreadable"]]) {
    const said = [];
    globalThis.fetch = async (url) => (url.includes("/collections/") ? Response.json({ assets: [cell(idOf("A"))] }) : new Response("", { status }));
    const handing = new Handing({ postMessage: (message) => said.push(message) }, "http://page", () => wishes);
    await handing.answer({ type: "load", request: 1, item: handing.nameOf(idOf("A")), kind: "main" }, cell(idOf("A")));
    assert.deepEqual([said.at(-1).code, JSON.stringify(said).includes(idOf("A"))], [code, false]);
  }
});

test("an item that is released while its address is made leaves no address", async () => {
  const asked = [];
  const { handing, heard } = handingWith();
  const library = globalThis.fetch;
  const item = handing.nameOf(idOf("A"));
  globalThis.fetch = async (url, { method } = {}) => {
    if (method) asked.push(`${method} ${url.split("?")[0]}`);
    if (method !== "POST") return method ? new Response(null, { status: 204 }) : library(url);
    handing.release();
    return Response.json({ id: "x", path: "/picked/y/a.jpg", expires: "" }, { status: 201 });
  };
  await handing.answer({ type: "address", request: 1, item, kind: "main" }, cell(idOf("A")));
  assert.deepEqual(heard.filter((type) => type !== "loading"), ["cancelled"]);
  assert.deepEqual(asked, ["POST /picker/v1/addresses", "DELETE /picker/v1/addresses/x"]);
});

for (const [status, message] of [[401, "the library can’t hand it over"], [404, "it was deleted or hidden"], [429, "there is no room; release some photos, or try again later"]]) {
  test(`T-15 an address that the library refuses with ${status} says no more than the page may know`, async () => {
    handingWith();
    const said = [];
    const library = globalThis.fetch;
    globalThis.fetch = async (url, options = {}) => (options.method === "POST" ? Response.json({ detail: "private" }, { status }) : library(url));
    const own = new Handing({ postMessage: (one) => said.push(one) }, "http://page", () => wishes);
    await own.answer({ type: "address", request: 1, item: own.nameOf(idOf("A")), kind: "main" }, cell(idOf("A")));
    assert.equal(said.at(-1).message, message);
  });
}
