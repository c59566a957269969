import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const elements = new URL("../../Web/elements/", import.meta.url);
const comments = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm;
const literals = /"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`/g;
const keys = /^(Escape|Esc|Enter|Tab|Space|Home|End|Delete|Backspace|Control|Ctrl|Shift|Alt)\b|^(Page|Arrow)/;
// Names that are the same in each language.
const names = /^(GET|POST|PUT|PATCH|DELETE|UTC.*|SHA-256 .*|[A-Za-z]+Error)$/;

/** Returns the texts in a module that look like words for a person: they begin with a capital. */
function wordsIn(source) {
  const found = [...source.replace(comments, "").matchAll(literals)].map(([, plain, template]) => plain ?? template);
  return found.filter((text) => /^[A-Z][A-Za-z’]+/.test(text) && !keys.test(text) && !names.test(text));
}

test("words are found", () => {
  assert.deepEqual(wordsIn('title("Zoom in", "Escape", "zoom"); // "Not this"\nmark(`Altitude ${height} m`);'), ["Zoom in", "Altitude ${height} m"]);
});

for (const file of readdirSync(elements).filter((name) => name.endsWith(".js"))) {
  test(`the words of ${file} are in words.js`, () => assert.deepEqual(wordsIn(readFileSync(new URL(file, elements), "utf8")), []));
}
