import assert from "node:assert/strict";
import { test } from "node:test";
import { Changes } from "../../Web/helpers/changes.js";
import { AssetPages, Outdated } from "../../Web/models/asset-pages.js";
import { commandsFor } from "../../Web/models/commands.js";
import { Ranges } from "../../Web/models/ranges.js";
import { Target } from "../../Web/models/target.js";

/** A view whose first hundred assets are loaded. */
function snapshot() {
  const loaded = [];
  const cell = (place) => ({ id: `id ${place}`, isFavorite: place % 2 === 0 });
  const pages = { at: (place) => (place < 100 ? cell(place) : undefined), load: async (place) => (loaded.push(place), cell(place)) };
  return { loaded, place: { kind: "photos", id: "userLibrary" }, order: "newest", revision: "7", total: 100_000, days: [], pages };
}

test("few assets are sent by their identifiers, in the order of choosing if it counts", async () => {
  const target = new Target(snapshot(), Ranges.of([1, 2], [4, 6]), [[4, 6], [1, 2]]);
  assert.deepEqual(await target.selects(), [["id 1", "id 4", "id 5"]]);
  assert.deepEqual(await target.selects({ isPicked: true }), [["id 4", "id 5", "id 1"]]);
});

test("S-03 sixty thousand assets are sent as a range, and none of them is loaded", async () => {
  const view = snapshot();
  const target = new Target(view, Ranges.of([3, 4], [20, 60_020]));
  assert.deepEqual(await target.selects(), [
    ["id 3"],
    { range: { collection: "userLibrary", order: "newest", revision: "7", total: view.total, first: 20, end: 60_020 } },
  ]);
  assert.deepEqual(view.loaded, []);
});

test("S-03 after a refusal the same assets are sent by their identifiers", async () => {
  const [identifiers] = await new Target(snapshot(), Ranges.of([20, 1020])).selects({ areIdentifiers: true });
  assert.equal(identifiers.length, 1000);
});

test("S-03 assets that aren't loaded are not taken from another revision", async () => {
  const answer = (revision) => async (offset, limit) => ({ revision, assets: Array.from({ length: limit }, (_, index) => ({ id: `id ${offset + index}` })) });
  const view = (revision) => ({ ...snapshot(), pages: new AssetPages(answer(revision), { revision: "7" }) });
  await assert.rejects(new Target(view("8"), Ranges.of([3, 5])).selects(), Outdated);
  assert.deepEqual(await new Target(view("7"), Ranges.of([3, 5])).selects(), [["id 3", "id 4"]]);
});

test("I-02 mixed favorites are not favorites", () => {
  assert.equal(new Target(snapshot(), Ranges.of([0, 2])).isFavorite, false);
  assert.equal(new Target(snapshot(), Ranges.of([0, 1], [2, 3])).isFavorite, true);
  const unloaded = { ...snapshot(), pages: { ...snapshot().pages, at: (place) => (place < 2 ? { id: "a", isFavorite: true } : undefined) } };
  assert.equal(new Target(snapshot(), Ranges.none).isFavorite, false);
  assert.equal(new Target(unloaded, Ranges.of([0, 3])).isFavorite, false, "those that aren't loaded may be none");
  assert.equal(Object.assign(new Target(unloaded, Ranges.of([0, 3])), { isFavored: true }).isFavorite, true);
});

const names = (context) => commandsFor(context).map(({ name }) => name);
const norway = { id: "N", kind: "album", can: ["removeContent"] };
const all = { id: "userLibrary", kind: "smartAlbum", can: [] };

test("J-01 an album removes and deletes, and all photos only delete", () => {
  const inAlbum = commandsFor({ collection: norway, count: 2 });
  assert.equal(inAlbum.find(({ key }) => key === "Delete").name, "removeFrom");
  assert.equal(inAlbum.find(({ key }) => key === "Ctrl+Delete").name, "deleteFromLibrary");
  assert.equal(commandsFor({ collection: all, count: 2 }).find(({ key }) => key === "Delete").name, "deleteFromLibrary");
  assert.ok(!names({ collection: all, count: 2 }).includes("removeFrom"));
});

test("the commands fit what is selected", () => {
  assert.deepEqual(names({ collection: { id: "recentlyDeleted", kind: "smartAlbum" }, count: 2 }), ["restore", "deleteForGood"]);
  assert.ok(names({ collection: norway, count: 1 }).includes("useAsCover"));
  assert.ok(!names({ collection: norway, count: 2 }).includes("useAsCover"));
  assert.ok(names({ collection: all, count: 2, isFavorite: true }).includes("unfavorite"));
  assert.deepEqual(names({ collection: all, count: 0 }), []);
});

test("a lost answer is asked for again with the same key", async () => {
  const keys = [];
  const changes = new Changes(async (method, path, body, headers) => {
    keys.push(headers["Idempotency-Key"]);
    if (keys.length === 1) throw Object.assign(new Error("gone"), { status: 0 });
    return { transaction: 4 };
  });
  let performed;
  changes.addEventListener("performed", ({ detail }) => (performed = detail));
  assert.equal((await changes.perform([])).transaction, 4);
  assert.equal(keys[0], keys[1]);
  assert.equal(performed.transaction, 4);
});

for (const name of ["undo", "redo"]) {
  test(`${name} is asked for again with the same key if its answer is lost`, async () => {
    const keys = [];
    const changes = new Changes(async (method, path, body, headers) => {
      keys.push(headers["Idempotency-Key"]);
      if (keys.length === 1) throw Object.assign(new Error("gone"), { status: 0 });
      return { transaction: 4 };
    });
    assert.deepEqual(await changes[name](), { transaction: 4 });
    await changes[name]();
    assert.equal(keys[0], keys[1]);
    assert.notEqual(keys[1], keys[2], "each call is a request of its own");
  });
}

test("an undo waits for the change before it, even if that one fails", async () => {
  const sent = [];
  const changes = new Changes(async (method, path) => void sent.push(path));
  let gathered;
  const gathering = new Promise((resolve) => (gathered = resolve));
  const change = changes.inTurn(async () => {
    await gathering;
    await changes.perform([]);
    throw new Error("refused");
  });
  const undo = changes.inTurn(() => changes.undo());
  const later = changes.inTurn(() => changes.perform([]));
  gathered();
  await assert.rejects(change, /refused/);
  await Promise.all([undo, later]);
  assert.deepEqual(sent, ["/api/v1/changes", "/api/v1/undo", "/api/v1/changes"]);
});
