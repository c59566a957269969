"""Measures the time to a browser's first page of a large library, beside a small one."""

from contextlib import ExitStack
from statistics import median
from urllib.parse import urlparse
from urllib.request import Request, urlopen

from playwright.sync_api import sync_playwright

from bench import alternating
from made_up import make_library
from nginx import nginx_server
from processes import calotype_server
from report import Result, at_most

TITLE = "First page"
NOTE = """\
Chromium, 1440 × 900, with a fresh profile each time: milliseconds from the beginning of the
navigation until every cell in the window shows its picture (`calotype-first-page`). The library has
100,000 assets. In the first two rows, the peer is Calotype too, with the newest 1,000 of these assets.
In the first row, the server has just been started and has answered no request. In the others, it has.
In the third row, the peer is a page of plain HTML with the same pictures. nginx serves it from files."""

SMALL = 1_000
LARGE, LARGE_QUICK = 100_000, 10_000
ROUNDS, ROUNDS_AFTER_START = 9, 3
WINDOW = {"width": 1440, "height": 900}
MARKED = """new Promise((resolve, reject) => {
  new PerformanceObserver((list) => {
    const [mark] = list.getEntriesByName("calotype-first-page");
    if (mark) resolve(mark.startTime);
  }).observe({ type: "mark", buffered: true });
  setTimeout(() => reject(new Error("no first page within 30 seconds")), 30_000);
})"""

HTML = "location = /index.html { default_type text/html; }"
# The address, width and height of each picture in the window.
SHOWN = """[...document.querySelectorAll(".cell:not([hidden]) img")]
  .map((image) => [image.src, image.getBoundingClientRect()])
  .filter(([, { top, bottom }]) => bottom > 0 && top < innerHeight)
  .map(([address, { width, height }]) => [address, width, height])"""
# The library's page sets its mark after two frames, too.
ALL_SHOWN = """new Promise((resolve, reject) => {
  const show = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
  const decode = () => Promise.all([...document.images].map((image) => image.decode())).then(show, reject);
  if (document.readyState === "complete") decode();
  else addEventListener("load", decode);
  setTimeout(() => reject(new Error("no plain page within 30 seconds")), 30_000);
})"""


def measure(bench):
    """Visits the libraries and the plain page in turns."""
    large = make_library(bench, "LargeWithPictures.calotype", LARGE_QUICK if bench.quick else LARGE, bench.library)
    small = make_library(bench, "SmallWithPictures.calotype", SMALL, bench.library)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        # Warms up the browser. This visit is not measured.
        _visit_a_new_server(bench, browser, small)
        started = alternating(
            bench.rounds(ROUNDS_AFTER_START), lambda: _visit_a_new_server(bench, browser, large),
            lambda: _visit_a_new_server(bench, browser, small))
        running = _visit_running_servers(bench, browser, large, small)
        browser.close()
    large, small, plain = running
    return [
        _result("after the server’s start", *started),
        _result("median", large, small, at_most(1.3)),
        _result("median, to a plain page", large, plain),
    ]


def _visit_a_new_server(bench, browser, library):
    with calotype_server(bench.program, library) as served:
        return _visit(browser, served)


def _visit_running_servers(bench, browser, *libraries):
    """Returns the times of each library and of a plain page. All servers run throughout."""
    with ExitStack() as servers:
        running = [servers.enter_context(calotype_server(bench.program, library)) for library in libraries]
        pictures = [_visit(browser, served, SHOWN) for served in running][0]
        _, plain = servers.enter_context(nginx_server(_plain_page(bench, running[0], pictures), HTML))
        return alternating(
            bench.rounds(ROUNDS), *[lambda served=served: _visit(browser, served) for served in running],
            lambda: _visit_plain(browser, plain))


def _plain_page(bench, served, pictures):
    """Makes a page with the pictures of a library's first page. Returns its folder."""
    folder = bench.folder / "plain"
    for address, _, _ in pictures:
        file = folder / "root" / urlparse(address).path[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        with urlopen(Request(address, headers=served.authorization)) as answer:
            file.write_bytes(answer.read())
    images = "".join(
        f'<img src="{urlparse(address).path}" width="{width:.0f}" height="{height:.0f}">' for address, width, height in pictures)
    (folder / "root/index.html").write_text(f"<!doctype html><title>Pictures</title>{images}", encoding="utf-8")
    return folder


def _visit(browser, served, then=None):
    """Returns the milliseconds to the first page, or what an expression gives when it is there."""
    context = browser.new_context(viewport=WINDOW)
    try:
        name, _, value = served.cookie.partition("=")
        # Chromium takes a secure cookie over HTTP from the server, but not from here.
        address = served.address.replace("http:", "https:")
        context.add_cookies([{"name": name, "value": value, "url": address, "secure": True}])
        page = context.new_page()
        page.goto(f"{served.address}/", wait_until="commit")
        milliseconds = page.evaluate(MARKED)
        return page.evaluate(then) if then else milliseconds
    finally:
        context.close()


def _visit_plain(browser, address):
    """Returns the milliseconds until all pictures of the plain page are shown."""
    context = browser.new_context(viewport=WINDOW)
    try:
        page = context.new_page()
        page.goto(f"{address}/index.html", wait_until="commit")
        return page.evaluate(ALL_SHOWN)
    finally:
        context.close()


def _result(what, large, small, goal=None):
    large, small = median(large), median(small)
    return Result(what, f"{large:.0f} ms", f"{small:.0f} ms", large / small, goal)
