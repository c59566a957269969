"""Measures how long a search takes over HTTP in a library of a hundred thousand assets."""

import http.client
import json
import time
from statistics import median, quantiles
from urllib.parse import quote, urlparse

from made_up import make_library
from processes import calotype_server
from report import Limit

TITLE = "Search over HTTP"
NOTE = """\
A client types searches in a library of 100,000 made-up assets, letter by letter, on one connection.
It asks for the first 200 results at each letter, and waits for the answer. Each round capitalizes
other letters, so that no answer is in a cache. The limit is absolute."""

REASONS = {
    **dict.fromkeys(["“iphone 15 pro”, the last letter", "all letters, 95 % within"], """\
All 100,000 assets match “iphone 15 pro”, so its letters are the slowest searches. The server lists all assets by date,
and counts those of each day. It could list only the first 200, but then the page would not know how long the grid is."""),
}

ASSETS, ASSETS_QUICK = 100_000, 10_000
ROUNDS = 5
LIMIT = 50
# The first search finds all assets, and the last one finds one.
SEARCHES = ["iphone 15 pro", "apple video", "apple live june", "june", "june 2019", "live photos 2020", "made_up_777", "nothing like this", "MADE_UP_77777.heic"]


def measure(bench):
    """Types each search, and returns the times of the answers."""
    library = make_library(bench, "Searched.calotype", ASSETS_QUICK if bench.quick else ASSETS)
    results, all_times = [], []
    with calotype_server(bench.program, library) as served:
        address = urlparse(served.address)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
        for search in SEARCHES:
            rounds = [_type(connection, served, in_case(search, number)) for number in range(bench.rounds(ROUNDS))]
            results.append(Limit(f"“{search}”, the last letter", 1e3 * median(times[-1] for times in rounds), LIMIT, "ms"))
            all_times += [seconds for times in rounds for seconds in times]
        connection.close()
    return [
        *results,
        Limit("all letters, median", 1e3 * median(all_times), LIMIT, "ms"),
        Limit("all letters, 95 % within", 1e3 * quantiles(all_times, n=20)[-1], LIMIT, "ms"),
    ]


def in_case(search, number):
    """Returns the search with other capital letters for each number."""
    return "".join(letter.upper() if number >> index % 3 & 1 else letter.lower() for index, letter in enumerate(search))


def _type(connection, served, search):
    """Returns the time in seconds of the answer after each typed letter."""
    times = []
    for end in range(1, len(search) + 1):
        if search[end - 1] == " ":
            continue
        start = time.perf_counter()
        connection.request("GET", f"/api/v1/search?q={quote(search[:end])}", headers=served.authorization)
        answer = connection.getresponse()
        body = answer.read()
        times.append(time.perf_counter() - start)
        if answer.status != 200 or "total" not in json.loads(body):
            raise RuntimeError(f"the search “{search[:end]}” was answered with {answer.status}: {body[:500]!r}")
    return times
