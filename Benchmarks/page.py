"""Measures the web app in Chromium against its budgets, also with a slowed processor."""

import gzip
from statistics import median

from playwright.sync_api import sync_playwright

from bench import ROOT
from browser import FRAME, SLOWDOWNS, flick, named, new_page, opened
from first_page import MARKED
from made_up import make_library
from million import million_library
from processes import calotype_server
from report import Limit

TITLE = "The page"
NOTE = """\
Chromium, 1440 × 900, with a fresh profile for each page. “4 ×” means that the page’s processor is
slowed down four times (`Emulation.setCPUThrottlingRate`). The libraries have made-up assets. A task is
what the page does without a pause (`longtask`; one below 50 ms counts as 0), during five seconds of
flicks, or while the scrubber is dragged over all years and back in 180 frames. A row shows the median of
the longest tasks of three such passes. The list of albums is asked for and shown."""

REASONS = {
    **dict.fromkeys([f"first page of {count}" for count in ("1,000", "100,000", "1,000,000")], """\
In a recording, the last of 55 styles and scripts was there after 220 ms, the library's first answers after 280, the cells
after 490, and all pictures after 620. The page was marked as shown after 670. One file of all scripts would shorten the
first part, but would need a build step. “First page” compares this page with plain HTML of the same pictures. It also
shows that the size of the library does not matter."""),
    **dict.fromkeys([f"{what}, longest task, 4 ×" for what in ("scrolling", "scrubbing", "scrolling in a day of 20,000")], """\
In a profile of a task of 77 ms, the grid's scripts take 21, styles 20, drawing 13 and layout 8. At full speed, the same
work takes 20 ms. Fewer new cells in each frame would shorten the tasks, but cells would stay empty for longer."""),
}

COUNTS, COUNTS_QUICK = (1_000, 100_000, 1_000_000), (1_000, 10_000)
DAY, DAY_QUICK = 20_000, 2_000
ALBUMS, ALBUMS_QUICK = 2_000, 200
ROUNDS = 9
PASSES = 3
FLICKS = 5  # seconds
SCRUBBING = 180  # frames


def measure(bench):
    """Measures each library natively and slowed down."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        results = [*_first_pages(bench, browser), *_long_day(bench, browser), *_albums(bench, browser)]
        browser.close()
    picker = gzip.compress((ROOT / "Web/picker.js").read_bytes())
    return [*results, Limit("picker.js, compressed", len(picker) / 1000, 6, "kB")]


def _first_pages(bench, browser):
    counts = COUNTS_QUICK if bench.quick else COUNTS
    for count in counts:
        library = make_library(bench, f"Page{count}.calotype", count, bench.library)
        with calotype_server(bench.program, library) as served:
            for slowdown in SLOWDOWNS:
                times = [_first_page(browser, served, slowdown) for _ in range(bench.rounds(ROUNDS))]
                yield Limit(named(f"first page of {count:,}", slowdown), median(times), 700 if slowdown == 1 else None, "ms")
            if count == counts[1]:
                yield from _scrolling(bench, browser, served)


def _first_page(browser, served, slowdown):
    with new_page(browser, served, slowdown) as page:
        page.goto(f"{served.address}/", wait_until="commit")
        return page.evaluate(MARKED)


def _scrolling(bench, browser, served):
    for slowdown in SLOWDOWNS:
        for what, act in (("scrolling", _scroll), ("scrubbing", _scrub)):
            yield _longest_task(bench, browser, served, what, slowdown, act)


def _long_day(bench, browser):
    count = DAY_QUICK if bench.quick else DAY
    library = make_library(bench, "Day.calotype", count, bench.library, is_one_day=True)
    with calotype_server(bench.program, library) as served:
        for slowdown in SLOWDOWNS:
            yield _longest_task(bench, browser, served, f"scrolling in a day of {count:,}", slowdown, _scroll)


def _albums(bench, browser):
    count = ALBUMS_QUICK if bench.quick else ALBUMS
    library = million_library(bench, 10_000, count, 1_000)
    with calotype_server(bench.program, library) as served:
        for slowdown in SLOWDOWNS:
            times = []
            for _ in range(bench.rounds(ROUNDS)):
                with opened(browser, served, slowdown) as page:
                    times.append(page.evaluate("""async () => {
                      const { shell } = await import("/shell.js");
                      const start = performance.now();
                      await shell.refreshCollections();
                      await new Promise(requestAnimationFrame);
                      return performance.now() - start;
                    }"""))
            yield Limit(named(f"list of {count:,} albums, asked for and shown", slowdown), median(times), 300, "ms")


def _longest_task(bench, browser, served, what, slowdown, act):
    """Returns the median of some passes: the longest task during an act and 300 ms after it."""
    longest = []
    for _ in range(bench.rounds(PASSES)):
        with opened(browser, served, slowdown) as page:
            page.evaluate("window.tasks.length = 0")
            act(page)
            page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
            longest.append(max(page.evaluate("window.tasks"), default=0))
    return Limit(named(f"{what}, longest task", slowdown), median(longest), 50, "ms")


def _scroll(page):
    flick(page, FLICKS)


def _scrub(page):
    """Drags the scrubber from its top to its bottom and back."""
    box = page.locator("date-scrubber").bounding_box()
    x, top, height = box["x"] + box["width"] / 2, box["y"] + 2, box["height"] - 4
    page.mouse.move(x, top)
    page.mouse.down()
    for step in range(1, SCRUBBING + 1):
        way = 2 * step / SCRUBBING
        page.mouse.move(x, top + height * min(way, 2 - way))
        page.evaluate(FRAME)
    page.mouse.up()
