"""Tests of the layout and the scrolling with a hundred thousand and a million assets."""

import re

from conftest import FIRST_PAGE, PHONE, STOPPED_CLOCK, box_of, until, until_equal
from made_up import MadeUpLibrary
from playwright.sync_api import expect
from test_grid import cells_in_window
from views import GRID, SETTLED, resize

COUNT = "document.querySelectorAll('.cell').length"
FRAME = "new Promise(requestAnimationFrame)"


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


def test_the_scrubber_goes_to_a_year_far_away(new_page, calotype_server):
    page = opened(new_page, calotype_server, MadeUpLibrary(100_000))
    mark = box_of(page.locator("date-scrubber .mark", has_text="2019"))
    page.mouse.move(mark["x"] + 5, mark["y"] + mark["height"] / 2)
    expect(page.locator(".bubble")).to_have_text(re.compile(r"\w+ 20(19|20)"))
    page.mouse.down()
    page.mouse.up()
    expect(page.locator("date-scrubber")).to_have_attribute("aria-valuetext", re.compile("2019|2020"))
    until(page, SETTLED)
    assert any(re.search("2019|2020", text) for text in page.locator(".day-name").all_text_contents())


def test_w_06_keys_of_the_scrubber(new_page, calotype_server):
    page = opened(new_page, calotype_server, MadeUpLibrary(100_000))
    scrubber = page.locator("date-scrubber")
    scrubber.focus()
    assert scrubber.get_attribute("role") == "slider"
    expect(scrubber).to_have_attribute("aria-valuetext", "March 2026")
    steps = [("ArrowDown", "February 2026"), ("ArrowDown", "January 2026"), ("PageDown", "December 2025"),
             ("ArrowUp", "January 2026"), ("Home", "March 2026")]
    for key, month in steps:
        page.keyboard.press(key)
        expect(scrubber).to_have_attribute("aria-valuetext", month)
    page.keyboard.press("End")
    until(page, "(({ ariaValueNow, ariaValueMax }) => ariaValueNow === ariaValueMax)(document.querySelector('date-scrubber'))")
    page.evaluate(STOPPED_CLOCK)  # the digits of a year follow each other soon
    page.keyboard.type("2019")
    until(page, "document.querySelector('date-scrubber').ariaValueText === 'December 2019'")
    until(page, "document.activeElement.matches('date-scrubber')")
    resize(page, PHONE)
    scrubber.focus()
    for key, month in [("Home", "March 2026"), ("ArrowDown", "February 2026"), ("PageDown", "December 2025")]:
        page.keyboard.press(key)
        expect(scrubber).to_have_attribute("aria-valuetext", month)


# Holds back the timers of the scrubber and the grid, so that the test decides when they rest.
HOLD = """() => {
  const [start, cancel] = [window.setTimeout, window.clearTimeout];
  window.held = new Map();
  let last = 0;
  window.setTimeout = (act, time, ...more) => (time === 90 ? (held.set(--last, act), last) : start(act, time, ...more));
  window.clearTimeout = (timer) => held.delete(timer) || cancel(timer);
}"""


def test_w_02_dragging_the_scrubber_shows_pictures_and_loads_them_at_rest(new_page, calotype_server):
    library = MadeUpLibrary(100_000)
    page = opened(new_page, calotype_server, library)
    page.evaluate(HOLD)
    box = box_of(page.locator("date-scrubber"))
    x = box["x"] + box["width"] / 2
    page.mouse.move(x, 60)
    library.requests.clear()
    page.mouse.down()
    said = set()
    for step in range(1, 61):
        page.mouse.move(x, 60 + step * 12)
        said.add((page.locator("date-scrubber .strip").get_attribute("data-first"), page.locator(".bubble").text_content()))
    assert len(said) >= 40, "the label and the pictures change with each step"
    assert library.requests == [], "nothing is loaded while it moves"
    until(page, "getComputedStyle(document.querySelector('date-scrubber .strip')).opacity !== '0'")
    page.evaluate("[...held.values()].forEach(act => act())")
    until(page, "[...document.querySelectorAll('.strip img')].filter(image => image.naturalWidth > 0).length === 5")
    until(page, SETTLED)
    assert 0 < len(library.requests) < 20, "of a thousand pages"
    page.mouse.up()


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
    until(page, f"{GRID}.layout.height - {GRID}.windowHeight - {GRID}.y === 500")
    top = """document.querySelector('.cell[data-id$="000000000001"]').getBoundingClientRect().top"""
    until_equal(page, top, last["box"]["top"] + 500)


def test_steps_in_the_middle_of_a_million_are_pixel_by_pixel(new_page, calotype_server):
    page = opened(new_page, calotype_server, MadeUpLibrary(1_000_000, each=100), width=390, height=844)
    page.evaluate(f"{GRID}.goTo(20_000_000)")
    until(page, SETTLED)
    page.mouse.move(200, 400)
    before = {cell["id"]: cell["box"]["top"] for cell in cells_in_window(page)}
    for step in range(1, 4):
        page.mouse.wheel(0, 100)
        until(page, f"{GRID}.y === {20_000_000 + step * 100}")
    until(page, SETTLED)
    after = {cell["id"]: cell["box"]["top"] for cell in cells_in_window(page)}
    both = before.keys() & after.keys()
    assert both and all(after[id] == before[id] - 300 for id in both)


def test_the_shown_photos_stay_when_the_library_grows(new_page, calotype_server):
    library = MadeUpLibrary(100_000)
    page = opened(new_page, calotype_server, library)
    page.evaluate(f"{GRID}.goTo(50_000)")
    until(page, SETTLED)
    before = cells_in_window(page)
    page.evaluate("document.querySelectorAll('.cell img').forEach((image) => (image.wasThere = true))")
    library.add_today(1_234)
    until(page, f"{GRID}.snapshot.total === 101234")
    places = lambda cells: [(cell["id"], cell["box"]["top"]) for cell in cells]
    until_equal(page, lambda: places(cells_in_window(page)), places(before))
    pictures = [f"document.querySelector('.cell[data-id=\"{cell['id']}\"] img').wasThere" for cell in before]
    assert page.evaluate(" && ".join(pictures)), "nothing was drawn again"
    expect(page.locator(".view-header p").first).to_contain_text("101,234")
    assert page.evaluate(f"{GRID}.y") > 60_000


def test_an_empty_library_says_how_to_fill_it_and_no_other_one(new_page, calotype_server):
    page = new_page()
    MadeUpLibrary(0).serve(page)
    page.goto(calotype_server)
    expect(page.locator(".backdrop pre")).to_have_text("calotype --library PATH import ~/Pictures")
    expect(page.locator(".backdrop")).to_contain_text("PATH is the folder of this library.")
    expect(page.locator("date-scrubber")).to_be_hidden()
