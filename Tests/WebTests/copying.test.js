import assert from "node:assert/strict";
import { test } from "node:test";
import { copy } from "../../Web/picker/copying.js";

const wishes = { includesLocation: false, includesCaptions: false, representation: "current", maxPixelSize: null };
const options = { signal: null, onprogress: () => {} };
const id = "00000000-0000-4000-8000-00000000000A";
const cell = { id, mediaType: "video", duration: 60, pixelWidth: 400, pixelHeight: 300, mediaSubtypes: [] };
const mp4 = new Uint8Array([0, 0, 0, 8, ...Buffer.from("ftyp"), 0, 0, 0, 8, ...Buffer.from("moov")]);
const webM = new Uint8Array([0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, 0x80]);

/** Stands in for a library with one movie. Returns the copy, and the addresses that were asked. */
async function copied(name, uniformTypeIdentifier, original, made) {
  const asked = [];
  globalThis.fetch = async (url) => {
    asked.push(url);
    if (url.includes("/collections/")) return Response.json({ assets: [cell] });
    const resources = [{ type: "video", uniformTypeIdentifier, bytes: 1 }];
    if (url.endsWith(`/assets/${id}`)) return Response.json({ originalFilename: name, resources });
    const [type, bytes] = url.includes("/resources/") ? ["application/octet-stream", original] : made;
    return new Response(bytes, { headers: { "Content-Type": type } });
  };
  const { file } = await copy(cell, "main", wishes, options);
  return { name: file.name, type: file.type, isMade: asked.some((url) => url.endsWith("/video?once")) };
}

test("a movie whose place can't be removed is handed over as the MP4 that the server makes", async () =>
  assert.deepEqual(await copied("CLIP.AVI", "public.avi", new Uint8Array(9), ["video/mp4", mp4]), { name: "CLIP.mp4", type: "video/mp4", isMade: true }));

test("a WebM is handed over as it is", async () =>
  assert.deepEqual(await copied("clip.webm", "org.webmproject.webm", webM, ["video/mp4", mp4]), { name: "clip.webm", type: "video/webm", isMade: false }));

test("a movie that the server has made as WebM says so", async () =>
  assert.deepEqual(await copied("clip.mkv", "org.matroska.mkv", webM, ["video/webm", webM]), { name: "clip.webm", type: "video/webm", isMade: true }));
