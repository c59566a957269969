"""What the benchmarks share: the program, the folders, the media, and how often each thing is measured."""

import os
from functools import cached_property
from pathlib import Path
from statistics import median

from media import media_folder
from processes import quietly

ROOT = Path(__file__).resolve().parent.parent


class Bench:
    """One run of benchmarks, in a temporary folder on the disk of the sources."""

    def __init__(self, folder, cache, quick):
        self.folder = folder
        self.quick = quick
        self.cache = cache
        self.program = _program()

    @cached_property
    def media(self):
        """The folder of all the photos."""
        return media_folder(self.cache)

    @cached_property
    def library(self):
        """A library of all the photos."""
        library = self.folder / "Imported.calotype"
        quietly([self.program, "--library", library, "import", "--create", self.media])
        return library

    def photos(self, count=None):
        """The paths of the photos, or of this many, with JPEGs and HEICs in their proportion."""
        photos = sorted(self.media.glob("*/*"), key=lambda photo: (photo.suffix, photo.name))
        count = count or len(photos)
        chosen = [photos[index * len(photos) // count] for index in range(count)]
        return sorted(chosen, key=lambda photo: photo.name)

    def link(self, photos, folder):
        """Puts photos into a folder of their own, without copying them."""
        for photo in photos:
            link = folder / photo.relative_to(self.media)
            link.parent.mkdir(parents=True, exist_ok=True)
            os.link(photo, link)

    def rounds(self, count):
        """How often to measure what a full run measures `count` times."""
        return 1 if self.quick else count


def _program():
    """The release build, or `$CALOTYPE_BIN`."""
    program = Path(os.environ.get("CALOTYPE_BIN", ROOT / ".build/release/calotype"))
    if not program.exists():
        raise SystemExit(f"bench: {program} is missing; `make bench` builds it")
    return program


def alternating(rounds, *measurements):
    """Calls each measurement once a round, in turns, and gives the results of each."""
    results = [[] for _ in measurements]
    for _ in range(rounds):
        for measurement, list_of_results in zip(measurements, results):
            list_of_results.append(measurement())
    return results


def median_of(results, attribute):
    """The median of one attribute of several results."""
    return median(getattr(result, attribute) for result in results)
