"""Makes the photos of all benchmarks with libvips, heif-enc and exiftool, and keeps them.

Ten pictures of 12 megapixels, with detail at every scale and a sensor's noise, become 200 JPEGs and
50 HEICs. Their dates, places and cameras differ, and therefore their bytes.
"""

import random
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

from processes import quietly

# A part of the folder's name. A new number makes new media.
EDITION = 1
WIDTH, HEIGHT = 4032, 3024
PICTURES = 10
HEIC_PICTURES = 5
JPEGS, HEICS = 200, 50
NEWEST = datetime(2026, 10, 1, 12)
YEARS = 12

# The cell sizes in pixels and their contrasts. Large forms are strong and fine detail is faint, as
# in photographs.
OCTAVES = [(1200, 70), (400, 45), (130, 28), (45, 18), (15, 11), (6, 6)]
CAMERAS = [("Apple", "iPhone 15 Pro"), ("Google", "Pixel 8"), ("FUJIFILM", "X-T5"), ("Canon", "Canon EOS R6")]


def media_folder(cache):
    """Returns the folder of the photos, after making it if necessary."""
    folder = cache / f"media-{EDITION}"
    if not folder.exists():
        print(f"making {JPEGS} JPEGs and {HEICS} HEICs (a few minutes, once) …", flush=True)
        with tempfile.TemporaryDirectory(dir=cache) as work:
            _make(Path(work)).rename(folder)
    return folder


def _make(work):
    """Makes all photos in a folder below `work`."""
    with ThreadPoolExecutor(2) as pool:
        jpegs = list(pool.map(lambda seed: _picture(work, seed), range(PICTURES)))
        heics = list(pool.map(_as_heic, jpegs[:HEIC_PICTURES]))
    made = work / "media"
    chance = random.Random(EDITION)
    _with_metadata(jpegs, made, "IMG_{:04}.JPG", JPEGS, chance)
    _with_metadata(heics, made, "IMG_{:04}.HEIC", HEICS, chance)
    return made


def _picture(work, seed):
    """Makes one picture as a JPEG of quality 90."""
    folder = work / f"picture-{seed}"
    folder.mkdir()
    light = _sum(folder, "light", [_layer(folder, seed, cell, contrast) for cell, contrast in OCTAVES]
                 + [_stones(folder, seed), _noise(folder, seed)])
    bands = [_sum(folder, f"band-{band}", [light, _tint(folder, seed, band)]) for band in range(3)]
    picture, jpeg = folder / "picture.v", work / f"{seed}.jpg"
    quietly(["vips", "bandjoin", " ".join(bands), picture])
    quietly(["vips", "cast", picture, folder / "bytes.v", "uchar"])
    quietly(["vips", "copy", folder / "bytes.v", folder / "srgb.v", "--interpretation", "srgb"])
    quietly(["vips", "jpegsave", folder / "srgb.v", jpeg, "--Q", "90", "--subsample-mode", "on"])
    shutil.rmtree(folder)
    return jpeg


def _layer(folder, seed, cell, contrast):
    return _scaled(folder, f"layer-{cell}", ["perlin", "--cell-size", cell, "--seed", seed * 100 + cell], contrast, 0)


def _tint(folder, seed, band):
    return _scaled(folder, f"tint-{band}", ["perlin", "--cell-size", 1500, "--seed", seed * 100 + band], 60, 110 + 12 * band)


def _stones(folder, seed):
    """Draws shapes with edges."""
    return _scaled(folder, "stones", ["worley", "--cell-size", 90 + 60 * (seed % 5), "--seed", seed], 0.3, -10)


def _noise(folder, seed):
    return _scaled(folder, "noise", ["gaussnoise", "--sigma", 3, "--mean", 0, "--seed", seed], 1, 0)


def _scaled(folder, name, operation, factor, offset):
    """Returns the output of a libvips operation, multiplied by a factor, plus an offset."""
    drawn, scaled = folder / f"{name}-drawn.v", folder / f"{name}.v"
    quietly(["vips", operation[0], drawn, str(WIDTH), str(HEIGHT), *map(str, operation[1:])])
    quietly(["vips", "linear", drawn, scaled, "--", str(factor), str(offset)])
    return str(scaled)


def _sum(folder, name, images):
    result = folder / f"{name}.v"
    quietly(["vips", "sum", " ".join(images), result])
    return str(result)


def _as_heic(jpeg):
    heic = jpeg.with_suffix(".heic")
    quietly(["heif-enc", "-q", "60", "-t", "320", jpeg, "-o", heic])
    return heic


def _with_metadata(pictures, folder, pattern, count, chance):
    """Copies the pictures into folders by year. Each copy has its own date, place and camera."""
    arguments = []
    for number in range(1, count + 1):
        date = NEWEST - timedelta(seconds=chance.randrange(YEARS * 365 * 86_400))
        copy = folder / str(date.year) / pattern.format(number)
        copy.parent.mkdir(parents=True, exist_ok=True)
        arguments += _exif(date, chance) + ["-o", copy, pictures[number % len(pictures)], "-execute"]
    file = folder.parent / "arguments"
    file.write_text("\n".join(map(str, arguments)) + "\n", encoding="utf-8")
    quietly(["exiftool", "-@", file, "-common_args", "-q", "-q"])


def _exif(date, chance):
    make, model = chance.choice(CAMERAS)
    return [
        f"-EXIF:DateTimeOriginal={date:%Y:%m:%d %H:%M:%S}", "-EXIF:OffsetTimeOriginal=+01:00",
        f"-EXIF:SubSecTimeOriginal={chance.randrange(1000):03}", f"-EXIF:Make={make}", f"-EXIF:Model={model}",
        f"-EXIF:ExposureTime=1/{chance.randrange(30, 2000)}", f"-EXIF:ISO={chance.randrange(50, 3200)}",
        f"-EXIF:FNumber={chance.choice([1.8, 2.2, 4, 5.6])}", f"-EXIF:FocalLength={chance.choice([6.8, 24, 35])}",
        f"-EXIF:GPSLatitude={chance.uniform(36, 60):.6f}", "-EXIF:GPSLatitudeRef=N",
        f"-EXIF:GPSLongitude={chance.uniform(0, 25):.6f}", "-EXIF:GPSLongitudeRef=E",
    ]
