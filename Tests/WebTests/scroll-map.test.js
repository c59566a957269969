import assert from "node:assert/strict";
import { test } from "node:test";
import { ScrollMap, ScrollPosition, greatestScrollHeight } from "../../Web/models/scroll-map.js";

// The height of a million assets in three columns of 130 pixels, on a phone.
const height = 43_333_290;
const windowHeight = 844;
const map = new ScrollMap(height, windowHeight);

test("a library that fits maps to itself", () => {
  const small = new ScrollMap(100_000, 800);
  assert.ok(small.isExact);
  for (const y of [0, 1, 500, 99_200]) {
    assert.equal(small.scrollTopFor(y), y);
    assert.equal(small.yFor(y), y);
  }
  assert.equal(small.scrollTopFor(1e9), 99_200);
});

test("a higher one stays below the browsers' limits", () => {
  assert.equal(map.scrollHeight, greatestScrollHeight);
  assert.ok(map.scrollHeight < 17_800_000);
});

test("the ends map to the ends, pixel by pixel", () => {
  for (const distance of [0, 1, 777, 499_999]) {
    assert.equal(map.scrollTopFor(distance), distance);
    assert.equal(map.scrollTopFor(map.lastY - distance), map.lastScrollTop - distance);
    assert.equal(map.yFor(map.lastScrollTop - distance), map.lastY - distance);
  }
});

test("there and back is the same place, and the order is kept", () => {
  let before = -1;
  for (let y = 0; y <= map.lastY; y += 54_321) {
    const scrollTop = map.scrollTopFor(y);
    assert.ok(scrollTop > before);
    before = scrollTop;
    assert.ok(Math.abs(map.yFor(scrollTop) - y) < 0.001);
  }
});

test("small steps move the library pixel by pixel anywhere", () => {
  const position = new ScrollPosition(map);
  position.moveTo(20_000_000);
  for (let step = 1; step <= 50; step++) {
    assert.equal(position.scrolled(position.scrollTop + 100), null);
    assert.equal(position.y, 20_000_000 + step * 100);
  }
});

test("restoring changes the scroll position and not what is shown", () => {
  const position = new ScrollPosition(map);
  position.moveTo(20_000_000);
  for (let step = 0; step < 50; step++) position.scrolled(position.scrollTop + 1000);
  const scrolled = position.scrollTop;
  const settled = position.restore();
  assert.ok(settled < scrolled);
  assert.equal(position.scrollTop, settled);
  assert.equal(position.y, 20_050_000);
  assert.equal(position.restore(), null);
});

test("a jump of the scroll bar is looked up in the map", () => {
  const position = new ScrollPosition(map);
  position.scrolled(map.lastScrollTop / 2);
  assert.ok(Math.abs(position.y - map.lastY / 2) < 2);
  position.scrolled(map.lastScrollTop);
  assert.equal(position.y, map.lastY);
});

test("scrolling without a pause reaches the end and not past it", () => {
  const position = new ScrollPosition(map);
  position.moveTo(map.lastY - 900_000);
  for (let step = 0; step < 1_000; step++) {
    const wished = Math.min(position.scrollTop + 1_000, map.lastScrollTop);
    position.scrolled(wished);
    assert.ok(position.y <= map.lastY);
  }
  assert.equal(position.y, map.lastY);
  assert.equal(position.scrollTop, map.lastScrollTop);
});

test("scrolling without a pause reaches the beginning", () => {
  const position = new ScrollPosition(map);
  position.moveTo(900_000);
  for (let step = 0; step < 1_000; step++) position.scrolled(Math.max(position.scrollTop - 1_000, 0));
  assert.equal(position.y, 0);
  assert.equal(position.scrollTop, 0);
});
