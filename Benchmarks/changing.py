"""Measures how long a change takes over HTTP, and how soon an open page is told of a change."""

import http.client
import json
import sqlite3
import threading
import time
from statistics import median, quantiles
from urllib.parse import urlparse

from made_up import make_library
from processes import calotype_server, quietly
from report import Limit

TITLE = "Changes over HTTP"
NOTE = """\
A client marks one photo of a library with 250 photos as a favorite, one request after another.
Then another process commits changes, and a client that reads the event stream waits for each. A
stream has at most five events a second, so each commit comes a quarter of a second after the event
before it. The time of a commit is that at which a further connection to the database sees it.
Then one request makes a range of 60,000 photos favorites, in a library of 100,000 made-up assets,
and the next request takes that back. Finally, the owner selects a range of 10,000 photos for a
client, whose selection was empty before. The limits are absolute."""

REASONS = {"setting or clearing the favorite of 60,000 photos as one range": """\
Each photo takes 21 µs. One UPDATE takes 7 µs a row (“60000 favorites” below). In the rest, the server reads the photo,
and writes its former and new values into the history. Without the history, the change could not be undone, and other
programs would not see it."""}

CHANGES, CHANGES_QUICK = 200, 10
EVENTS, EVENTS_QUICK = 60, 3
ASSETS, ASSETS_QUICK = 100_000, 10_000
SELECTED, SELECTED_QUICK = 10_000, 1_000
FAVORITES, FAVORITES_QUICK = 60_000, 6_000
ROUNDS = 5

# Seconds, longer than a stream waits after an event.
PAUSE = 0.25


def measure(bench):
    """Changes one photo again and again."""
    with calotype_server(bench.program, bench.library) as served:
        photo = _json(served, "GET", "/api/v1/collections/userLibrary/assets?limit=1")["assets"][0]["id"]
        changes = _changes(served, photo, CHANGES_QUICK if bench.quick else CHANGES)
        events = _events(bench, served, photo, EVENTS_QUICK if bench.quick else EVENTS)
    favorites, selections = _ranges(bench)
    return [
        Limit("one favorite, median", 1e3 * median(changes), None, "ms"),
        Limit("one favorite, 95 % within", 1e3 * _most(changes), None, "ms"),
        Limit("from a commit of another process to its event, median", 1e3 * median(events), None, "ms"),
        Limit("from a commit of another process to its event, 95 % within", 1e3 * _most(events), 50, "ms"),
        Limit("setting or clearing the favorite of 60,000 photos as one range", median(favorites), 1, "s"),
        Limit("selecting 10,000 of 100,000 photos for a client (B-06)", median(selections), 1, "s"),
    ]


def _most(times):
    return quantiles(times, n=20)[-1]


def _changes(served, photo, count):
    """Returns the times of changes, on one connection."""
    connection = _connect(served)
    times = []
    for number in range(count):
        change = {"type": "setAssets", "assets": [photo], "isFavorite": number % 2 == 0}
        start = time.perf_counter()
        _json(served, "POST", "/api/v1/changes", {"changes": [change]}, connection)
        times.append(time.perf_counter() - start)
    connection.close()
    return times


def _ranges(bench):
    """Returns the times of changing many photos, and of selecting many for a client."""
    library = make_library(bench, "Selected.calotype", ASSETS_QUICK if bench.quick else ASSETS)
    with calotype_server(bench.program, library) as served:
        favorites = _favorites(served, FAVORITES_QUICK if bench.quick else FAVORITES, bench.rounds(ROUNDS))
        selections = _selections(served, SELECTED_QUICK if bench.quick else SELECTED, bench.rounds(ROUNDS))
    return favorites, selections


def _newest(served, count):
    """Returns the range of the newest photos, as a request names it."""
    revision = _json(served, "GET", "/api/v1/library")["revision"]
    return {"range": {"collection": "userLibrary", "order": "newest", "revision": revision, "first": 0, "end": count}}


def set_favorites(served, count, is_favorite):
    """Sets or clears the favorite of the newest photos by one request, and returns its time."""
    change = {"type": "setAssets", "assets": _newest(served, count), "isFavorite": is_favorite}
    start = time.perf_counter()
    _json(served, "POST", "/api/v1/changes", {"changes": [change]})
    return time.perf_counter() - start


def _favorites(served, count, rounds):
    """Returns the times of requests that set or clear the favorite of many photos."""
    times = []
    for number in range(rounds):
        before = _favorite_count(served)
        times.append(set_favorites(served, count, number % 2 == 0))
        after = _favorite_count(served)
        if (after > before) != (number % 2 == 0) or max(before, after) < count:
            raise RuntimeError(f"there were {before} favorites, and then {after}")
    return times


def _favorite_count(served):
    return _json(served, "GET", "/api/v1/collections/favorites/assets?limit=1")["total"]


def _selections(served, count, rounds):
    """Returns the times of selecting many photos for a client."""
    key = _json(served, "POST", "/api/v1/access/tokens", {"name": "Frame", "level": "readWrite", "assets": []}, status=201)
    path = f"/api/v1/access/clients/{key['client']}/selection"
    times = []
    for _ in range(rounds):
        _json(served, "PUT", path, {"assets": []})
        assets = _newest(served, count)
        start = time.perf_counter()
        answer = _json(served, "PUT", path, {"assets": assets})
        times.append(time.perf_counter() - start)
        if answer["selectedCount"] != count:
            raise RuntimeError(f"{answer['selectedCount']} of {count} photos were selected")
    return times


def _events(bench, served, photo, count):
    """Returns the times from the commits of another process to their events."""
    database = sqlite3.connect(f"file:{bench.library}/library.sqlite?mode=ro", uri=True, isolation_level=None)
    connection = _connect(served)
    connection.request("GET", "/api/v1/changes/stream", headers=served.authorization)
    stream = connection.getresponse()
    arrivals = []
    threading.Thread(target=_read, args=(stream, arrivals), daemon=True).start()
    times = []
    for number in range(count):
        seen = version(database)
        options = [] if number % 2 == 0 else ["--off"]
        change = [bench.program, "--library", bench.library, "favorite", *options, photo]
        thread = threading.Thread(target=quietly, args=(change,))
        thread.start()
        while version(database) == seen:
            time.sleep(0.0002)
        committed = time.perf_counter()
        end = committed + 5
        while len(arrivals) <= number and time.perf_counter() < end:
            time.sleep(0.0002)
        thread.join()
        if len(arrivals) <= number:
            raise RuntimeError("no event came within five seconds")
        times.append(max(0, arrivals[number] - committed))
        time.sleep(PAUSE)
    connection.close()
    return times


def _read(stream, arrivals):
    """Adds the time of each change that the stream tells."""
    try:
        while line := stream.readline():
            if line.startswith(b"event: change"):
                arrivals.append(time.perf_counter())
    except (OSError, AttributeError, ValueError):
        pass  # the stream was closed


def version(database):
    """Returns a number that another connection's commit changes."""
    return database.execute("PRAGMA data_version").fetchone()[0]


def _connect(served):
    address = urlparse(served.address)
    return http.client.HTTPConnection(address.hostname, address.port, timeout=30)


def _json(served, method, path, body=None, connection=None, status=200):
    connection = connection or _connect(served)
    fields = {**served.authorization, "Origin": served.address, "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body) if body else None, fields)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != status:
        raise RuntimeError(f"{method} {path} was answered with {answer.status}: {text[:500]!r}")
    return json.loads(text)
