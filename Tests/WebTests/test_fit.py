"""The layout that shows photos whole, in rows."""

from conftest import DESK, FIRST_PAGE, fetched, on_desk_and_phone, PHONE, until
from organizing import CHOSEN, READY, drag, until_chosen
from playwright.sync_api import expect
from views import GRID, SETTLED, cells

# The sizes of the cells, also while they still move to their places.
SIZES = """[...document.querySelectorAll('.cell[data-id]')].map(({ dataset, offsetWidth, offsetHeight }) =>
  [dataset.id, offsetWidth, offsetHeight])"""
BUTTON = "document.querySelector('.layout-mode')"
IS_FIT = f"new Set([...document.querySelectorAll('.cell[data-id]')].map(({{ style }}) => style.width)).size > 2"
MIDDLE = f"{GRID}.layout.firstAssetBelow({GRID}.y + {GRID}.windowHeight / 2)"


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
