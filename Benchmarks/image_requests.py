"""Measures the time to the answer of an image request, and the cost of many requests."""

import sqlite3
import subprocess
from contextlib import closing
from statistics import median

from made_up import make_library
from processes import quietly
from report import Figure, Limit

TITLE = "Requests"
NOTE = """\
An app's requests for images, by the public API. Its main queue is free unless said otherwise.

- First answers: opportunistic requests for 200 × 200 pixels of photos of 12 megapixels that have a
  thumbnail of 320 × 240 inside and were not requested before. The decode of the image itself has
  begun when the answers arrive. A HEIC's thumbnail takes 14 kB (six iPhones' took 3 to 16).
- Scrolling: a grid of 100,000 stored renditions (480 × 360), with 6 × 12 cells of 240 × 240 pixels
  that are cropped to their size. A flick of up to 45 rows a second scrolls it every 1.5 seconds, at
  60 frames a second of real time. `PHCachingImageManager` prepares a screen above and a screen
  below. A cell waits if its image is not there in its first frame. An image counts as served off
  the screen if neither a cell nor the prepared window had waited for it in the last 100 ms.
- Memory: 1,000 different requests for whole pictures of 12 megapixels. The main queue is blocked
  for ten seconds, and then takes fifty results. The rows show the most that the program held, and
  the sum of the most that each worker held."""

JPEGS, HEICS = 40, 4
# Encoding a HEIC is slow, so each becomes several files that differ only in their metadata.
COPIES = 5
GRID, GRID_QUICK = 100_000, 5_000


def measure(bench):
    """Measures first answers, prepared images, a grid, and memory."""
    return [*_first_answers(bench), *_cached(bench), *_scrolled(bench), *_memory(bench)]


def _first_answers(bench):
    library = _library_of_thumbnails(bench)
    runs = []
    for _ in range(bench.rounds(3)):
        _forget_renditions(library)
        runs.append(_run(bench, "first", library))
    yield Limit("first answer, JPEG with a thumbnail inside", _median(runs, "first public.jpeg"), 5, "ms")
    yield Limit("first answer, HEIC with a thumbnail inside", _median(runs, "first public.heic"), 5, "ms")
    yield Limit("first answer from the store", _median(runs, "stored"), 1, "ms")


def _cached(bench):
    runs = [_run(bench, "cached", bench.library) for _ in range(bench.rounds(3))]
    yield Figure("images that were prepared, one thread", _median(runs, "cached"), 2000, "/s")


def _scrolled(bench):
    library = make_library(
        bench, "Grid.calotype", GRID_QUICK if bench.quick else GRID, bench.library, with_pictures=None)
    run = _run(bench, "scroll", library, 10 if bench.quick else 60)
    yield Figure(f"scrolling, {run['cells']:,.0f} cells: drawn without waiting", 100 * run["share"], 99, "%")
    yield Limit("scrolling: served when off the screen for 100 ms", run["late"], 0, "requests")
    yield Limit("scrolling: longest frame's work", run["longest"], None, "ms")


def _memory(bench):
    images = _run(bench, "memory", bench.library, "images")
    yield Limit("1,000 requests for whole pictures: the program", images["program"], 512, "MB")
    yield Limit("1,000 requests for whole pictures: its workers", images["workers"], None, "MB")
    data = _run(bench, "memory", bench.library, "data")
    yield Limit("1,000 requests for files' data: the program", data["program"], 512, "MB")


def _run(bench, *arguments):
    done = subprocess.run(
        [bench.program.with_name("request-benchmark"), *map(str, arguments)], check=True, capture_output=True, text=True)
    return {name: float(number) for name, _, number in (line.rpartition(" ") for line in done.stdout.splitlines())}


def _median(runs, name):
    return median(run[name] for run in runs)


def _library_of_thumbnails(bench):
    """Returns a library of photos with embedded thumbnails, as phones write them."""
    folder = bench.folder / "thumbnails"
    folder.mkdir()
    photos = bench.photos()
    jpegs = [photo for photo in photos if photo.suffix == ".JPG"][:10 if bench.quick else JPEGS]
    thumbnail = bench.folder / "thumbnail.jpg"
    for photo in jpegs:
        quietly(["vips", "thumbnail", photo, f"{thumbnail}[Q=75,strip]", "320"])
        quietly(["exiftool", "-q", f"-ThumbnailImage<={thumbnail}", "-o", folder / photo.name, photo])
    for photo in jpegs[:2 if bench.quick else HEICS]:
        heic = folder / f"{photo.stem}.HEIC"
        quietly(["heif-enc", "-q", "52", "-t", "320", photo, "-o", heic])
        for number in range(1, COPIES):
            copy = folder / f"{photo.stem}-{number}.HEIC"
            quietly(["exiftool", "-q", f"-ImageDescription={number}", "-o", copy, heic])
    library = bench.folder / "Thumbnails.calotype"
    quietly([bench.program, "--library", library, "import", "--create", folder])
    return library


def _forget_renditions(library):
    with closing(sqlite3.connect(library / "renditions.sqlite")) as db, db:
        db.execute("DELETE FROM picture")
