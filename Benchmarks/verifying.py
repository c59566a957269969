"""Measures how fast a library is verified, beside hashing the same files with `sha256sum`."""

import shutil
import subprocess

from bench import alternating, median_of
from machine import cores
from processes import measured
from report import Result, at_least

TITLE = "Verify"
NOTE = """\
`calotype verify` reads every original of a library and compares it with its SHA-256. The library
has 1,000 photos, which are in the system's cache. The peer is `sha256sum` on the same files, with a
process for each core. The start of each program is included."""

COPIES = 4


def measure(bench):
    """Runs both programs in turns."""
    library = _library(bench)
    originals = sorted(path for path in (library / "originals").rglob("*") if path.is_file())
    names = bench.folder / "originals"
    names.write_bytes(b"\0".join(str(path).encode() for path in originals))
    byte_count = sum(path.stat().st_size for path in originals)
    command = ["xargs", "-0", "-a", names, "-P", str(cores()), "-n", str(len(originals) // (4 * cores()) + 1), "sha256sum"]
    ours, peer = alternating(
        bench.rounds(5), lambda: measured([bench.program, "--library", library, "verify"]), lambda: measured(command))
    return [
        Result("megabytes a second", _rate(byte_count, ours), _rate(byte_count, peer),
               median_of(peer, "wall") / median_of(ours, "wall"), at_least(0.9)),
        Result("processor time in all", f"{median_of(ours, 'cpu'):.2f} s", f"{median_of(peer, 'cpu'):.2f} s",
               median_of(ours, "cpu") / median_of(peer, "cpu")),
    ]


def _library(bench):
    """Returns a library of the photos, and of copies that differ in their last byte."""
    source = bench.folder / "to-verify"
    for photo in bench.photos():
        for number in range(COPIES):
            copy = source / str(number) / photo.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(photo, copy)
            with copy.open("ab") as file:
                file.write(bytes([number]))
    library = bench.folder / "Verified.calotype"
    subprocess.run([bench.program, "--library", library, "import", "--create", source], check=True, capture_output=True)
    return library


def _rate(byte_count, usages):
    return f"{byte_count / median_of(usages, 'wall') / 1e6:,.0f} MB/s"
