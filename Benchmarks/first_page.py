"""Measures the time to a browser's first page of a large library, beside a small one."""

from contextlib import ExitStack
from statistics import median

from playwright.sync_api import sync_playwright

from bench import alternating
from made_up import make_library
from processes import calotype_server
from report import Result, at_most

TITLE = "First page"
NOTE = """\
Chromium, 1440 × 900, with a fresh profile each time: milliseconds from the beginning of the
navigation until every cell in the window shows its picture (`calotype-first-page`). Both sides are
Calotype: a library of 100,000 assets, and one of the newest 1,000 of them. In the first row, the
server has just been started and has answered no request. In the second row, it has."""

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


def measure(bench):
    """Visits both libraries in turns."""
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
    return [
        _result("after the server’s start", *started),
        _result("median", *running, at_most(1.3)),
    ]


def _visit_a_new_server(bench, browser, library):
    with calotype_server(bench.program, library) as served:
        return _visit(browser, served)


def _visit_running_servers(bench, browser, *libraries):
    """Returns the times of each library, with servers that run throughout."""
    with ExitStack() as servers:
        running = [servers.enter_context(calotype_server(bench.program, library)) for library in libraries]
        for served in running:
            _visit(browser, served)
        return alternating(
            bench.rounds(ROUNDS), *[lambda served=served: _visit(browser, served) for served in running])


def _visit(browser, served):
    """Returns the milliseconds to the first page."""
    context = browser.new_context(viewport=WINDOW)
    try:
        name, _, value = served.cookie.partition("=")
        # Chromium takes a secure cookie over HTTP from the server, but not from here.
        address = served.address.replace("http:", "https:")
        context.add_cookies([{"name": name, "value": value, "url": address, "secure": True}])
        page = context.new_page()
        page.goto(f"{served.address}/", wait_until="commit")
        return page.evaluate(MARKED)
    finally:
        context.close()


def _result(what, large, small, goal=None):
    large, small = median(large), median(small)
    return Result(what, f"{large:.0f} ms", f"{small:.0f} ms", large / small, goal)
