import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, everything, isSamePlace, ordersOf, placeOf, placeOfCollection } from "../../Web/models/places.js";

const at = (address) => placeOf(new URL(address, "http://library.test"));

for (const [address, kind, id, query] of [
  ["/", "photos", "userLibrary"],
  ["/smart/favorites", "smart", "favorites"],
  ["/album/5F3A", "album", "5F3A"],
  ["/folder/5F3A", "folder", "5F3A"],
  ["/search?q=caf%C3%A9+2019", "search", "search", "café 2019"],
  ["/history", "history", "history"],
  ["/access", "access", "access"],
]) {
  test(`${address} is a place, whose address it is`, () => {
    const place = at(address);
    assert.deepEqual([place.kind, place.id, place.query], [kind, id, query]);
    assert.equal(addressOf(place), address);
  });
}

for (const address of ["/nothing", "/album/", "/album/a/b", "/album/%E0%A4%A"]) {
  test(`${address} is no place, so it shows all photos`, () => assert.equal(at(address), everything));
}

test("a collection's place is that of its kind, and all photos are at the root", () => {
  assert.deepEqual(placeOfCollection({ id: "videos", kind: "smartAlbum" }), { kind: "smart", id: "videos" });
  assert.deepEqual(placeOfCollection({ id: "a", kind: "folder" }), { kind: "folder", id: "a" });
  assert.equal(placeOfCollection({ id: "userLibrary", kind: "smartAlbum" }), everything);
});

test("searches for other words are other places", () => {
  assert.ok(!isSamePlace(at("/search?q=a"), at("/search?q=b")));
  assert.ok(isSamePlace(at("/album/1"), at("/album/1")));
});

for (const [place, first] of [["/", "newest"], ["/album/1", "custom"], ["/smart/recentlyDeleted", "deleted"], ["/smart/recentlyAdded", "added"]]) {
  test(`${place} begins in the order ${first}`, () => assert.equal(ordersOf(at(place))[0], first));
}
