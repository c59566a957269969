"""Fixtures of the tests of Examples/Web…: pages of other origins that are clients of a library."""

import functools
import http.server
import json
import threading
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from conftest import PATIENCE, ROOT, Site, copy_library, until_equal, until_true, wait_for

PHONE = {"width": 390, "height": 844, "has_touch": True}


def opened_when_allowed(request):
    """Sends a request again until the server allows so many within a minute."""

    def answer():
        try:
            return urlopen(request, timeout=PATIENCE)
        except HTTPError as error:
            if error.code != 429:
                raise
            return None

    return wait_for(answer, "an answer other than 429")


class Owner:
    """The owner of a site's library, who answers without a page."""

    def __init__(self, site):
        self.address = site.address.replace("calotype.localhost", "127.0.0.1").rstrip("/")
        self.cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in site.cookies)

    def open(self, path, body=None, method=None, **headers):
        headers = {"Cookie": self.cookie, "Origin": self.address, "Content-Type": "application/json", **headers}
        data = None if body is None else json.dumps(body).encode()
        return urlopen(Request(f"{self.address}/api/v1/{path}", data, headers, method=method), timeout=PATIENCE)

    def fetch(self, path, body=None, method=None, **headers):
        with self.open(path, body, method, **headers) as answer:
            return json.loads(answer.read() or b"null")

    def change(self, type, **keys):
        return self.fetch("changes", {"changes": [{"type": type, **keys}]})

    def wait(self, page, path, key):
        """Waits until something is in a list of the API, and returns it."""
        return until_true(page, lambda: self.fetch(path)[key])[0]

    def answer(self, page, answer, **keys):
        """Answers the request of a page for access."""
        request = self.wait(page, "access", "requests")
        self.fetch(f"access/requests/{request['id']}/answer", {"answer": answer, **keys})

    def allow(self, origin, answer="full", **keys):
        """Gives an origin access before its page is open. Returns the token."""
        headers = {"Origin": origin, "Content-Type": "application/json"}
        wish = {"name": "Test", "level": "readWrite", "usageDescription": "Tests."}
        asking = Request(f"{self.address}/api/v1/access/requests", json.dumps(wish).encode(), headers)
        with opened_when_allowed(asking) as reply:
            asked = json.load(reply)
        self.fetch(f"access/requests/{asked['request']}/answer", {"answer": answer, **keys})
        secret = {"Origin": origin, "Authorization": f"Bearer {asked['secret']}"}
        with urlopen(Request(f"{self.address}/api/v1/access/requests/{asked['request']}", headers=secret), timeout=PATIENCE) as reply:
            return json.load(reply)["token"]

    def assets(self, collection, order="newest", where=""):
        path = f"collections/{collection}/assets?limit=500&order={order}"
        return self.fetch(path + (f"&where={where}" if where else ""))["assets"]

    def collections(self):
        return self.fetch("collections")["collections"]


@pytest.fixture
def origin():
    """An origin that serves this folder, and that no library knows."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=ROOT))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture
def app(contexts, origin, complaints):
    """Opens an example's page, by default with full access. The page may ask no other server than
    its own and the library's."""
    taken = []

    def open(site, path, answer="full", assets=None, **options):
        page = contexts.page(site.cookies, **options)  # for the picker, which is a page of the library
        taken.append(page.context)
        if answer:
            token = Owner(site).allow(origin, answer, **({"assets": assets} if assets is not None else {}))
            page.add_init_script(f"if (location.origin === {origin!r}) localStorage.setItem('calotype-token', {token!r})")
        complaints.hear_of_servers(page, origin, site.address)
        page.goto(f"{origin}/Examples/{path}/?library={site.address}")
        return page

    open.expected = complaints.expected
    yield open
    for context in taken:
        contexts.give_back(context)


def shown(page, site):
    """Returns the names of the assets in a page's grid."""
    return site.names(page.evaluate("[...document.querySelectorAll('.thumbnails > li')].map((cell) => cell.dataset.id)"))


def until_grid(page, site, expected):
    """Waits until a page's grid shows these assets in their order."""
    until_equal(page, lambda: shown(page, site), expected)


def names(site, assets):
    return site.names([asset["id"] for asset in assets])


def until_selection_is_asked_for(site, page):
    """Waits until a page has asked the owner for another selection, and answers that it stays."""
    asked = Owner(site).wait(page, "access", "selections")
    Owner(site).open(f"access/selections/{asked['id']}", method="DELETE").close()
