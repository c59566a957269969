import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf, namesBeside, sentencesOf } from "../../Web/models/history.js";

const one = { count: 1 };
const norway = { count: 1, name: "Norway" };

for (const [action, sentence] of [
  [{ kind: "imported", count: 1200 }, "Imported 1,200 items"],
  [{ kind: "deleted", ...one }, "Deleted 1 item"],
  [{ kind: "restored", ...one }, "Restored 1 item"],
  [{ kind: "favorited", count: 3 }, "Favorited 3 items"],
  [{ kind: "unfavorited", count: 3 }, "Removed 3 items from Favorites"],
  [{ kind: "hidden", ...one }, "Hid 1 item"],
  [{ kind: "unhidden", ...one }, "Unhid 1 item"],
  [{ kind: "edited", ...one }, "Edited 1 item"],
  [{ kind: "reverted", ...one }, "Reverted 1 item to the original"],
  [{ kind: "dateChanged", count: 2 }, "Changed the date of 2 items"],
  [{ kind: "placeChanged", count: 2 }, "Changed the place of 2 items"],
  [{ kind: "described", count: 2 }, "Described 2 items"],
  [{ kind: "changed", count: 2 }, "Changed 2 items"],
  [{ kind: "albumMade", ...norway }, "Made the album Norway"],
  [{ kind: "albumMade", count: 4 }, "Made 4 albums"],
  [{ kind: "folderMade", ...norway }, "Made the folder Norway"],
  [{ kind: "albumRestored", ...norway }, "Restored the album Norway"],
  [{ kind: "folderRestored", ...norway }, "Restored the folder Norway"],
  [{ kind: "albumDeleted", ...norway }, "Deleted the album Norway"],
  [{ kind: "folderDeleted", count: 4 }, "Deleted 4 folders"],
  [{ kind: "renamed", count: 1, name: "Oslo", former: "Norway" }, "Renamed Norway to Oslo"],
  [{ kind: "renamed", count: 4 }, "Renamed 4 albums"],
  [{ kind: "moved", ...norway }, "Moved Norway"],
  [{ kind: "reordered", count: 2 }, "Changed the order of albums"],
  [{ kind: "addedToAlbum", count: 12, name: "Norway" }, "Added 12 items to Norway"],
  [{ kind: "addedToAlbum", count: 12 }, "Added 12 items to albums"],
  [{ kind: "removedFromAlbum", count: 12, name: "Norway" }, "Removed 12 items from Norway"],
  [{ kind: "photosReordered", ...norway }, "Changed the order in Norway"],
  [{ kind: "coverChanged", ...norway }, "Changed the cover of Norway"],
]) {
  test(`Y-03 ${action.kind} is told as “${sentence}”`, () => {
    const counts = { assets: { updated: 9 }, collections: { updated: 9 } };
    assert.deepEqual(sentencesOf({ actions: [action], counts }), [sentence]);
  });
}

test("Y-03 several actions are one line", () => {
  const actions = [{ kind: "favorited", count: 3 }, { kind: "coverChanged", ...norway }];
  assert.equal(lineOf({ actions }), "Favorited 3 items, changed the cover of Norway");
});

test("Y-03 a new album is told with its photos", () => {
  const actions = [{ kind: "albumMade", ...norway }, { kind: "addedToAlbum", count: 12, name: "Norway" }, { kind: "addedToAlbum", count: 2, name: "Sweden" }];
  assert.deepEqual(sentencesOf({ actions }), ["Made the album Norway with 12 items", "added 2 items to Sweden"]);
});

test("Y-03 an undo and a redo are told by their own effects", () => {
  const actions = [{ kind: "restored", count: 1 }];
  assert.equal(lineOf({ actions, undoes: null, isUndo: false }), "Restored 1 item");
  assert.equal(lineOf({ actions, undoes: 7, isUndo: true }), "Undo: restored 1 item");
  assert.equal(lineOf({ actions, undoes: 8, isUndo: false }), "Redo: restored 1 item");
});

test("Y-03 without known actions the counts are told", () => {
  const counts = { assets: { inserted: 3, updated: 0, deleted: 1 }, collections: { updated: 1 } };
  for (const actions of [undefined, [], [{ kind: "unknown", count: 1 }]]) {
    assert.deepEqual(sentencesOf({ actions, counts }), ["Added 3 items", "deleted 1 item", "changed 1 album"]);
  }
  assert.deepEqual(sentencesOf({ actions: [], counts: { assets: {}, collections: {} } }), ["Changed nothing that is shown"]);
});

test("Y-03 a name in the line is not told again", () => {
  const names = ["P01.JPG", "Norway", "Oslo"];
  assert.deepEqual(namesBeside({ names }), names);
  assert.deepEqual(namesBeside({ actions: [{ kind: "renamed", count: 1, name: "Oslo", former: "Norway" }], names }), ["P01.JPG"]);
});
