import assert from "node:assert/strict";
import { test } from "node:test";

test("two copies of picker.js in one page share the element of the first", async () => {
  const defined = new Map();
  globalThis.HTMLElement = class {};
  globalThis.customElements = {
    get: (name) => defined.get(name),
    define: (name, element) => {
      if (defined.has(name)) throw new Error(`${name} is defined already`);
      defined.set(name, element);
    },
  };
  const first = await import("../../Web/picker.js");
  const second = await import("../../Web/picker.js?second");
  assert.equal(defined.get("photo-picker"), first.PhotoPickerElement);
  assert.equal(typeof second.PhotoPicker.open, "function");
});
