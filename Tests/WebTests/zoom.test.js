import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "../../Web/models/pace.js";
import { swipeOf } from "../../Web/models/swipe.js";
import { fit, fitted, greatestScale, withinStage, zoomedAt } from "../../Web/models/zoom.js";

const stage = { width: 1000, height: 800 };

test("a picture fits its stage and a small one is not blown up", () => {
  assert.deepEqual(fit({ width: 4000, height: 3000 }, stage), { width: 1000, height: 750 });
  assert.deepEqual(fit({ width: 3000, height: 4000 }, stage), { width: 600, height: 800 });
  assert.deepEqual(fit({ width: 100, height: 50 }, stage), { width: 200, height: 100 });
  assert.deepEqual(fit({ width: 0, height: 0 }, stage), stage);
});

test("what is under the pointer stays there", () => {
  const point = { x: 120, y: -40 };
  const zoom = zoomedAt({ scale: 1.5, x: 30, y: 10 }, 2, point, 8);
  assert.equal(zoom.scale, 3);
  assert.equal((point.x - zoom.x) / zoom.scale, (point.x - 30) / 1.5);
  assert.equal((point.y - zoom.y) / zoom.scale, (point.y - 10) / 1.5);
});

test("the scale has bounds", () => {
  assert.equal(zoomedAt(fitted, 0.1, { x: 0, y: 0 }, 8).scale, 1);
  assert.equal(zoomedAt(fitted, 100, { x: 0, y: 0 }, 8).scale, 8);
  assert.equal(greatestScale({ width: 4000, height: 3000 }, { width: 1000, height: 750 }), 16);
  assert.equal(greatestScale({ width: 100, height: 100 }, { width: 200, height: 200 }), 3);
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
  assert.equal(pace.isFlying, false, "a wheel's step");
  pace.moved(90_000, 32);
  assert.equal(pace.isFlying, true);
  assert.equal(pace.direction, 1);
  pace.moved(90_000, 48);
  assert.equal(pace.isFlying, true, "only a rest ends it");
  pace.moved(89_990, 64);
  assert.equal(pace.isFlying, false);
  assert.deepEqual(pace.margins, { above: 800, below: 400 }, "more ahead, and ahead is up");
});
