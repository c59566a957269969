import assert from "node:assert/strict";
import { test } from "node:test";
import { albumGroup, CollectionList, emptyAction, sidebarRows, smartGroup } from "../../Web/models/collections.js";

const collection = (id, kind, count, parent = null, title = id) => ({ id, kind, title, parent, count, covers: [] });
const list = new CollectionList([
  collection("userLibrary", "smartAlbum", 49), collection("favorites", "smartAlbum", 0),
  collection("videos", "smartAlbum", 12), collection("panoramas", "smartAlbum", 0),
  collection("recentlyDeleted", "smartAlbum", 0),
  collection("Receipts", "album", 3), collection("Travels", "folder", 11), collection("Japan", "album", 3, "Travels"),
  collection("Europe", "folder", 1, "Travels"), collection("rome", "album", 1, "Europe", "Róme"),
]);
const rows = (state) => sidebarRows(list, { collapsed: new Set(), expanded: new Set(), showsEmpty: false, ...state });
const ids = (state) => rows(state).map(({ id }) => id);

test("smart albums without assets are left out, but for favorites and the deleted", () => {
  assert.deepEqual(ids(), [
    "userLibrary", smartGroup, "favorites", "videos", "recentlyDeleted", emptyAction, albumGroup, "Receipts", "Travels",
  ]);
  assert.ok(ids({ showsEmpty: true }).includes("panoramas"));
});

test("on a phone, albums come before smart albums", () => {
  assert.deepEqual(ids({ areAlbumsFirst: true }), [
    "userLibrary", albumGroup, "Receipts", "Travels", smartGroup, "favorites", "videos", "recentlyDeleted", emptyAction,
  ]);
});

test("a locked album is shown, since nobody learns whether it is empty", () => {
  const hidden = { ...collection("allHidden", "smartAlbum", 0), isLocked: true };
  const shown = sidebarRows(new CollectionList([...list.all, hidden]), { collapsed: new Set(), expanded: new Set(), showsEmpty: false });
  assert.ok(shown.some(({ id }) => id === "allHidden"));
});

test("folders show their content when they are expanded, at any depth", () => {
  assert.deepEqual(ids({ expanded: new Set(["Travels"]) }).slice(-4), ["Receipts", "Travels", "Japan", "Europe"]);
  assert.deepEqual(ids({ expanded: new Set(["Travels", "Europe"]) }).slice(-2), ["Europe", "rome"]);
});

test("a group that is collapsed shows its heading only", () => {
  assert.deepEqual(ids({ collapsed: new Set([smartGroup, albumGroup]) }), ["userLibrary", smartGroup, albumGroup]);
});

test("each row says its level, and its place among its siblings", () => {
  const found = rows({ expanded: new Set(["Travels", "Europe"]) });
  const of = (id) => {
    const { level, position, setSize } = found.find((row) => row.id === id);
    return [level, position, setSize];
  };
  assert.deepEqual(of("userLibrary"), [1, 1, 3]);
  assert.deepEqual(of(albumGroup), [1, 3, 3]);
  assert.deepEqual(of("Receipts"), [2, 1, 2]);
  assert.deepEqual(of("Travels"), [2, 2, 2]);
  assert.deepEqual(of("Europe"), [3, 2, 2]);
  assert.deepEqual(of("rome"), [4, 1, 1]);
});

test("typing filters by title, without case and accents, in closed folders too", () => {
  assert.deepEqual(ids({ filter: " ROME " }), [albumGroup, "rome"]);
  assert.deepEqual(ids({ filter: "v" }), [smartGroup, "videos", albumGroup, "Travels"]);
  assert.equal(rows({ filter: "nothing" }).at(-1).kind, "note");
});

test("parents are told from the nearest on", () => {
  assert.deepEqual(list.parentsOf("rome").map(({ id }) => id), ["Europe", "Travels"]);
  assert.deepEqual(list.parentsOf("Receipts"), []);
});

test("rows of 2,000 albums read each title a few times", () => {
  let count = 0;
  const many = new CollectionList(Array.from({ length: 2_000 }, (_, number) => {
    const album = collection(`album ${number}`, "album", 1);
    return Object.defineProperty({ ...album }, "title", { enumerable: true, get: () => (count++, album.title) });
  }));
  count = 0;
  sidebarRows(many, { collapsed: new Set(), expanded: new Set(), filter: "1" });
  assert.ok(count > 0 && count <= 2 * 2_000, `${count} reads`);
});
