"""The files that a page gets from the picker: their types, their metadata, and their pixels."""

import base64
import json
import subprocess

import pytest
from conftest import until
from organizing import add_long_movie
from playwright.sync_api import expect
from test_picker import gallery  # noqa: F401
from test_picker_protocol import choose, open_picker, picked  # noqa: F401

PRIVATE = ("GPS", "XMP", "Caption", "Description")


def tags(path):
    """Returns what exiftool reads from a file, by names with their groups."""
    text = subprocess.run(["exiftool", "-j", "-G1", "-n", str(path)], check=True, capture_output=True, text=True).stdout
    return json.loads(text)[0]


@pytest.fixture
def arrives(site, open_picker, tmp_path):  # noqa: F811
    """Picks an asset. Returns its item, and the path and the type of each file that arrives."""

    def pick(name, configuration, *kinds):
        opener = open_picker({"selectionLimit": 0, "searchText": name, **configuration})
        choose(opener, site, name)
        [item] = picked(opener)
        files = []
        for request, kind in enumerate(kinds or ["main"], 1):
            opener.say({"type": "load", "request": request, "item": item["item"], "kind": kind})
            answer = f"window.heard.find(({{ request, type }}) => request === {request} && type !== 'loading')"
            assert until(opener.page, answer, patience=60)["type"] == "loaded"
            file = opener.page.evaluate(f"""() => new Promise((resolve) => {{
              const {{ file }} = {answer};
              const reader = new FileReader();
              reader.onload = () => resolve({{ name: file.name, type: file.type, data: reader.result.split(',')[1] }});
              reader.readAsDataURL(file);
            }})""")
            path = tmp_path / f"{len(list(tmp_path.iterdir()))}-{file['name']}"
            path.write_bytes(base64.b64decode(file["data"]))
            files.append((path, file["type"]))
        opener.say({"type": "close"})
        return item, files

    return pick


def test_r_14_the_current_form_of_a_live_photo_is_heic_and_quicktime(arrives):
    item, [(photo, photo_type), (movie, movie_type)] = arrives("L01", {}, "main", "pairedVideo")
    assert [(one["kind"], one["type"]) for one in item["types"]] == [("main", photo_type), ("pairedVideo", movie_type)]
    assert (photo_type, movie_type) == ("image/heic", "video/quicktime")
    assert tags(photo)["File:FileType"] == "HEIC" and tags(movie)["File:FileType"] == "MOV"
    assert item["types"][1]["bytes"] == movie.stat().st_size


def test_r_14_the_compatible_form_of_a_live_photo_is_jpeg_and_mp4(arrives):
    item, [(photo, photo_type), (movie, movie_type)] = arrives("L01", {"representation": "compatible"}, "main", "pairedVideo")
    assert [one["type"] for one in item["types"]] == [photo_type, movie_type] == ["image/jpeg", "video/mp4"]
    assert item["name"] == photo.name.partition("-")[2] == "L01.jpg"
    assert tags(photo)["File:FileType"] == "JPEG" and tags(movie)["File:FileType"] == "MP4"


@pytest.mark.parametrize("is_decided, types", [(False, ["image/jpeg", "image/heic"]), (True, ["image/jpeg", "image/jpeg"])])
def test_r_14_a_page_asks_for_each_file_in_a_form_unless_the_person_has_decided(site, open_picker, is_decided, types):  # noqa: F811
    opener = open_picker({"selectionLimit": 0, "searchText": "L01"})
    choose(opener, site, "L01")
    if is_decided:
        opener.picker.get_by_label("Format").select_option("Most compatible")
    [item] = picked(opener)
    for request, (form, type) in enumerate(zip(["compatible", "current"], types), 1):
        opener.say({"type": "load", "request": request, "item": item["item"], "kind": "main", "representation": form})
        file = f"window.heard.find(({{ request, file }}) => request === {request} && file)?.file.type"
        assert until(opener.page, file, patience=60) == type
    stages = "[...new Set(window.heard.filter(({ request, type }) => request === 1 && type === 'loading').map(({ stage }) => stage))]"
    assert opener.page.evaluate(stages) == ["sending", "making"]


@pytest.mark.parametrize("key, format, type", [
    (None, "Automatic", "video/quicktime"), ("m", "Most compatible", "video/mp4"), ("c", "Current", "video/quicktime")])
def test_r_24_the_window_shows_the_format_and_the_person_changes_it(long_movie, site, open_picker, key, format, type):  # noqa: F811
    opener = open_picker({"selectionLimit": 0, "searchText": long_movie, "representation": "automatic"})
    field = opener.picker.get_by_label("Format")
    assert shown_format(field) == "Automatic"
    expect(opener.picker.locator(".options")).to_contain_text("except videos over 30 seconds")
    if key:
        field.press(key)
        expect(opener.picker.locator(".options")).not_to_contain_text("except")
    assert shown_format(field) == format
    choose(opener, site, long_movie)
    [item] = picked(opener)
    assert [one["type"] for one in item["types"]] == [type]


def shown_format(field):
    return field.evaluate("({ selectedOptions }) => selectedOptions[0].textContent")


@pytest.fixture(scope="module")
def long_movie(site, tmp_path_factory):
    """Adds a movie of more than 30 seconds, and returns its name."""
    add_long_movie(site, tmp_path_factory.mktemp("long"))
    return "Long"


def test_r_14_a_compatible_gif_keeps_its_frames_and_a_png_its_pixels(arrives):
    _, [(animation, kind)] = arrives("G01", {"representation": "compatible"})
    assert kind == "image/gif" and tags(animation)["GIF:FrameCount"] > 1
    _, [(screenshot, kind)] = arrives("S01", {"representation": "compatible"})
    assert kind == "image/png" and tags(screenshot)["File:FileType"] == "PNG"


@pytest.mark.parametrize("name", ["P01", "L01", "S01"])
def test_r_23_a_picked_file_has_no_place_and_no_caption(arrives, name):
    _, [(path, _)] = arrives(name, {})
    assert [tag for tag in tags(path) if any(word in tag for word in PRIVATE)] == []


def test_r_24_an_included_place_arrives(arrives):
    _, [(path, _)] = arrives("P01", {"includeLocation": True})
    assert round(tags(path)["Composite:GPSLatitude"], 2) == 41.88
    _, [(path, _)] = arrives("P01", {"includeLocation": True, "maxPixelSize": 64})
    assert round(tags(path)["Composite:GPSLatitude"], 2) == 41.88
    assert max(tags(path)["File:ImageWidth"], tags(path)["File:ImageHeight"]) == 64
