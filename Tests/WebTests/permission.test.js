import assert from "node:assert/strict";
import { test } from "node:test";
import { Guard } from "../../Web/models/guard.js";
import { answersTo, choiceOf, shownDescription, statusesOf } from "../../Web/models/requests.js";

test("A-13 a guard is closed for 800 ms, and until something has moved", () => {
  const guard = new Guard(1000);
  guard.moved();
  assert.ok(!guard.isOpen(1100));
  assert.ok(guard.isOpen(1800));
  guard.appeared(2000);
  assert.ok(!guard.isOpen(2900), "nothing has moved since");
  guard.moved();
  assert.ok(guard.isOpen(2900));
});

test("a tap opens a guard if its touch began after the 800 ms", () => {
  const guard = new Guard(1000);
  guard.touched(1700);
  guard.lifted();
  assert.ok(!guard.isOpen(1900), "the finger was on the glass before");
  guard.touched(1900);
  assert.ok(!guard.isOpen(1900), "a touch alone is no tap");
  guard.lifted();
  assert.ok(guard.isOpen(1950));
  guard.appeared(2000);
  guard.lifted();
  assert.ok(!guard.isOpen(2900));
});

test("A-13 a press that began before the 800 ms opens nothing, however late it ends", () => {
  const guard = new Guard(1000);
  guard.pressed(1100);
  guard.moved();
  guard.released();
  assert.ok(!guard.isOpen(2500));
  guard.pressed(2600);
  assert.ok(guard.isOpen(2700));
  guard.appeared(2800);
  guard.released();
  guard.moved();
  assert.ok(!guard.isOpen(3900), "it was down when the buttons appeared");
  guard.pressed(4000);
  assert.ok(guard.isOpen(4000));
});

test("A-14 a description is one line of at most 300 letters", () => {
  assert.equal(shownDescription("To make\u202E a <b>story</b>\n\nof them"), "To make a <b>story</b> of them");
  assert.equal([...shownDescription("📷".repeat(10_000))].length, 300);
  assert.equal(shownDescription(undefined), "");
});

test("A-08 add only has two answers, and the rest three", () => {
  assert.deepEqual(answersTo("addOnly").map(({ answer }) => answer), ["addOnly", "denied"]);
  assert.deepEqual(answersTo("readWrite").map(({ answer }) => answer), ["full", "limited", "denied"]);
});

test("choices and statuses belong together", () => {
  for (const choice of ["authorized", "limited", "addOnly", "denied", "restricted"]) assert.equal(choiceOf(statusesOf(choice)), choice);
  assert.equal(choiceOf({ readWrite: "notDetermined", addOnly: "notDetermined" }), "notDetermined");
  assert.equal(choiceOf({ readWrite: "notDetermined", addOnly: "authorized" }), "addOnly");
});
