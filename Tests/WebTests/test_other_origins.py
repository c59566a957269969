"""Pages of other origins, which read nothing of a library: T-01."""

import http.server
import json
import re
import threading

import pytest
from conftest import FAILED, PATIENCE, ROOT, fetched, new_context, until_equal
from test_permission import Client
from test_picker_network import Program

# Loads an address by an element. Returns both if it loads or never ends, else null.
LOAD = """const loads = (name, key, address) => new Promise((resolve) => {
    const element = document.createElement(name);
    if (name === "link") element.rel = "stylesheet";
    element.onload = () => resolve(`${name} ${address}`);
    element.onerror = () => resolve(null);
    element[key] = address;
    document.body.append(element);
    setTimeout(() => resolve(`endless ${name} ${address}`), %d);
  });""" % (PATIENCE * 1000)
# Asks for addresses in each way that a page has. Returns the requests that succeeded, and the texts
# that the page could read without cookies.
ASK = """async (addresses) => {
  %s
  const fetches = (address, options, read) => fetch(address, options).then(read).catch(() => null);
  const texts = [];
  const ways = await Promise.all(addresses.flatMap((address) => [
    loads("img", "src", address), loads("script", "src", address), loads("link", "href", address),
    fetches(address, { credentials: "include" }, () => `fetch ${address}`),
    fetches(address, { mode: "no-cors", credentials: "include" }, () => `no-cors ${address}`),
    fetches(address, { credentials: "omit", signal: AbortSignal.timeout(%d) }, async (answer) => {
      if (answer.ok) texts.push(await answer.text());
    }),
  ]));
  return [ways.filter(Boolean), texts];
}""" % (LOAD, PATIENCE * 1000)
# Shows addresses in frames and objects, and waits until each has loaded or failed. Returns the
# objects that have loaded. A frame always loads, at least the browser's error page.
FRAME = """async (addresses) => {
  %s
  await Promise.all(addresses.map((address) => loads("iframe", "src", address)));
  const loaded = await Promise.all(addresses.map((address) => loads("object", "data", address)));
  return loaded.filter(Boolean);
}""" % LOAD
# Returns the status of each address. The rest of an answer that goes on is not read.
STATUSES = """async (addresses) => Object.fromEntries(await Promise.all(addresses.map(async (address) => {
  const controller = new AbortController();
  const { status } = await fetch(address, { signal: controller.signal });
  controller.abort();
  return [address, status];
})))"""
MAKE = """async ([path, body]) => {
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  return answer.json();
}"""
UPLOAD = """async () => {
  const answer = await fetch("/api/v1/uploads", { method: "POST", body: "piece", headers: { "Upload-Complete": "?0" } });
  return answer.json();
}"""


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with an empty page."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Another origin</title>")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def port():
    """The port of a server with an empty page."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


@pytest.fixture(scope="module")
def context(site, browser):
    """A browser in which the owner is signed in."""
    context = new_context(browser)
    context.add_cookies(site.cookies)
    yield context
    context.close()


@pytest.fixture(scope="module")
def library_page(site, context):
    page = context.new_page()
    page.goto(f"{site.address}sign-in")
    return page


@pytest.fixture(scope="module")
def readings(site, library_page):
    """Returns the status that the owner gets for each GET of the OpenAPI document and of the
    picker. Each address names an object that exists."""
    make = lambda path, body: library_page.evaluate(MAKE, [f"/api/v1/{path}", body])
    version = lambda name: fetched(library_page, f"/api/v1/assets/{site.id(name)}")["version"]
    asking = Client(site)
    asking.ask()
    client = make("access/tokens", {"name": "Frame", "level": "readWrite"})["client"]
    picker = Program(site, {}).opened
    values = {
        "/collections/{id}": "/collections/userLibrary",
        "/clients/{id}": f"/clients/{client}",
        "/requests/{id}": f"/requests/{asking.request}",
        "/uploads/{id}": f"/uploads/{library_page.evaluate(UPLOAD)['upload']}",
        "/{id}/{version}/video": f"/{site.id('V01')}/{version('V01')}/video",
        "{ticket}": make("downloads", {"assets": [site.id("P20")], "kind": "originals"})["ticket"],
        "{id}": site.id("P20"), "{version}": version("P20"), "{kind}": "grid", "{index}": "0", "{filter}": "sepia",
    }
    window = picker["picker"].partition("#s=")[2]
    paths = [
        "", "album/favorites", "access", "sign-in", "picker", "app.js", "styles/base.css", "favicon.svg",
        "picker/v1/handed-over", f"picker/v1/windows/{window}", f"picker/v1/sessions/{picker['session']}?since=-1",
    ]
    for path, operations in json.loads((ROOT / "Web/openapi.json").read_text(encoding="utf-8"))["paths"].items():
        if "get" in operations:
            for name, value in values.items():
                path = path.replace(name, value)
            paths.append(f"api/v1{path}{'?q=photos' if path in ('/places', '/search') else ''}")
    return library_page.evaluate(STATUSES, [site.address + path for path in paths])


def test_t_01_the_owner_reads_all_but_four_addresses(readings, complaints):
    complaints.expected.append(FAILED)
    others = {re.sub(r".*/api/v1/|/[\w-]{16,}$", "", address): status for address, status in readings.items() if status != 200}
    # An answer about an upload has no body. Only clients may read the others.
    assert others == {"uploads": 204, "access/requests": 404, "access/selection/request": 403, "picked": 403}


@pytest.fixture(scope="module", params=["127.0.0.1", "calotype.localhost"], ids=["other-site", "same-site"])
def stranger(request, context, port):
    """A page of another site, or of another port of the library's own host. The browser sends the
    owner's cookie with requests of a page of the same host."""
    page = context.new_page()
    page.goto(f"http://{request.param}:{port}/")
    yield page
    page.close()


def test_t_01_no_page_reads_the_library(site, readings, stranger, complaints):
    complaints.expected.append("")  # the foreign page complains of each address
    script = f"{site.address}picker.js"
    ways, texts = stranger.evaluate(ASK, [*readings, script])
    assert sorted(ways) == [f"no-cors {script}", f"script {script}"]
    # Without cookies, the server answers as to a client without access.
    assert len(texts) > 5
    for word in [*map(site.id, ("P20", "V01")), *site.collections, *site.collections.values()]:
        assert [text for text in texts if word in text] == [], word


def test_t_01_no_page_frames_the_library(readings, stranger, complaints):
    complaints.expected += [FAILED, "Framing"]
    assert stranger.evaluate(FRAME, list(readings)) == []
    # The driver learns the address of a frame a moment later.
    errors = lambda: sum(frame.url.startswith("chrome-error:") for frame in stranger.frames)
    until_equal(stranger, errors, len(readings))
    assert [frame.url for frame in stranger.frames[1:] if frame.url.startswith("http")] == []
