"""A way through the whole page without a mouse. The focus is always on something in the window."""

import pytest
from conftest import FAILED, STOPPED_CLOCK, fetched, new_link, until, until_equal
from organizing import READY, asset, in_order, undone_sites, until_chosen, until_toast
from organizing import undone_site as own_site
from test_permission import CARD, Client
from views import row, until_shown

SEEN = """(() => {
  const element = document.activeElement;
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return element !== document.body && element.checkVisibility() && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
})()"""
# A ring around the element, or within it: a menu's item has another background.
RING = """(() => {
  const element = document.activeElement;
  const [own, inner] = [getComputedStyle(element), getComputedStyle(element, '::before')];
  return own.outlineStyle !== 'none' || parseFloat(inner.borderTopWidth) >= 2 || own.backgroundColor !== 'rgba(0, 0, 0, 0)';
})()"""
IN_CELL = "document.activeElement.closest('.cell') !== null"


class Keyboard:
    """Presses keys. After each, something in the window has the focus."""

    def __init__(self, page):
        self.page = page

    def __call__(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            until(self.page, SEEN)

    def until(self, key, condition, most=40):
        """Presses a key until a condition is true."""
        for _ in range(most):
            if self.page.evaluate(condition):
                return
            self(key)
        raise AssertionError(f"{most} times {key} did not lead to: {condition}")


@pytest.fixture
def page(own_site, pages):
    page = pages([])
    page.goto(new_link(own_site.library))
    page.wait_for_url(own_site.address)
    until(page, READY)
    return page


@pytest.fixture
def press(page):
    return Keyboard(page)


def open_norway(page, press):
    """Opens an album in a folder of the sidebar."""
    page.keyboard.press("g")
    press("a")
    press.until("ArrowDown", "document.activeElement.ariaLabel?.startsWith('Travels') === true")
    press("ArrowRight")
    press.until("ArrowDown", "document.activeElement.ariaLabel?.startsWith('Norway') === true")
    until(page, RING)
    press("Enter")
    until_shown(page, "Norway", 7)


def test_ax_02_everything_without_a_mouse(own_site, page, press):
    open_norway(page, press)

    # Two of its photos: favorites, and an album of their own.
    press.until("Tab", IN_CELL)
    until(page, RING)
    press("Home", "Space", "ArrowRight", "ArrowRight", "Space")
    until_chosen(page, 2)
    press("f")
    until_toast(page, "added to Favorites")
    assert asset(page, own_site, "P03")["isFavorite"] and asset(page, own_site, "P02")["isFavorite"]
    press("a")
    page.locator(".album-choice input:focus").wait_for()
    page.keyboard.type("Fjords")
    page.locator(".choice", has_text="New album “Fjords”").wait_for()
    press("Enter")
    until_toast(page, "Fjords was made")
    press("Escape")
    until(page, "document.querySelector('selection-bar').hidden")

    # The menu of a photo, and the photo itself.
    press.until("Tab", IN_CELL)
    press("Home", "Shift+F10")
    page.locator("[role=menuitem]:focus").wait_for()
    press("ArrowDown", "ArrowUp", "Escape")
    until(page, IN_CELL)
    press("Enter")
    page.locator("asset-viewer:focus").wait_for()
    press("ArrowRight", "i")
    page.locator("info-panel .info-content section").first.wait_for()
    press("i", "Escape")
    until(page, "document.querySelector('asset-viewer').hidden")
    until(page, f"document.activeElement.closest('.cell')?.dataset.id === '{own_site.id('P01')}'")

    # A deletion and its undo.
    press("Control+Delete")
    until_toast(page, "moved to Recently Deleted")
    until_shown(page, "Norway", 6)
    press("F6")
    until(page, "document.activeElement.textContent.includes('Undo')")
    press("Enter")
    until_toast(page, "Undone")
    until_shown(page, "Norway", 7)

    # Search, and back.
    press("/")
    page.keyboard.type("2024-06-14")
    press("Enter")
    until_shown(page, "“2024-06-14”", 5)
    press("/", "Escape")
    until_shown(page, "Norway", 7)
    page.keyboard.press("g")  # the second key follows soon
    press("f")
    until_shown(page, "Favorites", 7)
    assert "P03" in in_order(page, own_site, "favorites")


def test_ax_02_albums_and_the_history_without_a_mouse(page, press, pages):
    # An album is made, gets another title and another place, is deleted and brought back.
    page.keyboard.press("g")
    press("a")
    press.until("Tab", "document.activeElement.classList.contains('add-album')")
    until(page, RING)
    press("Enter")
    page.locator("[role=menuitem]:focus", has_text="New album").wait_for()
    press("Enter")
    page.locator("side-bar input:focus").wait_for()
    page.keyboard.type("Summer")
    press("Enter")
    until_shown(page, "Summer", 0)
    until(page, on_row("Summer"))
    press("F2")
    page.locator("side-bar input.rename:focus").wait_for()
    page.keyboard.type("Autumn")
    press("Enter")
    until_shown(page, "Autumn")
    until(page, on_row("Autumn"))
    press("Alt+ArrowUp")
    until_toast(page, "Autumn was moved")
    until(page, on_row("Autumn"))
    press("Delete")
    until_toast(page, "was deleted")
    until(page, SEEN)
    press("Control+z")
    until_toast(page, "Undone")
    row(page, "Autumn").wait_for()
    pages.expected.append(FAILED)  # the page may ask for an album that has just gone

    # The history takes a change back.
    press.until("Tab", "document.activeElement.textContent === 'History'")
    press("Enter")
    page.locator("history-page li").first.wait_for()
    until(page, SEEN)
    press.until("Tab", "document.activeElement.closest('history-page li') !== null")
    until(page, RING)
    press("Enter")
    until_toast(page, "Undone")
    until(page, SEEN)
    press("?")
    page.locator("dialog[open]").wait_for()
    press("Escape")
    until(page, "document.querySelector('dialog[open]') === null")
    until(page, SEEN)


def test_ax_02_hiding_and_showing_again_without_a_mouse(own_site, page, press):
    open_norway(page, press)
    press.until("Tab", IN_CELL)
    press("Home")
    until(page, on_cell(own_site, "P03"))
    press("h")
    until_toast(page, "1 item hidden")
    until_shown(page, "Norway", 6)
    until(page, IN_CELL)
    page.keyboard.press("g")
    press("h")
    until_shown(page, "Hidden", 3)
    press.until("Tab", IN_CELL)
    press("Home")
    press.until("ArrowRight", on_cell(own_site, "P03"), most=3)
    press("h")
    until_toast(page, "1 item shown again")
    until_shown(page, "Hidden", 2)
    until(page, IN_CELL)
    assert "P03" in in_order(page, own_site)


def test_ax_02_an_albums_cover_is_chosen_without_a_mouse(own_site, page, press):
    open_norway(page, press)
    press.until("Tab", IN_CELL)
    press("Home")
    press.until("ArrowRight", on_cell(own_site, "P01"), most=7)
    press("Shift+F10")
    press.until("ArrowDown", "document.activeElement.textContent === 'Use as cover'")
    press("Enter")
    until_toast(page, "Cover of Norway changed")
    until(page, on_cell(own_site, "P01"))
    collections = fetched(page, "/api/v1/collections")["collections"]
    [album] = [collection for collection in collections if collection["title"] == "Norway"]
    assert album["covers"][0]["id"] == own_site.id("P01")


@pytest.fixture
def client(own_site, page, press):
    """A program whose request is shown while the focus is in the grid."""
    press.until("Tab", IN_CELL)
    page.evaluate(STOPPED_CLOCK)
    client = Client(own_site)
    client.ask()
    page.locator(CARD).wait_for()
    page.evaluate("window.clock += 850")  # the guard's own time
    press("F6")
    return client


@pytest.mark.parametrize(("answer", "status"), [("Allow full access", "authorized"), ("Don’t allow", "denied")])
def test_ax_02_a_request_is_answered_without_a_mouse(page, press, client, answer, status):
    press.until("Tab", f"document.activeElement.textContent === '{answer}'")
    press("Enter")
    until(page, f"document.querySelector('{CARD}') === null")
    until_equal(page, client.poll, status)
    until(page, IN_CELL)


def test_ax_02_photos_are_selected_for_a_request_without_a_mouse(page, press, client):
    press.until("Tab", "document.activeElement.textContent === 'Select photos…'")
    press("Enter")
    page.locator("dialog.chooser .cell[data-id]:focus").wait_for()
    press("Space", "ArrowRight", "Space")
    until(page, "document.querySelector('.chooser [role=status]').textContent === '2 photos chosen'")
    press.until("Shift+Tab", "document.activeElement.textContent === 'Done'")
    press("Enter")
    until(page, f"document.querySelector('{CARD}') === null")
    until_equal(page, client.poll, "limited")
    assert client.total() == 2
    until(page, f"{IN_CELL} && document.activeElement.closest('dialog') === null")


def on_cell(site, name):
    """Returns a condition: the cell of an asset has the focus."""
    return f"document.activeElement.closest('.cell')?.dataset.id === '{site.id(name)}'"


def on_row(title):
    """Returns a condition: a row of the sidebar has the focus."""
    return f"document.activeElement.querySelector('.title')?.textContent === {title!r}"
