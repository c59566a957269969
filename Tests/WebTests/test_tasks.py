"""No task of the page takes longer than 50 milliseconds of the processor's time.

The time of a task by the clock contains that of other programs, such as another process of these
tests. The browser's trace has the time for which the processor worked on it.
"""

import json

import pytest
from conftest import FIRST_PAGE, until
from made_up import MadeUpLibrary
from organizing import READY
from soak import cases
from views import FRAME, GRID, SETTLED

LONGEST = 50  # milliseconds


@pytest.fixture
def trace(browser):
    """Returns the longest task of a page during an act, in milliseconds of the processor's time."""

    def longest(page, act):
        browser.start_tracing(page=page, categories=["toplevel"])
        try:
            act()
        finally:
            events = json.loads(browser.stop_tracing())["traceEvents"]
        names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
        times = [
            event["tdur"] / 1000 for event in events
            if event["name"] in ("RunTask", "ThreadControllerImpl::RunTask") and "tdur" in event
            and names.get((event["pid"], event["tid"])) == "CrRendererMain"]
        assert len(times) > 10, "the trace has tasks with their processor time"
        return max(times)

    return longest


@pytest.fixture
def open_library(site, pages):
    def make(library):
        page = pages(site.cookies)
        library.serve(page)
        page.goto(site.address)
        until(page, f"{READY} && {FIRST_PAGE}")
        return page

    return make


def flick(page):
    page.mouse.move(700, 450)
    for step in range(cases(few=30, many=60)):
        page.mouse.wheel(0, (400, 900, 3_000, -600, 20_000)[step % 5])
        page.evaluate(FRAME)
    until(page, SETTLED)


@pytest.mark.parametrize("each", [25, 20_000])
def test_w_03_no_long_task_while_the_wheel_turns(open_library, trace, each):
    page = open_library(MadeUpLibrary(100_000, each=each))
    assert trace(page, lambda: flick(page)) <= LONGEST


def test_w_02_no_long_task_while_the_scrubber_is_dragged(open_library, trace):
    page = open_library(MadeUpLibrary(100_000))
    box = page.locator("date-scrubber").bounding_box()
    x = box["x"] + box["width"] / 2

    def scrub():
        page.mouse.move(x, 60)
        page.mouse.down()
        for step in range(1, 61):
            page.mouse.move(x, 60 + step * 12)
            page.evaluate(FRAME)
        page.mouse.up()
        until(page, SETTLED)

    assert trace(page, scrub) <= LONGEST


def test_s_03_no_long_task_while_sixty_thousand_are_selected(open_library, trace):
    page = open_library(MadeUpLibrary(100_000))
    page.locator(".cell:visible .circle").first.click()
    page.evaluate(f"{GRID}.reveal(60_000)")
    until(page, SETTLED)
    box = page.evaluate(f"{GRID}.cellAt(60_000).element.getBoundingClientRect().toJSON()")

    def select():
        page.keyboard.down("Shift")
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.keyboard.up("Shift")
        until(page, "document.querySelector('selection-bar strong').textContent === '60,001 selected'")

    assert trace(page, select) <= LONGEST


def test_g_03_no_long_task_while_photos_come_in(open_library, trace):
    library = MadeUpLibrary(20_000)
    page = open_library(library)
    page.evaluate(f"{GRID}.goTo(9_000)")
    until(page, SETTLED)

    def add():
        for _ in range(20):
            library.add_today(1)
            page.evaluate(FRAME)
        until(page, f"{GRID}.snapshot.total === 20020")

    assert trace(page, add) <= LONGEST
