import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "../../Web/models/pace.js";
import { swipeOf } from "../../Web/models/swipe.js";
import { actualScale, endsShown, fit, fitted, greatestScale, onPixels, stretched, withinStage, zoomedAt } from "../../Web/models/zoom.js";

const stage = { width: 1000, height: 800 };

test("a picture fits its stage and a small one is not blown up", () => {
  assert.deepEqual(fit({ width: 4000, height: 3000 }, stage), { width: 1000, height: 750 });
  assert.deepEqual(fit({ width: 3000, height: 4000 }, stage), { width: 600, height: 800 });
  assert.deepEqual(fit({ width: 100, height: 50 }, stage), { width: 100, height: 50 });
  assert.deepEqual(fit({ width: 100, height: 50 }, stage, 2), { width: 50, height: 25 }, "a pixel for a pixel");
  assert.deepEqual(fit({ width: 0, height: 0 }, stage), stage);
});

test("the point under the pointer stays in its place", () => {
  const point = { x: 120, y: -40 };
  const zoom = zoomedAt({ scale: 1.5, x: 30, y: 10 }, 2, point, 8);
  assert.equal(zoom.scale, 3);
  assert.equal((point.x - zoom.x) / zoom.scale, (point.x - 30) / 1.5);
  assert.equal((point.y - zoom.y) / zoom.scale, (point.y - 10) / 1.5);
});

test("the scale has bounds", () => {
  assert.equal(zoomedAt(fitted, 0.1, { x: 0, y: 0 }, 8).scale, 1);
  assert.equal(zoomedAt(fitted, 100, { x: 0, y: 0 }, 8).scale, 8);
  assert.equal(greatestScale({ width: 4000, height: 3000 }, { width: 1000, height: 750 }), 32);
  assert.equal(greatestScale({ width: 100, height: 100 }, { width: 100, height: 100 }), 8);
  assert.equal(greatestScale({ width: 100, height: 100 }, { width: 50, height: 50 }, 2), 8);
});

test("at 100 % a pixel of the picture is one of the screen", () => {
  const box = { width: 1000, height: 750 };
  assert.equal(actualScale({ width: 4000, height: 3000 }, box), 4);
  assert.equal(actualScale({ width: 4000, height: 3000 }, box, 2), 2);
  for (const pixelRatio of [1, 2]) {
    const zoom = onPixels({ scale: 2, x: 0.3, y: 10.4 }, { width: 500.5, height: 300 }, { width: 999, height: 701 }, pixelRatio);
    for (const start of [(999 - 1001) / 2 + zoom.x, (701 - 600) / 2 + zoom.y]) assert.equal(Math.abs(start * pixelRatio) % 1, 0);
    assert.ok(Math.abs(zoom.x - 0.3) <= 0.5 && Math.abs(zoom.y - 10.4) <= 0.5);
  }
});

test("fingers can pull a picture beyond its limits, with effort", () => {
  assert.equal(stretched(3, 8), 3);
  assert.ok(stretched(12, 8) > 8 && stretched(12, 8) < 12);
  assert.ok(stretched(0.5, 8) > 0.5 && stretched(0.5, 8) < 1);
});

test("a zoomed picture tells which of its ends are shown", () => {
  const box = { width: 1000, height: 750 };
  assert.deepEqual(endsShown({ scale: 2, x: 0, y: 0 }, box, stage), []);
  assert.deepEqual(endsShown({ scale: 2, x: 500, y: 0 }, box, stage), [-1]);
  assert.deepEqual(endsShown({ scale: 2, x: -500, y: 0 }, box, stage), [1]);
  assert.deepEqual(endsShown({ scale: 1.1, x: 0, y: 0 }, { width: 600, height: 800 }, stage), [-1, 1]);
});

test("a picture can't be moved out of its stage", () => {
  const box = { width: 1000, height: 750 };
  assert.deepEqual(withinStage({ scale: 2, x: 900, y: -900 }, box, stage), { scale: 2, x: 500, y: -350 });
  assert.deepEqual(withinStage({ scale: 1, x: 50, y: 50 }, box, stage), { scale: 1, x: 0, y: 0 });
  assert.deepEqual(withinStage({ scale: 1, x: 50, y: 50 }, { width: 600, height: 800 }, stage), { scale: 1, x: 0, y: 0 });
});

test("swipes", () => {
  assert.equal(swipeOf({ x: -120, y: 8 }, 0.2, 390), "next");
  assert.equal(swipeOf({ x: 200, y: 8 }, 2, 390), "previous");
  assert.equal(swipeOf({ x: -100, y: 8 }, 2, 390), "none", "slow and short");
  assert.equal(swipeOf({ x: 10, y: 160 }, 0.2, 390), "close");
  assert.equal(swipeOf({ x: 10, y: -160 }, 0.2, 390), "none");
  assert.equal(swipeOf({ x: 0, y: 0 }, 0, 390), "none");
});

test("the pace tells what flies by from what is scrolled", () => {
  const pace = new Pace(800);
  pace.moved(0, 0);
  pace.moved(100, 16);
  assert.equal(pace.isTooFast, false, "a wheel's step");
  pace.moved(90_000, 32);
  assert.equal(pace.isTooFast, true);
  assert.equal(pace.direction, 1);
  pace.moved(90_000, 48);
  assert.equal(pace.isTooFast, true, "only a rest ends it");
  pace.moved(89_990, 64);
  assert.equal(pace.isTooFast, false);
  assert.deepEqual(pace.margins, { above: 800, below: 400 }, "more ahead, and ahead is up");
  pace.rested();
  assert.deepEqual(pace.margins, { above: 800, below: 800 }, "at rest, nothing is ahead");
});
