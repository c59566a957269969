import assert from "node:assert/strict";
import { test } from "node:test";
import { Attendance, attendedTime, isOfPerson, request } from "../../Web/helpers/attended.js";

const unattended = { "Calotype-Unattended": "1" };

test("a page that a person has just opened is attended", () => {
  assert.deepEqual(new Attendance(0).fields(attendedTime - 1, false), {});
});

test("a page that nobody touches for a minute is unattended", () => {
  assert.deepEqual(new Attendance(0).fields(attendedTime, false), unattended);
});

test("an act makes the page attended again", () => {
  const attendance = new Attendance(0);
  attendance.act(500_000);
  assert.deepEqual(attendance.fields(500_000 + attendedTime - 1, false), {});
  assert.deepEqual(attendance.fields(500_000 + attendedTime, false), unattended);
});

test("a hidden page is unattended", () => {
  assert.deepEqual(new Attendance(0).fields(1, true), unattended);
});

test("an act is told once a minute, unless a request has told it", () => {
  const attendance = new Attendance(0);
  assert.equal(attendance.act(attendedTime - 1), false);
  assert.equal(attendance.act(attendedTime), true);
  attendance.fields(attendedTime, false);
  assert.equal(attendance.act(2 * attendedTime - 1), false);
  assert.equal(attendance.act(2 * attendedTime), true);
});

test("a request that is unattended tells of no act", () => {
  const attendance = new Attendance(0);
  attendance.fields(attendedTime - 1, true);
  assert.equal(attendance.act(attendedTime), true);
});

const isTrusted = true;
const events = [
  { type: "click", isTrusted, is: true },
  { type: "click", isTrusted: false, is: false },
  { type: "pointermove", isTrusted, movementX: 0, movementY: -1, is: true },
  { type: "pointermove", isTrusted, movementX: 0, movementY: 0, is: false },
  { type: "pointermove", isTrusted: false, movementX: 1, movementY: 1, is: false },
  { type: "timeupdate", isTrusted, target: { loop: false }, is: true },
  { type: "timeupdate", isTrusted, target: { loop: true }, is: false },
];
for (const { is, ...event } of events) {
  test(`${JSON.stringify(event)} is ${is ? "" : "not "}of a person`, () => assert.equal(isOfPerson(event), is));
}

test("a request keeps its own options and fields", async (context) => {
  const fetched = context.mock.method(globalThis, "fetch", async () => null);
  await request("/a", { method: "PUT", headers: { A: "1" } });
  assert.deepEqual(fetched.mock.calls[0].arguments, ["/a", { method: "PUT", headers: { A: "1" } }]);
});
