"""Choosing photos in a dialog: those of an album, and those that a client may see."""

import pytest
from conftest import box_of, until, until_equal
from made_up import MadeUpLibrary
from organizing import READY, cell, in_order, own_page, own_site, until_toast
from playwright.sync_api import expect
from views import GRID, open_view, until_shown

CHOOSER = "document.querySelector('.chooser photo-grid')"


@pytest.fixture
def chooser(own_site, own_page):
    """Opens the dialog of an empty album, on a made-up library or the fixture."""

    def open(library=None, **options):
        page = own_page(**options)
        open_view(page, "Empty", 0)
        if library:
            library.serve(page)
        page.get_by_role("button", name="Add photos…").click()
        page.locator(".chooser .cell[data-id]").first.wait_for()
        return page

    return open


def until_counted(page, count):
    until(page, f"document.querySelector('.chooser [role=status]').textContent === '{count} photo{'' if count == 1 else 's'} chosen'")


def test_scrolling_a_large_library_keeps_few_cells_and_their_elements(chooser):
    library = MadeUpLibrary(20_000)
    page = chooser(library)
    page.locator(".chooser .cell:visible").first.evaluate("cell => (cell.wasThere = true)")
    page.mouse.move(700, 450)
    page.mouse.wheel(0, 60)
    until(page, f"{CHOOSER}.y === 60")
    assert page.locator(".chooser .cell:visible").first.evaluate("cell => cell.wasThere"), "the elements stay"
    library.requests.clear()
    for y in range(10_000, 400_000, 30_000):
        page.evaluate(f"{CHOOSER}.goTo({y})")
    until(page, f"{CHOOSER}.cellAt({CHOOSER}.firstVisible)?.asset !== undefined")
    assert len(library.requests) < 20, "what flies by is not loaded"
    assert page.locator(".chooser .cell").count() < 600


def test_the_dialog_follows_the_windows_size(chooser):
    page = chooser()
    heading, first = (page.locator(f".chooser {name}").first for name in (".day-name span", ".cell[data-id]"))
    assert box_of(heading)["x"] == box_of(first)["x"]
    columns = page.evaluate(f"{CHOOSER}.layout.columns")
    page.set_viewport_size({"width": 700, "height": 900})
    until(page, f"{CHOOSER}.layout.columns < {columns}")
    until(page, "[...document.querySelectorAll('.chooser .cell:not(.free)')].every(cell => cell.getBoundingClientRect().right <= 700)")


def test_clicks_shift_and_keys_choose(own_site, chooser):
    page = chooser(height=2600)
    names = in_order(page, own_site)
    choice = lambda name: page.locator(f".chooser .cell[data-id='{own_site.id(name)}']")
    choice(names[1]).click()
    until_counted(page, 1)
    choice(names[4]).click(modifiers=["Shift"])
    until_counted(page, 4)
    choice(names[2]).click()
    until_counted(page, 3)
    expect(choice(names[1])).to_have_attribute("aria-selected", "true")
    expect(choice(names[2])).to_have_attribute("aria-selected", "false")
    page.keyboard.press("Space")
    until_counted(page, 4)
    page.locator(".chooser").get_by_role("button", name="Add").click()
    until_toast(page, "4 added to Empty")
    assert in_order(page, own_site, own_site.collections["Empty"], "custom") == [names[1], names[3], names[4], names[2]]


def test_photos_of_the_library_an_album_and_a_search_are_chosen_together(own_site, chooser):
    page = chooser(height=2600)
    first = in_order(page, own_site)[0]
    choice = lambda name: page.locator(f".chooser .cell[data-id='{own_site.id(name)}']")
    choice(first).click()
    until_counted(page, 1)
    page.locator(".chooser").get_by_role("tab", name="Albums").click()
    page.locator(".chooser .albums").get_by_role("button", name="Receipts, 3 items").click()
    until(page, f"{CHOOSER}.snapshot.total === 3")
    of_album = in_order(page, own_site, own_site.collections["Receipts"])[0]
    choice(of_album).click()
    until_counted(page, 2)
    page.locator(".chooser").get_by_role("tab", name="Photos").click()
    until(page, f"{CHOOSER}.snapshot.total === 49")
    page.locator(".chooser .search").fill("P07")
    until(page, f"{CHOOSER}.snapshot.total === 1")
    choice("P07").click()
    until_counted(page, 3)
    page.keyboard.press("Escape")
    until(page, f"{CHOOSER}.snapshot.total === 49")
    page.locator(".chooser").get_by_role("button", name="3 selected").click()
    expect(page.locator(".chooser .tray img")).to_have_count(3)
    page.locator(".chooser").get_by_role("button", name="Add", exact=True).click()
    until_toast(page, "3 added to Empty")
    assert in_order(page, own_site, own_site.collections["Empty"], "custom") == [first, of_album, "P07"]


def test_on_a_phone_a_days_circle_and_a_sweep_choose(own_site, own_page):
    page = own_page(width=390, height=844, has_touch=True)
    page.goto(f"{own_site.address}album/{own_site.collections['Empty']}")
    page.get_by_role("button", name="Add photos…").click()
    page.locator(".chooser .cell[data-id]").first.wait_for()
    names = in_order(page, own_site)
    page.locator(".chooser .day-circle").first.click()
    day = page.evaluate(f"{CHOOSER}.snapshot.days[0][1]")
    until_counted(page, day)
    page.locator(".chooser .day-circle").first.click()
    until_counted(page, 0)
    boxes = [page.locator(f".chooser .cell[data-id='{own_site.id(name)}']").bounding_box() for name in names[:2]]
    points = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": points[0][0], "y": points[0][1]}]})
    for x, y in ((points[0][0] + 12, points[0][1]), points[1]):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until_counted(page, 2)


def test_closing_the_dialog_gives_the_keys_back(own_site, own_page):
    page = own_page()
    page.locator(".cell:visible").first.focus()
    open_view(page, "Receipts", 3)
    page.locator("side-bar .row", has_text="Receipts").click(button="right")
    page.get_by_role("menuitem", name="Add photos…").click()
    page.locator(".chooser .cell[data-id]").first.wait_for()
    page.keyboard.press("ArrowRight")
    until(page, f"{CHOOSER}.focusedIndex === 1")
    until_equal(page, f"{GRID}.focusedIndex", -1)
    page.keyboard.press("Escape")
    page.locator(".chooser").wait_for(state="detached")
    page.locator(".cell:visible").first.focus()
    page.keyboard.press("ArrowRight")
    until(page, f"{GRID}.focusedIndex === 1")


def test_chosen_photos_stay_chosen_when_the_list_changes(own_site, chooser):
    page = chooser()
    first, _, _, name = in_order(page, own_site)[:4]
    page.locator(f".chooser .cell[data-id='{own_site.id(name)}']").click()
    until_counted(page, 1)
    own_site.calotype("delete", "--yes", own_site.identifier(first))
    # The next page of the list is of the later revision.
    page.evaluate(f"{CHOOSER}.snapshot.pages.load(10_000)")
    until(page, f"{CHOOSER}.snapshot.total === 48")
    until_equal(page, "[...document.querySelectorAll('.chooser .cell[aria-selected=true]')].map(cell => cell.dataset.id)", [own_site.id(name)])
    page.locator(".chooser").get_by_role("button", name="Add").click()
    until_shown(page, "Empty", 1)
    assert in_order(page, own_site, own_site.collections["Empty"], "custom") == [name]
