import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const examples = new URL("../../Examples/", import.meta.url);
/** The parts that several pages share. */
const shared = "WebLibrary";

test("each script and program of the examples has at most 150 lines", () => {
  const long = readdirSync(examples, { recursive: true })
    .filter((path) => /\.(js|swift)$/.test(path) && !path.startsWith(shared))
    .map((path) => [path, readFileSync(new URL(path, examples), "utf8").trimEnd().split("\n").length])
    .filter(([, lines]) => lines > 150);
  assert.deepEqual(long, []);
});
