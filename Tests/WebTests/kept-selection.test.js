import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { KeptSelection } from "../../Web/elements/kept-selection.js";
import { Ranges } from "../../Web/models/ranges.js";

const photos = { kind: "photos", id: "userLibrary" };
const letters = [..."abcdefgh"];

/** A snapshot of a view at revision 1, with all cells loaded. */
function snapshot(ids, { place = photos, order = "newest", revision = "1" } = {}) {
  const pages = { at: (index) => (ids[index] ? { id: ids[index] } : undefined), load: async (index) => pages.at(index) };
  return { place, order, revision, total: ids.length, pages, indexOf: async ({ id }) => ids.indexOf(id) };
}

/** A page with one entry of the browser's history, which shows a view. */
function page(shown) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const entry = {};
  const shell = { snapshot: shown, place: shown.place, keep: (key, value) => (entry[key] = value), kept: (key) => entry[key] };
  const show = (other) => Object.assign(shell, { snapshot: other, place: other.place });
  return { shell, show, kept: new KeptSelection(shell) };
}

test("S-11 a selection comes back in the same view", () => {
  const { kept, show } = page(snapshot(letters));
  kept.keepSoon(Ranges.of([0, 3]));
  mock.timers.tick(300);
  show(snapshot(letters));
  assert.deepEqual(kept.begin().list, [[0, 3]]);
});

for (const milliseconds of [0, 300]) {
  test(`S-11 another order has the same photos selected, ${milliseconds} ms after they were chosen`, async () => {
    const { kept, show } = page(snapshot(letters));
    kept.keepSoon(Ranges.of([0, 3]));
    mock.timers.tick(milliseconds);
    show(snapshot([...letters].reverse(), { place: { ...photos }, order: "oldest" }));
    assert.deepEqual(kept.begin().list, []);
    assert.deepEqual((await kept.moved()).list, [[5, 8]]);
  });
}

test("S-11 a folder that hides its photos has none selected", async () => {
  const folder = { kind: "folder", id: "T" };
  const { kept, show } = page(snapshot(letters, { place: folder }));
  kept.keepSoon(Ranges.of([0, 3]));
  mock.timers.tick(300);
  show(snapshot([], { place: { ...folder } }));
  assert.deepEqual(kept.begin().list, []);
  assert.deepEqual((await kept.moved()).list, []);
});

test("S-11 a changed view has selected what is still there", async () => {
  const { kept, show } = page(snapshot(letters));
  kept.keepSoon(Ranges.of([1, 4]));
  mock.timers.tick(300);
  show(snapshot([..."abdefgh"], { revision: "2" }));
  assert.deepEqual(kept.begin().list, []);
  assert.deepEqual((await kept.moved()).list, [[1, 3]]);
});

test("S-11 a photo whose index is of a later revision is not selected", async () => {
  const { kept, show } = page(snapshot(letters));
  kept.keepSoon(Ranges.of([1, 2]));
  mock.timers.tick(300);
  show({ ...snapshot([..."zyxwv"], { revision: "2" }), indexOf: async () => 3 });
  assert.deepEqual((await kept.moved()).list, []);
});

test("S-11 a selection is not kept for another view", () => {
  const { kept, show, shell } = page(snapshot(letters));
  kept.keepSoon(Ranges.of([1, 2]));
  show(snapshot(letters, { place: { kind: "smart", id: "favorites" } }));
  assert.deepEqual(kept.begin().list, []);
  mock.timers.tick(300);
  assert.equal(shell.kept("selection"), undefined);
});
