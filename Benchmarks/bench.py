"""The shared parts of the benchmarks: the program, the folders, the media, the number of rounds."""

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
        """The folder of all photos."""
        return media_folder(self.cache)

    @cached_property
    def library(self):
        """A library with all photos."""
        library = self.folder / "Imported.calotype"
        quietly([self.program, "--library", library, "import", "--create", self.media])
        return library

    def photos(self, count=None):
        """Returns the paths of all photos, or of `count` with the same share of JPEGs and HEICs."""
        photos = sorted(self.media.glob("*/*"), key=lambda photo: (photo.suffix, photo.name))
        count = count or len(photos)
        chosen = [photos[index * len(photos) // count] for index in range(count)]
        return sorted(chosen, key=lambda photo: photo.name)

    def link(self, photos, folder):
        """Puts photos into a folder as hard links, without copying them."""
        for photo in photos:
            link = folder / photo.relative_to(self.media)
            link.parent.mkdir(parents=True, exist_ok=True)
            os.link(photo, link)

    def rounds(self, count):
        """Returns the number of measurements: `count` in a full run, 1 in a quick run."""
        return 1 if self.quick else count


def _program():
    """Returns the release build, or `$CALOTYPE_BIN`."""
    program = Path(os.environ.get("CALOTYPE_BIN", ROOT / ".build/release/calotype"))
    if not program.exists():
        raise SystemExit(f"bench: {program} is missing; `make bench` builds it")
    return program


def alternating(rounds, *measurements):
    """Calls the measurements in turns, each once per round. Returns a list of results for each."""
    results = [[] for _ in measurements]
    for _ in range(rounds):
        for measurement, list_of_results in zip(measurements, results):
            list_of_results.append(measurement())
    return results


def median_of(results, attribute):
    """Returns the median of one attribute of several results."""
    return median(getattr(result, attribute) for result in results)
