import assert from "node:assert/strict";
import { test } from "node:test";
import { following } from "../../Web/models/follow-ranges.js";
import { Ranges } from "../../Web/models/ranges.js";

/** A view of assets, of which each tenth begins a day. */
function view(ids) {
  const pages = { at: (place) => (ids[place] ? { id: ids[place] } : undefined), load: async (place) => pages.at(place) };
  const indexOf = async ({ id }) => ids.indexOf(id);
  return { revision: String(ids.length), total: ids.length, days: [["2026-01-01", ids.length]], pages, indexOf };
}

const letters = [..."abcdefghijklmnop"];

const table = [
  ["an asset comes before", [[2, 5]], ["z", ...letters], ["z"], [[3, 6]]],
  ["an asset comes into the range", [[2, 5]], [..."abczdefghijklmnop"], ["z"], [[2, 3], [4, 6]]],
  ["the first of the range goes", [[2, 5]], [..."abdefghijklmnop"], [], [[2, 4]]],
  ["the last of the range goes", [[2, 5]], [..."abcdfghijklmnop"], [], [[2, 4]]],
  ["one in the middle goes", [[2, 5]], [..."abcefghijklmnop"], [], [[2, 4]]],
  ["all of the range goes", [[2, 5]], [..."abfghijklmnop"], [], []],
  ["several ranges follow", [[0, 1], [4, 6]], [..."bcdefghijklmnop"], [], [[3, 5]]],
];
for (const [name, ranges, after, inserted, expected] of table) {
  test(`S-10 ${name}`, async () => {
    const chosen = Ranges.joining(ranges);
    const deleted = letters.filter((id) => !after.includes(id));
    const map = await following(chosen, view(letters), view(after), { inserted, deleted });
    assert.deepEqual(map(chosen).list, expected);
  });
}

test("S-10 an asset that returns between two selected ones is not selected", async () => {
  const without = [..."abdefghijklmnop"];
  const chosen = Ranges.of([1, 3]);
  const map = await following(chosen, view(without), view(letters), { inserted: ["c"] });
  assert.deepEqual(map(chosen).list, [[1, 2], [3, 4]]);
});

const thousand = Array.from({ length: 1000 }, (_, place) => `id ${place}`);

/** A view of a thousand assets, of which a few are loaded. */
function hardlyLoaded(...loaded) {
  const pages = { at: (place) => (loaded.includes(place) ? { id: thousand[place] } : undefined) };
  return { total: 1000, days: [["2026-01-01", 1000]], pages };
}

async function followed(range, before, after, changes) {
  const chosen = Ranges.of(range);
  return (await following(chosen, before, after, changes))(chosen).list;
}

test("S-10 a long range of which little is loaded follows its ends", async () => {
  const after = view(["z", ...thousand]);
  assert.deepEqual(await followed([10, 990], hardlyLoaded(10, 989), after, { inserted: ["z"] }), [[11, 991]]);
});

test("S-10 all of a view stays all of it, without what was added", async () => {
  const after = view(["z", ...thousand]);
  assert.deepEqual(await followed([0, 1000], hardlyLoaded(), after, { inserted: ["z"] }), [[1, 1001]]);
});

test("S-10 a range without a loaded asset is selected no more", async () => {
  const after = view(["z", ...thousand]);
  assert.deepEqual(await followed([10, 990], hardlyLoaded(), after, { inserted: ["z"] }), []);
  assert.deepEqual(await followed([10, 12], hardlyLoaded(), after, { inserted: ["z"] }), []);
});

test("S-10 a long range that assets came into which nobody names is selected no more", async () => {
  const after = view([...thousand.slice(0, 50), "z", ...thousand.slice(50)]);
  assert.deepEqual(await followed([10, 990], hardlyLoaded(10, 989), after, {}), []);
  const more = view([...thousand.slice(0, 50), ...Array.from({ length: 300 }, (_, place) => `new ${place}`), ...thousand.slice(50)]);
  const inserted = Array.from({ length: 300 }, (_, place) => `new ${place}`);
  assert.deepEqual(await followed([10, 990], hardlyLoaded(10, 989), more, { inserted }), []);
});

test("S-10 assets that change places within a day are followed", async () => {
  const after = [..."acbdefghijklmnop"];
  assert.deepEqual(await followed([1, 2], view(letters), view(after), { updated: ["b"] }), [[2, 3]]);
  assert.deepEqual(await followed([1, 2], view(letters), view(after), { isKnown: false }), [[2, 3]]);
});

test("S-10 nothing is selected in an empty view", async () => {
  assert.deepEqual(await followed([1, 2], view(letters), view([]), { deleted: letters }), []);
});

test("an unchanged view asks nobody", async () => {
  const after = { ...view(letters), indexOf: () => assert.fail("asked the server") };
  const map = await following(Ranges.of([2, 5]), view(letters), after, {});
  assert.deepEqual(map(Ranges.of([2, 5])).list, [[2, 5]]);
});
