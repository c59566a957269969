"""Measures the speed of filters, beside the programs that people would use in a script."""

from bench import alternating, median_of
from processes import measured, quietly
from report import Result, at_most

TITLE = "Edits"
NOTE = """\
Sepia on a photo of 12 megapixels, from JPEG to JPEG of quality 90 with halved colors. Each run is a
process from its start to its end. Calotype decodes, filters, encodes, and copies the metadata. The
peer is `vips recomb` with the same matrix.

Sepia on a movie of 10 seconds (1080p, 30 frames a second, H.264 and AAC). Calotype runs an export
session with a Core Image handler. The peer is one `ffmpeg` with `colorchannelmixer`, the same
matrix, and the same settings of the encoder (libx264, `veryfast`, rate factor 18)."""

REASONS = {
    "sepia on 12 megapixels, time": """\
Calotype decodes the whole picture, then filters it, then encodes it, since some filters need all of it. libvips does
the three at once, in bands on both cores. Bands would need a second form of each filter.""",
    **dict.fromkeys([f"sepia on 10 s of 1080p, {what}" for what in ("time", "processor time")], """\
Each frame passes two pipes as 6 MB of RGB, from the ffmpeg that decodes to the filter and on to the one that encodes.
One program would need no pipes, but it would have to link x264, and so become GPL."""),
}

MATRIX = [[.393, .769, .189], [.349, .686, .168], [.272, .534, .131]]


def measure(bench):
    """Measures stills and movies, each in turns with the peer."""
    return _stills(bench) + _movies(bench)


def _stills(bench):
    photo = next(photo for photo in bench.photos() if photo.suffix == ".JPG")
    matrix = bench.folder / "sepia.mat"
    rows = [" ".join(str(share) for share in row) for row in MATRIX]
    matrix.write_text("\n".join(["3 3", *rows]) + "\n", encoding="utf-8")
    ours_out, peer_out = bench.folder / "ours.jpg", bench.folder / "peer.jpg"
    ours, peer = alternating(
        bench.rounds(15),
        lambda: measured([_program(bench), "still", photo, ours_out, "CISepiaTone", "0.9"]),
        lambda: measured(["vips", "recomb", photo, f"{peer_out}[Q=90,subsample_mode=on]", matrix]))
    return _results("sepia on 12 megapixels", ours, peer, at_most(1.0))


def _movies(bench):
    movie = pan_movie(bench)
    ours_out, peer_out = bench.folder / "ours.mov", bench.folder / "peer.mov"
    shares = ":".join(":".join(str(share) for share in row + [0]) for row in MATRIX)

    def ours_once():
        usage = measured([_program(bench), "movie", movie, ours_out, "CISepiaTone"])
        ours_out.unlink()
        return usage

    ours, peer = alternating(
        bench.rounds(5), ours_once,
        lambda: measured([
            "ffmpeg", "-y", "-loglevel", "error", "-i", movie, "-vf", f"colorchannelmixer={shares}", "-c:v", "libx264",
            "-preset", "veryfast", "-crf", "18", "-profile:v", "high", "-pix_fmt", "yuv420p", "-c:a", "copy", peer_out]))
    return _results("sepia on 10 s of 1080p", ours, peer, at_most(1.02))


def _results(what, ours, peer, goal):
    return [
        Result(f"{what}, {name}", f"{median_of(ours, attribute):.2f} s", f"{median_of(peer, attribute):.2f} s",
               median_of(ours, attribute) / median_of(peer, attribute), goal)
        for name, attribute in [("time", "wall"), ("processor time", "cpu")]
    ]


def _program(bench):
    return bench.program.with_name("edit-benchmark")


def pan_movie(bench):
    """Returns a movie: a slow pan over a photo with a sensor's noise. It is made once and kept."""
    movie = bench.cache / "pan-2.mov"
    if not movie.exists():
        photo = next(photo for photo in bench.photos() if photo.suffix == ".JPG")
        work = bench.folder / "pan.mov"
        quietly([
            "ffmpeg", "-y", "-loglevel", "error", "-loop", "1", "-framerate", "30", "-i", photo, "-f", "lavfi", "-i",
            "sine=d=10", "-t", "10", "-vf", "crop=1920:1080:n*5:n*4,noise=alls=6:allf=t,format=yuv420p",
            "-c:v", "libx264", "-g", "30", "-preset", "veryfast", "-crf", "18", "-c:a", "aac", work])
        work.rename(movie)
    return movie
