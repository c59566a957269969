import assert from "node:assert/strict";
import { test } from "node:test";
import { sentencesOf } from "../../Web/models/history.js";

test("Y-03 a transaction is told in words", () => {
  assert.deepEqual(sentencesOf({ assets: { inserted: 3, updated: 0, deleted: 1 }, collections: { updated: 1 } }), ["Added 3 items", "deleted 1 item", "changed 1 album"]);
  assert.deepEqual(sentencesOf({ assets: {}, collections: {} }), ["Changed nothing that is shown"]);
});
