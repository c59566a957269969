"""Tests that scrolling leaks neither nodes nor listeners."""

import pytest
from conftest import FIRST_PAGE, until, until_true
from made_up import MadeUpLibrary
from organizing import READY
from soak import cases
from views import GRID

ROUNDS = 4


def counts(page):
    """Returns the numbers of the page's nodes and listeners, without garbage."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    counters = session.send("Memory.getDOMCounters")
    session.detach()
    return counters["nodes"], counters["jsEventListeners"]


def flick(page):
    """Scrolls to several places before their pictures have loaded, and back to the top."""
    for y in (20_000, 60_000, 40_000, 80_000, 0):
        page.evaluate(f"{GRID}.goTo({y})")
        until(page, f"{GRID}.cellAt({GRID}.firstVisible)?.asset && {GRID}.cellAt({GRID}.firstVisible).picture !== 'none'")


def test_w_05_flicks_leave_nothing_behind(site, pages):
    page = pages(site.cookies)
    MadeUpLibrary(100_000, has_pictures=True).serve(page)
    page.goto(site.address)
    until(page, f"{READY} && {FIRST_PAGE}")
    page.route("**/api/v1/renditions/**", lambda route: None)  # no picture comes
    flick(page)
    flick(page)
    nodes, listeners = counts(page)
    for _ in range(ROUNDS):
        flick(page)

    def is_no_more():
        now = counts(page)
        return now[0] <= 1.05 * nodes and now[1] <= 1.05 * listeners

    # The browser may free memory a little later.
    until_true(page, is_no_more)


# The key that opens something at a cell, and what is true once it is open.
OPENED = {
    "the viewer": ("Enter", "document.activeElement.matches('asset-viewer')"),
    "the menu": ("Shift+F10", "document.activeElement.matches('[role=menuitem]')"),
    "the choice of an album": ("a", "document.activeElement.matches('.album-choice input')"),
}
OPENINGS = cases(few=20, many=100)
ASSETS = 8  # the number of assets at which something is opened in turn


@pytest.mark.parametrize("what", OPENED)
def test_w_05_openings_leave_nothing_behind(site_page, what):
    page = site_page(is_waiting=False)
    until(page, f"{READY} && {FIRST_PAGE}")
    key, opened = OPENED[what]

    def open_and_close(times):
        for time in range(times):
            page.evaluate(f"{GRID}.focusAsset({time % ASSETS})")
            page.keyboard.press(key)
            until(page, opened)
            page.keyboard.press("Escape")
            until(page, "document.activeElement.closest('.cell') !== null")

    open_and_close(2 * ASSETS)  # loads modules and pictures
    nodes, listeners = counts(page)
    open_and_close(OPENINGS)

    def is_no_more():
        now = counts(page)
        return now[0] < nodes + OPENINGS and now[1] < listeners + OPENINGS

    until_true(page, is_no_more)
