"""Keeps a server busy, fills its disk and kills it. Nothing is lost, and nothing is half done."""

import base64
import hashlib
import http.client
import json
import os
import random
import resource
import selectors
import shutil
import socket
import subprocess
import time
import uuid
from contextlib import contextmanager
from urllib.parse import urlparse

import pytest
from conftest import PATIENCE, Site, copy_library
from soak import cases, seeded, soak_alone

# The patience for an answer of a busy server.
LONG = 2 * PATIENCE
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def site(fixture_library, tmp_path):
    """A server of its own for each test."""
    library = tmp_path / "Fixture.calotype"
    copy_library(fixture_library, library)
    site = Site(library)
    yield site
    site.stop()


def port(site):
    return urlparse(site.address).port


def owner(site):
    """The header fields of the owner's page."""
    cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in site.cookies)
    return {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port(site)}"}


def ask(site, method, path, body=None, fields=None):
    """Returns the status, the fields and the body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port(site), timeout=LONG)
    try:
        connection.request(method, f"/api/v1{path}", body, {**owner(site), **(fields or {})})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def post(site, path, value, fields=None):
    """Sends JSON, and returns the status and the JSON of the answer."""
    status, _, body = ask(site, "POST", path, json.dumps(value), {**JSON, **(fields or {})})
    return status, json.loads(body)


def memory(site):
    """Returns the resident bytes of the server."""
    with open(f"/proc/{site.process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def kill(site):
    """Ends the server like a failure of the power, and starts another one."""
    site.process.kill()
    site.process.wait(timeout=PATIENCE)
    site.start_again()


@contextmanager
def open_sockets(count, site):
    """Connects several times. Lets this process open as many files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * count:
        pytest.skip(f"this system lets a process open {hard} files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * count), hard))
    sockets = []
    try:
        for _ in range(count):
            sockets.append(socket.create_connection(("127.0.0.1", port(site)), timeout=LONG))
        yield sockets
    finally:
        for connection in sockets:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@soak_alone
def test_a_thousand_slow_connections_keep_nobody_waiting_and_take_little_memory(site):
    assert ask(site, "GET", "/library")[0] == 200
    before = memory(site)
    with open_sockets(1000, site) as slow:
        for letter in b"GET / HTTP":
            for connection in slow:
                try:
                    connection.send(bytes([letter]))
                except OSError:
                    pass  # the server needed the place for another connection
            assert ask(site, "GET", "/library")[0] == 200
        # A connection takes 64 kB at most.
        assert memory(site) - before < 64 << 20


def test_clients_with_streams_are_told_of_a_change(site):
    keys = []
    for number in range(cases(few=10, many=200)):
        status, key = post(site, "/access/tokens", {"name": f"Client {number}", "level": "readWrite"})
        assert status == 201
        keys.append(key["token"])
    before = memory(site)
    with open_sockets(len(keys), site) as streams:
        for key, connection in zip(keys, streams):
            connection.send(
                f"GET /api/v1/changes/stream HTTP/1.1\r\nHost: 127.0.0.1:{port(site)}\r\n"
                f"Authorization: Bearer {key}\r\n\r\n".encode())
        read_until(streams, b"retry: 1000")
        is_favorite = json.loads(ask(site, "GET", f"/assets/{site.id('P02')}")[2])["isFavorite"]
        change = {"type": "setAssets", "assets": [site.id("P02")], "isFavorite": not is_favorite}
        assert post(site, "/changes", {"changes": [change]})[0] == 200
        read_until(streams, f'"updated":["{site.id("P02")}"]'.encode())
        assert memory(site) - before < 64 << 20


def read_until(streams, words):
    """Reads from all sockets until each has got some words."""
    waiting = selectors.DefaultSelector()
    for stream in streams:
        waiting.register(stream, selectors.EVENT_READ, bytearray())
    end = time.monotonic() + LONG
    while waiting.get_map():
        assert time.monotonic() < end, f"{len(waiting.get_map())} streams did not get {words}"
        for key, _ in waiting.select(timeout=1):
            piece = key.fileobj.recv(65_536)
            assert piece, "the server has closed a stream"
            key.data.extend(piece)
            if words in key.data:
                waiting.unregister(key.fileobj)


def bitmap(height):
    """Returns a picture of noise in the BMP format: 3 kB for each row."""
    width = 1024
    pixels = random.Random(height).randbytes(width * 3 * height)
    head = b"BM" + (54 + len(pixels)).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    sizes = (40).to_bytes(4, "little") + width.to_bytes(4, "little") + height.to_bytes(4, "little")
    return head + sizes + b"\1\0\30\0" + bytes(24) + pixels


def digest(data):
    return f"sha-256=:{base64.b64encode(hashlib.sha256(data).digest()).decode()}:"


def begin_upload(site, name, length):
    status, _, body = ask(
        site, "POST", "/uploads", b"",
        {"Upload-Complete": "?0", "Upload-Name": name, "Upload-Length": str(length),
         "Content-Type": "application/octet-stream"})
    assert status == 201, body
    return json.loads(body)["upload"]


def offset(site, upload):
    """Returns how much has arrived, and whether that is all."""
    status, fields, _ = ask(site, "HEAD", f"/uploads/{upload}")
    assert status == 204
    return int(fields["Upload-Offset"]), fields["Upload-Complete"] == "?1"


def send_rest(site, upload, data, start, cut=None):
    """Appends the rest. Cuts the connection after `cut` bytes, if there is a number."""
    fields = {
        **owner(site), "Host": f"127.0.0.1:{port(site)}", "Content-Type": "application/partial-upload",
        "Upload-Offset": str(start), "Upload-Complete": "?1", "Repr-Digest": digest(data),
        "Content-Length": str(len(data) - start)}
    head = f"PATCH /api/v1/uploads/{upload} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    rest = data[start:] if cut is None else data[start:start + cut]
    with socket.create_connection(("127.0.0.1", port(site)), timeout=LONG) as connection:
        try:
            connection.sendall(head.encode() + b"\r\n" + rest)
        except OSError:
            pass  # the server has answered before the end
        return connection.recv(65_536) if cut is None else b""


def until_sent(site, upload, data):
    """Sends the rest. Repeats the question where to begin while a cut connection is still read."""
    for _ in range(10):
        # Nothing may have arrived: a connection that ends at once can end before it is read.
        start, _ = offset(site, upload)
        status = send_rest(site, upload, data, start).partition(b"\r\n")[0]
        if b" 409 " not in status:
            break
    assert b" 200 " in status


def test_an_upload_that_is_killed_at_any_instant_is_whole(site):
    """X-04: the connection dies, and with every fifth one the server."""
    data = bitmap(1700)
    upload = begin_upload(site, "Killed.bmp", len(data))
    instants = random.Random(seeded(16))
    arrived = 0
    for instant in range(cases(few=5, many=50)):
        start, is_complete = offset(site, upload)
        assert start >= arrived and not is_complete, "what a client was told has arrived stays"
        arrived = start
        send_rest(site, upload, data, start, cut=instants.randrange(1, (len(data) - start) // 20))
        if instant % 5 == 4:
            kill(site)
    until_sent(site, upload, data)
    status, answer = post(site, "/imports", {"uploads": [upload]})
    assert status == 200 and [file["outcome"] for file in answer["files"]] == ["added"]
    assert ask(site, "GET", f"/resources/{answer['files'][0]['asset']}/0")[2] == data


def test_changes_of_a_server_that_is_killed_are_done_once(site):
    """A client repeats its request after the server was killed at any instant."""
    instants = random.Random(seeded(16))
    for number in range(cases(few=2, many=40)):
        key = {"Idempotency-Key": f'"{uuid.uuid4()}"', **JSON}
        changes = [{"type": "createAlbum", "as": "$1", "title": f"Killed {number}"},
                   {"type": "addAssets", "collection": "$1", "assets": [site.id("P01"), site.id("P02")]}]
        body = json.dumps({"changes": changes})
        connection = http.client.HTTPConnection("127.0.0.1", port(site), timeout=LONG)
        connection.request("POST", "/api/v1/changes", body, {**owner(site), **key})
        time.sleep(instants.uniform(0, 0.03))  # waits: for any instant of the request
        kill(site)
        connection.close()
        assert ask(site, "POST", "/changes", body, key)[0] == 200
        albums = [album for album in json.loads(ask(site, "GET", "/collections")[2])["collections"]
                  if album["title"] == f"Killed {number}"]
        assert [album["count"] for album in albums] == [2]
    assert "no problems" in site.calotype("verify")


@pytest.fixture
def small_disk(fixture_library, tmp_path):
    """A file system in memory with room for the library and 64 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    size = sum(file.stat().st_size for file in fixture_library.rglob("*") if file.is_file()) + (64 << 20)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("a small file system can't be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_full_disk_refuses_an_upload_and_the_rest_goes_on(fixture_library, small_disk):
    library = small_disk / "Fixture.calotype"
    shutil.copytree(fixture_library, library)
    site = Site(library)
    try:
        data = bitmap(8000)
        upload = begin_upload(site, "Full.bmp", len(data))
        free = shutil.disk_usage(small_disk).free
        (small_disk / "filler").write_bytes(bytes(max(0, free - (12 << 20))))
        answer = send_rest(site, upload, data, 0)
        assert b" 507 " in answer.partition(b"\r\n")[0]
        assert ask(site, "GET", "/library")[0] == 200
        (small_disk / "filler").unlink()
        start, is_complete = offset(site, upload)
        assert not is_complete
        assert b" 200 " in send_rest(site, upload, data, start).partition(b"\r\n")[0]
    finally:
        site.stop()
