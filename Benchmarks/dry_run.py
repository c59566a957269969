"""Measures the speed of a dry run, beside reading the files' metadata with ExifTool."""

from bench import alternating, median_of
from processes import measured, quietly
from report import Result, at_least

TITLE = "Dry run"
NOTE = """\
`calotype import --dry-run` of 1,000 files (each of the 250 photos in four folders) beside
`exiftool -fast2 -json -r`. The dry run reads types, dates and places, finds pairs, and checks
whether the library has the files. The start of each program is included."""

FOLDERS = 4


def measure(bench):
    """Runs both programs in turns."""
    photos = bench.photos()
    source = bench.folder / "dry-run"
    for number in range(FOLDERS):
        bench.link(photos, source / str(number))
    library = bench.folder / "DryRun.calotype"
    ours_command = [bench.program, "--library", library, "import", "--dry-run", source]
    # The first run creates the library and puts the files into the system's cache.
    quietly(ours_command)
    ours, peer = alternating(
        bench.rounds(5), lambda: measured(ours_command),
        lambda: measured(["exiftool", "-fast2", "-json", "-r", source]))
    count = FOLDERS * len(photos)
    return [
        Result("files a second", f"{count / median_of(ours, 'wall'):.0f}/s", f"{count / median_of(peer, 'wall'):.0f}/s",
               median_of(peer, "wall") / median_of(ours, "wall"), at_least(15)),
        Result("processor time in all", f"{median_of(ours, 'cpu'):.2f} s", f"{median_of(peer, 'cpu'):.2f} s",
               median_of(ours, "cpu") / median_of(peer, "cpu")),
    ]
