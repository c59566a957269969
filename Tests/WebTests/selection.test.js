import assert from "node:assert/strict";
import { test } from "node:test";
import { Ranges } from "../../Web/models/ranges.js";
import { followedPlaces, next, nothingSelected } from "../../Web/models/selection.js";

/** Applies events one after another. Returns the last state and effect. */
function after(...events) {
  let result = { state: nothingSelected, effect: null };
  for (const event of events) result = next(result.state, event);
  return result;
}

const click = (place, more = {}) => ({ type: "click", place, ...more });
const toggle = (place) => click(place, { toggle: true });
const shift = (place, more = {}) => click(place, { shift: true, ...more });
const touch = (place, more = {}) => click(place, { by: "touch", ...more });
const sweep = (place) => ({ type: "sweep", place });
const band = (...list) => ({ type: "band", places: Ranges.of(...list) });

const table = [
  ["a click on the circle selects", [click(3, { on: "circle" })], [[3, 4]]],
  ["Ctrl and a click toggle", [toggle(3), toggle(5), toggle(3)], [[5, 6]]],
  ["a plain click on a picture keeps the selection", [toggle(3), click(5)], [[3, 4]]],
  ["S-02 Shift selects from the anchor, inclusive", [toggle(3), shift(6)], [[3, 7]]],
  ["S-02 Shift selects backward", [toggle(6), shift(3)], [[3, 7]]],
  ["S-02 another Shift click replaces the range", [toggle(3), shift(9), shift(5)], [[3, 6]]],
  ["S-02 a replaced range keeps what was chosen before", [toggle(20), toggle(3), shift(9), shift(5)], [[3, 6], [20, 21]]],
  ["S-02 with Ctrl the range is added", [toggle(3), shift(9), shift(1, { toggle: true })], [[1, 10]]],
  ["Shift without an anchor begins at the focus", [shift(6, { focused: 4 })], [[4, 7]]],
  ["Shift begins at the focus once nothing is selected any more", [toggle(0), toggle(0), shift(6, { focused: 5 })], [[5, 7]]],
  ["Shift and arrows begin at the focus once nothing is selected any more", [toggle(0), toggle(0), { type: "move", from: 5, place: 6, shift: true }], [[5, 7]]],
  ["Shift without a focus selects one", [shift(6)], [[6, 7]]],
  ["S-06 a tap in select mode toggles", [{ type: "enterSelectMode" }, touch(3), touch(4), touch(3)], [[4, 5]]],
  ["a tap on the circle of a selection toggles", [toggle(3), touch(4, { on: "circle" })], [[3, 5]]],
  ["a tap on a circle that is not shown selects nothing", [touch(4, { on: "circle" })], []],
  ["a click in select mode toggles too", [{ type: "enterSelectMode" }, click(3), click(4), click(3)], [[4, 5]]],
  ["S-07 select mode begins with the pressed one", [{ type: "enterSelectMode", place: 7 }], [[7, 8]]],
  ["S-08 a day is selected", [{ type: "toggleRange", first: 4, end: 8 }], [[4, 8]]],
  ["S-08 a part of a day becomes all of it", [toggle(5), { type: "toggleRange", first: 4, end: 8 }], [[4, 8]]],
  ["S-08 all of a day becomes none", [toggle(1), { type: "toggleRange", first: 4, end: 8 }, { type: "toggleRange", first: 4, end: 8 }], [[1, 2]]],
  ["S-09 all of the view", [{ type: "all", total: 100_000 }], [[0, 100_000]]],
  ["S-09 Escape clears", [{ type: "all", total: 30 }, { type: "clear" }], []],
  ["S-12 Shift and arrows extend", [{ type: "toggle", place: 3 }, { type: "move", from: 3, place: 4, shift: true }, { type: "move", from: 4, place: 10, shift: true }], [[3, 11]]],
  ["S-12 Shift and arrows go back", [{ type: "move", from: 3, place: 4, shift: true }, { type: "move", from: 4, place: 3, shift: true }], [[3, 4]]],
  ["S-12 arrows alone select nothing", [{ type: "move", from: 3, place: 4 }], []],
  ["S-05 a band selects what it touches", [{ type: "startBand" }, band([2, 4], [7, 9]), { type: "end" }], [[2, 4], [7, 9]]],
  ["S-05 a band that goes back deselects", [{ type: "startBand" }, band([2, 9]), band([2, 4]), { type: "end" }], [[2, 4]]],
  ["S-05 a band adds to a selection", [toggle(0), { type: "startBand" }, band([2, 4]), { type: "end" }], [[0, 1], [2, 4]]],
  ["S-05 Escape restores what was selected before the band", [toggle(0), { type: "startBand" }, band([2, 4]), { type: "clear" }], [[0, 1]]],
  ["S-06 a sweep selects by order", [{ type: "startSweep", place: 3 }, sweep(9), { type: "end" }], [[3, 10]]],
  ["S-06 a sweep that goes back undoes", [{ type: "startSweep", place: 3 }, sweep(9), sweep(4), { type: "end" }], [[3, 5]]],
  ["S-06 a sweep from a chosen one deselects", [{ type: "all", total: 10 }, { type: "startSweep", place: 3 }, sweep(5), { type: "end" }], [[0, 3], [6, 10]]],
  ["S-06 a sweep may turn around its beginning", [{ type: "startSweep", place: 5 }, sweep(9), sweep(2), { type: "end" }], [[2, 6]]],
  ["a drag changes nothing", [toggle(3), { type: "startDrag", place: 3 }, { type: "end" }], [[3, 4]]],
];
for (const [name, events, expected] of table) {
  test(name, () => assert.deepEqual(after(...events).state.chosen.list, expected));
}

const effects = [
  ["a click on a picture opens it", [click(3)], { type: "open", place: 3 }],
  ["a click opens while something is selected", [toggle(5), click(3)], { type: "open", place: 3 }],
  ["the menu of a chosen cell is for all that are chosen", [toggle(3), shift(6), { type: "menu", place: 4 }], { type: "menu", place: 4, places: Ranges.of([3, 7]) }],
  ["the menu of another cell is for that one", [toggle(3), { type: "menu", place: 9 }], { type: "menu", place: 9, places: Ranges.of([9, 10]) }],
  ["a drag from a chosen cell takes all", [toggle(3), shift(6), { type: "startDrag", place: 4 }], { type: "drag", places: Ranges.of([3, 7]) }],
  ["a drag from another cell takes that one", [toggle(3), { type: "startDrag", place: 9 }], { type: "drag", places: Ranges.of([9, 10]) }],
  ["S-09 clearing tells what was selected", [toggle(3), { type: "clear" }], { type: "cleared", places: Ranges.of([3, 4]) }],
  ["clearing nothing tells nothing", [{ type: "clear" }], null],
];
for (const [name, events, expected] of effects) test(name, () => assert.deepEqual(after(...events).effect, expected));

test("the mode follows from what is selected", () => {
  assert.equal(after(toggle(3)).state.mode, "selecting");
  assert.equal(after(toggle(3), toggle(3)).state.mode, "idle");
  assert.equal(after({ type: "enterSelectMode" }, touch(3), touch(3)).state.mode, "selecting", "select mode stays");
  assert.equal(after({ type: "enterSelectMode" }, { type: "clear" }).state.mode, "idle");
});

test("S-10 a change of the view moves the selection with its assets", () => {
  const { state } = after(toggle(3), shift(6), { type: "change", total: 20, map: (ranges) => Ranges.of(...ranges.list.map(([first, end]) => [first + 2, end + 2])) });
  assert.deepEqual(state.chosen.list, [[5, 9]]);
  assert.deepEqual([state.anchor, state.lead], [5, 8]);
});

const shiftedBy = (by) => (ranges) => Ranges.of(...ranges.list.map(([first, end]) => [first + by, end + by]));

test("N-04 a drag takes the same assets along when the view changes", () => {
  const alone = after(toggle(3), { type: "startDrag", place: 9 }, { type: "change", total: 20, map: shiftedBy(2) }).state;
  assert.deepEqual([alone.dragged.list, alone.chosen.list], [[[11, 12]], [[5, 6]]]);
  const all = after(toggle(8), toggle(3), { type: "startDrag", place: 3 }, { type: "change", total: 20, map: shiftedBy(2) }).state;
  assert.equal(all.dragged, all.chosen, "in the order of choosing");
  assert.ok(next(all, { type: "end" }).state.dragged.isEmpty);
});

test("S-10 everything that a selection refers to is followed", () => {
  assert.ok(followedPlaces(nothingSelected).isEmpty);
  assert.ok(followedPlaces(after(click(7)).state).isEmpty, "without a selection, nothing has to be");
  assert.deepEqual(followedPlaces(after(toggle(3), { type: "startDrag", place: 9 }).state).list, [[3, 4], [9, 10]]);
  assert.deepEqual(followedPlaces(after(toggle(3), toggle(5), toggle(5)).state).list, [[3, 4], [5, 6]], "the anchor");
});

test("S-10 deleted assets leave the selection", () => {
  const { state } = after(toggle(3), toggle(7), { type: "change", total: 5, map: (ranges) => ranges.remove(3, 4).within(0, 5) });
  assert.ok(state.chosen.isEmpty);
});

test("N-02 the order of choosing is kept", () => {
  assert.deepEqual(after(toggle(8), toggle(3), toggle(5), toggle(8), toggle(8)).state.picked, [[3, 4], [5, 6], [8, 9]]);
  assert.deepEqual(after(toggle(8), toggle(3), shift(5)).state.picked, [[8, 9], [3, 4], [4, 6]]);
  assert.deepEqual(after(toggle(8), { type: "clear" }).state.picked, []);
  const moved = after(toggle(8), toggle(3), { type: "change", total: 20, map: (ranges) => Ranges.of(...ranges.list.map(([first, end]) => [first + 1, end + 1])) });
  assert.deepEqual(moved.state.picked, [[9, 10], [4, 5]]);
});

test("S-03 a range of sixty thousand takes no more memory than one of two", () => {
  const { state } = after(toggle(10), shift(60_000));
  assert.deepEqual(state.chosen.list, [[10, 60_001]]);
  assert.ok(state.picked.length <= 2);
});

/** Selects as a person would describe it: with a set, and without ranges. */
class Naive {
  chosen = new Set();
  base = new Set();
  anchor = -1;

  toggle(place) {
    if (!this.chosen.delete(place)) this.chosen.add(place);
    this.anchor = place;
    this.base = new Set(this.chosen);
  }

  shift(place, isAdding) {
    if (this.anchor < 0) this.anchor = place;
    if (isAdding) this.base = new Set(this.chosen);
    this.chosen = new Set(this.base);
    for (let one = Math.min(this.anchor, place); one <= Math.max(this.anchor, place); one++) this.chosen.add(one);
  }

  sweep(from, to) {
    const isRemoving = this.chosen.has(from);
    for (let one = Math.min(from, to); one <= Math.max(from, to); one++) isRemoving ? this.chosen.delete(one) : this.chosen.add(one);
    this.anchor = from;
    this.base = new Set(this.chosen);
  }
}

test("S-14 ten thousand random sequences equal a naive model", () => {
  let seed = 1;
  const random = (below) => ((seed = (seed * 48_271) % 2_147_483_647), seed % below);
  for (let sequence = 0; sequence < 10_000; sequence++) {
    const naive = new Naive();
    let state = nothingSelected;
    const apply = (event) => (state = next(state, event).state);
    for (let step = 0; step < 12; step++) {
      const place = random(24);
      switch (random(5)) {
        case 0: naive.toggle(place); apply(toggle(place)); break;
        case 1: naive.shift(place, false); apply(shift(place)); break;
        case 2: naive.shift(place, true); apply(shift(place, { toggle: true })); break;
        case 3: {
          const to = random(24);
          naive.sweep(place, to);
          apply({ type: "startSweep", place });
          apply(sweep(random(24)));
          apply(sweep(to));
          apply({ type: "end" });
          break;
        }
        default: apply({ type: "startBand", isAdding: true }); apply(band([place, place + 5])); apply({ type: "cancel" }); naive.base = new Set(naive.chosen);
      }
      assert.deepEqual([...state.chosen.places()], [...naive.chosen].sort((one, other) => one - other), `sequence ${sequence}, step ${step}`);
    }
  }
});
