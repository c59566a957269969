import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ProgramPort } from "../../Web/picker/program.js";

test("the answer to a program has the person's choices (R-24)", async () => {
  const sent = [];
  globalThis.fetch = async (url, options) => {
    sent.push([url, JSON.parse(options.body)]);
    return new Response(null, { status: 204 });
  };
  const wishes = { includesLocation: false, includesCaptions: true, representation: "current", maxPixelSize: null };
  await new ProgramPort("a b").postMessage({ type: "picked", items: [{ asset: "A" }], wishes });
  assert.deepEqual(sent, [["/picker/v1/windows/a%20b/answer",
    { type: "picked", assets: ["A"], representation: "current", includeLocation: false, includeCaptions: true }]]);
});

test("a message that is no answer is not sent", async () => {
  globalThis.fetch = () => assert.fail("it was sent");
  await new ProgramPort("a").postMessage({ type: "error" });
});

test("a window says at once when it is hidden, and when it is leaving that it is not", async () => {
  const asked = [];
  globalThis.fetch = (url, { keepalive }) => {
    asked.push([new URL(url, "http://library").search, keepalive]);
    return new Promise(() => {});
  };
  globalThis.document = Object.assign(new EventTarget(), { hidden: false });
  const window = new EventTarget();
  globalThis.addEventListener = window.addEventListener.bind(window);
  new ProgramPort("a").follow();
  document.hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  window.dispatchEvent(new Event("pagehide"));
  document.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual(asked, [
    ["?since=0&wait=25&hidden=0", false], ["?since=0&wait=0&hidden=1", true], ["?since=0&wait=0&hidden=0", true]]);
});

test("a window whose choice was given takes no connection to wait for the program", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const asked = [];
  globalThis.document = Object.assign(new EventTarget(), { hidden: false });
  let isClosed = false;
  globalThis.fetch = async (url, { method, signal }) => {
    if (method === "POST") return new Response(null, { status: 204 });
    const wait = new URL(url, "http://library").searchParams.get("wait");
    asked.push(wait);
    if (wait !== "0") await new Promise((_, reject) => signal.addEventListener("abort", reject));
    return Response.json({ commands: [], next: 0, isClosed });
  };
  const port = new ProgramPort("a");
  const closed = new Promise((resolve) => (port.onmessage = resolve));
  port.follow();
  const wishes = {};
  await port.postMessage({ type: "change", items: [], wishes });
  assert.deepEqual(asked, ["25"]);
  await port.postMessage({ type: "picked", items: [], wishes });
  for (const [time, expected] of [[500, ["25", "0"]], [1_999, ["25", "0"]], [1, ["25", "0", "0"]]]) {
    await turn();
    mock.timers.tick(time);
    await turn();
    assert.deepEqual(asked, expected);
  }
  isClosed = true;
  mock.timers.tick(2_000);
  assert.deepEqual(await closed, { data: { type: "close" } });
  mock.timers.reset();
});

const turn = () => new Promise(setImmediate);
