import assert from "node:assert/strict";
import test from "node:test";
import { ColorLattice } from "../../Web/models/color-lattice.js";

const side = 33;

/** Makes a lattice of a function of a color. */
function latticeOf(filter) {
  const bytes = [];
  const at = (place) => Math.round((place * 255) / (side - 1));
  for (let red = 0; red < side; red++) {
    for (let green = 0; green < side; green++) {
      for (let blue = 0; blue < side; blue++) bytes.push(...filter([at(red), at(green), at(blue)]));
    }
  }
  return new ColorLattice(Uint8Array.from(bytes));
}

const colors = [[0, 0, 0], [255, 255, 255], [1, 2, 3], [3, 2, 1], [2, 3, 1], [127, 8, 250], [8, 250, 127], [250, 127, 8], [77, 77, 78]];

test("the lattice of a filter that changes nothing changes no color", () => {
  const pixels = Uint8ClampedArray.from(colors.flatMap((color, index) => [...color, index]));
  latticeOf((color) => color).apply(pixels);
  assert.deepEqual([...pixels], colors.flatMap((color, index) => [...color, index]));
});

test("channels are not confused", () => {
  const pixels = Uint8ClampedArray.from(colors.flatMap((color) => [...color, 255]));
  latticeOf(([red, green, blue]) => [blue, 255 - red, green]).apply(pixels);
  assert.deepEqual([...pixels], colors.flatMap(([red, green, blue]) => [blue, 255 - red, green, 255]));
});

test("gray stays gray between the colors of the lattice", () => {
  const pixels = new Uint8ClampedArray(256 * 4).map((_, index) => Math.floor(index / 4));
  latticeOf(([red]) => [red ** 2 / 255, red ** 2 / 255, red ** 2 / 255]).apply(pixels);
  for (let at = 0; at < pixels.length; at += 4) {
    assert.equal(pixels[at], pixels[at + 1]);
    assert.equal(pixels[at], pixels[at + 2]);
  }
});

test("a lattice of another size is refused", () => {
  assert.throws(() => new ColorLattice(new Uint8Array(3)), { message: "a lattice has 107811 bytes, not 3" });
});
