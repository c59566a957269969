/** The number of colors along each side of a lattice. */
const side = 33;
const redStep = 3 * side * side;
const greenStep = 3 * side;
const blueStep = 3;
/** For each value of a channel: the plane below it, and the part of the way to the next one. */
const planes = new Uint8Array(256);
const parts = new Float32Array(256);
for (let value = 0; value < 256; value++) {
  const position = (value * (side - 1)) / 255;
  planes[value] = Math.min(Math.floor(position), side - 2);
  parts[value] = position - planes[value];
}

/**
 * The results of a color filter for 33 × 33 × 33 evenly spread colors, as the server sends them.
 * Colors between them are interpolated in the tetrahedron around them, as the server does it.
 *
 *     new ColorLattice(bytes).apply(imageData.data)
 */
export class ColorLattice {
  /** @param {Uint8Array} bytes red, green and blue of each color; blue changes fastest */
  constructor(bytes) {
    if (bytes.length !== side * redStep) throw new RangeError(`a lattice has ${side * redStep} bytes, not ${bytes.length}`);
    this.bytes = bytes;
  }

  /** Filters pixels in place. Alpha stays. @param {Uint8ClampedArray} pixels RGBA */
  apply(pixels) {
    const { bytes } = this;
    for (let at = 0; at < pixels.length; at += 4) {
      const red = pixels[at], green = pixels[at + 1], blue = pixels[at + 2];
      const corner = planes[red] * redStep + planes[green] * greenStep + planes[blue] * blueStep;
      // The way to the opposite corner leads along the edges, the longest part first.
      let first = parts[red], second = parts[green], third = parts[blue];
      let firstStep = redStep, secondStep = greenStep, thirdStep = blueStep;
      if (first < second) {
        first = parts[green], second = parts[red];
        firstStep = greenStep, secondStep = redStep;
      }
      if (second < third) {
        third = second, second = parts[blue];
        thirdStep = secondStep, secondStep = blueStep;
        if (first < second) {
          second = first, first = parts[blue];
          secondStep = firstStep, firstStep = blueStep;
        }
      }
      const one = corner + firstStep;
      const two = one + secondStep;
      const three = two + thirdStep;
      for (let channel = 0; channel < 3; channel++) {
        pixels[at + channel] = bytes[corner + channel] * (1 - first) + bytes[one + channel] * (first - second)
          + bytes[two + channel] * (second - third) + bytes[three + channel] * third;
      }
    }
  }
}
