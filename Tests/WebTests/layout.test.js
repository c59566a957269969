import assert from "node:assert/strict";
import { test } from "node:test";
import { DayLayout, columnsFor, densityWithin } from "../../Web/models/day-layout.js";

const metrics = { width: 398, columns: 4, gutter: 2, headingHeight: 40, bandGap: 10, topInset: 60, bottomInset: 20 };
// The first day needs three rows, the next two share a row, and the last has its own row.
const days = [["2026-11-20", 9], ["2026-11-19", 1], ["2026-11-18", 3], ["2026-11-02", 2]];
const layout = new DayLayout(days, metrics);

/** Makes many days of various sizes, the same in each run. */
function manyDays(count) {
  return Array.from({ length: count }, (_, day) => {
    const date = new Date(Date.UTC(2026, 10, 20) - day * 86_400_000);
    return [date.toISOString().slice(0, 10), 1 + ((day * 7919) % 23)];
  });
}

test("cells are squares in columns that fill the width", () => {
  assert.deepEqual(layout.boxOf(0), { left: 0, top: 100, width: 98, height: 98 });
  assert.deepEqual(layout.boxOf(3), { left: 300, top: 100, width: 98, height: 98 });
  assert.deepEqual(layout.boxOf(4), { left: 0, top: 200, width: 98, height: 98 });
});

test("a width that columns do not divide is spread over them by whole pixels", () => {
  const odd = new DayLayout([["2026-11-20", 3]], { ...metrics, width: 390, columns: 3 });
  const boxes = [0, 1, 2].map((asset) => odd.boxOf(asset));
  assert.deepEqual(boxes.map(({ left, width }) => [left, width]), [[0, 129], [131, 128], [261, 129]]);
  assert.equal(boxes[2].left + boxes[2].width, 390);
});

test("rows are counted from the top, whatever their days are", () => {
  const places = [0, 3, 4, 8, 9, 12, 13, 14].map((asset) => layout.rowOf(asset));
  assert.deepEqual(places.map(({ row, column }) => [row, column]), [[0, 0], [0, 3], [1, 0], [2, 0], [3, 0], [3, 3], [4, 0], [4, 1]]);
  assert.equal(layout.rowCount, 5);
  assert.equal(new DayLayout([], metrics).rowCount, 0);
});

test("short days share a row and longer ones do not", () => {
  assert.equal(layout.bandCount, 3);
  assert.deepEqual(layout.assetsOfBand(1), { first: 9, end: 13 });
  assert.deepEqual(layout.assetsOfDay(1), { first: 9, end: 10 });
  assert.deepEqual(layout.headingsOf(1), [
    { day: 1, left: 0, width: 100, isPacked: true },
    { day: 2, left: 100, width: 298, isPacked: true },
  ]);
  assert.deepEqual(layout.headingsOf(2), [{ day: 3, left: 0, width: 398, isPacked: false }]);
});

test("the height is that of all bands and insets", () => {
  assert.deepEqual([...layout.bandTops], [60, 60 + 350, 60 + 350 + 150, 60 + 350 + 300]);
  assert.equal(layout.height, 60 + 350 + 150 + 150 + 20);
  assert.equal(layout.total, 15);
});

test("an asset's day is found", () => {
  assert.deepEqual([0, 8, 9, 10, 12, 13, 14].map((asset) => layout.dayOf(asset)), [0, 0, 1, 2, 2, 3, 3]);
});

test("the assets of a stretch are those whose rows touch it", () => {
  assert.deepEqual(layout.assetsWithin(0, 100), { first: 0, end: 0 });
  assert.deepEqual(layout.assetsWithin(0, 101), { first: 0, end: 4 });
  assert.deepEqual(layout.assetsWithin(200, 201), { first: 4, end: 8 });
  assert.deepEqual(layout.assetsWithin(0, 10_000), { first: 0, end: 15 });
  assert.deepEqual(layout.assetsWithin(5_000, 4_000), { first: 0, end: 0 });
});

test("a point hits its cell, and nothing on headings and gutters", () => {
  assert.equal(layout.assetAt(50, 150), 0);
  assert.equal(layout.assetAt(150, 250), 5);
  assert.equal(layout.assetAt(99, 150), -1, "a gutter");
  assert.equal(layout.assetAt(50, 199), -1, "a gutter below a row");
  assert.equal(layout.assetAt(50, 80), -1, "a heading");
  assert.equal(layout.assetAt(350, 310), -1, "past the last row's end");
});

test("every asset is found at the middle of its own cell", () => {
  const large = new DayLayout(manyDays(400), metrics);
  for (let asset = 0; asset < large.total; asset++) {
    const box = large.boxOf(asset);
    assert.equal(large.assetAt(box.left + box.width / 2, box.top + box.height / 2), asset);
    const { first, end } = large.assetsWithin(box.top, box.top + box.height);
    assert.ok(asset >= first && asset < end && end - first <= 4);
  }
});

test("rows up and down keep the column, or take the row's last asset", () => {
  assert.equal(layout.assetRowsAway(1, 1), 5);
  assert.equal(layout.assetRowsAway(7, 1), 8, "the last row has one asset");
  assert.equal(layout.assetRowsAway(8, 1), 9, "into the next band");
  assert.equal(layout.assetRowsAway(12, -1), 8);
  assert.equal(layout.assetRowsAway(12, 1), 14);
  assert.equal(layout.assetRowsAway(0, -1), 0, "there is no row above");
  assert.equal(layout.assetRowsAway(1, 4), 14);
});

test("the first whole asset below a height", () => {
  assert.equal(layout.firstAssetBelow(0), 0);
  assert.equal(layout.firstAssetBelow(100), 0);
  assert.equal(layout.firstAssetBelow(101), 4);
  assert.equal(layout.firstAssetBelow(10_000), 14);
});

test("an empty library has no assets anywhere", () => {
  const empty = new DayLayout([], metrics);
  assert.equal(empty.total, 0);
  assert.deepEqual(empty.assetsWithin(0, 1000), { first: 0, end: 0 });
  assert.equal(empty.height, 80);
});

test("seventy thousand assets on one day", () => {
  const large = new DayLayout([["2026-11-20", 70_000], ["2026-11-19", 1]], metrics);
  assert.equal(large.boxOf(69_999).top, 100 + 17_499 * 100);
  assert.equal(large.bandOf(70_000), 1);
});

test("the layout of twenty thousand days reads each day a few times", () => {
  let count = 0;
  const many = new Proxy(manyDays(20_000), {
    get(days, key) {
      if (/^\d+$/.test(String(key))) count++;
      return Reflect.get(days, key);
    },
  });
  new DayLayout(many, metrics);
  assert.ok(count > 0 && count <= 3 * 20_000, `${count} reads`);
});

test("columns follow the width, never fewer than three", () => {
  assert.deepEqual([240, 320, 390, 768, 1440, 2560].map((width) => columnsFor(width)), [3, 3, 3, 5, 8, 14]);
});

test("W-13 densities have more and fewer columns, as far as the width offers them", () => {
  assert.deepEqual([-1, 0, 1, 2].map((density) => columnsFor(390, density)), [1, 3, 5, 9]);
  assert.deepEqual([-2, -1, 0, 1].map((density) => columnsFor(1440, density)), [4, 6, 8, 13]);
  assert.deepEqual([-9, 9].map((density) => columnsFor(390, density)), [1, 9]);
  assert.deepEqual([densityWithin(390, 5), densityWithin(1440, 5), densityWithin(1440, -5)], [2, 1, -2]);
});

test("the ends of a row are within its band", () => {
  const layout = new DayLayout([["2026-11-20", 7], ["2026-11-19", 3]], {
    width: 400, columns: 4, gutter: 0, headingHeight: 40, bandGap: 0, topInset: 0, bottomInset: 0 });
  const ends = [0, 2, 5, 6, 8].map((asset) => Object.values(layout.endsOfRow(asset)));
  assert.deepEqual(ends, [[0, 3], [0, 3], [4, 6], [4, 6], [7, 9]]);
});

test("AX-03 a row names its first and its last day", () => {
  const layout = new DayLayout([["2026-11-20", 5], ["2026-11-19", 1], ["2026-11-18", 2]], {
    width: 400, columns: 4, gutter: 0, headingHeight: 40, bandGap: 0, topInset: 0, bottomInset: 0 });
  assert.deepEqual([0, 4, 5, 7].map((asset) => layout.daysOfRow(asset)), [
    ["2026-11-20", "2026-11-20"], ["2026-11-20", "2026-11-20"], ["2026-11-19", "2026-11-18"], ["2026-11-19", "2026-11-18"]]);
});
