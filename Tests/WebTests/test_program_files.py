"""The files that a Swift program gets from its picker, without what is removed or missing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import wait_for
from organizing import add_long_movie, encoders, own_site, until_nothing_is_encoded  # noqa: F401
from playwright.sync_api import expect
from test_picker_files import tags
from test_program_picker import drive, pick_by_name, show, signed_in, start  # noqa: F401

# The files of the fixture library of which copies get a place and a caption.
PRIVATE = {"PrivJPEG": "P02.JPG", "PrivHEIC": "L01.HEIC", "PrivPNG": "S01.PNG", "PrivMOV": "V01.MOV"}
PICTURE_TAGS = ["-GPSLatitude=59.9", "-GPSLatitudeRef=N", "-GPSLongitude=10.7", "-GPSLongitudeRef=E", "-EXIF:ImageDescription=Ada's home"]
MOVIE_TAGS = ["-Keys:GPSCoordinates=59.9, 10.7, 0", "-Keys:Description=Ada's home"]
# The groups of exiftool that are not of a file's content.
OF_FILE = ("SourceFile", "System:", "ExifTool:")
# The entries that are cleared become padding.
PADDING = "Padding"


def original(site, name):
    """Returns the file of a name: P07, or L01.HEIC."""
    return next(Path(site.library).glob(f"originals/**/{name if '.' in name else name + '.*'}"))


@pytest.fixture
def private_files(own_site, tmp_path):  # noqa: F811
    """Adds a file of each kind with a place and a caption. Returns the site."""
    folder = tmp_path / "private"
    folder.mkdir()
    for name, source in PRIVATE.items():
        copy = folder / f"{name}{Path(source).suffix}"
        shutil.copyfile(original(own_site, source), copy)
        own_tags = MOVIE_TAGS if copy.suffix == ".MOV" else PICTURE_TAGS
        subprocess.run(["exiftool", "-q", "-overwrite_original", *own_tags, str(copy)], check=True)
    own_site.calotype("import", str(folder))
    own_site.list_again()
    return own_site


def has_place(found):
    return any("GPSLatitude" in tag or "GPSCoordinates" in tag for tag in found)


def has_caption(found):
    return "Ada's home" in found.values()


def without(found, *words):
    """Returns the tags of a file's content whose names have none of these words."""
    return {tag: value for tag, value in found.items() if not tag.startswith(OF_FILE) and not any(word in tag for word in (PADDING, *words))}


@pytest.mark.parametrize("removes, unchecked, words", [
    ("none", None, ()), ("location", None, ("GPS",)), ("none", ".location", ("GPS",)),
    ("captions", None, ("Description", "UserComment")), ("none", ".captions", ("Description", "UserComment"))],
    ids=["nothing", "the program's place", "the person's place", "the program's captions", "the person's captions"])
def test_r_23_r_24_files_lose_what_is_removed_and_nothing_else(private_files, drive, show, tmp_path, removes, unchecked, words):  # noqa: F811
    driver = drive(private_files.library)
    driver.tell("show", "selection=ordered", f"removes={removes}")
    page = show(driver.next_address(), private_files.cookies)
    assert page.is_checked(".location") == (removes != "location") and page.is_checked(".captions") == (removes != "captions")
    if unchecked:
        page.uncheck(unchecked)
    pick_by_name(driver, page, private_files, *PRIVATE)
    driver.tell("dismiss")
    for index, name in enumerate(PRIVATE):
        copy = tmp_path / f"copy{index}"
        driver.tell("save", str(index), str(copy))
        assert driver.lines(index + 2)[-1].startswith("saved "), name
        stored = original(private_files, name)
        if not words:
            assert copy.read_bytes() == stored.read_bytes(), name
            continue
        before, after = tags(stored), tags(copy)
        assert has_place(before) and has_caption(before), name
        assert has_place(after) == ("GPS" not in words), name
        assert has_caption(after) == ("Description" not in words), name
        assert without(after, *words) == without(before, *words), name
        # Nothing is encoded again, or moved.
        assert copy.stat().st_size == stored.stat().st_size, name
        assert sum(a != b for a, b in zip(copy.read_bytes(), stored.read_bytes())) < 1_000, name


def test_r_24_automatic_leaves_a_long_movie_as_it_is_unless_the_person_wants_another_format(own_site, drive, show, tmp_path):  # noqa: F811
    add_long_movie(own_site, tmp_path, repeats=16)
    driver = drive(own_site.library)
    for number, (chosen, type) in enumerate((("Automatic", "com.apple.quicktime-movie"), ("Most compatible", "public.mpeg-4"))):
        driver.tell("show", "representation=automatic")
        page = show(driver.next_address(), own_site.cookies)
        expect(page.get_by_label("Format")).to_have_value("automatic")
        page.get_by_label("Format").select_option(chosen)
        pick_by_name(driver, page, own_site, "Long", count=2 * number + 1)
        driver.tell("dismiss")
        driver.tell("save", "0", str(tmp_path / "copy"))
        assert driver.lines(2 * number + 2)[-1].startswith(f"saved {type} ")


def is_missing(line, name):
    """Whether a load has failed once, for the reason that the original of a name is missing."""
    return line.startswith("failed: ") and name in line and ("missing" in line or "original" in line) and "calls: 1" in line


def test_an_original_that_is_missing_when_it_is_loaded_is_a_failure(own_site, drive, show):  # noqa: F811
    driver = drive(own_site.library)
    driver.tell("show", "selection=ordered")
    pick_by_name(driver, show(driver.next_address(), own_site.cookies), own_site, "P07", "V01", "P08")
    driver.tell("dismiss")
    for name in ("P07", "V01"):
        os.remove(original(own_site, name))
    for number, (result, kind, name) in enumerate(((0, "file", "P07.JPG"), (0, "image", "P07.JPG"), (1, "file", "V01.MOV"))):
        driver.tell("load", str(result), kind)
        outcome = driver.lines(2 * number + 3)[-1]
        assert is_missing(outcome, name), outcome
    # The others are handed over as before.
    driver.tell("load", "2", "file")
    assert driver.lines(9)[-1].startswith(f"{original(own_site, 'P08').stat().st_size} bytes")


def test_an_original_that_is_missing_after_a_cancelled_load_is_a_failure(own_site, drive, show, tmp_path):  # noqa: F811
    add_long_movie(own_site, tmp_path)
    driver = drive(own_site.library)
    driver.tell("show", "representation=compatible")
    pick_by_name(driver, show(driver.next_address(), own_site.cookies), own_site, "Long")
    driver.tell("dismiss")
    driver.tell("load", "0", "file")
    wait_for(lambda: encoders(own_site), "the server's encoding")
    os.remove(original(own_site, "Long"))
    driver.tell("cancel")
    until_nothing_is_encoded(own_site)
    assert driver.lines(3)[2].startswith("canceled ")
    driver.tell("load", "0", "file")
    outcome = driver.lines(5)[4]
    assert is_missing(outcome, "Long.MOV"), outcome
