"""Changes by other programs, in open pages: scenarios G."""

import contextlib
from urllib.error import HTTPError

import pytest
from apps import Owner
from conftest import FAILED, FIRST_PAGE, on_desk_and_phone, until, until_equal, until_true
from made_up import MadeUpLibrary
from organizing import READY, bitmap, in_order, own_site, until_toast, undo_by_toast
from playwright.sync_api import expect
from test_viewer import VIEWER
from views import CELLS, FRAME, GRID, SETTLED, cells, ids, place_of, until_shown


def star(site, name):
    return f"document.querySelector('.cell[data-id=\"{site.id(name)}\"] .favorite') !== null"


def test_g_01_a_favorite_is_shown_in_all_pages_at_once(site, site_page):
    pages = [site_page(), site_page()]
    site.calotype("favorite", site.identifier("P20"))
    try:
        for page in pages:
            until(page, star(site, "P20"))
    finally:
        site.calotype("favorite", "--off", site.identifier("P20"))
    for page in pages:
        until(page, f"!({star(site, 'P20')})")


def test_g_02_photos_that_come_in_at_the_top_are_shown(site, pages):
    library = MadeUpLibrary(5_000)
    page = pages(site.cookies)
    library.serve(page)
    page.goto(site.address)
    until(page, FIRST_PAGE)
    library.add_today(3)
    until(page, f"{GRID}.snapshot.total === 5003")
    until(page, f"({CELLS}).slice(0, 4).map(({{ id }}) => Number(id.slice(-4))).join() === '5003,5002,5001,5000'")
    expect(page.locator(".new-assets")).to_be_hidden()


def test_g_02_a_photo_that_comes_in_while_a_person_scrolls_away_from_the_top_moves_nothing(site, pages):
    library = MadeUpLibrary(5_000)
    page = pages(site.cookies)
    library.serve(page)
    page.goto(site.address)
    until(page, FIRST_PAGE)
    held = []
    page.route("**/api/v1/collections/userLibrary/assets*", lambda route: held.append(route))
    library.add_today(1)
    until_true(page, lambda: held)
    page.mouse.move(700, 450)
    page.mouse.wheel(0, 700)
    until(page, f"{GRID}.y === 700")
    before = [(cell["id"], cell["box"]["top"]) for cell in cells(page)]
    page.unroute("**/api/v1/collections/userLibrary/assets*")
    for route in held:
        library.answer(route)
    until(page, f"{GRID}.snapshot.total === 5001")
    until_equal(page, lambda: [(cell["id"], cell["box"]["top"]) for cell in cells(page)], before)


def test_g_02_photos_that_come_in_out_of_sight_are_announced(site, pages):
    library = MadeUpLibrary(5_000)
    page = pages(site.cookies)
    library.serve(page)
    page.goto(site.address)
    until(page, FIRST_PAGE)
    page.evaluate(f"{GRID}.goTo(9_000)")
    until(page, SETTLED)
    before = [(cell["id"], cell["box"]["top"]) for cell in cells(page)]
    library.add_today(1)
    button = page.locator(".new-assets")
    expect(button).to_have_text("1 new photo")
    until_equal(page, lambda: [(cell["id"], cell["box"]["top"]) for cell in cells(page)], before)
    button.click()
    until(page, f"{GRID}.y === 0")
    until(page, f"({CELLS})[0]?.id.endsWith('5001')")
    expect(button).to_be_hidden()


@pytest.fixture
def picture(tmp_path):
    """A file with a picture of now, that no library has."""
    path = tmp_path / "Now.bmp"
    path.write_bytes(bitmap())
    return path


@on_desk_and_phone
def test_g_02_an_imported_photo_is_the_first_cell(own_site, site_page, pages, picture, size):
    page = pages(own_site.cookies, **size)
    page.goto(own_site.address)
    until(page, FIRST_PAGE)
    before = ids(page)
    own_site.calotype("import", str(picture))
    until(page, f"{GRID}.snapshot.total === 50")

    def is_first():
        after = ids(page)
        return after[0] not in before and after[1:] == before[:len(after) - 1]

    # Cells that make room stand at their former places for some frames.
    until_true(page, is_first)
    assert page.evaluate(f"{GRID}.y") == 0
    expect(page.locator(".new-assets")).to_be_hidden()


def test_a_step_goes_on_when_the_view_changes_before_the_neighbor_is_loaded(site, site_page):
    page = site_page()
    names = in_order(page, site)
    following = names.index("P20") + 1
    page.goto(f"{site.address}#/asset/{site.id('P20')}")
    until(page, f"{VIEWER}?.asset && !{VIEWER}.hidden && !{VIEWER}.querySelector('.older').disabled")
    # The neighbor comes in the moment in which the view changes.
    page.evaluate(f"""() => {{
      const {{ pages }} = window.before = {GRID}.snapshot;
      const load = pages.load.bind(pages);
      pages.load = (index) => new Promise((resolve) => {{
        window.isAsked = true;
        pages.close = () => resolve(load(index));
      }});
    }}""")
    page.keyboard.press("ArrowRight")
    until(page, "window.isAsked")
    site.calotype("favorite", site.identifier("P01"))
    try:
        until(page, f"{GRID}.snapshot !== window.before")
        until(page, f"location.hash === '#/asset/{site.id(names[following])}'")
    finally:
        site.calotype("favorite", "--off", site.identifier("P01"))


def opened_in_the_middle(site, pages):
    """Opens a made-up library, and returns it, its page, and what is looked at far down."""
    library = MadeUpLibrary(20_000)
    page = pages(site.cookies)
    library.serve(page)
    page.goto(site.address)
    until(page, FIRST_PAGE)
    page.evaluate(f"{GRID}.goTo(9_000)")
    until(page, SETTLED)
    return library, page, page.evaluate(f"{GRID}.standing")


def test_g_03_the_shown_photos_stay_while_others_come_in_fast(site, pages):
    library, page, anchor = opened_in_the_middle(site, pages)
    page.evaluate(WATCH_LAYOUTS, anchor)
    for _ in range(60):
        library.add_today(1)
        page.evaluate(FRAME)
        assert abs(place_of(page, anchor["id"]) - anchor["offset"]) <= 1
    until(page, f"{GRID}.snapshot.total === 20060")
    until(page, SETTLED)
    assert abs(place_of(page, anchor["id"]) - anchor["offset"]) <= 1
    check_layouts(page)


def test_g_03_a_zoom_back_shows_the_same_photos_if_others_came_in_meanwhile(site, pages):
    library, page, _ = opened_in_the_middle(site, pages)
    before = [(cell["id"], cell["box"]["top"]) for cell in cells(page)]
    columns = page.evaluate(f"{GRID}.layout.columns")
    page.keyboard.press("-")
    until(page, f"{GRID}.layout.columns > {columns}")
    library.add_today(1)
    until(page, f"{GRID}.snapshot.total === 20001")
    page.keyboard.press("+")
    until(page, f"{GRID}.layout.columns === {columns}")
    until_equal(page, lambda: [(cell["id"], cell["box"]["top"]) for cell in cells(page)], before)


# Counts the layouts of the grid, and measures how far an asset moves from its place in any frame.
WATCH_LAYOUTS = """({ id, offset }) => {
  const grid = document.querySelector('photo-grid');
  Object.assign(window, { layouts: 0, drift: 0, started: performance.now() });
  let last = grid.layout;
  const watch = () => {
    if (grid.layout !== last) window.layouts++;
    last = grid.layout;
    const cell = document.querySelector(`.cell[data-id="${id}"]`);
    window.drift = Math.max(window.drift, cell ? Math.abs(cell.getBoundingClientRect().top - offset) : Infinity);
    requestAnimationFrame(watch);
  };
  watch();
}"""


def check_layouts(page):
    """Checks that there were at most five layouts a second, and that the asset kept its place."""
    seconds = page.evaluate("(performance.now() - window.started) / 1000")
    assert page.evaluate("window.layouts") <= 5 * seconds + 2
    assert page.evaluate("window.drift") <= 1


def test_g_03_twenty_changes_at_once_move_nothing(site, pages):
    library, page, anchor = opened_in_the_middle(site, pages)
    until_true(page, lambda: library.streams)
    page.evaluate(WATCH_LAYOUTS, anchor)
    streams, library.streams = library.streams, []
    events = []
    for _ in range(20):
        library.added += 1
        events.append(library.event())
    for route in streams:
        route.fulfill(content_type="text/event-stream", body="".join(events))
    until(page, f"{GRID}.snapshot.total === 20020")
    until(page, SETTLED)
    check_layouts(page)


@on_desk_and_phone
def test_g_04_the_viewer_goes_on_when_its_asset_is_deleted_elsewhere(site, site_page, size):
    page = site_page("smart/screenshots", **size)
    until_shown(page, "Screenshots", 6)
    order = ids(page)
    page.locator(f".cell[data-id='{order[2]}'] .open").click()
    until(page, f"location.hash.includes('{order[2]}')")
    [name] = site.names([order[2]])
    site.calotype("delete", "--yes", site.identifier(name))
    until(page, f"location.hash.includes('{order[3]}')")
    expect(page.locator("asset-viewer")).to_be_visible()
    until_toast(page, "The photo that you looked at was deleted.")
    undo_by_toast(page)
    page.keyboard.press("Escape")
    until(page, f"{GRID}.snapshot.total === 6")
    assert name in in_order(page, site, "screenshots")


def test_g_04_the_viewer_says_that_its_asset_only_left_the_view(site, site_page):
    page = site_page("smart/favorites")
    until_shown(page, "Favorites", 6)
    order = in_order(page, site, "favorites")
    page.locator(f".cell[data-id='{site.id(order[2])}'] .open").click()
    until(page, f"location.hash.includes('{site.id(order[2])}')")
    what = "video" if order[2].startswith("V") else "photo"
    site.calotype("favorite", "--off", site.identifier(order[2]))
    until(page, f"location.hash.includes('{site.id(order[3])}')")
    until_toast(page, f"The {what} that you looked at is no longer in Favorites.")
    undo_by_toast(page)
    page.keyboard.press("Escape")
    until(page, f"{GRID}.snapshot.total === 6")
    assert in_order(page, site, "favorites") == order


def test_g_04_the_pages_own_change_is_announced_once(site, site_page):
    page = site_page("smart/favorites")
    until_shown(page, "Favorites", 6)
    order = in_order(page, site, "favorites")
    page.locator(f".cell[data-id='{site.id(order[2])}'] .open").click()
    until(page, f"location.hash.includes('{site.id(order[2])}')")
    page.keyboard.press("f")
    until(page, f"location.hash.includes('{site.id(order[3])}')")
    until_toast(page, "1 item removed from Favorites")
    undo_by_toast(page)
    page.keyboard.press("Escape")
    until(page, f"{GRID}.snapshot.total === 6")


def favorite(site, names, is_favorite):
    """Changes photos one by one, in another browser."""
    for name in names:
        Owner(site).change("setAssets", assets=[site.id(name)], isFavorite=is_favorite)


def test_g_05_nothing_is_missed_while_the_stream_is_broken(site, site_page, pages):
    page = site_page()
    until(page, READY)
    pages.expected.append(FAILED)
    site.calotype("favorite", site.identifier("P15"))
    until(page, star(site, "P15"))
    asked = []

    def note(route):
        asked.append(route.request.url)
        route.continue_()

    page.route("**/changes/stream*", note)
    names = ["P16", "P17", "P18", "P19", "P20"]
    site.stop()
    try:
        # The stream is broken: the page tries to open it again, in vain.
        until_true(page, lambda: asked)
        for name in names:
            site.calotype("favorite", site.identifier(name))
        assert not page.evaluate(star(site, "P20"))
    finally:
        site.start_again()
    try:
        until(page, "[...document.querySelectorAll('side-bar .row')].some(row => row.ariaLabel === 'Favorites, 12 items')")
        until(page, " && ".join(star(site, name) for name in names))
    finally:
        favorite(site, [*names, "P15"], False)


def test_g_05_an_expired_token_is_a_new_view_at_the_same_place(site, pages):
    library = MadeUpLibrary(5_000)
    page = pages(site.cookies)
    library.serve(page)
    page.goto(site.address)
    until(page, FIRST_PAGE)
    page.evaluate(f"{GRID}.goTo(9_000)")
    until(page, SETTLED)
    before = [(cell["id"], cell["box"]["top"]) for cell in cells(page)]
    streams, library.streams = library.streams, []
    library.added = 40
    for route in streams:
        route.fulfill(content_type="text/event-stream", body="retry: 100\nevent: reset\ndata: {}\n\n")
    until(page, f"{GRID}.snapshot.total === 5040")
    until_equal(page, lambda: [(cell["id"], cell["box"]["top"]) for cell in cells(page)], before)
    assert page.locator(".toast").count() == 0


def test_g_07_one_asset_leaves_and_its_cell_alone_goes(site, site_page):
    page = site_page("smart/favorites")
    until_shown(page, "Favorites", 6)
    order = ids(page)
    page.evaluate("document.querySelectorAll('.cell img').forEach(image => (image.wasThere = true))")
    [name] = site.names([order[1]])
    site.calotype("favorite", "--off", site.identifier(name))
    try:
        until(page, f"{GRID}.snapshot.total === 5")
        until(page, f"({CELLS}).length === 5")
        until_equal(page, lambda: ids(page), [id for id in order if id != order[1]])
        assert page.evaluate("[...document.querySelectorAll('.cell:not(.free) img')].every(image => image.wasThere)")
    finally:
        site.calotype("favorite", site.identifier(name))


def test_g_08_leaving_the_page_ends_its_stream(site, site_page):
    page = site_page()
    ended = []
    page.on("requestfailed", lambda request: "changes/stream" in request.url and ended.append(request.url))
    page.on("requestfinished", lambda request: "changes/stream" in request.url and ended.append(request.url))
    # The server keeps a number of streams open for a session, and refuses one more.
    with contextlib.ExitStack() as streams:

        def is_full():
            try:
                streams.enter_context(Owner(site).open("changes/stream"))
            except HTTPError as error:
                assert error.code == 429
                return True

        until_true(page, is_full)
        page.goto("about:blank")
        until_equal(page, lambda: len(ended), 1)
        until_true(page, lambda: not is_full())
        assert is_full(), "one place was free again"


def test_g_03_the_shown_photos_stay_while_a_thousand_come_in(site, pages):
    library, page, anchor = opened_in_the_middle(site, pages)
    library.add_today(1_000)
    until(page, f"{GRID}.snapshot.total === 21000")
    assert abs(place_of(page, anchor["id"]) - anchor["offset"]) <= 1
    until(page, SETTLED)
    numbers = [int(cell["id"][-12:]) for cell in cells(page)]
    assert numbers == list(range(numbers[0], numbers[0] - len(numbers), -1)), "nothing is missing or twice"
