"""Measures the cost of fetches and changes in a library of a million assets."""

import subprocess
from statistics import median

from bench import ROOT
from million import million_library
from processes import quietly
from report import Limit, Result, at_most

TITLE = "A million assets"
NOTE = """\
A library of 1,000,000 made-up assets (12 % videos, 15 % screenshots, 3 % favorites) and 2,000
albums, one of them with 100,000 assets. The peer of a fetch is SQLite's C interface: the leanest
statement for the same answer on the same file, prepared and read to its end. Milliseconds are
medians; both sides run in turns. Rows without a peer have a limit of their own."""

ASSETS, ASSETS_QUICK = 1_000_000, 50_000
ALBUMS, LARGEST = 2_000, 100_000
ROUNDS = 7

ORDER = "ORDER BY creation_date DESC, id DESC"
FETCHES = {
    "latest 50": f"SELECT id FROM asset WHERE visibility = 0 {ORDER} LIMIT 50",
    "all by date": "SELECT id FROM asset WHERE visibility = 0 ORDER BY creation_date, id",
    "all as added": "SELECT id FROM asset WHERE visibility = 0 ORDER BY id",
    "screenshots by date": f"SELECT id FROM asset WHERE visibility = 0 AND media_subtypes & 4 <> 0 {ORDER}",
    "wide panoramas": f"""SELECT id FROM asset WHERE visibility = 0 AND media_subtypes & 1 <> 0 AND pixel_width > 10000
        {ORDER}""",
    "videos by date": f"SELECT id FROM asset WHERE visibility = 0 AND media_type = 2 {ORDER}",
    "a year": """SELECT id FROM asset WHERE visibility = 0 AND creation_date >= 1400000000 AND creation_date < 1431536000
        ORDER BY creation_date, id""",
    "favorites in an album": """SELECT id FROM asset JOIN collection_asset AS member ON id = asset_id
        WHERE +collection_id = (SELECT id FROM collection WHERE title = 'Everything good') AND member.visibility = 0
        AND is_favorite = 1 ORDER BY rank, asset_id""",
    "title CONTAINS": "SELECT id FROM collection WHERE kind = 1 AND instr(title, 'Norway') ORDER BY id",
}
# In milliseconds, or in bytes per asset.
LIMITS = {
    "latest 50": 1, "screenshots by date": 15, "wide panoramas": 15, "videos by date": 15,
    "a year": 150, "favorites in an album": 150, "title CONTAINS": 150,
    "bytes an asset": 16, "smart albums, first time": 300, "smart albums": 5, "details of an insertion": 5, "opening": 100,
    "60000 favorites": 1000,
}


def measure(bench):
    """Measures the large library, and the fetch of the latest fifty in a small one."""
    library = million_library(bench, ASSETS_QUICK if bench.quick else ASSETS, ALBUMS, LARGEST)
    small = million_library(bench, 1_000, 10, 500)
    peer = bench.folder / "sqlite_peer"
    quietly(["cc", "-O2", "-o", peer, ROOT / "Benchmarks/sqlite_peer.c", "-lsqlite3"])
    _run_peer(peer, library, 1)
    rounds = bench.rounds(3)
    ours, peers = [], []
    for _ in range(rounds):
        peers.append(_run_peer(peer, library, ROUNDS))
        ours.append(_run(bench, library))
    in_small = _run(bench, small, "fetches")
    return _results(_medians(ours), _medians(peers), in_small)


def _results(ours, peers, in_small):
    results = []
    for name, time in ours.items():
        if name in peers:
            results.append(Result(name, _milliseconds(time), _milliseconds(peers[name]), time / peers[name],
                                  None if name == "latest 50" else at_most(1.3)))
        if name in LIMITS:
            unit = "bytes" if name.startswith("bytes") else "ms"
            results.append(Limit(name, time, LIMITS[name], unit))
        elif name not in peers:
            results.append(Limit(name, time, None, "ms"))
    results.append(Result("latest 50, of a million and of a thousand", _milliseconds(ours["latest 50"]),
                          _milliseconds(in_small["latest 50"]), ours["latest 50"] / in_small["latest 50"], at_most(1.5)))
    return results


def _run(bench, library, *arguments):
    program = bench.program.with_name("library-benchmark")
    return _times(subprocess.run([program, library, str(ROUNDS), *arguments], check=True, capture_output=True, text=True).stdout)


def _run_peer(peer, library, rounds):
    statements = "".join(f"{name}\t{' '.join(sql.split())}\n" for name, sql in FETCHES.items())
    return _times(subprocess.run([peer, library / "library.sqlite", str(rounds)], input=statements, check=True,
                                 capture_output=True, text=True).stdout)


def _times(output):
    return {name: float(time) for name, time, _ in (line.split("\t") for line in output.splitlines())}


def _medians(runs):
    return {name: median(run[name] for run in runs) for name in runs[0]}


def _milliseconds(time):
    return f"{time:.2f} ms"
