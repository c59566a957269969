"""Measures how fast grid pictures and cells are served, beside nginx with the same bytes from
files."""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

from bench import alternating, median_of
from nginx import nginx_server
from processes import calotype_server, cpu_seconds
from report import Result, at_least, at_most

TITLE = "Serving stored thumbnails"
NOTE = """\
`wrk` requests the same grid pictures over HTTP from two servers in turns (2 threads, 32
connections, on the same machine). `calotype serve` reads them from its library. nginx (a worker for
each core, `sendfile`, no log) reads them from files, and answers anybody. Calotype looks up the session of
the cookie, and sends the header fields that protect a page. For the two rows “to nginx with the same
checks”, nginx compares the cookie with the right one, and sends the same fields.

Then `wrk` requests pages of 200 cells, the page's JSON about its photos. nginx has the compressed
bytes of the same answers in files."""

REASONS = dict.fromkeys(["requests a second", "the server’s processor time a request"], """\
The two rows “with the same checks” show what the checks cost. In a profile of Calotype, the kernel takes half of the
time, SwiftNIO's parser and pipeline a third, and the session 8 %. nginx does not copy the bytes of a file (`sendfile`).
A parser of our own would save a part of the parser's time, but would be a second HTTP path to keep safe.""")

PICTURES = 200
# The first assets of pages of cells.
OFFSETS = range(0, 50, 10)
CELLS = "location /cells/ { default_type application/json; add_header Content-Encoding gzip; }"
# Header fields that nginx sets by itself, or that differ from answer to answer.
OWN_FIELDS = ("content-length", "content-type", "date", "connection", "etag", "last-modified")
SECONDS, SECONDS_QUICK = 5, 1
SCRIPT = Path(__file__).with_name("serving.lua")


@dataclass(frozen=True)
class Run:
    """The figures of one run of wrk."""

    requests_a_second: float
    cpu_microseconds: float
    milliseconds_99: float


def measure(bench):
    """Runs wrk against both servers in turns."""
    seconds = SECONDS_QUICK if bench.quick else SECONDS
    with calotype_server(bench.program, bench.library) as served:
        paths = _paths(served)
        pictures = {path: _body(served.address + path, served.authorization) for path in paths}
        folder = bench.folder / "nginx"
        for path, picture in pictures.items():
            file = folder / "root" / path[1:]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(picture)
        cells = {f"/cells/{offset}": f"/api/v1/collections/userLibrary/assets?offset={offset}&limit=200" for offset in OFFSETS}
        (folder / "root/cells").mkdir()
        fields = {**served.authorization, "Accept-Encoding": "gzip"}
        answers = {file: _body(served.address + path, fields) for file, path in cells.items()}
        for file, answer in answers.items():
            (folder / "root" / file[1:]).write_bytes(answer)
        with nginx_server(folder, CELLS + _checked(folder, served, paths[0])) as (nginx, peer):
            _check(peer, {**pictures, **answers})
            checked = [f"/checked{path}" for path in paths]

            def in_turns(ours, *theirs):
                """Requests paths of Calotype and lists of paths of nginx. The cookie is in a file,
                since other users can read a program's arguments."""
                names = [bench.folder / f"paths-{number}" for number in range(1 + len(theirs))]
                for file, paths in zip(names, (ours, *theirs)):
                    file.write_text("\n".join([served.cookie, *paths]) + "\n", encoding="ascii")
                return alternating(
                    bench.rounds(5), lambda: _wrk(served.address, names[0], seconds, served.process),
                    *[lambda name=name: _wrk(peer, name, seconds, nginx) for name in names[1:]])

            ours_runs, peer_runs, checked_runs = in_turns(paths, paths, checked)
            cell_runs = in_turns(cells.values(), cells)
    return [
        Result("requests a second", *_figures(ours_runs, peer_runs, "requests_a_second", "{:,.0f}"),
               at_least(1)),
        Result("the server’s processor time a request", *_figures(ours_runs, peer_runs, "cpu_microseconds", "{:.0f} µs"),
               at_most(1)),
        Result("requests a second, to nginx with the same checks", *_figures(ours_runs, checked_runs, "requests_a_second", "{:,.0f}")),
        Result("the server’s processor time a request, to nginx with the same checks",
               *_figures(ours_runs, checked_runs, "cpu_microseconds", "{:.0f} µs")),
        Result("99 % of answers within", *_figures(ours_runs, peer_runs, "milliseconds_99", "{:.1f} ms"),
               at_most(1.2)),
        Result("pages of cells a second", *_figures(*cell_runs, "requests_a_second", "{:,.0f}")),
        Result("99 % of the pages of cells within", *_figures(*cell_runs, "milliseconds_99", "{:.1f} ms")),
    ]


def _checked(folder, served, path):
    """Returns a location of nginx that compares the cookie, and sends Calotype's header fields."""
    with urlopen(Request(served.address + path, headers=served.authorization)) as answer:
        fields = [(name, value) for name, value in answer.headers.items() if name.lower() not in OWN_FIELDS]
    added = " ".join(f'add_header {name} "{value}";' for name, value in fields)
    return f"""location /checked/ {{
      alias {folder / 'root'}/;
      if ($http_cookie != "{served.cookie}") {{ return 401; }}
      {added}
    }}"""


def _paths(served):
    """Returns the paths of the newest assets' grid pictures."""
    newest = f"{served.address}/api/v1/collections/userLibrary/assets?limit={PICTURES}"
    cells = json.loads(_body(newest, served.authorization))["assets"]
    return [f"/api/v1/renditions/{cell['id']}/{cell['version']}/grid" for cell in cells]


def _body(address, headers=None):
    with urlopen(Request(address, headers=headers or {})) as answer:
        return answer.read()


def _check(address, pictures):
    """Checks that nginx returns the same bytes as Calotype."""
    for path, picture in pictures.items():
        if _body(address + path) != picture:
            raise RuntimeError(f"nginx answers {path} otherwise than Calotype")


def _wrk(address, names, seconds, server):
    """Runs wrk once. An answer other than 200 is an error."""
    before = cpu_seconds(server.pid)
    done = subprocess.run(
        ["wrk", "-t2", "-c32", f"-d{seconds}s", "-s", SCRIPT, address, "--", names],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    cpu = cpu_seconds(server.pid) - before
    found = re.search(r"^result (.*)$", done.stdout, re.MULTILINE)
    result = json.loads(found[1])
    if result["errors"]:
        raise RuntimeError(f"{result['errors']} of {result['requests']} answers of {address} were errors")
    return Run(result["requests"] / result["seconds"], 1e6 * cpu / result["requests"], result["milliseconds_99"])


def _figures(ours_runs, peer_runs, attribute, form):
    """Returns both medians and their ratio."""
    ours, peer = median_of(ours_runs, attribute), median_of(peer_runs, attribute)
    return form.format(ours), form.format(peer), ours / peer
