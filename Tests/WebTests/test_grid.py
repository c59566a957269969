"""Tests of the library's grid, as a person sees it."""

import re

import pytest

from conftest import FIRST_PAGE, box_of, fetched, heard, new_context, until, until_equal
from playwright.sync_api import expect
from views import GRID, SETTLED

CELLS = """[...document.querySelectorAll('.cell:not(.free)')]
  .map(cell => ({ box: cell.getBoundingClientRect().toJSON(), id: cell.dataset.id, label: cell.ariaLabel,
                  drawn: cell.querySelector('img')?.naturalWidth > 0, text: cell.textContent }))
  .sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left)"""


def cells_in_window(page):
    height = page.viewport_size["height"]
    return [cell for cell in page.evaluate(CELLS) if cell["box"]["bottom"] > 0 and cell["box"]["top"] < height]


def assets(page, limit=200):
    return fetched(page, f"/api/v1/collections/userLibrary/assets?offset=0&limit={limit}")["assets"]


def show(page, position):
    """Scrolls until the asset at a position is in the page."""
    asset = assets(page, 500)[position]
    page.mouse.move(400, 400)
    # An asset near the end can't come to the middle of the window.
    page.evaluate(f"{GRID}.goTo({GRID}.layout.boxOf({position}).top - {GRID}.windowHeight / 2)")
    until(page, SETTLED)
    return page.locator(f".cell[data-id='{asset['id']}']")


def position_of(page, wanted):
    """Returns the position of the first asset that fulfills a condition. The sample library has an
    asset of each kind."""
    for position, asset in enumerate(assets(page, 500)):
        if wanted(asset):
            return position
    pytest.fail("the library has no such asset")


@pytest.fixture(scope="module")
def first_page(browser, cookies, calotype_server):
    """A page of the library as it was opened, for tests that only look at it."""
    context = new_context(browser)
    context.add_cookies(cookies)
    page = context.new_page()
    heard.hear_of_servers(page, calotype_server)
    page.goto(calotype_server)
    until(page, FIRST_PAGE)
    yield page
    context.close()


def test_newest_first_below_day_headings(first_page):
    page = first_page
    until(page, SETTLED)
    shown = cells_in_window(page)
    expected = assets(page, len(shown))
    assert len(shown) >= 12
    assert [cell["id"] for cell in shown] == [asset["id"] for asset in expected]
    days = {asset["creationDate"][:10] for asset in expected}
    headings = page.locator(".day-name").all_text_contents()
    assert len(headings) >= len(days)
    assert all(re.search(r"\d{1,2} \w+|Today|Yesterday", heading) for heading in headings)


def test_each_heading_is_above_its_day(first_page):
    page = first_page
    until(page, SETTLED)
    first = box_of(page.locator(".day-name").first)
    cell = cells_in_window(page)[0]["box"]
    assert first["y"] + first["height"] <= cell["top"] and first["y"] > cell["top"] - 60


def test_the_header_names_the_library_and_counts_it(first_page):
    page = first_page
    served = fetched(page, "/api/v1/library")
    expect(page.locator("h1")).to_have_text("All Photos")
    expect(page.locator(".library-name")).to_have_text(served["name"])
    expect(page).to_have_title(f"All Photos – {served['name']}")
    until(page, "/photos, .*videos/.test(document.querySelector('.view-header p').textContent)")
    counts = re.findall(r"([\d,]+) (?:photo|video)", page.locator(".view-header p").text_content())
    assert sum(int(count.replace(",", "")) for count in counts) == served["assetCount"]


def test_thumbnails_are_drawn_once_the_first_page_is_marked(library_page):
    page = library_page()
    shown = cells_in_window(page)
    assert shown and all(cell["drawn"] or "be read" in cell["text"] for cell in shown)


def test_labels_say_what_a_cell_is(first_page):
    page = first_page
    assert all(re.match(r"(Photo|Video|Live Photo|Screenshot|Panorama), \d+ \w+ \d{4} at \d\d:\d\d", cell["label"])
               for cell in cells_in_window(page))


def test_the_summary_is_not_covered_by_the_first_day(first_page):
    page = first_page
    until(page, SETTLED)
    summary = box_of(page.locator(".view-header p"))
    first_day = box_of(page.locator(".day-bar").first)
    assert summary["y"] + summary["height"] <= first_day["y"] + 1


def test_placeholders_show_before_thumbnails(new_page, calotype_server):
    page = new_page()
    held, released = [], []
    page.route("**/api/v1/renditions/**", lambda route: route.continue_() if released else held.append(route))
    page.goto(calotype_server, wait_until="commit")  # pictures that are held keep the page from being loaded
    until(page, "[...document.querySelectorAll('.cell[data-id]')].some(cell => cell.style.backgroundImage.includes('image/bmp'))")
    assert page.locator(".cell img").count() == 0
    before = page.evaluate(CELLS)
    released.append(True)
    for route in held:
        route.continue_()
    until(page, "performance.getEntriesByName('calotype-first-page').length > 0")
    until(page, SETTLED)
    after = page.evaluate(CELLS)
    assert [cell["box"] for cell in before] == [cell["box"] for cell in after], "nothing moved"


def test_cells_mark_live_photos_durations_favorites_and_unreadable_files(library_page):
    page = library_page()
    live = show(page, position_of(page, lambda asset: "photoLive" in asset["mediaSubtypes"]))
    expect(live.locator(".badge.live")).to_be_visible()

    position = position_of(page, lambda asset: asset["mediaType"] == "video" and not asset["unreadable"])
    duration = assets(page, 500)[position]["duration"]
    badge = show(page, position).locator(".badge.video").text_content()
    assert re.fullmatch(r"(\d+:)?\d?\d:\d\d", badge)
    assert sum(int(part) * 60**place for place, part in enumerate(reversed(badge.split(":")))) == int(duration + 0.5)

    show(page, position_of(page, lambda asset: asset["isFavorite"])).locator(".badge.favorite").wait_for()

    cell = show(page, position_of(page, lambda asset: asset["unreadable"]))
    expect(cell).to_contain_text("Can’t be read")
    expect(cell).to_have_attribute("aria-label", re.compile("can’t be read"))


def fullest_row(page):
    rows = {}
    for cell in page.evaluate(CELLS):
        rows.setdefault(cell["box"]["top"], []).append(cell["box"])
    return max(rows.values(), key=len, default=[])


@pytest.mark.parametrize("first", [320, 1440])
def test_columns_follow_the_width(library_page, first):
    page = library_page(width=first, height=800)
    columns = {320: 3, 390: 3, 768: 5, 1440: 6}
    # The page opens at the first width. Its window is then resized to the others.
    for width in (first, *(width for width in columns if width != first)):
        page.set_viewport_size({"width": width, "height": 800})
        until_equal(page, lambda: len(fullest_row(page)), columns[width])
        until(page, SETTLED)
        row = fullest_row(page)
        assert len(row) == columns[width] and max(box["right"] for box in row) <= width
        assert all(abs(box["width"] - box["height"]) <= 1 for box in row)
        gutters = {round(right["left"] - left["right"]) for left, right in zip(row, row[1:])}
        assert gutters <= {2, 3}


def test_arrow_keys_move_the_focus(library_page):
    page = library_page()
    order = [asset["id"] for asset in assets(page)]
    focused = "document.activeElement.dataset.id"
    page.keyboard.press("ArrowDown")
    until_equal(page, focused, order[0])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    until_equal(page, focused, order[2])
    page.keyboard.press("ArrowLeft")
    until_equal(page, focused, order[1])
    left = page.evaluate("document.activeElement.getBoundingClientRect().left")
    page.keyboard.press("ArrowDown")
    until(page, f"document.activeElement.getBoundingClientRect().left <= {left} && {focused} !== '{order[1]}'")
    page.keyboard.press("ArrowUp")
    until(page, "document.activeElement.getBoundingClientRect().top > 0")
    ring = page.evaluate("getComputedStyle(document.activeElement, '::before').borderTopWidth")
    assert ring == "3px"


def test_end_and_home_go_to_the_last_and_first(library_page):
    page = library_page()
    page.keyboard.press("End")
    last = assets(page, 500)[-1]["id"]
    until(page, f"document.activeElement.dataset.id === '{last}' && document.activeElement.getBoundingClientRect().bottom <= 900")
    page.keyboard.press("Control+Home")
    first = assets(page, 1)[0]["id"]
    until(page, f"document.activeElement.dataset.id === '{first}' && document.querySelector('photo-grid').scrollTop === 0")


def test_with_the_focus_on_a_cell_end_and_home_stay_in_its_row(library_page):
    page = library_page()
    page.locator(".cell[data-id]").first.focus()
    page.keyboard.press("ArrowDown")
    row = "document.activeElement.closest('.cell-row')"
    column = "Number(document.activeElement.ariaColIndex)"
    page.evaluate(f"window.row = {row}")
    page.keyboard.press("End")
    until(page, f"{row} === window.row && {column} === window.row.querySelectorAll('.cell:not(.free)').length")
    page.keyboard.press("Home")
    until(page, f"{row} === window.row && {column} === 1")
    page.keyboard.press("Control+End")
    last = assets(page, 500)[-1]["id"]
    until(page, f"document.activeElement.dataset.id === '{last}'")


def test_page_keys_move_by_windows(library_page):
    page = library_page()
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    until(page, "document.querySelector('photo-grid').scrollTop > 100")
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    until(page, "document.querySelector('photo-grid').scrollTop < 150")


def test_colors_follow_the_scheme(library_page):
    page = library_page()
    of = "(property) => getComputedStyle(document.body)[property].match(/\\d+/g).slice(0, 3).map(Number)"
    for scheme, is_dark in {"light": False, "dark": True}.items():
        page.emulate_media(color_scheme=scheme)
        background, text = (sum(page.evaluate(of, name)) / 3 for name in ("backgroundColor", "color"))
        assert (background < 40 and text > 200) if is_dark else (background > 240 and text < 60)
