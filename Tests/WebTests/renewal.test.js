import assert from "node:assert/strict";
import { test } from "node:test";
import { Outdated } from "../../Web/models/asset-pages.js";
import { Ranges } from "../../Web/models/ranges.js";
import { Target } from "../../Web/models/target.js";

const ids = Array.from({ length: 1000 }, (_, place) => `id ${place}`);
const photos = { kind: "photos", id: "userLibrary" };
const changes = { inserted: [], updated: [], deleted: [] };

/** A view of a thousand assets at revision 1, of which those in some ranges are loaded. */
function view(loaded, { place = photos, later = [] } = {}) {
  const isLoaded = Ranges.joining(loaded);
  const pages = { at: (index) => (isLoaded.has(index) ? { id: ids[index] } : undefined), isExact: (index) => !later.includes(index) };
  return { place, order: "newest", revision: "1", total: 1000, days: [], pages };
}

/** A server whose library has these assets at revision 2. */
function server(now, { assets = {}, collections = {}, revisions = {} } = {}) {
  return {
    changesSince: async (revision) => {
      assert.equal(revision, "1");
      return { revision: "2", assets: { ...changes, ...assets }, collections: { ...changes, ...collections } };
    },
    positionOf: async (id) => ({ revision: revisions.position ?? "2", index: now.includes(id) ? now.indexOf(id) : null }),
    count: async () => ({ revision: "2", total: now.length }),
  };
}

/** Returns the identifiers that the server takes for a selection. */
function taken(selects, now) {
  return selects.flatMap((select) => {
    if (Array.isArray(select)) return select;
    const { collection, order, revision, first, end, except } = select.range;
    assert.deepEqual([collection, order, revision], ["userLibrary", "newest", "2"]);
    return now.slice(first, end).filter((id) => !except.includes(id));
  });
}

const renewedIn = (snapshot, range, present) => new Target(snapshot, Ranges.of(range)).renewed(present);
const news = Array.from({ length: 10 }, (_, index) => `new ${index}`);

test("S-03 a range of a view that ten photos came into has the same assets", async () => {
  const now = [...news, ...ids];
  const selects = await renewedIn(view([[0, 100], [800, 900]]), [50, 850], server(now, { assets: { inserted: news } }));
  assert.deepEqual(taken(selects, now), ids.slice(50, 850));
  assert.equal(selects.length, 3, "the loaded ones by name, and those between them as a range");
});

test("S-03 photos that came into the range are not taken, and deleted ones not asked for", async () => {
  const now = [...ids.slice(0, 60), ...ids.slice(61, 400), ...news, ...ids.slice(400)];
  const present = server(now, { assets: { inserted: news, deleted: ["id 60"] } });
  const selects = await renewedIn(view([[0, 100], [800, 900]]), [50, 850], present);
  assert.deepEqual(taken(selects, now), ids.slice(50, 850).filter((id) => id !== "id 60"));
});

test("S-03 a photo that wasn't loaded and may have been moved into the range can't be told", async () => {
  const now = [...ids.slice(0, 400), "id 950", ...ids.slice(400, 950), ...ids.slice(951)];
  const renewal = renewedIn(view([[0, 100], [800, 900]]), [50, 850], server(now, { assets: { updated: ["id 950"] } }));
  await assert.rejects(renewal, { kind: "outdated" });
});

test("S-03 all of a view is what it was", async () => {
  const now = [...news, ...ids.slice(0, 500), ...ids.slice(501)];
  const selects = await renewedIn(view([[0, 100]]), [0, 1000], server(now, { assets: { inserted: news, deleted: ["id 500"] } }));
  assert.deepEqual(taken(selects, now), ids.filter((id) => id !== "id 500"));
});

test("S-03 a changed neighbor is no end of a range", async () => {
  const now = ["id 99", ...ids.slice(0, 99), ...ids.slice(100)];
  const selects = await renewedIn(view([[0, 100]]), [50, 1000], server(now, { assets: { updated: ["id 99"] } }));
  assert.deepEqual(taken(selects, now).sort(), ids.slice(50).sort());
});

const untold = [
  ["the neighbors of the range are not loaded", view([]), [50, 850], server(ids)],
  ["a neighbor is of another revision", view([[0, 100], [800, 900]], { later: [99] }), [50, 850], server(ids)],
  ["the library changes again", view([[0, 100], [800, 900]]), [50, 850], server(ids, { revisions: { position: "3" } })],
  ["something came into the album", view([[0, 100]], { place: { kind: "album", id: "N" } }), [50, 1000], server(ids, { collections: { updated: ["N"] } })],
  ["it is a search", view([[0, 100]], { place: { kind: "search", id: "search" } }), [50, 1000], server(ids)],
  ["the history doesn't know", view([[0, 100]]), [50, 1000], { changesSince: async () => Promise.reject(Object.assign(new Error("gone"), { status: 410 })) }],
];
for (const [name, snapshot, range, present] of untold) {
  test(`S-03 nothing is named if ${name}`, () => assert.rejects(renewedIn(snapshot, range, present), Outdated));
}

test("S-03 loaded assets are named without a question", async () => {
  assert.deepEqual(await renewedIn(view([[0, 100]]), [3, 6], null), [["id 3", "id 4", "id 5"]]);
});
