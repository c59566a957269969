"""A program queries and changes a photo library by HTTP."""

import hashlib
import json
from urllib.error import HTTPError
from urllib.parse import quote

import pytest
from apps import Owner, names
from organizing import own_site


def test_o_a_program_queries_and_changes_a_library(own_site):
    owner = Owner(own_site)

    def list_assets(where="", sort="-creationDate", limit=500):
        return owner.fetch(f"assets?limit={limit}&sort={sort}&where={quote(where)}")["assets"]

    def titles(collections):
        return [one["title"] for one in collections]

    # O-01: the newest images, as the list of all images begins.
    images = list_assets("mediaType == 1")
    assert [one["mediaType"] for one in images] == ["image"] * 37
    dates = [owner.fetch(f"assets/{one['id']}")["creationDate"] for one in images[:5]]
    assert dates == sorted(dates, reverse=True)
    assert list_assets("mediaType == 1", limit=5) == images[:5]
    # O-02: the screenshots by their bit. A misspelled key is refused by its name.
    found = names(own_site, list_assets("(mediaSubtypes & 4) != 0"))
    assert sorted(found) == ["S01", "S02", "S03", "S04", "S05", "S06"]
    with pytest.raises(HTTPError) as refusal:
        list_assets("(mediaSubtype & 4) != 0")
    assert refusal.value.code == 400
    assert "mediaSubtype" in json.load(refusal.value)["detail"]
    # O-03: albums and smart albums, and the first photos of an album in its order.
    albums = [one for one in owner.collections() if one["kind"] == "album"]
    assert {"Norway", "Receipts", "Empty"} <= set(titles(albums))
    assert "Favorites" in titles(one for one in owner.collections() if one["kind"] == "smartAlbum")
    norway = own_site.collections["Norway"]
    first = owner.fetch(f"collections/{norway}/assets?order=custom&limit=3")
    assert (names(own_site, first["assets"]), first["total"]) == (["P03", "P01", "P02"], 7)
    # O-03: an album is made, filled and emptied by one request each.
    photos = [own_site.id(name) for name in ("P05", "P01")]
    token = owner.fetch("library")["revision"]
    album = owner.change("createAlbum", **{"as": "$1"}, title="Made")["created"]["$1"]
    owner.change("addAssets", collection=album, assets=photos)
    assert names(own_site, owner.assets(album, order="custom")) == ["P05", "P01"]
    owner.change("removeAssets", collection=album, assets=photos[:1])
    assert names(own_site, owner.assets(album, order="custom")) == ["P01"]
    # O-03: a folder is made, gets the album, and lists it.
    folder = owner.change("createFolder", **{"as": "$1"}, title="A folder")["created"]["$1"]
    owner.change("moveCollections", collections=[album], parent=folder)
    top = [one for one in owner.collections() if one["kind"] == "folder" and one["parent"] is None]
    assert sorted(titles(top)) == ["A folder", "Travels"]
    assert titles(one for one in owner.collections() if one["parent"] == folder) == ["Made"]
    # O-04: a thumbnail has the size that was asked for, also of a part of the picture.
    photo = own_site.id("P19")
    part = {"x": 0, "y": 0, "width": 0.5, "height": 0.5}
    exact = {"asset": photo, "width": 120, "height": 80, "contentMode": "aspectFill", "resizeMode": "exact"}
    whole, crop = image(owner, **exact), image(owner, **exact, normalizedCropRect=part)
    assert size_of(whole) == size_of(crop) == (120, 80)
    assert whole != crop
    # O-04: an edit changes the current version. The other two don't have it.
    owner.change("editAssets", assets=[photo], steps={"filter": "sepia"})
    current, unadjusted, original = (image(owner, **exact, version=version) for version in ("current", "unadjusted", "original"))
    assert unadjusted == original != current
    # O-05: the place and the favorite are set.
    owner.change("setAssets", assets=[photo], location={"latitude": 59.9139, "longitude": 10.7522}, isFavorite=True)
    changed = owner.fetch(f"assets/{photo}")
    assert (changed["latitude"], changed["longitude"], changed["isFavorite"]) == (59.9139, 10.7522, True)
    # O-06: the movie of a Live Photo is its file, byte for byte.
    live = owner.fetch(f"assets/{own_site.id('L01')}")
    [index] = [index for index, one in enumerate(live["resources"]) if one["type"] == "pairedVideo"]
    with owner.open(f"resources/{live['id']}/{index}") as answer:
        movie = answer.read()
    assert hashlib.sha256(movie).hexdigest() == live["resources"][index]["sha256"]
    # O-07: the changes since the beginning name each asset once.
    owner.change("deleteAssets", assets=[own_site.id("P20")])
    changes = owner.fetch(f"changes?since={quote(token)}")
    assert changes["assets"] == {"inserted": [], "updated": [photo], "deleted": [own_site.id("P20")]}
    assert sorted(changes["collections"]["inserted"]) == sorted([album, folder])
    assert owner.fetch(f"changes?since={quote(changes['revision'])}")["assets"] == {"inserted": [], "updated": [], "deleted": []}


def image(owner, **wish):
    with owner.open("images", wish) as answer:
        return answer.read()


def size_of(jpeg):
    """Returns the width and the height that the frame header of a JPEG has."""
    place = 2
    while jpeg[place + 1] not in (0xC0, 0xC1, 0xC2):
        place += 2 + int.from_bytes(jpeg[place + 2:place + 4])
    height, width = (int.from_bytes(jpeg[place + at:place + at + 2]) for at in (5, 7))
    return width, height
