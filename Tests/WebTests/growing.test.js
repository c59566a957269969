import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

// The page, as far as the module needs it when it is loaded.
globalThis.addEventListener = () => {};
globalThis.MutationObserver = class {
  observe() {}
};
let started;
globalThis.document = {
  documentElement: {},
  // As in a browser, the change is made later, and a further transition skips the one before.
  startViewTransition(update) {
    started.at(-1)?.skip();
    let skip, end;
    const ready = new Promise((_, reject) => {
      skip = () => reject(new DOMException("Transition was skipped", "AbortError"));
    });
    const finished = new Promise((resolve, reject) => (end = (error) => (error ? reject(error) : resolve())));
    started.push({ update, skip, end });
    return { ready, finished };
  },
};
const { grow } = await import("../../Examples/WebLibrary/dom.js");

const element = () => ({ style: { viewTransitionName: "" } });
const nameOf = ({ style }) => style.viewTransitionName;
const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => (started = []));

test("a picture grows that another one interrupts, and both changes are made", async () => {
  const [cell, still, other] = [element(), element(), element()];
  const changes = [];
  const growths = [
    grow(cell, still, () => changes.push("open")),
    grow(still, other, () => changes.push("close")),
  ];
  // The rejection would fail this test if nothing handled it.
  await turn();
  for (const { update, end } of started) {
    update();
    end();
  }
  await Promise.all(growths);
  assert.deepEqual(changes, ["open", "close"]);
});

test("no two pictures have the name, and the end of an interrupted growth takes it from none", async () => {
  const [cell, still, other] = [element(), element(), element()];
  const names = () => [cell, still, other].map(nameOf);
  const growths = [grow(cell, still, () => {}), grow(other, still, () => {})];
  assert.deepEqual(names(), ["", "", "photo"]);
  started[0].update();
  started[0].end();
  await growths[0];
  assert.deepEqual(names(), ["", "", "photo"]);
  started[1].update();
  assert.deepEqual(names(), ["", "photo", ""]);
  started[1].end();
  await growths[1];
  assert.deepEqual(names(), ["", "", ""]);
});

test("a change that fails leaves no name", async () => {
  const [cell, still] = [element(), element()];
  const growth = grow(cell, still, () => {});
  started[0].end(new Error("no change"));
  await assert.rejects(growth, /no change/);
  assert.deepEqual([cell, still].map(nameOf), ["", ""]);
});
