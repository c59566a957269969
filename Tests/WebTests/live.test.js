import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { LiveChanges } from "../../Web/models/live.js";

/** A stream like the browser's, whose events a test sends. */
class Stream extends EventTarget {
  readyState = 1;
  constructor(since) {
    super();
    this.since = since;
  }

  send(type, data, lastEventId) {
    this.dispatchEvent(Object.assign(new Event(type), { data, lastEventId }));
  }

  close() {
    this.readyState = 2;
  }
}

function opened() {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const streams = [];
  const live = new LiveChanges((since) => {
    streams.push(new Stream(since));
    return streams.at(-1);
  });
  const heard = [];
  for (const type of ["change", "reset", "lost"]) live.addEventListener(type, ({ detail }) => heard.push([type, detail]));
  live.start("token-1");
  return { live, streams, heard };
}

test("a change is told with its data", () => {
  const { streams, heard } = opened();
  assert.equal(streams[0].since, "token-1");
  streams[0].send("change", '{"revision":"2"}', "token-2");
  assert.deepEqual(heard, [["change", { revision: "2" }]]);
});

test("after a pause the stream goes on after the last change", () => {
  const { live, streams } = opened();
  streams[0].send("change", "{}", "token-2");
  live.pause();
  assert.equal(streams[0].readyState, 2);
  live.start();
  assert.equal(streams[1].since, "token-2");
});

test("a stream that the server refuses is opened again after two seconds", () => {
  const { streams, heard } = opened();
  streams[0].readyState = 2;
  streams[0].send("error");
  assert.deepEqual(heard, [["lost", undefined]].map(([type]) => [type, null]));
  assert.equal(streams.length, 1);
  mock.timers.tick(2_000);
  assert.equal(streams.length, 2);
});

test("a break is left to the browser, which opens the stream again by itself", () => {
  const { streams } = opened();
  streams[0].readyState = 0;
  streams[0].send("error");
  mock.timers.tick(60_000);
  assert.equal(streams.length, 1);
});
