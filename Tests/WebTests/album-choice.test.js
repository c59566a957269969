import assert from "node:assert/strict";
import { test } from "node:test";
import { albumsMatching } from "../../Web/models/album-choice.js";

const album = (id, title, can = ["addContent"]) => ({ id, title, kind: "album", can });
const collections = {
  all: [album("1", "Norway"), album("2", "Receipts"), album("3", "In Norway"), album("4", "Shared", []), { id: "5", title: "Norse", kind: "folder", can: [] }],
  parentsOf: (id) => (id === "1" ? [{ title: "Europe" }, { title: "Travels" }] : []),
};
const names = (text, recent = []) => albumsMatching(collections, text, recent).map(({ album, isNew, title }) => (isNew ? `+${title}` : album.title));

test("N-03 albums that can be filled are listed, the last filled first", () => {
  assert.deepEqual(names(""), ["Norway", "Receipts", "In Norway"]);
  assert.deepEqual(names("", ["3", "2"]), ["In Norway", "Receipts", "Norway"]);
});

test("N-03 typing filters, and what begins with the text comes first", () => {
  assert.deepEqual(names("nor", ["3"]), ["Norway", "In Norway", "+nor"]);
  assert.deepEqual(names("NÓR"), ["Norway", "In Norway", "+NÓR"]);
});

test("N-03 a new album is offered if none has the name", () => {
  assert.deepEqual(names("norway"), ["Norway", "In Norway"]);
  assert.deepEqual(names(" Rome "), ["+Rome"]);
});

test("N-03 an album says in which folders it is", () => {
  assert.deepEqual(albumsMatching(collections, "norway", [])[0].path, ["Travels", "Europe"]);
});
