import assert from "node:assert/strict";
import { test } from "node:test";
import { AssetPages } from "../../Web/models/asset-pages.js";
import { follow, likelyIndex } from "../../Web/models/locate.js";

/** Makes a library of days, each given by the ids of its assets, newest first. */
function library(days) {
  const assets = [];
  for (const [day, ids] of days) {
    ids.forEach((id, place) => {
      const minutes = 23 * 60 - Math.floor(place / 2); // two assets share each minute
      const time = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}:00`;
      assets.push({ id, creationDate: `${day}T${time}+02:00` });
    });
  }
  const fetchPage = async (offset, limit) => ({ revision: "1", assets: assets.slice(offset, offset + limit) });
  const pages = new AssetPages(fetchPage, { pageSize: 5 });
  const indexOf = async ({ id }) => assets.findIndex((asset) => asset.id === id);
  const counts = days.map(([day, ids]) => [day, ids.length]);
  return { assets, days: counts, total: assets.length, pages, indexOf };
}

const ids = (prefix, count) => Array.from({ length: count }, (_, place) => `${prefix}${place}`);

test("an asset is followed when newer ones come, to its day or before it", async () => {
  const before = library([["2026-11-19", ids("b", 10)]]);
  await before.pages.loadRange({ first: 0, end: 10 });
  const after = library([["2026-11-20", ["n"]], ["2026-11-19", ["m", ...ids("b", 10)]]]);
  assert.deepEqual(await follow(4, before, after), { index: 6, isSame: true });
});

test("an asset is followed when older ones of its day come", async () => {
  const before = library([["2026-11-19", ids("b", 10)]]);
  await before.pages.loadRange({ first: 0, end: 10 });
  const after = library([["2026-11-19", [...ids("b", 10), "o", "p"]]]);
  assert.deepEqual(await follow(4, before, after), { index: 4, isSame: true });
});

test("an asset is followed to its place in pages of a later revision than the days", async () => {
  const before = library([["2026-11-19", ids("b", 40)]]);
  await before.pages.load(12);
  const after = library([["2026-11-20", ids("a", 1)], ["2026-11-19", ids("b", 40)]]);
  const later = library([["2026-11-20", ids("a", 3)], ["2026-11-19", ids("b", 40)]]);
  const latest = library([["2026-11-20", ids("a", 9)], ["2026-11-19", ids("b", 40)]]);
  const mixed = { ...after, pages: later.pages, indexOf: latest.indexOf };
  await later.pages.loadRange({ first: 10, end: 25 });
  const { index, isSame } = await follow(12, before, mixed);
  assert.deepEqual([later.pages.at(index)?.id, isSame], ["b12", true]);
});

test("an asset that is gone is followed to its likely place", async () => {
  const before = library([["2026-11-19", ids("b", 3)]]);
  await before.pages.loadRange({ first: 0, end: 3 });
  assert.deepEqual(await follow(2, before, library([["2026-11-19", ids("b", 2)]])), { index: 1, isSame: false });
});

test("the likely place in a view without days is the same index", () => {
  assert.equal(likelyIndex(4, [[null, 9]], [[null, 7]]), 4);
  assert.equal(likelyIndex(8, [[null, 9]], [[null, 7]]), 6);
  assert.equal(likelyIndex(8, [[null, 9]], []), -1);
});

test("the likely place in a view from the oldest on is found among its days", () => {
  const before = [["2019-03-04", 2], ["2026-11-19", 4], ["2026-11-20", 3]];
  assert.equal(likelyIndex(7, before, [["2019-03-04", 2], ["2026-11-19", 5], ["2026-11-20", 3]]), 8);
  assert.equal(likelyIndex(3, before, [["2019-03-04", 2], ["2026-11-20", 3]]), 2);
});

test("the likely place of what is gone is in its day or where its day was", () => {
  const before = [["2026-11-20", 3], ["2026-11-19", 4], ["2026-11-10", 2]];
  assert.equal(likelyIndex(4, before, [["2026-11-20", 3], ["2026-11-19", 6], ["2026-11-10", 2]]), 6);
  assert.equal(likelyIndex(4, before, [["2026-11-20", 3], ["2026-11-10", 2]]), 3);
  assert.equal(likelyIndex(8, before, [["2026-11-20", 3]]), 2);
  assert.equal(likelyIndex(0, before, []), -1);
});
