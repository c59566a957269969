"""Measures the cost of fetches and changes in a library of a million assets."""

import subprocess
from statistics import median

from bench import ROOT, alternating
from million import million_library
from processes import quietly
from report import Limit, Result, at_most

TITLE = "A million assets"
NOTE = """\
A library of 1,000,000 made-up assets (12 % videos, 15 % screenshots, 3 % favorites) and 2,000
albums, one of them with 100,000 assets. The peer of a fetch is SQLite's C interface: the leanest
statement for the same answer on the same file, prepared and read to its end. Milliseconds are
medians; both sides run in turns. Rows without a peer have a limit of their own.

“Opening” is the time in a new process until it has the latest fifty assets. Calotype makes objects
of the “latest 50”, so the peer reads all columns of the rows, not only their ids. The last row
compares that fetch with the same one in a library of a thousand assets. The peers of “60000
favorites” and “10000 deleted” change as many rows by one UPDATE, with the triggers of the library
and the same `synchronous`. Calotype also writes its history. The peer of “smart albums” adds the
counts that the library keeps of each combination of the assets' properties."""

REASONS = {
    "opening": """\
Swift looks up each type when a process uses it for the first time. The program also reads the settings, computes
a hash of the schema, and locks the library.""",
    "60000 favorites": """\
Each photo takes 20 µs. The peer's UPDATE takes 7 of them. In the other 13, Calotype reads the photo, compares its
properties, and writes the former and the new value into the history. Without the history, the change could not be undone,
and other programs would not see it. A profile shows no function with more than a seventh of the time.""",
    "title CONTAINS": """\
Few albums have such a title, so the 0.07 ms that every fetch takes count for much. In this time, Calotype parses the
predicate, writes the SQL, and begins and ends a read transaction. No function takes more than a tenth of it. Parsed
predicates could be kept, but apps make new ones with other values.""",
}

ASSETS, ASSETS_QUICK = 1_000_000, 100_000
ALBUMS, LARGEST = 2_000, 100_000
ROUNDS = 7

ORDER = "ORDER BY creation_date DESC, id DESC"
SMART_ALBUMS = [
    "visibility = 0", "visibility & 4 <> 0", "visibility & 6 = 2",
    *(f"visibility = 0 AND {condition}" for condition in [
        "media_type = 2", "is_favorite = 1", "represents_burst = 1", "is_unreadable = 1",
        *(f"media_subtypes & {1 << bit} <> 0" for bit in (0, 2, 3, 4, 6, 10, 17, 18, 19, 21)),
        *(f"traits & {1 << bit} <> 0" for bit in (0, 1, 2, 5))])]
LATEST = f"SELECT * FROM asset WHERE visibility = 0 {ORDER} LIMIT 50"
FETCHES = {
    "latest 50": LATEST,
    "all by date": "SELECT id FROM asset WHERE visibility = 0 ORDER BY creation_date, id",
    "all as added": "SELECT id FROM asset WHERE visibility = 0 ORDER BY id",
    "screenshots by date": f"SELECT id FROM asset WHERE visibility = 0 AND media_subtypes & 4 <> 0 {ORDER}",
    "wide panoramas": f"""SELECT id FROM asset WHERE visibility = 0 AND media_subtypes & 1 <> 0 AND pixel_width > 10000
        {ORDER}""",
    "videos by date": f"SELECT id FROM asset WHERE visibility = 0 AND media_type = 2 {ORDER}",
    "a year": """SELECT id FROM asset WHERE visibility = 0 AND creation_date >= 1400000000 AND creation_date < 1431536000
        ORDER BY creation_date, id""",
    "favorites in an album": """SELECT id FROM asset CROSS JOIN collection_asset AS member ON asset_id = id
        WHERE collection_id = (SELECT id FROM collection WHERE title = 'Everything good') AND member.visibility = 0
        AND is_favorite = 1 ORDER BY rank, asset_id""",
    "title CONTAINS": "SELECT id FROM collection WHERE kind = 1 AND instr(title, 'Norway') ORDER BY id",
    "smart albums": f"SELECT {', '.join(f'sum(count) FILTER (WHERE {condition})' for condition in SMART_ALBUMS)} FROM asset_tally",
}
# Each is done once in a run. Each run deletes other assets than the run before.
CHANGES = {
    "60000 favorites": "UPDATE asset SET is_favorite = 1 - is_favorite WHERE id > {newest} - 60000",
    "10000 deleted": """UPDATE asset SET trashed_date = 1767225600, visibility = 4
        WHERE id BETWEEN {newest} - 69999 AND {newest} AND id % 7 = {run}""",
}
# The ratios to SQLite's milliseconds. Other fetches have 1.3.
GOALS = {"opening": 10, "smart albums": 2, "latest 50": 5, "screenshots by date": 1.1, "videos by date": 1.1,
         "60000 favorites": 2, "10000 deleted": 2}
# In milliseconds, or in bytes per asset.
LIMITS = {"bytes an asset": 16, "smart albums, first time": 300, "details of an insertion": 5}


def measure(bench):
    """Measures the large library, and the fetch of the latest fifty in a small one."""
    library = million_library(bench, ASSETS_QUICK if bench.quick else ASSETS, ALBUMS, LARGEST)
    small = million_library(bench, 1_000, 10, 500)
    peer = bench.folder / "sqlite_peer"
    quietly(["cc", "-O2", "-o", peer, ROOT / "Benchmarks/sqlite_peer.c", "-lsqlite3"])
    count = ASSETS_QUICK if bench.quick else ASSETS
    changed = million_library(bench, count, ALBUMS, LARGEST)
    _run_peer(peer, library, 1, FETCHES)
    ours, peers, in_small = [], [], []
    for run in range(bench.rounds(3)):
        changes = {name: sql.format(newest=count, run=run) for name, sql in CHANGES.items()}
        peers.append(_run_peer(peer, library, ROUNDS, FETCHES) | _run_peer(peer, changed, 1, changes))
        ours.append(_run(bench, library))
        in_small.append(_run(bench, small, "fetches"))
    openings = alternating(
        bench.rounds(ROUNDS), lambda: _run(bench, library, "opening"), lambda: _run_peer(peer, library, 1, {"opening": LATEST}))
    ours, peers = (_medians(runs) | _medians(times) for runs, times in zip((ours, peers), openings))
    return _results(ours, peers, _medians(in_small))


def _results(ours, peers, in_small):
    results = []
    for name, time in ours.items():
        if name in peers:
            results.append(Result(name, _milliseconds(time), _milliseconds(peers[name]), time / peers[name],
                                  at_most(GOALS.get(name, 1.3))))
        else:
            results.append(Limit(name, time, LIMITS.get(name), "bytes" if name.startswith("bytes") else "ms"))
    results.append(Result("latest 50, of a million and of a thousand", _milliseconds(ours["latest 50"]),
                          _milliseconds(in_small["latest 50"]), ours["latest 50"] / in_small["latest 50"], at_most(1.5)))
    return results


def _run(bench, library, *arguments):
    program = bench.program.with_name("library-benchmark")
    return _times(subprocess.run([program, library, str(ROUNDS), *arguments], check=True, capture_output=True, text=True).stdout)


def _run_peer(peer, library, rounds, statements):
    lines = "".join(f"{name}\t{' '.join(sql.split())}\n" for name, sql in statements.items())
    return _times(subprocess.run([peer, library / "library.sqlite", str(rounds)], input=lines, check=True,
                                 capture_output=True, text=True).stdout)


def _times(output):
    return {name: float(time) for name, time, _ in (line.split("\t") for line in output.splitlines())}


def _medians(runs):
    return {name: median(run[name] for run in runs) for name in runs[0]}


def _milliseconds(time):
    return f"{time:.2f} ms"
