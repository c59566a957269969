"""Measures how fast grid pictures are served, beside nginx with the same bytes from files."""

import json
import os
import re
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

from bench import alternating, median_of
from machine import cores
from processes import calotype_server, cpu_seconds, free_port, running, wait_until_listening
from report import Result, at_least, at_most

TITLE = "Serving stored thumbnails"
NOTE = """\
`wrk` requests the same grid pictures over HTTP from two servers in turns (2 threads, 32
connections, on the same machine). `calotype serve` reads them from its library. nginx (a worker for
each core, `sendfile`, no log) reads them from files."""

PICTURES = 200
SECONDS, SECONDS_QUICK = 5, 1
SCRIPT = Path(__file__).with_name("serving.lua")
NGINX = """\
worker_processes %(workers)d;
pid %(folder)s/pid;
error_log %(folder)s/errors;
daemon off;
%(user)s
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  default_type image/jpeg;
  client_body_temp_path %(folder)s/body;
  proxy_temp_path %(folder)s/proxy;
  fastcgi_temp_path %(folder)s/fastcgi;
  uwsgi_temp_path %(folder)s/uwsgi;
  scgi_temp_path %(folder)s/scgi;
  server { listen 127.0.0.1:%(port)d; root %(folder)s/root; }
}
"""


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
        with _nginx(bench.folder / "nginx", pictures) as (nginx, peer):
            _check(peer, pictures)
            names = bench.folder / "paths"
            # The cookie is in a file, since other users can read a program's arguments.
            names.write_text("\n".join([served.cookie, *paths]) + "\n", encoding="ascii")
            ours_runs, peer_runs = alternating(
                bench.rounds(5), lambda: _wrk(served.address, names, seconds, served.process),
                lambda: _wrk(peer, names, seconds, nginx))
    return [
        Result("requests a second", *_figures(ours_runs, peer_runs, "requests_a_second", "{:,.0f}"),
               at_least(0.33)),
        Result("the server’s processor time a request", *_figures(ours_runs, peer_runs, "cpu_microseconds", "{:.0f} µs")),
        Result("99 % of answers within", *_figures(ours_runs, peer_runs, "milliseconds_99", "{:.1f} ms"),
               at_most(1.2)),
    ]


def _paths(served):
    """Returns the paths of the newest assets' grid pictures."""
    cells = json.loads(_body(f"{served.address}/api/assets?limit={PICTURES}", served.authorization))["assets"]
    return [f"/renditions/{cell['id']}/{cell['version']}/grid" for cell in cells]


def _body(address, headers=None):
    with urlopen(Request(address, headers=headers or {})) as answer:
        return answer.read()


def _check(address, pictures):
    """Checks that nginx returns the same bytes as Calotype."""
    for path, picture in pictures.items():
        if _body(address + path) != picture:
            raise RuntimeError(f"nginx answers {path} otherwise than Calotype")


@contextmanager
def _nginx(folder, pictures):
    """Runs nginx with these pictures. Yields its process and its address."""
    for path, picture in pictures.items():
        file = folder / "root" / path[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(picture)
    port = free_port()
    configuration = folder / "nginx.conf"
    # If root starts nginx, its workers would run as `nobody` and could not read the folder.
    user = "user root;" if os.geteuid() == 0 else ""
    configuration.write_text(NGINX % {"workers": cores(), "folder": folder, "port": port, "user": user}, encoding="utf-8")
    command = ["nginx", "-p", folder, "-e", folder / "errors", "-c", configuration]
    with running(command, stderr=subprocess.DEVNULL) as process:
        wait_until_listening(port, process)
        yield process, f"http://127.0.0.1:{port}"


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
