"""The files that a page gets from the picker: their types, their metadata, and their pixels."""

import base64
import json
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import NO_STREAM_ITERATOR, until
from organizing import add_long_movie
from playwright.sync_api import expect
from test_picker import gallery  # noqa: F401
from test_picker_protocol import choose, open_picker, picked  # noqa: F401

PRIVATE = ("GPS", "XMP", "Caption", "Description", "Location")
# A place and a caption, in all ways in which pictures and movies have them.
PLACE_AND_CAPTION = [
    "-GPSLatitude=41.8781", "-GPSLatitudeRef=N", "-GPSLongitude=-87.6298", "-GPSLongitudeRef=W",
    "-XMP-exif:GPSLatitude=41.8781", "-XMP-dc:Description=Lake", "-IPTC:Caption-Abstract=Lake",
    "-PNG:Description=Lake", "-Keys:Description=Lake", "-Keys:GPSCoordinates=41.8781 -87.6298"]
# The files of the fixture library that get a place and a caption, with their new names.
PLACED = [
    ("P02.JPG", "PlacedA"), ("L01.HEIC", "PlacedB"), ("L01.MOV", "PlacedB"), ("S01.PNG", "PlacedC"),
    ("H01.MOV", "PlacedD")]  # HEVC, which a copy in a compatible form does not have


def all_tags(paths):
    """Returns what exiftool reads from files, by names with their groups."""
    command = ["exiftool", "-j", "-G1", "-n", *paths]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def tags(path):
    return all_tags([path])[0]


def private_tags(files):
    """Returns the tags of files that tell a place or a caption."""
    is_private = lambda tag: any(word in tag for word in PRIVATE) and not tag.endswith(":HandlerDescription")
    return {file: [tag for tag in found if is_private(tag)] for file, found in zip(files, all_tags(files.values()))}


@pytest.fixture
def load(tmp_path):
    """Loads a file of an item. Returns its path and its type."""

    def load(opener, item, kind="main", request=1):
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
        return path, file["type"]

    return load


@pytest.fixture
def arrives(site, open_picker, load):  # noqa: F811
    """Picks an asset. Returns its item, and the path and the type of each file that arrives."""

    def pick(name, configuration, *kinds):
        opener = open_picker({"selectionLimit": 0, "searchText": name, **configuration})
        choose(opener, site, name)
        [item] = picked(opener)
        files = [load(opener, item, kind, request) for request, kind in enumerate(kinds or ["main"], 1)]
        opener.say({"type": "close"})
        return item, files

    return pick


def test_r_14_the_current_form_of_a_live_photo_is_heic_and_quicktime(arrives):
    item, [(photo, photo_type), (movie, movie_type)] = arrives("L01", {}, "main", "pairedVideo")
    assert [(one["kind"], one["type"]) for one in item["types"]] == [("main", photo_type), ("pairedVideo", movie_type)]
    assert (photo_type, movie_type) == ("image/heic", "video/quicktime")
    assert tags(photo)["File:FileType"] == "HEIC" and tags(movie)["File:FileType"] == "MOV"
    assert item["types"][1]["bytes"] == movie.stat().st_size


def test_r_14_the_current_form_is_the_stored_file_and_nothing_is_encoded(site, open_picker, load):  # noqa: F811
    opener = open_picker({"selectionLimit": 0, "searchText": "L01"})
    choose(opener, site, "L01")
    [item] = picked(opener)
    asked = []
    opener.picker.on("request", lambda request: asked.append(request.url.removeprefix(f"{site.address}api/v1/")))
    for request, kind in enumerate(["main", "pairedVideo"], 1):
        load(opener, item, kind, request)
    files = [path for path in asked if not path.startswith(("collections/", "assets/"))]
    assert files == [f"resources/{site.id('L01')}/{number}" for number in range(2)]


def test_r_14_the_compatible_form_of_a_live_photo_is_jpeg_and_mp4(arrives):
    item, [(photo, photo_type), (movie, movie_type)] = arrives("L01", {"representation": "compatible"}, "main", "pairedVideo")
    assert [one["type"] for one in item["types"]] == [photo_type, movie_type] == ["image/jpeg", "video/mp4"]
    assert item["name"] == photo.name.partition("-")[2] == "L01.jpg"
    assert tags(photo)["File:FileType"] == "JPEG" and tags(movie)["File:FileType"] == "MP4"


def test_r_14_files_arrive_in_a_browser_whose_streams_have_no_iterator(site, open_picker, load):  # noqa: F811
    opener = open_picker({"selectionLimit": 0, "searchText": "L01"}, init_script=NO_STREAM_ITERATOR)
    choose(opener, site, "L01")
    [item] = picked(opener)
    assert [tags(load(opener, item, kind, number)[0])["File:FileType"] for number, kind in enumerate(["main", "pairedVideo"], 1)] == ["HEIC", "MOV"]


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


@pytest.fixture(scope="module")
def placed(site, tmp_path_factory):
    """Adds pictures of some formats, a movie and a Live Photo, with places and captions. Returns
    their files, by their names and kinds."""
    folder = tmp_path_factory.mktemp("placed")
    files = {}
    for source, name in PLACED:
        path = folder / f"{name}{Path(source).suffix}"
        shutil.copy(next(Path(site.library).glob(f"originals/**/{source}")), path)
        files[name, "pairedVideo" if source == "L01.MOV" else "main"] = path
    command = ["exiftool", "-q", "-q", "-n", "-overwrite_original", *PLACE_AND_CAPTION, *files.values()]
    subprocess.run(command, check=True)
    for file, written in private_tags(files).items():
        assert "Composite:GPSPosition" in written and "Description" in " ".join(written), f"{file} has only {written}"
    site.calotype("import", *map(str, files.values()))
    site.list_again()
    return files


@pytest.fixture
def placed_arrive(site, open_picker, load, placed):  # noqa: F811
    """Picks all that has a place. Returns the files that arrive, by their names and kinds."""

    def pick(configuration):
        opener = open_picker({"selectionLimit": 0, "selection": "ordered", "searchText": "Placed", **configuration})
        names = sorted({name for name, _ in placed})
        choose(opener, site, *names)
        items = dict(zip(names, picked(opener)))
        return {
            (name, kind): load(opener, items[name], kind, number)[0]
            for number, (name, kind) in enumerate(placed, 1)}

    return pick


def test_t_13_neither_a_picture_nor_a_movie_arrives_with_its_place_or_its_caption(placed, placed_arrive):
    assert private_tags(placed_arrive({})) == {file: [] for file in placed}


def test_t_13_the_movies_without_their_places_are_not_encoded_again(placed, placed_arrive):
    arrived = placed_arrive({})
    for movie in [("PlacedB", "pairedVideo"), ("PlacedD", "main")]:
        assert packets(arrived[movie]) == packets(placed[movie])


def packets(movie):
    """Returns the digest of what the tracks of a movie contain."""
    command = ["ffmpeg", "-v", "error", "-i", movie, "-map", "0", "-c", "copy", "-f", "streamhash", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_r_23_a_file_with_its_place_and_its_caption_is_that_of_the_library(site, placed_arrive):
    arrived = placed_arrive({"includeLocation": True, "includeCaptions": True})
    digests = {file: sha256(path.read_bytes()).hexdigest() for file, path in arrived.items()}
    assert digests == {file: digest for file, digest in in_library(site).items() if file in arrived}


def in_library(site):
    """Returns the digests of the library's files, by their names and kinds."""
    kinds = {"photo": "main", "video": "main", "pairedVideo": "pairedVideo"}
    assets = [json.loads(line) for line in site.calotype("list", "--json").splitlines()]
    return {
        (asset["originalFilename"].partition(".")[0], kinds[resource["type"]]): resource["sha256"]
        for asset in assets for resource in asset["resources"] if resource["type"] in kinds}


def test_r_24_an_included_place_arrives(arrives):
    _, [(path, _)] = arrives("P01", {"includeLocation": True})
    assert round(tags(path)["Composite:GPSLatitude"], 2) == 41.88
    _, [(path, _)] = arrives("P01", {"includeLocation": True, "maxPixelSize": 64})
    assert round(tags(path)["Composite:GPSLatitude"], 2) == 41.88
    assert max(tags(path)["File:ImageWidth"], tags(path)["File:ImageHeight"]) == 64
