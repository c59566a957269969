import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { words as pickerWords } from "../../Web/picker/words.js";

const web = new URL("../../Web/", import.meta.url);
const comments = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm;
const literals = /"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`/g;
const keys = /^(Escape|Esc|Enter|Tab|Space|Home|End|Delete|Backspace|Control|Ctrl|Shift|Alt)\b|^(Page|Arrow)/;
// Names that are the same in each language.
const names = /^([A-Z]+|UTC.*|ISO .*|SHA-256.*|[A-Za-z]+Error|Refusal|(Content|Idempotency|Calotype)-[A-Z][a-z]+)$/;

/** Returns the texts in a module that look like words for a person: they begin with a capital. */
function wordsIn(source) {
  const found = [...source.replace(comments, "").matchAll(literals)].map(([, plain, template]) => plain ?? template);
  return found.filter((text) => /^[A-Z][A-Za-z’]+/.test(text) && !keys.test(text) && !names.test(text));
}

test("words are found", () => {
  assert.deepEqual(wordsIn('title("Zoom in", "Escape", "zoom"); // "Not this"\nmark(`Altitude ${height} m`);'), ["Zoom in", "Altitude ${height} m"]);
});

// Pages copy picker.js, which imports nothing. Its words are in the list of the picker too.
const listed = new Map([["picker.js", Object.values(pickerWords.element)]]);

// The models have no words for a person, but many names of formats.
const isChecked = (name) => name.endsWith(".js") && !name.endsWith("words.js") && !name.startsWith("models/");
for (const file of readdirSync(web, { recursive: true }).filter(isChecked)) {
  test(`the words of ${file} are in words.js`, () => {
    const found = wordsIn(readFileSync(new URL(file, web), "utf8"));
    assert.deepEqual(found, listed.get(file) ?? []);
  });
}
