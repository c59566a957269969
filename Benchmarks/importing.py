"""Measures the speed of an import, beside making only the thumbnails."""

import os
import shutil

from bench import alternating, median_of
from machine import cores
from processes import Usage, measured
from report import Result, at_least, at_most

TITLE = "Import"
NOTE = """\
250 photos of 12 megapixels (200 JPEGs, 50 HEICs) are imported into an empty library: copied,
hashed, synchronized to the disk, read and decoded. Two sizes and a placeholder of each are made and
stored. The peer only makes the two sizes, with libvips: `vipsthumbnail` once for each size, on all
cores. The floor is decoding alone: a JPEG at half its size (`djpeg -scale 1/2`), a HEIC whole
(`vips avg`)."""

PEAK_LIMIT = 500_000_000
# A small number keeps both cores busy to the end; a large one reduces the cost of starting
# processes.
FILES_A_PROCESS = 5


def measure(bench):
    """Measures the import, the peer's thumbnails and the floor in turns."""
    photos = bench.photos(50 if bench.quick else None)
    source = bench.folder / "import"
    bench.link(photos, source)
    for photo in photos:
        photo.read_bytes()
    ours, peer, floor = alternating(
        bench.rounds(3), lambda: _import(bench, source), lambda: _thumbnails(bench, photos),
        lambda: _decoding(bench, photos))
    peak = max(usage.peak_bytes for usage in ours)
    return [
        Result("photos a second", _rate(ours, photos), _rate(peer, photos), _ratio(peer, ours, "wall"), at_least(2)),
        Result("processor time a photo", _cost(ours, photos), _cost(peer, photos), _ratio(ours, peer, "cpu")),
        Result("photos a second, to the floor", _rate(ours, photos), _rate(floor, photos), _ratio(floor, ours, "wall")),
        Result("processor time a photo, to the floor", _cost(ours, photos), _cost(floor, photos),
               _ratio(ours, floor, "cpu")),
        Result("most memory, to 500 MB", f"{peak / 1e6:.0f} MB", "500 MB", peak / PEAK_LIMIT, at_most(1)),
    ]


def _import(bench, source):
    library = bench.folder / "Import.calotype"
    usage = measured([bench.program, "--library", library, "import", "--create", source])
    shutil.rmtree(library)
    return usage


def _thumbnails(bench, photos):
    """Makes both sizes, in one pass each."""
    out = bench.folder / "thumbnails"
    out.mkdir()
    usage = sum((
        _on_all_cores(bench, photos, FILES_A_PROCESS, "vipsthumbnail", "-s", f"{size}x{size}",
                      "-o", f"{out}/%s-{size}.jpg[Q={quality},strip]")
        for size, quality in [(480, 80), (2016, 82)]), Usage())
    shutil.rmtree(out)
    return usage


def _decoding(bench, photos):
    """Only decodes, which every program that makes thumbnails of these files has to do."""
    jpegs = [photo for photo in photos if photo.suffix == ".JPG"]
    heics = [photo for photo in photos if photo.suffix == ".HEIC"]
    return (_on_all_cores(bench, jpegs, 1, "djpeg", "-scale", "1/2", "-outfile", "/dev/null")
            + _on_all_cores(bench, heics, 1, "vips", "avg"))


def _on_all_cores(bench, photos, photos_a_process, *command):
    """Runs a program for all photos, with as many processes at a time as there are cores."""
    names = bench.folder / "names"
    names.write_text("".join(f"{photo}\0" for photo in photos), encoding="utf-8")
    return measured(
        ["xargs", "-0", "-a", names, f"-P{cores()}", f"-n{photos_a_process}", *command],
        env=os.environ | {"VIPS_CONCURRENCY": "1"})


def _rate(usages, photos):
    return f"{len(photos) / median_of(usages, 'wall'):.1f}/s"


def _cost(usages, photos):
    return f"{1000 * median_of(usages, 'cpu') / len(photos):.0f} ms"


def _ratio(numerator, denominator, attribute):
    return median_of(numerator, attribute) / median_of(denominator, attribute)
