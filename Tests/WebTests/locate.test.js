import assert from "node:assert/strict";
import { test } from "node:test";
import { AssetPages } from "../../Web/models/asset-pages.js";
import { follow, likelyIndex, locate } from "../../Web/models/locate.js";

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
  let requests = 0;
  const fetchPage = async (offset, limit) => {
    requests++;
    return { revision: "1", assets: assets.slice(offset, offset + limit) };
  };
  const pages = new AssetPages(fetchPage, { pageSize: 5 });
  return { assets, days: days.map(([day, ids]) => [day, ids.length]), pages, requests: () => requests };
}

const ids = (prefix, count) => Array.from({ length: count }, (_, place) => `${prefix}${place}`);
const one = library([["2026-11-20", ids("a", 3)], ["2026-11-19", ids("b", 200)], ["2019-03-04", ids("c", 2)]]);

test("every asset is found, also among others of its minute", async () => {
  for (const [index, asset] of one.assets.entries()) assert.equal(await locate(asset, one.days, one.pages), index);
});

test("a large day is not read whole", async () => {
  const large = library([["2026-11-19", ids("b", 1000)]]);
  assert.equal(await locate(large.assets[777], large.days, large.pages), 777);
  assert.ok(large.requests() < 20, `${large.requests()} requests`);
});

test("what is not there is not found", async () => {
  assert.equal(await locate({ id: "x", creationDate: "2026-11-19T22:00:00+02:00" }, one.days, one.pages), -1);
  assert.equal(await locate({ id: "x", creationDate: "2001-01-01T00:00:00Z" }, one.days, one.pages), -1);
  assert.equal(await locate({ id: "x", creationDate: null }, one.days, one.pages), -1);
});

test("an asset is followed when newer ones come, to its day or before it", async () => {
  const before = library([["2026-11-19", ids("b", 10)]]);
  await before.pages.loadRange({ first: 0, end: 10 });
  const after = library([["2026-11-20", ["n"]], ["2026-11-19", ["m", ...ids("b", 10)]]]);
  assert.equal(await follow(4, before, after), 6);
});

test("an asset is followed when older ones of its day come", async () => {
  const before = library([["2026-11-19", ids("b", 10)]]);
  await before.pages.loadRange({ first: 0, end: 10 });
  const after = library([["2026-11-19", [...ids("b", 10), "o", "p"]]]);
  assert.equal(await follow(4, before, after), 4);
});

test("the likely place of what is gone is in its day or where its day was", () => {
  const before = [["2026-11-20", 3], ["2026-11-19", 4], ["2026-11-10", 2]];
  assert.equal(likelyIndex(4, before, [["2026-11-20", 3], ["2026-11-19", 6], ["2026-11-10", 2]]), 6);
  assert.equal(likelyIndex(4, before, [["2026-11-20", 3], ["2026-11-10", 2]]), 3);
  assert.equal(likelyIndex(8, before, [["2026-11-20", 3]]), 2);
  assert.equal(likelyIndex(0, before, []), -1);
});
