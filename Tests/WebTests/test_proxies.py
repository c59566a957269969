"""Tests the examples of proxies: a browser uses the library through nginx and through Caddy.

The tests change in the examples only the names of the ports and the certificate."""

import contextlib
import functools
import re
import shutil
import socket
import ssl
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from conftest import FAILED, FIRST_PAGE, PATIENCE, ROOT, copy_library, end, give_password, new_context, new_link, program, until, until_equal, wait_for, written
from playwright.sync_api import expect

EXAMPLES = ROOT / "Examples" / "Proxies"
NAME = "photos.localhost"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "key.pem",
         "-out", folder / "certificate.pem"], check=True, capture_output=True)
    return folder


@contextmanager
def held_port():
    """Gives a port that the system gives to nobody else meanwhile. A program that asks for this one
    can listen to it, since this socket does not listen, and both reuse the address."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


def nginx(folder, certificate, port, upstream):
    text = (EXAMPLES / "nginx.conf").read_text()
    text = text.replace("listen 443", f"listen 127.0.0.1:{port}").replace("photos.example;", f"{NAME};", 1)
    text = text.replace("127.0.0.1:2839", f"127.0.0.1:{upstream}")
    text = re.sub(r"ssl_certificate \S+;", f"ssl_certificate {certificate}/certificate.pem;", text)
    text = re.sub(r"ssl_certificate_key \S+;", f"ssl_certificate_key {certificate}/key.pem;", text)
    paths = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        # Its workers write the bodies of requests into the test's folder.
        f"daemon off;\nuser root;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\nhttp {{\naccess_log {folder}/requests;\n{paths}\n{text}\n}}\n")
    return ["nginx", "-p", folder, "-e", folder / "errors", "-c", folder / "nginx.conf"]


def plain_nginx(folder, certificate, port, upstream):
    """nginx with the addresses of the example alone: it refuses bodies of more than 1 MB."""
    command = nginx(folder, certificate, port, upstream)
    configuration = folder / "nginx.conf"
    settings = r"^ *(client_max_body_size|proxy_request_buffering|proxy_buffering|proxy_read_timeout) .*;\n"
    text, count = re.subn(settings, "", configuration.read_text(), flags=re.MULTILINE)
    assert count == 4
    configuration.write_text(text)
    return command


def caddy(folder, certificate, port, upstream):
    text = (EXAMPLES / "Caddyfile").read_text().replace("127.0.0.1:2839", f"127.0.0.1:{upstream}")
    text = text.replace(
        "photos.example {", f"https://{NAME}:{port} {{\n  tls {certificate}/certificate.pem {certificate}/key.pem", 1)
    options = "{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n"
    (folder / "Caddyfile").write_text(options + text)
    return ["caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]


class Proxied(NamedTuple):
    """A library that a proxy serves at a public address."""

    library: Path
    address: str


@contextmanager
def behind(proxy, library, certificate, folder):
    """Serves a library behind a proxy."""
    name = proxy.__name__.removeprefix("plain_")
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    with held_port() as port, held_port() as upstream, (folder / "output").open("w+") as output:
        public = f"https://{NAME}:{port}"
        server = subprocess.Popen(
            [program(), "--library", str(library), "serve", "--port", str(upstream), "--public-url", public, "--proxy", "127.0.0.1"],
            stdout=subprocess.PIPE, text=True)
        try:
            written(server, server.stdout, re.escape(public))
            process = subprocess.Popen(
                proxy(folder, certificate, port, upstream), stdout=output, stderr=output,
                env={"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/bin"})
            try:
                wait_for(lambda: is_listening(process, port, folder), f"{name} at port {port}")
                yield Proxied(library, public)
            finally:
                end(process)
        finally:
            end(server)


def is_listening(process, port, folder):
    assert process.poll() is None, f"the proxy has ended: {(folder / 'output').read_text()}"
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
        return True


@pytest.fixture(scope="module")
def served(fixture_library, certificate, tmp_path_factory):
    """Serves a copy of the fixture library behind a proxy, for all tests of the file."""
    with contextlib.ExitStack() as stack:

        @functools.cache
        def serve(proxy):
            folder = tmp_path_factory.mktemp(proxy.__name__)
            copy_library(fixture_library, folder / "Proxied.calotype")
            return stack.enter_context(behind(proxy, folder / "Proxied.calotype", certificate, folder))

        yield serve


@pytest.fixture(params=[nginx, caddy], ids=lambda proxy: proxy.__name__)
def proxied(request, served):
    """A library behind a proxy that is configured as in the examples."""
    return served(request.param)


@pytest.fixture(params=[plain_nginx, caddy], ids=lambda proxy: proxy.__name__)
def plainly_proxied(request, served):
    """A library behind a proxy without settings for uploads."""
    return served(request.param)


@pytest.fixture(params=[nginx, caddy], ids=lambda proxy: proxy.__name__)
def freshly_proxied(request, fixture_library, certificate, tmp_path):
    """A library behind a proxy, for one test."""
    copy_library(fixture_library, tmp_path / "Proxied.calotype")
    with behind(request.param, tmp_path / "Proxied.calotype", certificate, tmp_path) as proxied:
        yield proxied


@pytest.fixture
def sign_in(browser):
    """Opens a page that is signed in through a proxy, and waits for the library."""
    contexts = []

    def make(proxied):
        context = new_context(browser, init_script="", ignore_https_errors=True)
        contexts.append(context)
        page = context.new_page()
        page.goto(new_link(proxied.library))
        page.wait_for_url(f"{proxied.address}/")
        until(page, FIRST_PAGE)
        return page

    yield make
    for context in contexts:
        context.close()


def test_u_12_a_browser_signs_in_and_out_through_a_proxy(proxied, browser, sign_in, complaints):
    complaints.expected.append(FAILED)
    stranger = new_context(browser, ignore_https_errors=True)
    assert stranger.new_page().goto(f"{proxied.address}/").status == 401
    stranger.close()
    page = sign_in(proxied)
    assert page.url == f"{proxied.address}/"
    names = [cookie["name"] for cookie in page.context.cookies()]
    assert any(name.startswith("__Host-calotype") for name in names)
    page.goto(f"{proxied.address}/sessions")
    # Caddy listens on both kinds of addresses.
    expect(page.locator(".sessions")).to_contain_text(re.compile("127[.]0[.]0[.]1|::1"))
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")


def test_u_12_the_main_flows_work_through_a_proxy(proxied, sign_in):
    page = sign_in(proxied)
    # The viewer: open, next, back to the cell.
    first, second = page.evaluate("[0, 1].map((index) => document.querySelector('photo-grid').cellAt(index).asset.id)")
    page.locator(f".cell[data-id='{first}'] .open").click()
    until(page, f"document.querySelector('asset-viewer').asset?.id === '{first}'")
    until(page, "document.querySelector('zoom-stage img.screen')?.naturalWidth > 0")
    page.keyboard.press("ArrowRight")
    until(page, f"document.querySelector('asset-viewer').asset?.id === '{second}'")
    page.keyboard.press("Escape")
    until(page, f"document.querySelector('asset-viewer').hidden && document.activeElement.dataset.id === '{second}'")
    # A change from the page, which comes back by the stream of events.
    until(page, "document.querySelector('selection-bar') !== null")
    page.locator(f".cell[data-id='{second}']").click(modifiers=["Control"])
    until(page, "document.querySelectorAll('.cell[aria-selected=true]').length === 1")
    is_favorite = f"document.querySelector(`.cell[data-id='{second}'] .favorite`) !== null"
    was_favorite = page.evaluate(is_favorite)
    page.keyboard.press("f")
    until_equal(page, is_favorite, not was_favorite)
    page.keyboard.press("Escape")
    # A search.
    page.keyboard.press("/")
    page.keyboard.type("video")
    until(page, "location.pathname === '/search' && document.querySelector('photo-grid').snapshot?.total > 0")


# Defines `ask`, which sends a request. After a time limit it throws an error with the path.
ASK = """const ask = async (path, options = {}) => {
  try {
    const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(%d), ...options });
    return { status: answer.status, headers: answer.headers, body: await answer.blob() };
  } catch (error) {
    throw new Error(`${options.method ?? "GET"} ${path}: ${error}`);
  }
};
const json = async (path) => JSON.parse(await (await ask(path)).body.text());
const post = (path, body) => ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
""" % (PATIENCE * 1000)


def asked(page, script):
    """Runs a script that can call `ask`, `json` and `post`. Returns its result."""
    return page.evaluate(f"async () => {{ {ASK} {script} }}")


def test_u_12_parts_of_movies_and_whole_archives_pass_a_proxy(proxied, sign_in):
    page = sign_in(proxied)
    # Browsers send such a request to play a movie from its middle.
    status, length, part, first = asked(page, """
      const { assets: [{ id, version }] } = await json("/api/v1/assets?where=mediaType==2&limit=1");
      const path = `/api/v1/renditions/${id}/${version}/video`;
      const whole = await ask(path);
      const part = await ask(path, { headers: { Range: "bytes=1000-1999" } });
      const isEqual = await part.body.text() === await whole.body.slice(1000, 2000).text();
      return [part.status, whole.body.size, part.headers.get("Content-Range"), isEqual];""")
    assert (status, part, first) == (206, f"bytes 1000-1999/{length}", True)
    # The length of an archive is known before it is made.
    assert asked(page, """
      const { assets } = await json("/api/v1/collections/userLibrary/assets?limit=20");
      const made = await post("/api/v1/downloads", { assets: assets.map(({ id }) => id), kind: "originals" });
      const { ticket, bytes } = JSON.parse(await made.body.text());
      const { status, headers, body } = await ask(`/api/v1/downloads/${ticket}`);
      return [status, headers.get("Content-Length") === `${bytes}`, body.size === bytes, await body.slice(0, 2).text()];
    """) == [200, True, True, "PK"]


def test_u_12_made_pictures_and_the_picker_pass_a_proxy(proxied, sign_in):
    page = sign_in(proxied)
    encoding, *picture = asked(page, """
      const list = await ask("/api/v1/collections/userLibrary/assets?limit=100");
      const { assets: [{ id }] } = JSON.parse(await list.body.text());
      const made = await post("/api/v1/images", { asset: id, width: 100, height: 100, contentMode: "aspectFill", resizeMode: "exact" });
      const { width, height } = await createImageBitmap(made.body);
      return [list.headers.get("Content-Encoding"), made.status, width, height];""")
    assert (encoding, picture) == ("gzip", [200, 100, 100])
    # Pages of other origins open `/picker`, and must be able to reach its window.
    assert page.goto(f"{proxied.address}/picker").headers["cross-origin-opener-policy"] == "unsafe-none"
    expect(page.locator("section.message")).to_contain_text("A web page opens this window")


@pytest.mark.parametrize("path, title", [("smart/favorites", "Favorites"), ("history", "History")])
def test_u_12_the_addresses_of_views_work_through_a_proxy(proxied, sign_in, path, title):
    page = sign_in(proxied)
    assert page.goto(f"{proxied.address}/{path}").status == 200
    page.get_by_role("heading", name=title, level=1).wait_for()


def test_u_12_a_forged_address_does_not_evade_the_limit(freshly_proxied, browser, complaints):
    complaints.expected.append(FAILED)
    give_password(freshly_proxied.library, "a river in the night")
    context = new_context(browser, ignore_https_errors=True)
    page = context.new_page()
    page.goto(f"{freshly_proxied.address}/sign-in")
    # The waiting times double, so that a slow machine reaches the limit, too.
    statuses = page.evaluate("""async () => {
      const statuses = [];
      while (statuses.length < 12 && !statuses.includes(429)) {
        const headers = { "Content-Type": "application/json", "X-Forwarded-For": `6.6.6.${statuses.length}` };
        const body = JSON.stringify({ password: "wrong" });
        statuses.push((await fetch("/api/v1/session/password", { method: "POST", headers, body })).status);
      }
      return statuses;
    }""")
    assert statuses[:5] == [401] * 5
    assert statuses[-1] == 429
    context.close()


def test_u_12_nginx_does_not_log_the_address_of_a_picked_photo(served):
    address = served(nginx).address.replace(NAME, "127.0.0.1")
    unverified = ssl._create_unverified_context()
    for path in ["picked/a-secret/Fjord.jpg", "favicon.svg"]:
        with contextlib.suppress(HTTPError):
            urlopen(f"{address}/{path}", timeout=PATIENCE, context=unverified).close()
    log = Path(served(nginx).library).parent / "requests"
    # Lines are in the order of the answers.
    wait_for(lambda: "favicon.svg" in log.read_text(), "the last request in the log")
    assert "picked" not in log.read_text()


def test_u_12_uploads_and_events_pass_a_proxy(proxied, sign_in):
    page = sign_in(proxied)
    # Twenty megabytes exceed every proxy's default limit. They are sent in one request and in
    # three.
    received = page.evaluate("""async () => {
      const file = new Uint8Array(20_000_000);
      const whole = await fetch("/api/v1/uploads", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
      const begun = await fetch("/api/v1/uploads", { method: "POST", headers: { "Upload-Complete": "?0", "Content-Type": "application/octet-stream" } });
      const path = begun.headers.get("Location");
      for (let offset = 0; offset < file.length; offset += 7_000_000) {
        const isLast = offset + 7_000_000 >= file.length;
        const headers = { "Content-Type": "application/partial-upload", "Upload-Offset": `${offset}`, "Upload-Complete": isLast ? "?1" : "?0" };
        await fetch(path, { method: "PATCH", headers, body: file.slice(offset, offset + 7_000_000) });
      }
      const answers = [];
      for (const upload of [whole.headers.get("Location"), path]) {
        const { headers } = await fetch(upload, { method: "HEAD" });
        answers.push([headers.get("Upload-Offset"), headers.get("Upload-Complete")]);
        await fetch(upload, { method: "DELETE" });
      }
      return answers;
    }""")
    assert received == [["20000000", "?1"]] * 2
    # A proxy that holds events back passes them on with the stream's next comment, fifteen seconds
    # later. On a busy machine both may come together by chance, so there are some changes.
    comes_at_once = asked(page, """
      const { assets: [{ id, isFavorite }] } = await json("/api/v1/assets?limit=1");
      const stream = await fetch("/api/v1/changes/stream", { signal: AbortSignal.timeout(%d) });
      const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
      const read = () => reader.read().catch((error) => { throw new Error(`waited for the event of a change: ${error}`); });
      for (let number = 1; number <= 3; number++) {
        // Another test may have changed the same photo.
        const changes = [{ type: "setAssets", assets: [id], isFavorite: isFavorite === (number %% 2 === 0) }];
        await post("/api/v1/changes", { changes });
        let text = "";
        while (!text.includes("event: change")) text += (await read()).value;
        if (!/^:/m.test(text)) return true;
      }
      return false;""" % (PATIENCE * 1000))
    assert comes_at_once, "each event came with the next comment"


def test_u_12_small_pieces_of_uploads_pass_a_proxy_without_settings(plainly_proxied, sign_in):
    page = sign_in(plainly_proxied)
    received = page.evaluate("""async () => {
      const pieceSize = 512 * 1024;
      const file = new Uint8Array(3_000_000).map((_, index) => index % 251);
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", file));
      const begun = await fetch("/api/v1/uploads", { method: "POST", headers: { "Upload-Complete": "?0", "Content-Type": "application/octet-stream" } });
      const path = begun.headers.get("Location");
      const statuses = [];
      for (let offset = 0; offset < file.length; offset += pieceSize) {
        const isLast = offset + pieceSize >= file.length;
        const headers = { "Content-Type": "application/partial-upload", "Upload-Offset": `${offset}`, "Upload-Complete": isLast ? "?1" : "?0" };
        // Other bytes are refused.
        if (isLast) headers["Repr-Digest"] = `sha-256=:${btoa(String.fromCharCode(...digest))}:`;
        statuses.push((await fetch(path, { method: "PATCH", headers, body: file.slice(offset, offset + pieceSize) })).status);
      }
      const { headers } = await fetch(path, { method: "HEAD" });
      await fetch(path, { method: "DELETE" });
      return [...statuses, headers.get("Upload-Offset"), headers.get("Upload-Complete")];
    }""")
    assert received == [204, 204, 204, 204, 204, 200, "3000000", "?1"]
