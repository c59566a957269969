import assert from "node:assert/strict";
import { test } from "node:test";
import { inTurns } from "../../Web/models/in-turns.js";

test("ten thousand photos are described sixteen at a time, in their order", async () => {
  let [running, most] = [0, 0];
  const values = Array.from({ length: 10_000 }, (_, index) => index);
  const results = await inTurns(16, values, async (value, index) => {
    most = Math.max(most, ++running);
    await (value % 3 === 0 ? new Promise(setImmediate) : null);
    running--;
    return value + index;
  });
  assert.equal(most, 16);
  assert.deepEqual(results, values.map((value) => 2 * value));
});

test("nothing begins once a piece of work has failed", async () => {
  const begun = [];
  const work = async (value) => {
    begun.push(value);
    await null;
    if (value === 1) throw new Error("no answer");
  };
  await assert.rejects(inTurns(2, [0, 1, 2, 3, 4, 5, 6, 7], work), { message: "no answer" });
  const count = begun.length;
  await new Promise(setImmediate);
  assert.deepEqual([begun.length, begun.includes(7)], [count, false]);
});

test("no values are no work", async () => assert.deepEqual(await inTurns(16, [], assert.fail), []));
