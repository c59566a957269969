"""Measures how soon the web app answers a person's actions, and what its use leaves behind."""

import re
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import sync_playwright

from browser import FRAME, SLOWDOWNS, flick, named, opened, until
from changing import set_favorites, version
from made_up import make_library
from processes import calotype_server, quietly
from report import Limit
from searching import in_case

TITLE = "Actions in the page"
NOTE = """\
The same page as above, with 100,000 assets. An action is a click or a key: selecting, opening a
photo, stepping to its neighbors, moving through the grid, and typing a search. Its time is that from
the input to the next frame (Event Timing; below 16 ms counts as 0). The time of a search or of a range
is that from the input until its result is shown. Each search is typed with other capital letters, so
that the server has no answer in its cache. Another process marks the first photo as a favorite,
and the page shows it: the time begins at the commit, as another connection to the database sees it.
Changes are half a second apart, since the page asks for changes at most five times a second. For the
memory, the page is flicked through the library for half a minute, and among its newest assets for
another half a minute. The second measurement follows after ten more minutes among these. The browser
collects its garbage before each measurement. “With empty caches” is measured after the browser was
told that memory is short."""

_DRAWING = """\
The page's scripts take 1 to 16 ms, and 35 ms when a photo opens. At 4 ×, each takes four times as long. The rest is
drawing, which is slow because the machine has no graphics processor. Even a click into an empty page takes 16 ms."""
REASONS = {
    **dict.fromkeys(["an action, median", "the longest action, 4 ×", "an action, median, 4 ×"], _DRAWING),
    **dict.fromkeys([
        named(f"search for “{query}”, after the last key", slowdown) for query in ("june 2026", "iphone") for slowdown in SLOWDOWNS], """\
The server takes a part of the time (“Search over HTTP”). Then the grid lays out all results, and draws each cell in the
window anew. Fewer cells at once would be quicker, but the rest of the window would stay empty for longer."""),
    "a range of 60,000 with Shift, 4 ×": """\
The page marks all cells in the window and around it in one frame. At full speed, that meets the goal. Marking those
around it later would save a part, but a person who scrolls would see unmarked cells.""",
    **dict.fromkeys([named("60,000 become favorites", slowdown) for slowdown in SLOWDOWNS], """\
The server takes two thirds of the time or more. “Changes over HTTP” measures that part, and gives the reason."""),
    "nodes after 600 s of flicks, more": """\
A cell has about 27 nodes, and the number of prepared cells varies. It does not grow: other runs ended with fewer nodes
than they began with.""",
    "the page’s process after 600 s of flicks": """\
Most of the memory is decoded pictures, which the browser keeps until memory is short. The browser's own program takes
116 MB. The row “the same with empty caches” shows what remains. A grid that prepares half a window behind took 70 MB less, but a person
who scrolls back would see empty cells.""",
}

COUNT, COUNT_QUICK = 100_000, 10_000
RANGE, RANGE_QUICK = 60_000, 6_000
SEARCHES = ("june 2026", "iphone")
CHANGES, CHANGES_QUICK = 40, 3
BETWEEN_CHANGES = 0.5  # seconds
FLICKS, FLICKS_QUICK = (30, 600), (3, 5)  # seconds, before the first measurement and before the second
# The steps of flicks among the newest assets, which have pictures.
THERE_AND_BACK = (3_000, 12_000, -2_000, 9_000, -22_000)
ROUNDS = 5
GRID = "document.querySelector('photo-grid')"
AT_REST = """(() => {
  const cells = [...document.querySelectorAll(".cell:not([hidden])")];
  return cells.length > 0 && cells.every((cell) => cell.querySelector("img"));
})()"""


def measure(bench):
    """Measures one library natively and slowed down."""
    count, reach = (COUNT_QUICK, RANGE_QUICK) if bench.quick else (COUNT, RANGE)
    library = make_library(bench, "Actions.calotype", count, bench.library)
    with sync_playwright() as playwright, calotype_server(bench.program, library) as served:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        results = []
        for slowdown in SLOWDOWNS:
            results += _interactions(browser, served, slowdown)
            results += _searches(bench, browser, served, slowdown)
            results += _range(bench, browser, served, slowdown, reach)
        results += _changes(bench, browser, served, library)
        results += _memory(bench, browser, served)
        browser.close()
    return results


# Keeps the longest time of each interaction.
WATCH_INTERACTIONS = """() => {
  window.interactions = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) window.interactions.set(interactionId, Math.max(duration, window.interactions.get(interactionId) ?? 0));
    }
  }).observe({ type: "event", durationThreshold: 16 });
}"""


def _interactions(browser, served, slowdown):
    with opened(browser, served, slowdown) as page:
        until(page, AT_REST)
        page.evaluate(WATCH_INTERACTIONS)
        count = _use(page)
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
        times = page.evaluate("[...window.interactions.values()]")
    times += [0] * (count - len(times))
    return [
        Limit(named("the longest action", slowdown), max(times), 100, "ms"),
        Limit(named("an action, median", slowdown), median(times), 32, "ms"),
    ]


def _use(page):
    """Uses the page as a person does, and returns the number of clicks and keys."""
    cells = page.locator(".cell:visible")
    keys = ["ArrowRight"] * 5 + ["ArrowDown"] * 5 + ["Enter"] + ["ArrowRight"] * 10 + ["i", "i", "Escape", "/", *"iphone", "Escape"]
    for place in range(4):
        cells.nth(place).locator(".circle").click()
        _rest(page)
    page.keyboard.press("Escape")
    cells.nth(5).locator(".open").click()
    until(page, "!document.querySelector('asset-viewer').hidden")
    page.keyboard.press("Escape")
    until(page, "document.querySelector('asset-viewer').hidden")
    for key in keys:
        page.keyboard.press(key)
        _rest(page)
    return 4 + 3 + len(keys)


def _rest(page):
    for _ in range(3):
        page.evaluate(FRAME)


# Keeps the time of the last key or click, and lets a test wait for what follows.
WATCH_INPUT = """() => {
  for (const type of ["keydown", "click"]) addEventListener(type, ({ timeStamp }) => (window.inputAt = timeStamp), true);
  window.answeredAt = null;
}"""
# The time from there to the answer, once there is one.
ANSWERED = "window.answeredAt !== null && Math.max(1, window.answeredAt - window.inputAt)"


def _searches(bench, browser, served, slowdown):
    for query in SEARCHES:
        times = []
        for number in range(bench.rounds(ROUNDS)):
            typed = in_case(query, slowdown + number)
            with opened(browser, served, slowdown) as page:
                page.evaluate(WATCH_INPUT)
                page.evaluate("""async (query) => {
                  const { shell } = await import("/shell.js");
                  shell.addEventListener("view", () => {
                    window.shownQuery = shell.place.query;
                    if (shell.place.query === query) requestAnimationFrame(() => (window.answeredAt = performance.now()));
                  });
                }""", typed)
                page.keyboard.press("/")
                page.keyboard.type(typed[:-1])
                until(page, f"window.shownQuery === {typed[:-1].strip()!r}")
                page.keyboard.press(typed[-1])
                times.append(until(page, ANSWERED))
        yield Limit(named(f"search for “{query}”, after the last key", slowdown), median(times), 50, "ms")


def _range(bench, browser, served, slowdown, reach):
    selected, changed = [], []
    for _ in range(bench.rounds(ROUNDS)):
        with opened(browser, served, slowdown) as page:
            until(page, AT_REST)
            page.locator(".cell:visible .circle").first.click()
            page.evaluate(f"{GRID}.reveal({reach})")
            until(page, f"{GRID}.cellAt({reach})?.asset !== undefined")
            page.evaluate(WATCH_INPUT)
            page.evaluate("""async () => {
              const answered = () => (window.answeredAt ??= performance.now());
              const bar = document.querySelector("selection-bar strong");
              const selection = new MutationObserver(() => {
                selection.disconnect();
                answered();
              });
              selection.observe(bar, { childList: true, characterData: true, subtree: true });
              const { shell } = await import("/shell.js");
              shell.commands.changes.addEventListener("performed", answered);
            }""")
            box = page.evaluate(f"{GRID}.cellAt({reach}).element.getBoundingClientRect().toJSON()")
            page.keyboard.down("Shift")
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.keyboard.up("Shift")
            selected.append(until(page, ANSWERED))
            page.evaluate("window.answeredAt = null")
            page.keyboard.press("f")
            changed.append(until(page, ANSWERED))
        set_favorites(served, reach + 1, False)
    return [
        Limit(named(f"a range of {reach:,} with Shift", slowdown), median(selected), 50, "ms"),
        Limit(named(f"{reach:,} become favorites", slowdown), median(changed), 1000, "ms"),
    ]


# Keeps the times at which the first cell becomes a favorite, or is none any more.
WATCH_FAVORITE = """() => {
  const { element } = document.querySelector("photo-grid").cellAt(0);
  const isFavorite = () => element.querySelector(".badge.favorite") !== null;
  let last = isFavorite();
  window.times = [];
  new MutationObserver(() => {
    if (isFavorite() === last) return;
    last = !last;
    window.times.push(Date.now());
    window.tell?.();
  }).observe(element, { childList: true, subtree: true });
  return last;
}"""
# Waits for a number of them.
WAIT_FOR_TIMES = """(count) => new Promise((resolve) => {
  window.tell = () => window.times.length >= count && resolve(window.times.at(-1));
  window.tell();
})"""


def _changes(bench, browser, served, library):
    with opened(browser, served) as page, closing(
            sqlite3.connect(f"file:{library}/library.sqlite?mode=ro", uri=True, isolation_level=None)) as database:
        until(page, AT_REST)
        photo = page.evaluate(f"{GRID}.snapshot.pages.at(0).id")
        is_favorite = page.evaluate(WATCH_FAVORITE)
        times = []
        for number in range(CHANGES_QUICK if bench.quick else CHANGES):
            seen = version(database)
            options = ["--off"] if is_favorite else []
            thread = threading.Thread(target=quietly, args=([bench.program, "--library", library, "favorite", *options, photo],))
            thread.start()
            while version(database) == seen:
                time.sleep(0.0002)
            committed = 1000 * time.time()
            times.append(max(0, page.evaluate(WAIT_FOR_TIMES, number + 1) - committed))
            thread.join()
            is_favorite = not is_favorite
            time.sleep(BETWEEN_CHANGES)
    return [
        Limit("a commit of another process until it is shown, median", median(times), None, "ms"),
        Limit("a commit of another process until it is shown, 95 % within", quantiles(times, n=20)[-1], 150, "ms"),
    ]


def _memory(bench, browser, served):
    first, second = FLICKS_QUICK if bench.quick else FLICKS
    with opened(browser, served) as page:
        flick(page, first)
        flick(page, first, THERE_AND_BACK)
        before = _held(page)
        flick(page, second, THERE_AND_BACK)
        after = _held(page)
        process = _largest_renderer(browser)
        _empty_caches(page)
        least = _largest_renderer(browser)
    more = lambda name: 100 * (after[name] / before[name] - 1)
    return [
        Limit(f"heap after {second} s of flicks, more", (after["JSHeapUsedSize"] - before["JSHeapUsedSize"]) / 1e6, 10, "MB"),
        Limit(f"nodes after {second} s of flicks, more", more("Nodes"), 5, "%"),
        Limit(f"listeners after {second} s of flicks, more", more("JSEventListeners"), 5, "%"),
        Limit(f"the page’s process after {second} s of flicks", process, 350, "MB"),
        Limit("the same with empty caches", least, None, "MB"),
    ]


def _held(page):
    """Returns what the page holds, at the beginning of the library and without its garbage."""
    page.evaluate(f"{GRID}.goTo(0)")
    until(page, AT_REST)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    for _ in range(6):
        session.send("HeapProfiler.collectGarbage")
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 100))")
    return {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}


def _empty_caches(page):
    """Makes the browser empty its caches, as it does when memory is short."""
    page.context.new_cdp_session(page).send("Memory.simulatePressureNotification", {"level": "critical"})
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 2000))")


def _largest_renderer(browser):
    """Returns the memory of the largest process of a page, in megabytes."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return max(_resident(process["id"]) for process in processes if process["type"] == "renderer")


def _resident(pid):
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    return int(found[1]) / 1000 if found else 0
