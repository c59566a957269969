"""Selecting, in every view of the grid: scenarios S."""

import re

import pytest
from conftest import box_of, fetched, until, until_equal
from made_up import MadeUpLibrary
from organizing import QUICK, READY, TALL, cell, drag, in_order, middle, own_page, own_site, touch, until_chosen, until_these_chosen
from playwright.sync_api import expect
from views import GRID, SETTLED, ids, open_view, until_shown


@pytest.fixture
def library(site, site_page):
    """A page that shows the whole library, and its names in order."""
    page = site_page(height=TALL)
    return page, in_order(page, site)


def choose(page, site, names, modifiers=("Control",)):
    for name in names:
        cell(page, site, name).click(modifiers=list(modifiers))


def test_s_01_the_circle_and_ctrl_click_select(site, library):
    page, names = library
    first = cell(page, site, names[0])
    first.hover()
    first.locator(".circle").click()
    until_chosen(page, 1)
    cell(page, site, names[3]).click(modifiers=["Control"])
    until_chosen(page, 2)
    until_these_chosen(page, site, [names[0], names[3]])
    first.locator(".circle").click()
    until_chosen(page, 1)
    expect(page.locator("asset-viewer")).to_be_hidden()  # a selecting click opens nothing


def test_s_02_shift_selects_a_range_which_the_next_one_replaces(site, library):
    page, names = library
    choose(page, site, [names[2]])
    cell(page, site, names[8]).click(modifiers=["Shift"])
    until_chosen(page, 7)
    cell(page, site, names[4]).click(modifiers=["Shift"])
    until_chosen(page, 3)
    until_these_chosen(page, site, names[2:5])
    cell(page, site, names[0]).click(modifiers=["Shift", "Control"])
    until_chosen(page, 5)
    until_these_chosen(page, site, names[0:5])


def test_s_03_a_range_of_sixty_thousand_is_one_request(site, pages):
    library = MadeUpLibrary(100_000)
    page = pages(site.cookies)
    library.serve(page)
    sent = []

    def refuse(route):
        sent.append(route.request.post_data_json)
        route.fulfill(status=200, json={"revision": "2", "transaction": 1, "created": {}, "isUndoable": True})

    page.route("**/api/v1/changes", refuse)
    page.goto(site.address)
    until(page, f"{READY} && document.querySelector('.cell[data-id]') !== null")
    page.locator(".cell[data-id]").first.click(modifiers=["Control"])
    page.evaluate(f"{GRID}.goTo({GRID}.layout.boxOf(60_000).top)")
    last = f"{GRID}.cellAt(60_000)"
    until(page, f"{last}?.asset !== undefined")
    page.locator(f".cell[data-id='{library.cell(60_000)['id']}']").click(modifiers=["Shift"])
    until_chosen(page, "60,001")
    assert len(library.requests) < 30, "what is between was not loaded"
    page.keyboard.press("f")
    until(page, "document.querySelector('.toast')?.textContent.includes('60,001')")
    [change] = sent[0]["changes"]
    assert (change["assets"]["range"]["first"], change["assets"]["range"]["end"]) == (0, 60_001)
    # The same key takes it back, though most of them were never loaded.
    page.locator("selection-bar [data-command=unfavorite]").wait_for()
    page.keyboard.press("f")
    until_equal(page, lambda: [each["changes"][0]["isFavorite"] for each in sent], [True, False])


def test_j_04_deleting_many_asks_and_the_focus_is_on_cancel(site, pages):
    library = MadeUpLibrary(5_000)
    page = pages(site.cookies)
    library.serve(page)
    sent = []
    page.route("**/api/v1/changes", lambda route: sent.append(route) or route.abort())
    page.goto(site.address)
    until(page, f"{READY} && document.querySelector('.cell[data-id]') !== null")
    page.keyboard.press("Control+a")
    until_chosen(page, "5,000")
    page.keyboard.press("Delete")
    dialog = page.locator("dialog.ask")
    expect(dialog.get_by_role("button")).to_have_text(["Cancel", "Delete 5,000 items"])
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    until_chosen(page, "5,000")
    assert sent == []


@pytest.mark.parametrize("title, count, collection, order", [
    ("Favorites", 6, "favorites", "newest"), ("Recently Deleted", 3, "recentlyDeleted", "deleted"), ("Videos", 12, "videos", "newest")])
def test_s_04_selecting_works_in_each_view(site, site_page, title, count, collection, order):
    page = site_page(height=TALL)
    open_view(page, title, count)
    path = f"/api/v1/collections/{collection}/assets?offset=0&limit=500&order={order}"
    ids = [asset["id"] for asset in fetched(page, path)["assets"]]
    page.locator(f".cell[data-id='{ids[0]}']").click(modifiers=["Control"])
    page.locator(f".cell[data-id='{ids[-1]}']").click(modifiers=["Shift"])
    until_chosen(page, count)


def test_s_04_selecting_works_in_an_album_a_folder_and_a_search(site, site_page):
    page = site_page(f"album/{site.collections['Norway']}", is_waiting=False, height=TALL)
    until_shown(page, "Norway", 7)
    until(page, READY)
    choose(page, site, ["P03"])
    cell(page, site, "V01").click(modifiers=["Shift"])
    until_chosen(page, 7)
    open_view(page, "Travels")
    page.get_by_label("All photos in here").click()
    until(page, f"{GRID}.snapshot.total === 11")
    choose_all(page, 11)
    page.goto(site.address + "search?q=P0")
    until(page, f"{GRID}.snapshot.total === 9")
    until(page, READY)
    choose_all(page, 9)


def choose_all(page, count):
    """Selects all assets of a view by the first and the last."""
    until(page, f"document.querySelectorAll('.cell:not(.free)[data-id]').length === {count}")
    until(page, SETTLED)
    order = ids(page)
    page.locator(f".cell[data-id='{order[0]}']").click(modifiers=["Control"])
    page.locator(f".cell[data-id='{order[-1]}']").click(modifiers=["Shift"])
    until_chosen(page, count)


def test_s_05_a_band_selects_what_it_touches_and_escape_restores(site, library):
    page, names = library
    choose(page, site, [names[-1]])
    first, third = box_of(cell(page, site, names[0])), box_of(cell(page, site, names[2]))
    start = (first["x"] - 8, first["y"] + 10)
    end = (third["x"] + third["width"] / 2, third["y"] + 20)
    drag(page, start, end, is_dropped=False)
    until_chosen(page, 4)
    page.mouse.move(first["x"] + 20, first["y"] + 20)
    until_chosen(page, 2)
    page.keyboard.press("Escape")
    until_chosen(page, 1)
    page.mouse.up()
    until_these_chosen(page, site, [names[-1]])
    expect(page.locator("asset-viewer")).to_be_hidden()


def test_s_05_a_band_with_alt_begins_anywhere(site, library):
    page, names = library
    page.keyboard.down("Alt")
    drag(page, middle(cell(page, site, names[0])), middle(cell(page, site, names[1])))
    page.keyboard.up("Alt")
    until_chosen(page, 2)


def test_s_05_a_band_at_the_edge_scrolls_and_going_back_unselects(site, pages):
    page = made_up(site, pages, MadeUpLibrary(5_000))
    grid = box_of(page.locator("photo-grid"))
    left = grid["x"] + 6
    drag(page, (left, 300), (left + 500, 500), is_dropped=False)
    until(page, SOME_CHOSEN)
    before = page.evaluate(COUNT)
    page.mouse.move(left + 500, 890)
    until(page, f"{GRID}.y > 1_500 && {COUNT} > {before} + 10")
    page.mouse.move(left + 500, 10)
    until(page, f"{GRID}.y === 0")
    page.mouse.move(left + 500, 500)
    until(page, f"{COUNT} === {before}")
    page.keyboard.press("Escape")
    page.locator("selection-bar").wait_for(state="hidden")
    page.mouse.up()


def made_up(site, pages, library, **options):
    page = pages(site.cookies, **options)
    library.serve(page)
    page.goto(site.address)
    until(page, f"{READY} && document.querySelector('.cell[data-id]') !== null")
    return page


COUNT = "Number(document.querySelector('selection-bar strong').textContent.replace(/\\D/g, ''))"
SOME_CHOSEN = f"document.querySelector('selection-bar:not([hidden])') !== null && {COUNT} > 0"


def test_s_06_a_sweep_at_the_edge_scrolls(site, pages):
    page = made_up(site, pages, MadeUpLibrary(5_000), width=390, height=844, has_touch=True, is_mobile=True)
    page.evaluate(QUICK)
    page.locator(".select-mode").tap()
    start = middle(page.locator(".cell:visible").nth(3))
    touch(page, "touchStart", start)
    touch(page, "touchMove", (start[0] + 40, start[1]))
    touch(page, "touchMove", (start[0] + 40, page.evaluate(f"{GRID}.getBoundingClientRect().bottom") - 5))
    until(page, f"{GRID}.y > 800 && {COUNT} > 20")
    touch(page, "touchEnd")


def phone(site_page):
    return site_page(width=390, height=844, has_touch=True, is_mobile=True)


def test_s_06_a_finger_sweeps_over_cells_in_select_mode(site, site_page):
    page = phone(site_page)
    page.evaluate(QUICK)
    names = in_order(page, site)
    page.locator(".select-mode").tap()
    # A row with three cells of one day.
    days = fetched(page, "/api/v1/collections/userLibrary/days?order=newest")["days"]
    first = 0
    for _, count in days:
        if count >= 3:
            break
        first += count
    page.evaluate(f"{GRID}.reveal({first + 2})")
    until(page, f"{GRID}.cellAt({first + 2})?.asset !== undefined")
    points = [middle(cell(page, site, name)) for name in names[first : first + 3]]
    touch(page, "touchStart", points[0])
    for step in range(1, 11):
        touch(page, "touchMove", (points[0][0] + (points[2][0] - points[0][0]) * step / 10, points[0][1]))
    until_chosen(page, 3)
    touch(page, "touchMove", points[1])
    until_chosen(page, 2)
    touch(page, "touchEnd")
    until_chosen(page, 2)


def test_s_07_a_long_press_opens_a_menu_which_begins_select_mode(site, site_page):
    page = phone(site_page)
    [name] = in_order(page, site)[:1]
    touch(page, "touchStart", middle(cell(page, site, name)))
    page.locator(".menu.peek").wait_for()
    touch(page, "touchEnd")
    page.get_by_role("menuitem", name="Select", exact=True).tap()
    until_chosen(page, 1)
    until_these_chosen(page, site, [name])


def test_s_08_a_heading_selects_its_day(site, library):
    page, names = library
    days = fetched(page, "/api/v1/collections/userLibrary/days?order=newest")["days"]
    index = next(index for index, (_, count) in enumerate(days) if count >= 3)
    first = sum(count for _, count in days[:index])
    circle = page.locator(f".day-name[data-day='{index}'] .day-circle")
    choose(page, site, [names[first]])
    expect(circle).to_have_attribute("aria-checked", "mixed")
    circle.click()
    until_chosen(page, days[index][1])
    expect(circle).to_have_attribute("aria-checked", "true")
    circle.click()
    page.locator("selection-bar").wait_for(state="hidden")


def test_s_08_a_key_selects_the_day_of_the_focused_photo(site, library):
    page, names = library
    days = fetched(page, "/api/v1/collections/userLibrary/days?order=newest")["days"]
    index = next(index for index, (_, count) in enumerate(days) if count >= 3)
    first, count = sum(count for _, count in days[:index]), days[index][1]
    cell(page, site, names[first + 1]).focus()
    page.keyboard.press("d")
    until_chosen(page, count)
    until_these_chosen(page, site, names[first:first + count])
    page.keyboard.press("d")
    page.locator("selection-bar").wait_for(state="hidden")


def test_s_09_all_of_a_view_and_none(site, library):
    page, names = library
    page.keyboard.press("Control+a")
    until_chosen(page, len(names))
    page.keyboard.press("Escape")
    page.locator("selection-bar").wait_for(state="hidden")
    page.get_by_role("button", name="Undo").click()
    until_chosen(page, len(names))


def test_s_09_a_button_selects_all(site, library):
    page, names = library
    page.locator(".select-mode").click()
    page.get_by_role("button", name="Select all").click()
    until_chosen(page, len(names))
    expect(page.get_by_role("button", name="Select all")).to_be_hidden()
    page.keyboard.press("Escape")


def test_s_10_a_selection_survives_the_viewer_and_changes_elsewhere(site, library):
    page, names = library
    choose(page, site, names[1:4])
    cell(page, site, names[6]).click()
    page.locator("asset-viewer").wait_for()
    page.keyboard.press("Escape")
    until_chosen(page, 3)
    site.calotype("delete", "--yes", site.identifier(names[2]))
    until_chosen(page, 2)
    until(page, f"{GRID}.snapshot.total === {len(names) - 1}")
    until_these_chosen(page, site, [names[1], names[3]])
    site.calotype("trash", "restore", site.identifier(names[2]))
    until(page, f"{GRID}.snapshot.total === {len(names)}")
    until_these_chosen(page, site, [names[1], names[3]])


def test_s_10_a_selection_survives_another_density(site, library):
    page, names = library
    choose(page, site, names[1:4])
    page.keyboard.press("-")
    until(page, f"{GRID}.layout.columns > 8")
    until_these_chosen(page, site, names[1:4])
    page.keyboard.press("+")
    until_chosen(page, 3)


def test_s_11_another_view_clears_and_back_restores(site, library):
    page, names = library
    choose(page, site, names[1:4])
    until(page, "JSON.stringify(history.state?.kept?.selection?.ranges) === '[[1,4]]'")
    open_view(page, "Favorites", 6)
    page.locator("selection-bar").wait_for(state="hidden")
    page.go_back()
    until_chosen(page, 3)
    until_these_chosen(page, site, names[1:4])


def test_s_11_back_restores_what_is_still_there(own_site, own_page):
    page = own_page(height=TALL)
    names = in_order(page, own_site)
    choose(page, own_site, names[1:4])
    until(page, "history.state?.kept?.selection?.ids?.length === 3")
    open_view(page, "Favorites", 6)
    own_site.calotype("delete", "--yes", own_site.identifier(names[0]))
    own_site.calotype("delete", "--yes", own_site.identifier(names[2]))
    until(page, "[...document.querySelectorAll('side-bar .row')].some(row => row.ariaLabel === 'Recently Deleted, 5 items')")
    page.go_back()
    until_chosen(page, 2)
    until_these_chosen(page, own_site, [names[1], names[3]])


def test_s_12_keys_select(site, library):
    page, names = library
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Control+Home")
    page.keyboard.press("Space")
    until_chosen(page, 1)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    until_chosen(page, 3)
    page.keyboard.press("Shift+ArrowLeft")
    until_chosen(page, 2)
    page.keyboard.press("Control+ArrowRight")
    page.keyboard.press("Control+ArrowRight")
    until_chosen(page, 2)
    page.keyboard.press("Control+Space")
    until_chosen(page, 3)
    until_these_chosen(page, site, [*names[0:2], names[3]])


def test_s_13_a_screen_reader_hears_the_number(site, library):
    page, names = library
    choose(page, site, names[1:4])
    until(page, "document.querySelector('selection-bar [role=status]').textContent === '3 selected'")


def test_ax_03_the_grid_tells_rows_and_columns(site, library):
    page, names = library
    grid = page.locator("[role=grid]").first
    rows = page.evaluate(f"{GRID}.layout.rowCount")
    for name, value in [("aria-label", "All Photos"), ("aria-rowcount", str(rows)), ("aria-multiselectable", "true")]:
        expect(grid).to_have_attribute(name, value)
    first = cell(page, site, names[0])
    expect(first.locator("xpath=..")).to_have_attribute("aria-rowindex", "1")
    expect(first).to_have_attribute("aria-colindex", "1")
    assert page.evaluate("""[...document.querySelectorAll('.cell-row')].map(row => Number(row.ariaRowIndex))
      .every((index, place, all) => place === 0 || index > all[place - 1])""")
    choose(page, site, [names[0]])
    expect(first).to_have_attribute("aria-selected", "true")


# Each row has the name of the days of its first and its last cell.
NAMED_ROWS = """[...document.querySelectorAll('.cell-row')].every((row) => {
  const cells = [...row.querySelectorAll('.cell')].sort((one, other) => one.ariaColIndex - other.ariaColIndex);
  const days = row.ariaLabel.split(' – ');
  return cells[0].ariaLabel.includes(`, ${days[0]} at `) && cells.at(-1).ariaLabel.includes(`, ${days.at(-1)} at `);
})"""


def test_ax_03_a_row_names_its_days(site, library):
    page, names = library
    until(page, NAMED_ROWS)
    before = page.evaluate(f"{GRID}.layout.columns")
    page.keyboard.press("-")
    until(page, f"{GRID}.layout.columns !== {before} && {NAMED_ROWS}")


def test_ax_03_a_cell_names_its_place_once_the_keyboard_is_in_the_grid(site, library):
    page, names = library
    page.keyboard.press("ArrowDown")
    until(page, f"document.querySelector('.cell[data-id=\"{site.id('P01')}\"]').ariaLabel.includes(', Chicago')")
    expect(cell(page, site, "P01")).to_have_attribute("aria-label", re.compile("^Photo, 4 March 2019 at 17:20, Chicago"))
    expect(cell(page, site, "P01").locator(".open")).to_have_attribute("aria-label", re.compile("Chicago$"))
