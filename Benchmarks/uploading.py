"""Measures how fast a large file is uploaded, beside nginx."""

import os
import subprocess
import time
from base64 import b64encode
from statistics import median

from bench import alternating
from nginx import nginx_server
from processes import calotype_server
from report import Result, at_least

TITLE = "Uploading"
NOTE = """\
`curl` uploads a file of 1 GB of random bytes to two servers in turns. `calotype serve` computes its
SHA-256, compares it with the one in the request, and answers when the bytes are on the disk. nginx
writes the same bytes by WebDAV's PUT, without a hash. Its file is then synchronized with the disk,
which is counted, too."""

BYTES, BYTES_QUICK = 1_000_000_000, 50_000_000


def measure(bench):
    """Uploads to both servers in turns."""
    byte_count = BYTES_QUICK if bench.quick else BYTES
    file = bench.folder / "upload.bin"
    with open(file, "wb") as out:
        for _ in range(byte_count // 1_000_000):
            out.write(os.urandom(1_000_000))
    digest = subprocess.run(
        ["openssl", "dgst", "-sha256", "-binary", file], capture_output=True, check=True).stdout
    folder = bench.folder / "nginx-upload"
    with calotype_server(bench.program, bench.library) as served, nginx_server(folder, "dav_methods PUT;") as (_, peer):
        ours, theirs = alternating(
            bench.rounds(5), lambda: _to_calotype(served, file, digest), lambda: _to_nginx(peer, folder, file))
    file.unlink()
    rates = [f"{byte_count / median(times) / 1e6:,.0f} MB/s" for times in (ours, theirs)]
    return [Result("megabytes a second", *rates, median(theirs) / median(ours), at_least(0.5))]


def _to_calotype(served, file, digest):
    """Returns the time of an upload, which is then deleted."""
    fields = {
        "Cookie": served.cookie, "Origin": served.address, "Upload-Complete": "?1", "Upload-Name": "upload.bin",
        "Repr-Digest": f"sha-256=:{b64encode(digest).decode()}:"}
    start = time.perf_counter()
    answer = _curl("POST", fields, file, f"{served.address}/api/v1/uploads")
    took = time.perf_counter() - start
    if "201" not in answer.split("\n", 1)[0]:
        raise RuntimeError(f"the upload was refused: {answer}")
    [place] = [line.split(": ", 1)[1].strip() for line in answer.splitlines() if line.lower().startswith("location:")]
    _curl("DELETE", {name: fields[name] for name in ("Cookie", "Origin")}, None, served.address + place)
    return took


def _to_nginx(address, folder, file):
    """Returns the time until the uploaded file is on the disk. The file is then deleted."""
    stored = folder / "root/upload.bin"
    start = time.perf_counter()
    answer = _curl("PUT", {}, file, f"{address}/upload.bin")
    with open(stored, "rb") as written:
        os.fsync(written.fileno())
    took = time.perf_counter() - start
    if "201" not in answer.split("\n", 1)[0]:
        raise RuntimeError(f"nginx refused the upload: {answer}")
    stored.unlink()
    return took


def _curl(method, fields, file, address):
    """Sends a request and returns the header of its answer."""
    command = ["curl", "-sS", "-D", "-", "-o", os.devnull, "-X", method]
    for name, value in {**fields, "Expect": ""}.items():
        command += ["-H", f"{name}: {value}" if value else f"{name}:"]
    if file:
        command += ["-T", file]
    done = subprocess.run([*command, address], capture_output=True, text=True, check=True)
    return done.stdout
