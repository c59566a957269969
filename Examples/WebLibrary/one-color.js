import { make } from "./dom.js";

/** Makes a JPEG of one color, upright or lying. @returns {Promise<Blob>} */
export function pictureOfOneColor() {
  const sides = Math.random() < 0.5 ? [400, 300] : [300, 400];
  const canvas = make("canvas", { width: sides[0], height: sides[1] });
  const context = Object.assign(canvas.getContext("2d"), { fillStyle: `hsl(${Math.random() * 360} 70% 60%)` });
  context.fillRect(0, 0, ...sides);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg"));
}
