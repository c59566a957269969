"""Measures how long the tree of albums takes over HTTP after each change."""

import gzip
import http.client
import json
import time
from statistics import median, quantiles
from urllib.parse import urlparse

from million import million_library
from processes import calotype_server
from report import Limit

TITLE = "The tree of albums over HTTP"
NOTE = """\
A client asks for the tree of albums, with counts and key assets, on one connection. The library has
100,000 made-up assets and 2,000 albums. A change commits before each request: it adds a photo to an
album, or removes that photo. No answer can come from a cache. The answers are compressed. The limits
are absolute."""

REASONS = dict.fromkeys([f"2,000 albums after a change, {what}" for what in ("median", "95 % within")], """\
After a change, Calotype reads all 120,000 rows again. For each album, it counts the assets and finds the dates and the
key asset. The library could keep these values, but then each change of an asset would have to update every album that
contains it.""")

ASSETS, ASSETS_QUICK = 100_000, 10_000
ALBUMS, ALBUMS_QUICK = 2_000, 200
LARGEST = 1_000
REQUESTS, REQUESTS_QUICK = 100, 10


def measure(bench):
    """Measures requests for the tree of albums, each after a change of one album."""
    count = ALBUMS_QUICK if bench.quick else ALBUMS
    library = million_library(bench, ASSETS_QUICK if bench.quick else ASSETS, count, LARGEST)
    with calotype_server(bench.program, library) as served:
        times = _times(served, count, REQUESTS_QUICK if bench.quick else REQUESTS)
    return [
        Limit(f"{count:,} albums after a change, median", 1e3 * median(times), 50, "ms"),
        Limit(f"{count:,} albums after a change, 95 % within", 1e3 * quantiles(times, n=20)[-1], 50, "ms"),
    ]


def _times(served, count, requests):
    """Returns the times of the answers."""
    address = urlparse(served.address)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    photo = json.loads(_ask(connection, served, "GET", "/api/v1/collections/userLibrary/assets?limit=1"))["assets"][0]["id"]
    tree = _ask(connection, served, "GET", "/api/v1/collections")
    albums = [found for found in json.loads(tree)["collections"] if found["kind"] == "album"]
    if len(albums) != count:
        raise RuntimeError(f"the library has {len(albums)} albums instead of {count}")
    times = []
    for number in range(requests):
        kind = "addAssets" if number % 2 == 0 else "removeAssets"
        change = {"type": kind, "collection": albums[0]["id"], "assets": [photo]}
        _ask(connection, served, "POST", "/api/v1/changes", {"changes": [change]})
        start = time.perf_counter()
        answer = _ask(connection, served, "GET", "/api/v1/collections")
        times.append(time.perf_counter() - start)
        [album] = [found for found in json.loads(answer)["collections"] if found["id"] == albums[0]["id"]]
        if album["count"] != albums[0]["count"] + (1 if number % 2 == 0 else 0):
            raise RuntimeError("the answer does not show the change")
    connection.close()
    return times


def _ask(connection, served, method, path, body=None):
    """Returns the text of an answer. The time to decompress it is a fraction of a millisecond."""
    fields = {**served.authorization, "Origin": served.address, "Accept-Encoding": "gzip"}
    if body is not None:
        fields["Content-Type"] = "application/json"
    connection.request(method, path, body and json.dumps(body), fields)
    answer = connection.getresponse()
    text = answer.read()
    if answer.getheader("Content-Encoding") == "gzip":
        text = gzip.decompress(text)
    if answer.status != 200:
        raise RuntimeError(f"{method} {path} was answered with {answer.status}: {text[:500]!r}")
    return text
