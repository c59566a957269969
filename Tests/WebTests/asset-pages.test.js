import assert from "node:assert/strict";
import { test } from "node:test";
import { AssetPages } from "../../Web/models/asset-pages.js";

/** Makes a server whose responses wait for the test. */
function server(total = 1000) {
  const requests = [];
  const fetchPage = (offset, limit, signal) =>
    new Promise((resolve, reject) => {
      const request = { offset, limit, isAborted: false };
      request.answer = () => {
        const count = Math.max(0, Math.min(limit, total - offset));
        resolve({ revision: "1", assets: Array.from({ length: count }, (_, place) => ({ id: `asset ${offset + place}` })) });
      };
      request.fail = () => reject(new Error("gone"));
      signal.addEventListener("abort", () => {
        request.isAborted = true;
        reject(signal.reason);
      });
      requests.push(request);
    });
  return { requests, fetchPage };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const range = (first, end) => ({ first, end });

test("pages are aligned and the first wanted come first", async () => {
  const { requests, fetchPage } = server();
  const pages = new AssetPages(fetchPage, { pageSize: 10, atOnce: 4 });
  pages.want([range(25, 32), range(8, 45)]);
  assert.deepEqual(requests.map(({ offset, limit }) => [offset, limit]), [[20, 10], [30, 10], [0, 10], [10, 10]]);
  requests[0].answer();
  await settled();
  assert.equal(requests[4].offset, 40, "the next starts when one has come");
  assert.equal(pages.at(25).id, "asset 25");
  assert.equal(pages.at(35), undefined);
});

test("pages that are no longer wanted are aborted, and the others continue", () => {
  const { requests, fetchPage } = server();
  const pages = new AssetPages(fetchPage, { pageSize: 10 });
  pages.want([range(0, 20)]);
  pages.want([range(10, 30)]);
  assert.deepEqual(requests.map(({ offset, isAborted }) => [offset, isAborted]), [[0, true], [10, false], [20, false]]);
});

test("an aborted page that is wanted again is asked for again", async () => {
  const { requests, fetchPage } = server();
  const pages = new AssetPages(fetchPage, { pageSize: 10 });
  pages.want([range(0, 10)]);
  pages.want([]);
  pages.want([range(0, 10)]);
  await settled();
  assert.equal(requests.length, 2);
  requests[1].answer();
  await settled();
  assert.equal(pages.at(9).id, "asset 9");
});

test("a page that is there is not asked for again", async () => {
  const { requests, fetchPage } = server();
  const pages = new AssetPages(fetchPage, { pageSize: 10 });
  pages.want([range(0, 10)]);
  requests[0].answer();
  await settled();
  pages.want([range(0, 10)]);
  assert.equal(requests.length, 1);
});

test("the pages that were wanted longest ago are forgotten", async () => {
  const { requests, fetchPage } = server();
  const pages = new AssetPages(fetchPage, { pageSize: 10, capacity: 2 });
  for (const first of [0, 10]) {
    pages.want([range(first, first + 10)]);
    requests.at(-1).answer();
    await settled();
  }
  pages.want([range(0, 10)]);
  pages.want([range(20, 30)]);
  requests.at(-1).answer();
  await settled();
  assert.equal(pages.at(0).id, "asset 0", "used lately");
  assert.equal(pages.at(10), undefined);
  assert.equal(pages.at(20).id, "asset 20");
});

test("pages and failures are reported, and aborts are not", async () => {
  const { requests, fetchPage } = server(25);
  const pages = new AssetPages(fetchPage, { pageSize: 10 });
  const told = [];
  pages.onPage = () => told.push(`page of ${pages.at(20).id}`);
  pages.onFailure = (error) => told.push(error.message);
  pages.want([range(0, 30)]);
  requests[2].answer();
  await settled();
  requests[0].fail();
  await settled();
  pages.close();
  await settled();
  assert.deepEqual(told, ["page of asset 20", "gone"]);
});

test("one asset can be loaded by itself", async () => {
  const { requests, fetchPage } = server(25);
  const pages = new AssetPages(fetchPage, { pageSize: 10 });
  const loaded = pages.load(23);
  requests[0].answer();
  assert.equal((await loaded).id, "asset 23");
  assert.equal((await pages.load(24)).id, "asset 24");
  assert.equal(await pages.load(25), undefined, "past the end");
  assert.equal(requests.length, 1);
});

test("W-05 flicks through a million assets leave few pages and few requests", async () => {
  const { requests, fetchPage } = server(1_000_000);
  const pages = new AssetPages(fetchPage);
  let most = 0;
  for (let step = 0; step < 2_000; step++) {
    const first = (step * 7_919) % 999_000;
    pages.want([range(first, first + 60), range(first - 200 < 0 ? 0 : first - 200, first + 300)]);
    const pending = requests.filter(({ isAborted, isDone }) => !isAborted && !isDone);
    most = Math.max(most, pending.length);
    // A few answers come before the next flick.
    for (const request of pending.slice(0, step % 5)) {
      request.isDone = true;
      request.answer();
    }
    await settled();
  }
  assert.ok(most <= 4, `${most} at once`);
  const known = Array.from({ length: 10_000 }, (_, page) => pages.at(page * 100)).filter(Boolean).length;
  assert.ok(known > 100 && known <= 200, `${known} pages are kept`);
});
