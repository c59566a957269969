"""Tests of the layout and the scrolling with a hundred thousand and a million assets."""

import re

from conftest import FIRST_PAGE, until
from made_up import MadeUpLibrary
from test_grid import cells_in_window

GRID = "document.querySelector('photo-grid')"
COUNT = "document.querySelectorAll('.cell').length"
FRAME = "new Promise(requestAnimationFrame)"
SETTLED = """(() => {
  const cells = [...document.querySelectorAll('.cell:not([hidden])')].filter(cell => {
    const { top, bottom } = cell.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  return cells.length > 0 && cells.every(cell => cell.querySelector('img')?.naturalWidth > 0);
})()"""


def opened(new_page, calotype_server, library, **options):
    page = new_page(**options)
    library.serve(page)
    page.goto(calotype_server)
    until(page, FIRST_PAGE)
    return page


def number(cell):
    return int(cell["id"][-12:])


def test_few_cells_exist_however_far_one_scrolls(new_page, calotype_server):
    library = MadeUpLibrary(100_000)
    page = opened(new_page, calotype_server, library)
    most = 0
    page.mouse.move(700, 450)
    for step in range(60):
        page.mouse.wheel(0, 3_000 if step % 2 else 60_000)
        page.evaluate(FRAME)
        most = max(most, page.evaluate(COUNT))
    until(page, SETTLED)
    assert 30 < most < 600
    assert page.evaluate("document.querySelectorAll('*').length") < 3_000


def test_what_flies_by_is_not_asked_for(new_page, calotype_server):
    library = MadeUpLibrary(100_000)
    page = opened(new_page, calotype_server, library)
    library.requests.clear()
    box = page.locator("date-scrubber").bounding_box()
    x = box["x"] + box["width"] / 2
    page.mouse.move(x, 40)
    page.mouse.down()
    for y in range(40, 840, 10):
        page.mouse.move(x, y)
    page.mouse.up()
    until(page, SETTLED)
    assert 0 < len(library.requests) < 20, "of a thousand pages"


def test_the_scrubber_goes_to_a_year_far_away(new_page, calotype_server):
    page = opened(new_page, calotype_server, MadeUpLibrary(100_000))
    mark = page.locator("date-scrubber .mark", has_text="2019").bounding_box()
    page.mouse.move(mark["x"] + 5, mark["y"] + mark["height"] / 2)
    assert re.search(r"\w+ 20(19|20)", page.locator(".bubble").text_content())
    page.mouse.down()
    page.mouse.up()
    until(page, SETTLED)
    assert any(re.search("2019|2020", text) for text in page.locator(".day-name").all_text_contents())
    assert re.search("2019|2020", page.locator("date-scrubber").get_attribute("aria-valuetext"))


def test_the_scrubber_has_keys(new_page, calotype_server):
    page = opened(new_page, calotype_server, MadeUpLibrary(100_000))
    scrubber = page.locator("date-scrubber")
    scrubber.focus()
    assert scrubber.get_attribute("role") == "slider"
    said = [scrubber.get_attribute("aria-valuetext")]
    for key in ("ArrowDown", "ArrowDown", "PageDown", "ArrowUp", "Home", "End"):
        page.keyboard.press(key)
        said.append(scrubber.get_attribute("aria-valuetext"))
    assert said[:4] == ["March 2026", "February 2026", "January 2026", "December 2025"]
    assert said[4:6] == ["January 2026", "March 2026"]
    assert scrubber.get_attribute("aria-valuenow") == scrubber.get_attribute("aria-valuemax")


def test_the_last_of_a_million_is_reached_and_scrolls_by_pixels(new_page, calotype_server):
    page = opened(new_page, calotype_server, MadeUpLibrary(1_000_000, each=100), width=390, height=844)
    assert page.evaluate(f"{GRID}.layout.height") > 33_500_000, "higher than browsers can scroll"
    assert page.evaluate(f"{GRID}.scrollHeight") < 17_800_000
    page.keyboard.press("End")
    until(page, SETTLED)
    last = cells_in_window(page)[-1]
    assert number(last) == 1
    assert last["box"]["bottom"] <= 844
    page.mouse.move(200, 400)
    page.mouse.wheel(0, -500)
    until(page, f"{GRID}.layout.height - 844 - {GRID}.y === 500")
    moved = next(cell for cell in page.evaluate("""[...document.querySelectorAll('.cell[data-id$="000000000001"]')]
        .map(cell => ({ box: cell.getBoundingClientRect().toJSON() }))"""))
    assert moved["box"]["top"] == last["box"]["top"] + 500


def test_steps_in_the_middle_of_a_million_are_pixel_by_pixel(new_page, calotype_server):
    page = opened(new_page, calotype_server, MadeUpLibrary(1_000_000, each=100), width=390, height=844)
    page.evaluate(f"{GRID}.goTo(20_000_000)")
    until(page, SETTLED)
    page.mouse.move(200, 400)
    before = {cell["id"]: cell["box"]["top"] for cell in cells_in_window(page)}
    for step in range(1, 4):
        page.mouse.wheel(0, 100)
        until(page, f"{GRID}.y === {20_000_000 + step * 100}")
    page.evaluate(FRAME)
    after = {cell["id"]: cell["box"]["top"] for cell in cells_in_window(page)}
    both = before.keys() & after.keys()
    assert both and all(after[id] == before[id] - 300 for id in both)


def test_what_is_looked_at_stays_when_the_library_grows(new_page, calotype_server):
    library = MadeUpLibrary(100_000)
    page = opened(new_page, calotype_server, library)
    page.evaluate(f"{GRID}.goTo(50_000)")
    until(page, SETTLED)
    before = cells_in_window(page)
    page.evaluate("document.querySelectorAll('.cell img').forEach((image) => (image.wasThere = true))")
    library.add_today(1_234)
    until(page, f"{GRID}.snapshot.total === 101234")
    assert [(cell["id"], cell["box"]["top"]) for cell in cells_in_window(page)] == [
        (cell["id"], cell["box"]["top"]) for cell in before]
    pictures = [f"document.querySelector('.cell[data-id=\"{cell['id']}\"] img').wasThere" for cell in before]
    assert page.evaluate(" && ".join(pictures)), "nothing was drawn again"
    assert "101,234 items" in page.locator(".library-header p").text_content()
    assert page.evaluate(f"{GRID}.y") > 60_000


def test_at_the_beginning_new_assets_appear(new_page, calotype_server):
    library = MadeUpLibrary(1_000)
    page = opened(new_page, calotype_server, library)
    library.add_today(3)
    until(page, f"{GRID}.snapshot.total === 1003")
    until(page, SETTLED)
    assert [number(cell) for cell in cells_in_window(page)[:4]] == [1003, 1002, 1001, 1000]


def test_an_empty_library_says_how_to_fill_it(new_page, calotype_server):
    page = new_page()
    MadeUpLibrary(0).serve(page)
    page.goto(calotype_server)
    page.locator(".empty h1").wait_for()
    assert "calotype import" in page.locator(".empty").text_content()
    assert page.locator("date-scrubber").is_hidden()
