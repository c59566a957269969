"""Fixtures of the browser tests: a library of sample media, the program that serves it, and a
browser.

    CALOTYPE_BIN  the program, by default the one in .build
    CALOTYPE_URL  a link printed by a running server, which is used in place of a new one
"""

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = "/usr/bin/chromium"
PATIENCE = 10


def program():
    if "CALOTYPE_BIN" in os.environ:
        return os.environ["CALOTYPE_BIN"]
    for kind in ("release", "debug"):
        built = ROOT / ".build" / kind / "calotype"
        if built.exists():
            return str(built)
    raise RuntimeError("no program: set CALOTYPE_BIN or build it with `swift build`")


def make_library(path):
    """Makes a library of about 200 sample assets over some years: Live Photos, videos, screenshots
    and a burst. One asset is unreadable."""
    subprocess.run([program(), "--library", str(path), "demo"], check=True, timeout=600)
    broken = path.parent / "broken.jpg"
    broken.write_bytes(bytes([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9]))
    # The date is neither the newest nor the oldest.
    os.utime(broken, (1_600_000_000, 1_600_000_000))
    subprocess.run([program(), "--library", str(path), "import", "--create", str(broken)], check=True, timeout=60)


def start_server(path, *options):
    """Starts a server. Returns it with the link that it prints, which signs one browser in."""
    command = [program(), "--library", str(path), "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if found := re.search(r"http://\S+/start#[\w-]+", line):
            return process, found[0]
    raise RuntimeError(f"the server ended with {process.wait()} and did not print its link")


def new_link(path):
    """Returns another link of the server that serves a library."""
    command = [program(), "--library", str(path), "open"]
    return subprocess.run(command, check=True, timeout=60, capture_output=True, text=True).stdout.strip()


def sign_in(link):
    """Uses a link up. Returns the cookies of the new session for `add_cookies`."""
    address, _, secret = link.partition("start#")
    # Only browsers resolve the name.
    local = address.replace("calotype.localhost", "127.0.0.1")
    request = Request(
        f"{local}api/v1/session/link", json.dumps({"link": secret}).encode(),
        {"Content-Type": "application/json", "Origin": local.rstrip("/")})
    with urlopen(request) as answer:
        pairs = [field.partition(";")[0].partition("=") for field in answer.headers.get_all("Set-Cookie")]
    # Chromium takes a secure cookie over HTTP from the server, but not from a test.
    secure = address.replace("http:", "https:")
    return [
        {"name": name, "value": value, "url": secure, "secure": True, "httpOnly": True, "sameSite": "Strict"}
        for name, _, value in pairs]


@pytest.fixture(scope="session")
def sample_library(tmp_path_factory):
    """A library that no server has opened. Tests serve copies of it."""
    library = tmp_path_factory.mktemp("sample") / "Sample.calotype"
    make_library(library)
    return library


@pytest.fixture(scope="session")
def served_library(request, tmp_path_factory):
    """The link printed by the server of a library."""
    if "CALOTYPE_URL" in os.environ:
        yield os.environ["CALOTYPE_URL"]
        return
    library = tmp_path_factory.mktemp("library") / "Sample.calotype"
    shutil.copytree(request.getfixturevalue("sample_library"), library)
    process, link = start_server(library)
    yield link
    process.terminate()
    process.wait(timeout=10)


@pytest.fixture(scope="session")
def calotype_server(served_library):
    """The address of the library for browsers that are signed in."""
    return served_library.partition("start#")[0]


@pytest.fixture(scope="session")
def cookies(served_library):
    """The cookies of a session."""
    return sign_in(served_library)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser, cookies):
    """Makes pages of browsers that are signed in. After the test, no page may have written an error
    or a warning to its console, such as a CSP violation."""
    contexts, complaints = [], []

    def make(width=1440, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", **options)
        context.set_default_timeout(PATIENCE * 1000)
        context.add_cookies(cookies)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def library_page(new_page, calotype_server):
    """Opens the served library and waits for its first page of thumbnails."""

    def make(path="", **options):
        page = new_page(**options)
        page.goto(calotype_server + path)
        if "#/asset" not in path:
            until(page, FIRST_PAGE)
        return page

    return make


def fetched(page, path):
    """Returns the JSON at a path of the page's server. The page asks for it, since Playwright can't
    resolve the server's name."""
    return page.evaluate("path => fetch(path).then((answer) => answer.json())", path)


FIRST_PAGE = "performance.getEntriesByName('calotype-first-page').length > 0"


def until(page, condition, patience=PATIENCE):
    """Waits until a JavaScript expression is true, and returns its value. Playwright's
    wait_for_function would violate the page's CSP."""
    end = time.monotonic() + patience
    while True:
        value = page.evaluate(condition)
        if value:
            return value
        assert time.monotonic() < end, f"in vain waited for: {condition}"
        page.evaluate("new Promise(requestAnimationFrame)")
