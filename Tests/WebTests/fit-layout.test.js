import assert from "node:assert/strict";
import { test } from "node:test";
import { FitLayout } from "../../Web/models/fit-layout.js";

const metrics = { width: 1000, columns: 5, gutter: 4, headingHeight: 40, bandGap: 10, topInset: 60, bottomInset: 20 };
const [wide, tall, square] = [153, 103, 128]; // 3:2, 2:3 and 1:1
const ratioOf = (aspect) => Math.max(1 / 4, 2 ** ((aspect - 128) / 42));

/** Makes many days with all kinds of aspects, the same in each run. */
function library(count) {
  const days = Array.from({ length: count }, (_, day) => {
    const date = new Date(Date.UTC(2026, 10, 20) - day * 86_400_000);
    return [date.toISOString().slice(0, 10), 1 + ((day * 7919) % 23) ** (day % 3)];
  });
  const total = days.reduce((sum, [, number]) => sum + number, 0);
  return { days, aspects: Uint8Array.from({ length: total }, (_, asset) => [wide, tall, square, wide, 255, 0, 160][(asset * 7919) % 7]) };
}

const { days, aspects } = library(600);
const layouts = [
  ["a desktop", new FitLayout(days, metrics, aspects)],
  ["a phone", new FitLayout(days, { ...metrics, width: 390, columns: 3, gutter: 2 }, aspects)],
  ["a phone with one column", new FitLayout(days, { ...metrics, width: 390, columns: 1, gutter: 2 }, aspects)],
  ["an album", new FitLayout([[null, aspects.length]], { ...metrics, headingHeight: 0 }, aspects)],
];
const boxesOf = (layout) => Array.from({ length: layout.total }, (_, asset) => layout.boxOf(asset));

test("rows fill the width, and photos keep their shape", () => {
  const layout = new FitLayout([["2026-11-20", 5]], metrics, Uint8Array.of(wide, tall, wide, wide, square));
  const boxes = boxesOf(layout);
  assert.deepEqual(boxes[0], { left: 0, top: 100, width: 287, height: 190 });
  assert.deepEqual(boxes.map(({ top }) => top), [100, 100, 100, 100, 294]);
  assert.equal(boxes[3].left + boxes[3].width, 1000);
  assert.deepEqual(boxes[4], { left: 0, top: 294, width: 196, height: 196 }, "the last row is not stretched");
});

test("a panorama of 8:1 is whole in a row of its own, and a photo of 1:8 has room for a finger", () => {
  const days = [["2026-11-20", 1], ["2026-11-19", 1]];
  const layout = new FitLayout(days, { ...metrics, width: 390, columns: 1 }, Uint8Array.of(254, 2));
  const [panorama, narrow] = boxesOf(layout);
  assert.deepEqual([panorama.left, panorama.width, panorama.height], [0, 390, 49]);
  assert.deepEqual([narrow.width, narrow.height], [98, 390]);
});

test("short days share a row and have room for their headings", () => {
  const layout = new FitLayout([["2026-11-20", 1], ["2026-11-19", 2], ["2026-11-18", 20]], metrics, new Uint8Array(23).fill(0));
  assert.equal(layout.bandCount, 2);
  assert.deepEqual(layout.headingsOf(0), [
    { day: 0, left: 0, width: 156, isPacked: true },
    { day: 1, left: 156, width: 844, isPacked: true },
  ]);
  assert.deepEqual(boxesOf(layout).slice(0, 3).map(({ left, width }) => [left, width]), [[0, 49], [156, 49], [209, 49]]);
  assert.deepEqual(layout.headingsOf(1), [{ day: 2, left: 0, width: 1000, isPacked: false }]);
});

for (const [what, layout] of layouts) {
  const boxes = boxesOf(layout);
  const { width, gutter } = layout.metrics;

  test(`${what}: cells are whole pixels inside of the width and do not overlap`, () => {
    for (const [asset, { left, top, width: cell, height }] of boxes.entries()) {
      for (const value of [left, top, cell, height]) assert.ok(Number.isInteger(value) && value >= 0);
      assert.ok(left + cell <= width && cell > 0 && height > 0);
      const next = boxes[asset + 1];
      if (!next) continue;
      if (next.top === top) assert.ok(next.left >= left + cell + gutter);
      else assert.ok(next.top >= top + height + gutter && next.left === 0);
    }
    assert.ok(layout.height >= boxes.at(-1).top + boxes.at(-1).height + layout.metrics.bottomInset);
  });

  test(`${what}: cells have the aspects of their photos`, () => {
    for (const [asset, { width: cell, height }] of boxes.entries()) {
      const { first, last } = layout.endsOfRow(asset);
      const ratio = ratioOf(aspects[asset]);
      assert.ok(Math.abs(cell - ratio * height) <= 1.01 + 0.51 * ratio * (1 + last - first));
    }
  });

  test(`${what}: each asset is found at its place`, () => {
    for (const [asset, { left, top, width: cell, height }] of boxes.entries()) {
      assert.equal(layout.assetAt(left + cell / 2, top + height / 2), asset);
      assert.equal(layout.endsOfRow(asset).first + layout.rowOf(asset).column, asset);
      const day = layout.dayOf(asset);
      const heading = layout.headingsOf(layout.bandOf(asset)).find((one) => one.day === day);
      assert.ok(heading.left <= left && left + cell <= heading.left + heading.width);
    }
    assert.equal(layout.rowOf(layout.total - 1).row, layout.rowCount - 1);
    assert.equal(layout.columns, Math.max(...boxes.map((_, asset) => layout.rowOf(asset).column + 1)));
  });

  test(`${what}: the assets of a stretch are those whose rows touch it`, () => {
    for (let y = 0; y < layout.height; y += layout.height / 97) {
      const touching = boxes.flatMap(({ top, height }, asset) => (top < y + 300 && top + height > y ? [asset] : []));
      const { first, end } = layout.assetsWithin(y, y + 300);
      if (touching.length > 0) assert.deepEqual([first, end], [touching[0], touching.at(-1) + 1]);
      else assert.equal(first, end);
      const below = boxes.findIndex(({ top }) => top >= y);
      assert.equal(layout.firstAssetBelow(y), below < 0 ? layout.total - 1 : below);
    }
    assert.equal(layout.firstAssetBelow(boxes[50].top), layout.endsOfRow(50).first);
    assert.deepEqual(layout.assetsWithin(-500, -100), { first: 0, end: 0 });
    assert.deepEqual(layout.assetsWithin(5_000, 4_000), { first: 0, end: 0 });
  });

  test(`${what}: a step up or down goes to the nearest asset of the row`, () => {
    for (let asset = 0; asset < layout.total; asset += 13) {
      const { row } = layout.rowOf(asset);
      for (const step of [-1, 1, 3]) {
        const there = layout.assetRowsAway(asset, step);
        if (row + step < 0 || row + step >= layout.rowCount) assert.equal(there, asset);
        else {
          assert.equal(layout.rowOf(there).row, row + step);
          const middle = (one) => boxes[one].left + boxes[one].width / 2;
          const distance = (one) => Math.abs(middle(one) - middle(asset));
          const { first, last } = layout.endsOfRow(there);
          for (let other = first; other <= last; other++) assert.ok(distance(there) <= distance(other));
        }
      }
    }
  });
}

for (const [what, layout] of layouts) {
  test(`${what}: a row fills the width, or it ends its days and has the usual height`, () => {
    const { width } = layout.metrics;
    const usual = layout.cellHeight;
    for (let first = 0; first < layout.total; first = layout.endsOfRow(first).last + 1) {
      const { last } = layout.endsOfRow(first);
      const box = layout.boxOf(last);
      const isFull = box.left + box.width === width;
      const ends = last + 1 === layout.total || layout.dayOf(last) !== layout.dayOf(last + 1);
      assert.ok(isFull || (ends && box.height === usual), `row at ${first}`);
      if (ends) assert.ok(box.height <= Math.round(1.2 * usual), `row at ${first}`);
    }
  });
}

test("the place of each of a million assets is known", () => {
  // A generator with a fixed seed.
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const days = [];
  for (let left = 1_000_000; left > 0; left -= days.at(-1)[1]) {
    days.push(["2026-11-20", Math.min(left, 1 + Math.floor(400 * random() ** 4))]);
  }
  const layout = new FitLayout(days, metrics, Uint8Array.from({ length: 1_000_000 }, () => 64 + Math.floor(128 * random())));
  let bottom = 0;
  for (let asset = 0, row = -1; asset < layout.total; asset++) {
    const box = layout.boxOf(asset);
    const place = layout.rowOf(asset);
    if (place.row !== row) {
      assert.equal(place.row, row + 1);
      assert.ok(box.left === 0 && box.top > bottom);
      row = place.row;
      bottom = box.top + box.height;
    }
    if (asset % 97 === 0) assert.equal(layout.assetAt(box.left, box.top), asset);
  }
  assert.equal(layout.height, bottom + metrics.bandGap + metrics.bottomInset);
});

test("assets without an aspect are squares, and a view may be empty", () => {
  const layout = new FitLayout([["2026-11-20", 3]], metrics, new Uint8Array());
  assert.deepEqual(boxesOf(layout).map(({ width, height }) => [width, height]), [[196, 196], [196, 196], [196, 196]]);
  const empty = new FitLayout([], metrics, new Uint8Array());
  assert.deepEqual([empty.rowCount, empty.height, empty.firstAssetBelow(3), empty.columns], [0, 80, 0, 1]);
});
