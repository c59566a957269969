import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Library } from "../../Web/models/library.js";
import { everything } from "../../Web/models/places.js";

/** Makes a server at a revision. It can become unreachable, and each place has its own days. */
function server() {
  const state = { revision: "1", pageRevision: null, failure: null, asked: [] };
  state.sourceOf = (place, order) => ({
    fetchDays: async () => {
      state.asked.push(`${place.id} ${order}`);
      if (state.failure !== null) throw Object.assign(new Error("no"), { status: state.failure });
      return { revision: state.revision, total: 1, days: [["2026-11-20", 1]] };
    },
    fetchAssets: async () => ({ revision: state.pageRevision ?? state.revision, assets: [{ id: "a" }] }),
    indexOf: async () => 0,
  });
  return state;
}

/** Advances the clock, and runs the timers and promises that are due. */
async function pass(milliseconds) {
  mock.timers.tick(milliseconds);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

async function shown() {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const source = server();
  const library = new Library(source.sourceOf);
  const fired = [];
  for (const type of ["snapshot", "state"]) library.addEventListener(type, () => fired.push(`${type} ${library.state}`));
  await library.show(everything, "newest");
  return { source, library, fired };
}

test("a changed library becomes a new snapshot, an unchanged one none", async () => {
  const { source, library, fired } = await shown();
  assert.deepEqual(fired, ["state ready", "snapshot ready"]);
  await library.ask();
  assert.equal(fired.length, 2);
  source.revision = "2";
  await library.ask();
  assert.equal(library.snapshot.revision, "2");
  assert.equal(fired.length, 3);
});

test("a view of which a page failed becomes a new snapshot after two seconds, although nothing has changed", async () => {
  const { source, library } = await shown();
  const { snapshot } = library;
  snapshot.pages.onFailure(new Error("no"));
  await pass(1_999);
  assert.equal(library.snapshot, snapshot);
  await pass(1);
  assert.notEqual(library.snapshot, snapshot);
  assert.equal(library.snapshot.revision, "1");
  await pass(60_000);
  assert.equal(source.asked.length, 2);
});

test("news do not wait for a view of which a page failed", async () => {
  const { source, library } = await shown();
  library.snapshot.pages.onFailure(new Error("no"));
  source.revision = "2";
  library.askSoon();
  await pass(200);
  assert.equal(library.snapshot.revision, "2");
});

test("a page that fails again and again is asked for less and less often", async () => {
  const { source, library } = await shown();
  for (const seconds of [2, 4, 8, 16, 32, 60, 60]) {
    const { length } = source.asked;
    library.snapshot.pages.onFailure(new Error("no"));
    await pass(seconds * 1000 - 1);
    assert.equal(source.asked.length, length, `${seconds} s`);
    await pass(1);
    assert.equal(source.asked.length, length + 1, `${seconds} s`);
  }
});

test("a page of an earlier snapshot that fails is not asked for", async () => {
  const { source, library } = await shown();
  const { pages } = library.snapshot;
  await library.show({ kind: "album", id: "A" }, "custom");
  pages.onFailure(new Error("no"));
  await pass(60_000);
  assert.equal(source.asked.length, 2);
});

test("nothing is asked while nothing changes", async () => {
  const { source } = await shown();
  await pass(60_000);
  assert.equal(source.asked.length, 1);
});

test("another place and another order are another snapshot of the same revision", async () => {
  const { source, library } = await shown();
  const album = { kind: "album", id: "A" };
  await library.show(album, "custom");
  assert.deepEqual([library.snapshot.place, library.snapshot.order], [album, "custom"]);
  await library.show(album, "oldest");
  assert.equal(library.snapshot.order, "oldest");
  assert.deepEqual(source.asked, ["userLibrary newest", "A custom", "A oldest"]);
});

test("the answer for a place that was left is not taken", async () => {
  const { library } = await shown();
  const first = library.show({ kind: "album", id: "A" }, "custom");
  await library.show({ kind: "album", id: "B" }, "custom");
  await first;
  assert.equal(library.snapshot.place.id, "B");
});

test("a server that is gone is asked every two seconds, until it is back", async () => {
  const { source, library, fired } = await shown();
  source.failure = 0;
  await library.ask();
  assert.equal(library.state, "unreachable");
  await pass(1_999);
  assert.equal(source.asked.length, 2);
  await pass(1);
  assert.equal(source.asked.length, 3);
  source.failure = null;
  await pass(2_000);
  assert.deepEqual(fired.slice(2), ["state unreachable", "state ready"]);
  await pass(60_000);
  assert.equal(source.asked.length, 4);
});

for (const status of [400, 500]) {
  test(`a server that answers with ${status} is not asked again until something changes`, async () => {
    const { source, library } = await shown();
    source.failure = status;
    await library.ask();
    assert.equal(library.state, "refused");
    await pass(60_000);
    assert.equal(source.asked.length, 2);
    source.failure = null;
    library.askSoon();
    await pass(200);
    assert.equal(library.state, "ready");
  });
}

test("a proxy whose server starts again is asked until it is back", async () => {
  const { source, library } = await shown();
  source.failure = 502;
  await library.ask();
  assert.equal(library.state, "unreachable");
  source.failure = null;
  await pass(2_000);
  assert.equal(library.state, "ready");
});

test("a server that does not know the browser says so", async () => {
  const { source, library } = await shown();
  source.failure = 401;
  await library.ask();
  assert.equal(library.state, "signedOut");
});

test("a collection that does not exist is missing, and comes back when it is asked for", async () => {
  const { source, library, fired } = await shown();
  source.failure = 404;
  await library.ask();
  assert.deepEqual([library.state, library.snapshot], ["missing", null]);
  source.failure = null;
  await library.ask();
  assert.deepEqual(fired.slice(-2), ["state ready", "snapshot ready"]);
});

test("a collection that was deleted is missing without a question", async () => {
  const { source, library } = await shown();
  library.lose();
  assert.deepEqual([library.state, library.snapshot, source.asked.length], ["missing", null, 1]);
});

test("a page of a later revision brings the next question forward, once", async () => {
  const { source, library } = await shown();
  source.pageRevision = "2";
  await library.snapshot.pages.load(0);
  await library.snapshot.pages.load(5_000);
  await pass(200);
  assert.equal(source.asked.length, 2);
});

test("many changes are asked for at most five times a second", async () => {
  const { source, library } = await shown();
  for (let step = 0; step < 100; step++) {
    library.askSoon();
    await pass(10);
  }
  assert.ok(source.asked.length <= 1 + 6, `${source.asked.length} requests`);
  assert.ok(source.asked.length >= 5, `${source.asked.length} requests`);
});

test("nothing is asked while it pauses", async () => {
  const { source, library } = await shown();
  library.pause();
  library.askSoon();
  await pass(60_000);
  assert.equal(source.asked.length, 1);
  await library.resume();
  assert.equal(source.asked.length, 2);
});
