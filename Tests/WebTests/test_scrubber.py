"""Tests of the scrubber by mouse and by touch."""

from conftest import FIRST_PAGE, PHONE, box_of, on_desk_and_phone, until
from made_up import MadeUpLibrary
from organizing import middle, touch
from playwright.sync_api import expect
from views import GRID, SETTLED

SCRUBBER = "document.querySelector('date-scrubber')"

# The handle stays for good after scrolling, and not for 1.2 seconds, so that a slow test finds it.
LINGERING = "(start => (window.setTimeout = (act, time, ...rest) => (time === 1_200 ? 0 : start(act, time, ...rest))))(window.setTimeout)"


def opened(new_page, calotype_server, size):
    """Opens ten years with two photos on each day."""
    page = new_page(**size, **({"has_touch": True, "is_mobile": True} if size == PHONE else {}))
    page.add_init_script(LINGERING)
    MadeUpLibrary(7_300, each=2).serve(page)
    page.goto(calotype_server)
    until(page, FIRST_PAGE)
    return page


@on_desk_and_phone
def test_months_are_dots_between_the_years(new_page, calotype_server, size):
    page = opened(new_page, calotype_server, size)
    tops = """(name) => [...document.querySelectorAll(`date-scrubber ${name}`)].map((mark) => {
      const { top, bottom } = mark.getBoundingClientRect();
      return (top + bottom) / 2;
    })"""
    years, months = page.evaluate(tops, ".mark"), page.evaluate(tops, ".month")
    assert len(years) == 10
    assert len(months) > 3 * len(years)
    assert all(abs(year - month) > 11 for year in years for month in months)
    assert all(later - earlier > 5 for earlier, later in zip(months, months[1:]))


def test_w_02_a_finger_drags_the_handle_and_sees_the_month(new_page, calotype_server):
    page = opened(new_page, calotype_server, PHONE)
    handle = page.locator("date-scrubber .handle")
    assert page.evaluate(f"getComputedStyle({SCRUBBER}.querySelector('.handle')).pointerEvents") == "none", "it is in nobody's way"
    page.evaluate(f"{GRID}.goTo(60_000)")
    until(page, f"{SCRUBBER}.matches('.active')")
    box = box_of(handle)
    assert box["width"] >= 44 and box["height"] >= 44
    assert box["x"] + box["width"] <= PHONE["width"]
    before = page.evaluate(f"{GRID}.y")
    # Below the handle's middle, which must not jump to the finger.
    x, y = box["x"] + 22, box["y"] + box["height"] / 2 + 16
    touch(page, "touchStart", (x, y))
    until(page, f"{SCRUBBER}.matches('.dragged')")
    assert abs(page.evaluate(f"{GRID}.y") - before) <= 1
    bubble = page.locator("date-scrubber .bubble")
    for step in range(1, 11):
        said = bubble.text_content()
        touch(page, "touchMove", (x, y + step * 30))
        expect(bubble).not_to_have_text(said)
    until(page, f"getComputedStyle({SCRUBBER}.querySelector('.bubble')).opacity === '1'")
    until(page, f"getComputedStyle({SCRUBBER}.querySelector('.marks')).opacity === '1'")
    moved = box_of(handle)
    assert abs(moved["y"] - box["y"] - 300) < 2, "the handle goes with the finger"
    for part in (".bubble", ".strip"):
        shown = box_of(page.locator(f"date-scrubber {part}"))
        assert shown["x"] >= 0 and shown["x"] + shown["width"] < moved["x"], f"{part} is in the window, beside the finger"
    touch(page, "touchEnd")
    until(page, f"!{SCRUBBER}.matches('.dragged')")
    assert page.evaluate(f"{SCRUBBER}.matches('.active')"), "it can be grabbed again"
    until(page, SETTLED)


def test_w_02_a_picture_of_the_month_has_no_placeholder_behind_it(new_page, calotype_server):
    page = opened(new_page, calotype_server, PHONE)
    page.evaluate(f"{GRID}.goTo(60_000)")
    until(page, f"{SCRUBBER}.matches('.active')")
    x, y = middle(page.locator("date-scrubber .handle"))
    touch(page, "touchStart", (x, y))
    until(page, f"{SCRUBBER}.matches('.dragged')")
    page.evaluate(f"""() => {{
      window.placeholders = 0;
      const note = () => ({SCRUBBER}.querySelector('.strip span').style.backgroundImage && (window.placeholders += 1));
      new MutationObserver(note).observe({SCRUBBER}.querySelector('.strip'), {{ subtree: true, attributeFilter: ['style'] }});
    }}""")
    strip, squares = page.locator("date-scrubber .strip"), f"[...{SCRUBBER}.querySelectorAll('.strip span')]"
    # The first month is shown again, since its placeholders are known then.
    for step in (1, 2, 1):
        before = strip.get_attribute("data-first")
        touch(page, "touchMove", (x, y + step * 60))
        # The squares of the previous month would also satisfy the waits below.
        expect(strip).not_to_have_attribute("data-first", before)
        until(page, f"{squares}.filter(({{ firstChild }}) => firstChild?.naturalWidth > 0).length === 5")
        until(page, f"{squares}.every(({{ style }}) => style.backgroundImage === '')")
    assert page.evaluate("window.placeholders") > 0
    touch(page, "touchEnd")
    until(page, SETTLED)
