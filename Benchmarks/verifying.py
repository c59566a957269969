"""Measures how fast a library is verified, beside hashing the same files with `sha256sum`."""

from bench import alternating, median_of
from machine import cores
from processes import measured
from report import Result, at_least

TITLE = "Verify"
NOTE = """\
`calotype verify` reads every original of a library and compares it with its SHA-256. The library
has 250 photos, which are in the system's cache. The peer is `sha256sum` on the same files, with a
process for each core. The start of each program is included."""


def measure(bench):
    """Runs both programs in turns."""
    originals = sorted(path for path in (bench.library / "originals").rglob("*") if path.is_file())
    names = bench.folder / "originals"
    names.write_bytes(b"\0".join(bytes(path) for path in originals))
    byte_count = sum(path.stat().st_size for path in originals)
    files_a_process = len(originals) // (4 * cores()) + 1
    peer_command = ["xargs", "-0", "-a", names, "-P", str(cores()), "-n", str(files_a_process), "sha256sum"]
    ours, peer = alternating(
        bench.rounds(5), lambda: measured([bench.program, "--library", bench.library, "verify"]),
        lambda: measured(peer_command))
    return [
        Result("megabytes a second", _rate(byte_count, ours), _rate(byte_count, peer),
               median_of(peer, "wall") / median_of(ours, "wall"), at_least(0.9)),
        Result("processor time in all", f"{median_of(ours, 'cpu'):.2f} s", f"{median_of(peer, 'cpu'):.2f} s",
               median_of(ours, "cpu") / median_of(peer, "cpu")),
    ]


def _rate(byte_count, usages):
    return f"{byte_count / median_of(usages, 'wall') / 1e6:,.0f} MB/s"
