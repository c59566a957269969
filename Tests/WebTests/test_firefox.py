"""Tests of the main flows in Firefox: the timeline, one asset, a selection, an album, a change."""

import pytest
from conftest import FIRST_PAGE, new_link, wait_for
from firefox import start_firefox
from test_picker import gallery  # noqa: F401

GRID = "document.querySelector('photo-grid')"
VIEWER = "document.querySelector('asset-viewer')"
CHOSEN = "document.querySelectorAll('.cell[aria-selected=true]').length"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    """A window of Firefox, which all tests of this file use."""
    firefox = start_firefox(tmp_path_factory.mktemp("firefox"))
    yield firefox
    firefox.close()


@pytest.fixture
def page(firefox, site):
    """The library's first page, with empty storage. After the test, no page may have logged an
    error."""
    before = len(firefox.complaints)
    firefox.goto(new_link(site.library))
    firefox.until(f"location.pathname === '/' && {FIRST_PAGE}")
    yield firefox
    assert firefox.complaints[before:] == []
    # The next test has the same origin.
    firefox.goto(f"{site.address}favicon.svg")
    firefox.evaluate("[localStorage, sessionStorage].forEach((storage) => storage.clear())")
    firefox.goto("about:blank")


def cell(site, name):
    """Returns the selector of an asset's cell."""
    return f".cell[data-id='{site.id(name)}']"


def test_the_timeline_shows_pictures_below_days_and_scrolls(page):
    assert page.evaluate("document.querySelectorAll('.day-name').length") > 0
    page.press("End")
    page.until(f"{GRID}.y > 0")
    page.until("""[...document.querySelectorAll('.cell:not(.free)')].filter(cell => {
      const { top, bottom } = cell.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    }).every(cell => cell.querySelector('img')?.naturalWidth > 0 || cell.classList.contains('unreadable'))""")


def test_an_asset_opens_steps_and_closes(page, site):
    first, second = page.evaluate(f"[0, 1].map((index) => {GRID}.cellAt(index).asset.id)")
    page.click(f".cell[data-id='{first}']")
    page.until(f"{VIEWER}.asset?.id === {first!r} && location.hash.endsWith({first!r})")
    page.until("document.querySelector('zoom-stage img.screen')?.naturalWidth > 0")
    page.press("ArrowRight")
    page.until(f"{VIEWER}.asset.id === {second!r}")
    page.press("i")
    page.until("document.querySelector('asset-viewer info-panel')?.textContent.length > 0")
    page.press("Escape")
    page.until(f"{VIEWER}.hidden && document.activeElement.dataset.id === {second!r}")


def test_a_range_is_selected_and_escape_clears_it(page, site):
    ids = page.evaluate(f"[0, 4].map((index) => {GRID}.cellAt(index).asset.id)")
    page.click(f".cell[data-id='{ids[0]}']", holding="Control")
    page.until(f"{CHOSEN} === 1")
    page.click(f".cell[data-id='{ids[1]}']", holding="Shift")
    page.until(f"{CHOSEN} === 5")
    assert page.evaluate("document.querySelector('selection-bar strong').textContent") == "5 selected"
    page.press("Escape")
    page.until(f"{CHOSEN} === 0")


def test_an_album_opens_and_back_leads_to_the_timeline(page, site):
    count = page.evaluate(f"{GRID}.snapshot.total")
    page.evaluate("(tree => (tree.scrollTop = tree.scrollHeight))(document.querySelector('side-bar .tree'))")
    page.until(f"document.querySelector(`side-bar [data-collection='{site.collections['Receipts']}']`) !== null")
    page.click(f"side-bar [data-collection='{site.collections['Receipts']}']")
    page.until("document.querySelector('.view-header h1').textContent === 'Receipts'")
    page.until(f"{GRID}.snapshot.total < {count} && location.pathname.startsWith('/album/')")
    page.evaluate("history.back()")
    page.until(f"{GRID}.snapshot.total === {count}")


def test_favorites_are_stored_and_taken_back(page, site):
    for number, name in enumerate(["P20", "P19"], 1):
        page.click(cell(site, name), holding="Control")
        page.until(f"{CHOSEN} === {number}")
    page.press("f")
    page.until("document.querySelector('.toast')?.textContent.includes('2 items added to Favorites')")
    stored = f"fetch('/api/v1/assets/{site.id('P20')}').then((answer) => answer.json()).then(({{ isFavorite }}) => isFavorite)"
    page.until(stored)
    page.press("Control", "z")
    page.until(f"{stored}.then((isFavorite) => !isFavorite)")


def test_the_picker_opens_and_hands_over_what_is_chosen(page, site, gallery):  # noqa: F811
    page.goto(f"{gallery}?library={site.address}")
    with page.new_window("#any"):
        page.until(FIRST_PAGE)
        assert page.evaluate("document.querySelector('.origin').textContent") == gallery.rstrip("/")
        # Clicks do nothing for 800 ms, and until the pointer has moved.
        page.move((300, 300))
        page.pass_time(900)
        page.move((310, 310))
        for number, name in enumerate(["P20", "P18"], 1):
            page.click(cell(site, name))
            page.until(f"document.querySelector('.add').textContent === 'Add {number}'")
        page.click(".add")
    page.until("/^P20.*; P18/.test(document.querySelector('#status').textContent)")
    page.until("[...document.querySelectorAll('.gallery img')].filter(({ naturalWidth }) => naturalWidth > 0).length === 2")
    # The window closes by itself when the page has everything.
    wait_for(lambda: len(page.windows) == 1, "the end of the picker's window")


def test_r_27_escape_clears_the_search_of_the_picker_and_then_cancels(page, site, gallery):  # noqa: F811
    page.goto(f"{gallery}?library={site.address}")
    with page.new_window("#any"):
        page.until(FIRST_PAGE)
        total = page.evaluate(f"{GRID}.snapshot.total")
        page.click(".search")
        for key in "P20":
            page.press(key)
        page.until(f"{GRID}.snapshot.total === 1")
        page.press("Escape")
        page.until(f"{GRID}.snapshot.total === {total} && document.querySelector('.search').value === ''")
        # The pictures of the photos that come back are loaded.
        page.until("document.querySelectorAll('.cell img').length > 1")
        page.until("[...document.querySelectorAll('.cell img')].every(({ complete }) => complete)")
        try:
            page.press("Escape")
        except AssertionError as error:
            assert "no such window" in str(error)  # it was closed before the key was up
    page.until("document.querySelector('#status').textContent === 'Nothing chosen.'")
    wait_for(lambda: len(page.windows) == 1, "the end of the picker's window")
