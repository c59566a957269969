"""Measures the cost of an import into a library that contains a hundred thousand assets."""

import shutil

from bench import alternating, median_of
from made_up import make_library
from processes import measured
from report import Result, at_most

TITLE = "Import into a large library"
NOTE = """\
The same 60 photos are imported into a library of 100,000 assets and into an empty one. Both are
Calotype. The assets are made up: they have rows, but no originals."""

ASSETS, ASSETS_QUICK = 100_000, 10_000
PHOTOS = 60


def measure(bench):
    """Imports into the large and the empty library in turns. Each import gets a fresh copy."""
    source = bench.folder / "sixty"
    bench.link(bench.photos(PHOTOS), source)
    large = make_library(bench, "Large.calotype", ASSETS_QUICK if bench.quick else ASSETS)
    empty = make_library(bench, "Empty.calotype", 0)
    in_large, in_empty = alternating(
        bench.rounds(3), lambda: _import(bench, source, large), lambda: _import(bench, source, empty))
    return [
        Result("a photo’s time", _milliseconds(in_large, "wall"), _milliseconds(in_empty, "wall"),
               median_of(in_large, "wall") / median_of(in_empty, "wall"), at_most(1.2)),
        Result("a photo’s processor time", _milliseconds(in_large, "cpu"), _milliseconds(in_empty, "cpu"),
               median_of(in_large, "cpu") / median_of(in_empty, "cpu")),
    ]


def _import(bench, source, library):
    copy = bench.folder / "Copy.calotype"
    shutil.copytree(library, copy)
    usage = measured([bench.program, "--library", copy, "import", source])
    shutil.rmtree(copy)
    return usage


def _milliseconds(usages, attribute):
    return f"{1000 * median_of(usages, attribute) / PHOTOS:.0f} ms"
