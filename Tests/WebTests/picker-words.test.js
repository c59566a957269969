import assert from "node:assert/strict";
import { test } from "node:test";

/** The message of the picker's page, with the paragraphs that it shows. */
const message = {
  children: [],
  contains: () => false,
  get firstChild() {
    return this.children[0] ?? null;
  },
  replaceChildren(...children) {
    this.children = children;
  },
};
globalThis.document = {
  querySelector: (selector) => (selector === ".message" ? message : {}),
  createElement: () => ({ setAttribute() {}, append() {} }),
};
const { messages, sayInstead } = await import("../../Web/picker/page-messages.js");

test("a text replaces the one that is shown", () => {
  messages.say("Handing over");
  sayInstead("Handed over");
  assert.deepEqual(message.children.map(({ textContent }) => textContent), ["Handed over"]);
});

test("progress that comes after a cancel says nothing", () => {
  messages.clear();
  sayInstead("Handing over 0 of 1");
  assert.deepEqual(message.children, []);
});
