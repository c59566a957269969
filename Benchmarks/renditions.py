"""Measures the cost of a photo's two pictures, beside other programs that make the same."""

import os
import subprocess
from dataclasses import dataclass
from statistics import median

from bench import alternating
from processes import measured, quietly
from report import Limit, Result, at_most

TITLE = "Renditions"
NOTE = """\
Milliseconds of processor time (user and system) for a photo of 12 megapixels, in one thread;
medians of runs in turns. Calotype makes the grid picture (480 × 360, quality 80) and the screen
picture (2016 × 1512, quality 82) in one decode, in its own process. (Another benchmark measures
what a worker adds.)

`vipsthumbnail` makes each picture separately, many files to a process. `djpeg -scale 1/2` only
decodes. `djpeg` and `heif-thumbnailer` take one file to a process, so the time of the same program
for a picture of 16 × 16 pixels is subtracted.

`heif-thumbnailer -p` decodes the photo, as Calotype does if the thumbnail inside is smaller than
the grid picture. If it is large enough (512 × 384), both use the thumbnail. Both convert Display P3
to sRGB.

libde265 decodes the tiles of the same photo, and nothing is done with their pixels. The loop filters
are off for the grid picture, as they are in Calotype."""

REASONS = {"JPEG, both sizes, to djpeg -scale 1/2": """\
The peer only decodes. Calotype also resizes the photo to the grid picture (5 ms), and encodes two JPEGs. Vectors
of floats already made the resizing 1.4 times as fast."""}

ROUNDS = 5
JPEGS, HEICS = 20, 6
GRID, SCREEN = 480, 2016
QUALITY = {GRID: 80, SCREEN: 82}


def measure(bench):
    """Measures each kind of photo in turns with its peers, then the peak memory."""
    return list(_Run(bench).results())


@dataclass(frozen=True)
class _Run:
    bench: object

    def results(self):
        """Returns the rows."""
        photos = self.bench.photos()
        jpegs = [photo for photo in photos if photo.suffix == ".JPG"][:5 if self.bench.quick else JPEGS]
        heics = [photo for photo in photos if photo.suffix == ".HEIC"][:2 if self.bench.quick else HEICS]
        tiny_jpeg, tiny_heic = self._tiny(jpegs[0])
        wide = [self._wide(photo) for photo in jpegs[:5]]
        large_thumbnails = [self._with_large_thumbnail(photo) for photo in jpegs[:5]]

        ours, vips, djpeg = self._in_turns(
            lambda: self._ours("grid,screen", jpegs), lambda: self._vips([GRID, SCREEN], jpegs),
            lambda: self._each(["djpeg", "-scale", "1/2", "-outfile", "/dev/null"], jpegs, tiny_jpeg))
        yield _row("JPEG, both sizes, to vipsthumbnail", ours, vips, at_most(0.5))
        yield _row("JPEG, both sizes, to djpeg -scale 1/2", ours, djpeg, at_most(1.4))
        ours, vips = self._in_turns(
            lambda: self._ours("grid,screen", wide), lambda: self._vips([GRID, SCREEN], wide, "--export-profile", "srgb"))
        yield _row("JPEG in Display P3, both sizes, to vipsthumbnail", ours, vips)

        out = self.bench.folder / "thumbnail.png"
        thumbnailer = ["heif-thumbnailer", "-s", GRID]
        ours, peer = self._in_turns(
            lambda: self._ours("grid", heics), lambda: self._each([*thumbnailer, "-p"], heics, tiny_heic, out))
        yield _row("HEIC, grid, to heif-thumbnailer -p", ours, peer, at_most(1))
        ours, peer = self._in_turns(
            lambda: self._ours("grid", large_thumbnails),
            lambda: self._each(thumbnailer, large_thumbnails, tiny_heic, out))
        yield _row("HEIC, grid from the thumbnail inside, to heif-thumbnailer", ours, peer, at_most(1))
        ours, screen, both = self._in_turns(
            lambda: self._ours("screen", heics), lambda: self._vips([SCREEN], heics),
            lambda: self._ours("grid,screen", heics))
        yield _row("HEIC, screen, to vipsthumbnail", ours, screen, at_most(1))
        for kind, tiles in [("grid", "unfiltered-tiles"), ("screen", "tiles")]:
            ours, peer = self._in_turns(
                lambda kind=kind: self._ours(kind, heics), lambda tiles=tiles: self._ours(tiles, heics))
            yield _row(f"HEIC, {kind}, to libde265", ours, peer, at_most(1.25))
        yield Limit("HEIC, both sizes", both, None, "ms")

        yield self._memory("JPEG of 12 megapixels", jpegs[0])
        yield self._memory("JPEG of 48 megapixels", self._four_times(jpegs[0]))
        yield self._memory("HEIC of 12 megapixels", heics[0])

    def _in_turns(self, *measurements):
        return [median(times) for times in alternating(self.bench.rounds(ROUNDS), *measurements)]

    def _program(self, kinds, photos):
        done = subprocess.run(
            [self.bench.program.with_name("rendition-benchmark"), kinds, *photos], check=True, capture_output=True, text=True,
            # The memory of a worker process would not be counted.
            env=os.environ | {"CALOTYPE_WORKER": "none"})
        milliseconds, peak = done.stdout.split()
        return float(milliseconds), int(peak)

    def _ours(self, kinds, photos):
        return self._program(kinds, photos)[0]

    def _memory(self, what, photo):
        return Limit(f"most memory of the process, {what}", self._program("grid,screen", [photo])[1] / 1e6, None, "MB")

    def _vips(self, sizes, photos, *options):
        """Makes each size in a pass of its own."""
        cpu = sum(
            measured(
                ["vipsthumbnail", "-s", f"{size}x{size}", *options, "-o",
                 f"{self.bench.folder}/%s-{size}.jpg[Q={QUALITY[size]},strip]", *photos],
                env=os.environ | {"VIPS_CONCURRENCY": "1"}).cpu
            for size in sizes)
        return 1000 * cpu / len(photos)

    def _each(self, command, photos, tiny, *last):
        """Returns the time of a process per photo, minus that of a process for a tiny picture."""
        command = list(map(str, command))
        cpu = sum(measured([*command, photo, *last]).cpu for photo in photos)
        start = sum(measured([*command, tiny, *last]).cpu for _ in photos)
        return 1000 * (cpu - start) / len(photos)

    def _tiny(self, photo):
        jpeg, heic = self.bench.folder / "tiny.jpg", self.bench.folder / "tiny.heic"
        quietly(["vips", "crop", photo, f"{jpeg}[strip]", "0", "0", "16", "16"])
        quietly(["heif-enc", "-q", "60", jpeg, "-o", heic])
        return jpeg, heic

    def _wide(self, photo):
        """Returns a copy of the photo in Display P3."""
        wide = self.bench.folder / f"{photo.stem}-p3.jpg"
        quietly(["vips", "icc_transform", photo, f"{wide}[Q=90,profile=p3]", "p3", "--input-profile", "srgb"])
        return wide

    def _with_large_thumbnail(self, photo):
        heic = self.bench.folder / f"{photo.stem}-512.heic"
        quietly(["heif-enc", "-q", "60", "-t", "512", photo, "-o", heic])
        return heic

    def _four_times(self, photo):
        large = self.bench.folder / "large.jpg"
        quietly(["vips", "replicate", photo, f"{large}[Q=90]", "2", "2"])
        return large


def _row(what, ours, peer, goal=None):
    return Result(what, f"{ours:.1f} ms", f"{peer:.1f} ms", ours / peer, goal)
