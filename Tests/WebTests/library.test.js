import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Library } from "../../Web/models/library.js";

/** Makes a server at a revision. It can become unreachable. */
function server() {
  const state = { revision: "1", pageRevision: null, isGone: false, asked: 0 };
  state.fetchDays = async (revision) => {
    state.asked++;
    if (state.isGone) throw new Error("gone");
    return revision === state.revision ? null : { revision: state.revision, total: 1, days: [["2026-11-20", 1]] };
  };
  state.fetchAssets = async () => ({ revision: state.pageRevision ?? state.revision, assets: [{ id: "a" }] });
  return state;
}

/** Advances the clock, and runs the timers and promises that are due. */
async function pass(milliseconds) {
  mock.timers.tick(milliseconds);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

async function followed() {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const source = server();
  const library = new Library(source);
  const fired = [];
  for (const type of ["snapshot", "state"]) library.addEventListener(type, () => fired.push(`${type} ${library.state}`));
  await library.ask();
  return { source, library, fired };
}

test("a changed library becomes a new snapshot, an unchanged one none", async () => {
  const { source, library, fired } = await followed();
  assert.deepEqual(fired, ["state ready", "snapshot ready"]);
  await pass(5_000);
  assert.equal(source.asked, 2);
  assert.equal(fired.length, 2);
  source.revision = "2";
  await pass(5_000);
  assert.equal(library.snapshot.revision, "2");
  assert.equal(fired.length, 3);
});

test("a server that is gone is asked ever more seldom, until it is back", async () => {
  const { source, library, fired } = await followed();
  source.isGone = true;
  await pass(5_000);
  assert.equal(library.state, "unreachable");
  await pass(9_999);
  assert.equal(source.asked, 2);
  await pass(1);
  assert.equal(source.asked, 3);
  source.isGone = false;
  await library.ask();
  assert.deepEqual(fired.slice(2), ["state unreachable", "state ready"]);
});

test("a server that does not know the browser is asked for as seldom, and says so", async () => {
  const { source, library } = await followed();
  source.fetchDays = async () => {
    throw Object.assign(new Error("/api/days: 401"), { status: 401 });
  };
  await pass(5_000);
  assert.equal(library.state, "signedOut");
});

test("a page of a later revision brings the next question forward, once", async () => {
  const { source, library } = await followed();
  source.pageRevision = "2";
  await library.snapshot.pages.load(0);
  await pass(600);
  await library.snapshot.pages.load(5_000);
  await pass(400);
  assert.equal(source.asked, 2);
});

test("nothing is asked while it pauses", async () => {
  const { source, library } = await followed();
  library.pause();
  await pass(60_000);
  assert.equal(source.asked, 1);
});
