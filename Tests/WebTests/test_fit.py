"""The layout that shows photos whole, in rows."""

from conftest import DESK, FIRST_PAGE, box_of, fetched, on_desk_and_phone, PHONE, until
from organizing import (
    CHOSEN, READY, TALL, cell, drag, in_order, middle, own_page, undone_sites, until_chosen, until_these_chosen, until_toast)
from organizing import undone_site as own_site
from playwright.sync_api import expect
from views import GRID, SETTLED, cells, row

# The sizes of the cells, also while they still move to their places.
SIZES = """[...document.querySelectorAll('.cell[data-id]')].map(({ dataset, offsetWidth, offsetHeight }) =>
  [dataset.id, offsetWidth, offsetHeight])"""
BUTTON = "document.querySelector('.layout-mode')"
IS_FIT = f"new Set([...document.querySelectorAll('.cell[data-id]')].map(({{ style }}) => style.width)).size > 2"
# The badges and circles that leave their cells, and the badges that the circle covers.
OVERLAPS = """[...document.querySelectorAll('.cell[data-id]')].flatMap(cell => {
  const box = cell.getBoundingClientRect();
  const circle = cell.querySelector('.circle');
  const ring = getComputedStyle(circle, '::before');
  const { left, top } = circle.getBoundingClientRect();
  const inside = { left: left + parseFloat(ring.left), top: top + parseFloat(ring.top) };
  const round = { ...inside, right: inside.left + parseFloat(ring.width), bottom: inside.top + parseFloat(ring.height) };
  const badges = [...cell.querySelectorAll('.badge:not(.reason)')].filter(badge => badge.checkVisibility())
    .map(badge => [badge.className, badge.getBoundingClientRect()]);
  const rings = ring.visibility === 'visible' && getComputedStyle(circle).opacity === '1' ? [['ring', round]] : [];
  const areas = [...badges, ...rings, ['circle', circle.getBoundingClientRect()]];
  const leaves = areas.filter(([, area]) => area.left < box.left || area.right > box.right || area.bottom > box.bottom);
  const covers = badges.filter(([, area]) => rings.some(([, { left, right, top, bottom }]) =>
    area.left < right && area.right > left && area.top < bottom && area.bottom > top));
  return [...leaves, ...covers].map(([name]) => `${name} ${box.width}`);
})"""
RINGS = """[...document.querySelectorAll('.cell[data-id] .circle')].filter(circle =>
  getComputedStyle(circle, '::before').visibility === 'visible').map(circle => circle.parentElement.dataset.id)"""
# The asset in the middle of the grid, or else the first one below.
MIDDLE = f"""(() => {{
  const {{ left, top, width, height }} = {GRID}.getBoundingClientRect();
  const index = {GRID}.assetAtPoint(left + width / 2, top + height / 2);
  return index >= 0 ? index : {GRID}.layout.firstAssetBelow({GRID}.y + height / 2);
}})()"""


def shapes(page):
    """Returns the width of each asset divided by its height, by its identifier."""
    assets = fetched(page, "/api/v1/collections/userLibrary/assets?offset=0&limit=200")["assets"]
    return {asset["id"]: asset["pixelWidth"] / asset["pixelHeight"] for asset in assets if asset["pixelHeight"]}


def show_whole(page):
    until(page, READY)
    page.evaluate(f"{BUTTON}.click()")
    until(page, IS_FIT)
    until(page, SETTLED)


def assert_whole(page):
    known = shapes(page)
    shown = [(width, height, known[id]) for id, width, height in page.evaluate(SIZES) if id in known]
    assert len(shown) > 3
    for width, height, ratio in shown:
        # A cell has whole pixels.
        assert abs(width - ratio * height) <= 0.02 * width + 1, (width, height, ratio)


def top_of(page, asset):
    return page.evaluate(f"{GRID}.layout.boxOf({asset}).top - {GRID}.y")


@on_desk_and_phone
def test_photos_keep_their_shape_and_the_middle_its_place(site, site_page, size):
    page = site_page(**size)
    until(page, READY)
    page.evaluate(f"{GRID}.goTo({GRID}.layout.height / 2 - {GRID}.windowHeight / 2)")
    until(page, SETTLED)
    asset = page.evaluate(MIDDLE)
    top = top_of(page, asset)
    show_whole(page)
    assert top_of(page, asset) == top
    assert_whole(page)
    assert page.evaluate(f"{BUTTON}.ariaPressed") == "true"

    page.evaluate(f"{BUTTON}.click()")
    until(page, f"!({IS_FIT})")
    until(page, SETTLED)
    assert all(abs(width - height) <= 1 for _, width, height in page.evaluate(SIZES))
    asked = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/aspects')).length"
    assert page.evaluate(asked) == 1


def test_the_beginning_stays_and_the_choice_outlives_the_page(site, site_page):
    page = site_page(**DESK)
    show_whole(page)
    assert page.evaluate(f"{GRID}.y") == 0
    page.reload()
    until(page, FIRST_PAGE)
    until(page, READY)
    until(page, SETTLED)
    assert_whole(page)
    expect(page.locator(".layout-mode")).to_have_attribute("aria-pressed", "true")

    # Down and up lead to the nearest photo of the next row.
    rows = page.evaluate(f"""(() => {{
      const {{ layout }} = {GRID};
      const asset = layout.endsOfRow(layout.firstAssetBelow(layout.height / 3)).last;
      return {{ asset, below: layout.endsOfRow(layout.endsOfRow(asset).last + 1) }};
    }})()""")
    page.evaluate(f"{GRID}.focusAsset({rows['asset']})")
    middle = lambda index: page.evaluate(f"(({{ left, width }}) => left + width / 2)({GRID}.layout.boxOf({index}))")
    page.keyboard.press("ArrowDown")
    focused = page.evaluate(f"{GRID}.focusedIndex")
    below = range(rows["below"]["first"], rows["below"]["last"] + 1)
    assert focused == min(below, key=lambda index: abs(middle(index) - middle(rows["asset"])))
    until(page, SETTLED)

    # A rectangle selects what it touches.
    page.evaluate(f"{GRID}.goTo(0)")
    until(page, SETTLED)
    shown = cells(page)
    first = shown[0]["box"]
    row = [cell for cell in shown if cell["box"]["top"] == first["top"]]
    end = row[-1]["box"]["right"]
    drag(page, (first["left"] - 8, first["bottom"] + 4), (end + 8, first["bottom"] - 10))
    until_chosen(page, len(row))
    assert sorted(page.evaluate(CHOSEN)) == sorted(cell["id"] for cell in row)


def test_small_pictures_are_squares_and_the_button_makes_them_larger(site, site_page):
    page = site_page(**PHONE)
    until(page, READY)
    page.evaluate(f"{GRID}.zoom(2)")
    until(page, SETTLED)
    show_whole(page)
    assert page.evaluate(f"{GRID}.density") == 0
    assert_whole(page)
    page.evaluate(f"{GRID}.zoom(1)")
    until(page, f"!({IS_FIT})")
    page.evaluate(f"{GRID}.zoom(-1)")
    until(page, IS_FIT)


def test_a_search_shows_its_photos_whole(site, site_page):
    page = site_page("search?q=2024", **DESK)
    with page.expect_response(lambda answer: "/aspects" in answer.url) as answer:
        show_whole(page)
    assert len(answer.value.body()) == page.evaluate(f"{GRID}.snapshot.total") > 0
    assert_whole(page)


@on_desk_and_phone
def test_badges_and_circles_stay_in_narrow_cells(site, site_page, size):
    page = site_page(width=size["width"], height=TALL, reduced_motion="reduce")
    until(page, READY)
    for shift in range(4):
        # From the narrowest cells, of 1 : 4, to some with just enough room.
        shapes = bytes([0, 73, 80, 87][(place + shift) % 4] for place in range(49))
        page.route("**/aspects*", lambda route: route.fulfill(body=shapes))
        show_whole(page)
        assert page.evaluate(OVERLAPS) == []
        if size == DESK:
            for name in ("L01", "V01", "S01"):
                cell(page, site, name).hover()
                assert site.id(name) in page.evaluate(RINGS)
                assert page.evaluate(OVERLAPS) == []
        cell(page, site, "P01").click(modifiers=["Control"])
        until_chosen(page, 1)
        assert len(page.evaluate(RINGS)) == 49
        assert page.evaluate(OVERLAPS) == []
        page.keyboard.press("Escape")
        page.locator("selection-bar").wait_for(state="hidden")
        page.evaluate(f"{BUTTON}.click()")
        until(page, f"!({IS_FIT})")
        page.unroute("**/aspects*")


def test_headings_select_their_days_which_are_dragged_onto_an_album(own_site, own_page):
    page = own_page(width=1440, height=TALL)
    show_whole(page)
    days = fetched(page, "/api/v1/collections/userLibrary/days?order=newest")["days"]
    names = in_order(page, own_site)
    beside = page.evaluate(f"{GRID}.layout.headingsOf(0).at(-1).day")
    long = next(index for index, (_, count) in enumerate(days) if count >= 3)
    assert 0 < beside < long
    expected = []
    for index in (beside, long):
        first = sum(count for _, count in days[:index])
        heading = page.locator(f".day-name[data-day='{index}']")
        assert box_of(heading)["x"] == box_of(cell(page, own_site, names[first]))["x"]
        heading.hover()
        heading.locator(".day-circle").click()
        expected += names[first : first + days[index][1]]
        until_these_chosen(page, own_site, expected)
    drag(page, middle(cell(page, own_site, expected[-1])), middle(row(page, "Receipts")))
    until_toast(page, f"{len(expected)} added to Receipts")
    added = in_order(page, own_site, own_site.collections["Receipts"], "custom")
    assert added == ["S01", "S02", "S03", *expected]
