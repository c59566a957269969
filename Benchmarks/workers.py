"""Measures the extra cost of decoding in worker processes instead of in the process itself."""

import os
import shutil

from bench import alternating, median_of
from processes import measured
from report import Result, at_most

TITLE = "Worker processes"
NOTE = """\
Files are decoded in worker processes; `CALOTYPE_WORKER=none` decodes in the program's own process.
Both sides are Calotype, with all processors at work. The ratio is that of workers to none.

The first rows import 250 photos of 12 megapixels. The others do one thing with the same files: both
sizes of the JPEGs and of the HEICs, every pixel of the JPEGs, the thumbnails inside the HEICs, and
the metadata of 10,000 files, 32 to a request. Starting the workers is included: less than a tenth
of a second of processor time for each."""

REASONS = {
    **dict.fromkeys([f"{what}: time a file" for what in ("import", "renditions of JPEGs")], """\
Workers add up to 4 % of processor time. The rest of the difference is idle time, in which processes wait for each other.
The ratio varies by 0.03 from run to run."""),
    **dict.fromkeys([f"pixels of JPEGs: {what} a file" for what in ("time", "processor time")], """\
36 MB of pixels are copied out of the worker's memory, once. Shared memory would save the copy, but providing shared
pages takes the kernel as long as the copy. A worker could also change pixels after they were checked."""),
}

ALONE = {"CALOTYPE_WORKER": "none"}
GOAL = at_most(1.05)
METADATA_GOAL = at_most(2)
PIXELS_GOAL = at_most(1.15)


def measure(bench):
    """Does each piece of work with workers and without, in turns."""
    photos = bench.photos(50 if bench.quick else None)
    source = bench.folder / "workers"
    bench.link(photos, source)
    jpegs = [photo for photo in photos if photo.suffix == ".JPG"]
    heics = [photo for photo in photos if photo.suffix == ".HEIC"]
    results = _compare(bench, "import", len(photos), lambda place: _import(bench, source, place), GOAL)
    results += _compare(bench, "renditions of JPEGs", len(jpegs), lambda place: _decode(bench, "renditions", jpegs, place), GOAL)
    results += _compare(bench, "renditions of HEICs", len(heics), lambda place: _decode(bench, "renditions", heics, place), GOAL)
    results += _compare(bench, "pixels of JPEGs", len(jpegs), lambda place: _decode(bench, "pixels", jpegs, place), PIXELS_GOAL)
    inside = (heics * 200)[:1000]
    results += _compare(bench, "thumbnails of HEICs", len(inside), lambda place: _decode(bench, "thumbnails", inside, place))
    many = (photos * 200)[:1_000 if bench.quick else 10_000]
    results += _compare(bench, "metadata", len(many), lambda place: _decode(bench, "metadata", many, place), METADATA_GOAL)
    return results


def _compare(bench, what, count, run, goal=None):
    """Returns the rows of time and processor time per file, with workers and without."""
    workers, alone = alternating(bench.rounds(5), lambda: run({}), lambda: run(ALONE))
    return [
        Result(f"{what}: {name} a file", _cost(workers, attribute, count), _cost(alone, attribute, count),
               median_of(workers, attribute) / median_of(alone, attribute), goal)
        for name, attribute in [("time", "wall"), ("processor time", "cpu")]
    ]


def _cost(usages, attribute, count):
    return f"{1000 * median_of(usages, attribute) / count:.2f} ms"


def _import(bench, source, place):
    library = bench.folder / "Workers.calotype"
    usage = measured([bench.program, "--library", library, "import", "--create", source], env=os.environ | place)
    shutil.rmtree(library)
    return usage


def _decode(bench, what, files, place):
    program = bench.program.with_name("worker-benchmark")
    return measured([program, what, *files], env=os.environ | place)
