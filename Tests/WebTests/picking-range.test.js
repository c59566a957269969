import assert from "node:assert/strict";
import { test } from "node:test";
import { PickingRange } from "../../Web/models/picking-range.js";
import { Picking } from "../../Web/models/picking.js";
import { Ranges } from "../../Web/models/ranges.js";

const view = [..."abcdefghij"];
const idsAt = (ranges) => ranges.flatMap(([first, end]) => view.slice(first, end));
const pickingOf = (range) => range.picking(idsAt(range.added), idsAt(range.removed));
const idsOf = (range) => pickingOf(range).ids.join("");
const shift = (place, more) => ({ type: "click", place, shift: true, ...more });
const band = (...places) => ({ type: "band", places: Ranges.ofPlaces(places) });

test("Shift chooses from the anchor, and replaces its last range", () => {
  const range = new PickingRange(new Picking(["c"], 0), { anchor: 2 });
  range.apply(shift(5));
  assert.equal(idsOf(range), "cdef");
  range.apply(shift(1));
  assert.equal(idsOf(range), "cb");
  range.apply(shift(3, { toggle: true }));
  assert.equal(idsOf(range), "cbd");
});

test("a range that shrinks takes away nothing that was chosen before", () => {
  const range = new PickingRange(new Picking(["z", "e"], 0), { anchor: 2 });
  range.apply(shift(5));
  assert.equal(idsOf(range), "zecdf");
  range.apply(shift(3));
  assert.equal(idsOf(range), "zecd");
});

test("without an anchor, a range begins at the focused asset", () => {
  const range = new PickingRange(new Picking([], 0));
  range.apply({ type: "move", from: 4, place: 6, shift: true });
  assert.equal(idsOf(range), "efg");
});

test("a band chooses what it touches, and Escape restores what was chosen before", () => {
  const range = new PickingRange(new Picking(["z"], 0), { anchor: 0 });
  range.apply(shift(1));
  range.apply({ type: "startBand" });
  assert.equal(range.isGesture, true);
  range.apply(band(4, 5, 6));
  assert.equal(idsOf(range), "zabefg");
  range.apply(band(4));
  assert.equal(idsOf(range), "zabe");
  range.apply({ type: "cancel" });
  assert.equal(idsOf(range), "zab");
  assert.equal(range.isGesture, false);
});

test("a sweep from a chosen cell deselects, and going back selects again", () => {
  const range = new PickingRange(new Picking(["z", "d", "b", "c"], 0), { anchor: 1, origin: Ranges.of([0, 10]) });
  range.apply({ type: "startSweep", place: 1 });
  assert.equal(idsOf(range), "zdc");
  range.apply({ type: "sweep", place: 3 });
  assert.equal(idsOf(range), "z");
  range.apply({ type: "sweep", place: 2 });
  assert.equal(idsOf(range), "zd");
  range.apply({ type: "cancel" });
  assert.equal(idsOf(range), "zdbc");
});

test("a range over the limit takes what fits, and is refused", () => {
  const range = new PickingRange(new Picking(["a"], 3), { anchor: 0 });
  range.apply(shift(6));
  assert.equal(pickingOf(range).isRefused, true);
  assert.equal(idsOf(range), "abc");
  range.apply(shift(2));
  assert.equal(pickingOf(range).isRefused, false);
});

test("the band's end and steps that choose nothing are no changes", () => {
  const range = new PickingRange(new Picking([], 0));
  assert.equal(range.apply(band(1)), false);
  assert.equal(range.apply({ type: "move", from: 1, place: 2 }), false);
  range.apply({ type: "startBand" });
  assert.equal(range.apply(band(1)), true);
  assert.equal(range.apply({ type: "end" }), false);
});

test("after any sequence of ranges, the last one is chosen beside what was chosen before", () => {
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  for (let run = 0; run < 2_000; run++) {
    const before = view.filter(() => random(3) === 0);
    const anchor = random(view.length);
    const range = new PickingRange(new Picking(before, 0), { anchor });
    let last = [];
    for (let step = 0; step < 6; step++) {
      const place = random(view.length);
      range.apply(shift(place));
      last = view.slice(Math.min(anchor, place), Math.max(anchor, place) + 1);
    }
    assert.deepEqual([...pickingOf(range).ids].sort(), [...new Set([...before, ...last])].sort());
  }
});
