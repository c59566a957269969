import assert from "node:assert/strict";
import { test } from "node:test";
import { messageOf } from "../../Web/models/picker-message.js";

for (const message of [
  { type: "load", request: 1, item: "a", kind: "main" },
  { type: "load", request: 1, item: "a", kind: "main", representation: "compatible" },
  { type: "address", request: 1, item: "a", kind: "pairedVideo", seconds: 60 },
  { type: "update", selectionLimit: 0, searchText: "", edgesWithoutContentMargins: ["top"] },
  { type: "move", identifier: "a", after: null },
  { type: "release" },
  { type: "close", revoke: true },
]) {
  test(`${message.type} is taken as it is`, () => assert.deepEqual(messageOf(message), message));
}

for (const [data, message] of [
  [{ type: "constructor", request: 7 }, "there is no such message"],
  [{ type: "picked", request: 7, items: [] }, "there is no such message"],
  [{ type: "load", request: 7, item: "a", kind: "original" }, "kind: not as it has to be"],
  [{ type: "load", request: 7, item: {}, kind: "main" }, "item: not as it has to be"],
  [{ type: "load", request: 7, item: "a", kind: "main", representation: "best" }, "representation: not as it has to be"],
  [{ type: "address", request: 7, item: "a", kind: "main", seconds: 86_401 }, "seconds: not as it has to be"],
  [{ type: "update", request: 7, selectionLimit: 1.5 }, "selectionLimit: not as it has to be"],
  [{ type: "deselect", request: 7, identifiers: "a" }, "identifiers: not as it has to be"],
]) {
  test(`${JSON.stringify(data)} is refused`, () =>
    assert.deepEqual(messageOf(data), { type: "error", code: "unknown-type", message, request: 7 }));
}

test("fields that a message does not have are left out", () => {
  const message = messageOf(JSON.parse('{"type":"zoomIn","identifiers":["a"],"__proto__":{"after":"b"}}'));
  assert.deepEqual(Object.keys(message), ["type"]);
  assert.equal(message.after, undefined);
});

test("T-19: ten thousand made-up messages are refused or taken, and none throws", () => {
  let state = 1;
  const random = (count) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % count;
  };
  const keys = ["type", "request", "item", "kind", "seconds", "selectionLimit", "searchText", "identifiers", "identifier", "after", "items", "revoke", "__proto__", "toString"];
  const types = ["load", "address", "cancel", "update", "deselect", "move", "scrollToInitialPosition", "zoomIn", "zoomOut", "release", "close"];
  const values = [
    () => types[random(types.length)], () => random(9) - 4, () => "main", () => null, () => undefined, () => NaN, () => Infinity, () => 2 ** 60,
    () => [], () => ["a", {}], () => ({}), () => "x".repeat(random(3) * 1_000), () => true, () => new Map(), () => new ArrayBuffer(4), () => "<img src=x onerror=alert(1)>",
  ];
  const value = () => values[random(values.length)]();
  const message = () => {
    if (random(8) === 0) return value();
    const made = { type: random(4) === 0 ? value() : types[random(types.length)] };
    for (let field = random(5); field > 0; field--) Object.defineProperty(made, keys[random(keys.length)], { value: value(), enumerable: true, configurable: true, writable: true });
    return made;
  };
  const known = new Set([...types, "error"]);
  const seen = new Set();
  for (let index = 0; index < 10_000; index++) {
    const data = message();
    const answer = messageOf(data);
    assert.ok(known.has(answer.type));
    seen.add(answer.type);
    if (answer.type !== "error") assert.equal(answer.type, data.type);
    for (const ids of [answer.identifiers, answer.items]) assert.ok(ids === undefined || ids === null || ids.every((id) => typeof id === "string"));
    assert.ok(answer.request === undefined || Number.isSafeInteger(answer.request));
  }
  assert.ok(seen.has("error") && seen.size > 6, `only ${[...seen]}`);
});
