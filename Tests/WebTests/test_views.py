"""The place in a view, its order and its pictures: scenarios F and W."""

import contextlib
import json
import re
import subprocess
import time
from urllib.request import urlopen

import pytest
from conftest import (
    DESK, FAILED, FIRST_PAGE, NO_OTHER_HOSTS, PATIENCE, PHONE, WHOLE_CHROMIUM, end, fetched, until, until_equal, until_true, wait_for, watched)
from made_up import MadeUpLibrary
from organizing import READY, TALL, touch
from playwright.sync_api import expect
from views import FRAME, GRID, SETTLED, cells, ids, open_view, place_of, resize, until_shown


@pytest.fixture
def made_up_page(site, pages):
    """Opens a page on a made-up library."""

    def make(library, path="", **options):
        page = pages(site.cookies, **options)
        library.serve(page)
        page.goto(site.address + path)
        until(page, FIRST_PAGE)
        return page

    return make


def number(cell):
    """Returns the number of a made-up asset, counted from the oldest."""
    return int(cell["id"][-12:])


def scrolled_to(page, y):
    """Scrolls to a height, and returns the cells in the window."""
    page.evaluate(f"{GRID}.goTo({y})")
    until(page, SETTLED)
    return cells(page)


def test_f_01_each_cell_shows_its_own_picture(made_up_page):
    page = made_up_page(MadeUpLibrary(100_000))
    page.evaluate("""() => {
      window.wrong = [];
      const check = () => {
        for (const cell of document.querySelectorAll('.cell:not(.free)')) {
          const image = cell.querySelector('img');
          if (image?.src && !image.src.includes(cell.dataset.id)) window.wrong.push([cell.dataset.id, image.src]);
        }
      };
      new MutationObserver(check).observe(document.querySelector('photo-grid'), { subtree: true, childList: true, attributes: true });
    }""")
    page.mouse.move(700, 450)
    for step in range(40):
        page.mouse.wheel(0, 4_000 if step % 3 else -2_000)
        page.evaluate(FRAME)
    until(page, SETTLED)
    assert page.evaluate("window.wrong") == []


def test_f_02_pictures_near_the_window_are_requested_ahead(made_up_page):
    page = made_up_page(MadeUpLibrary(10_000))
    page.mouse.move(700, 450)
    page.mouse.wheel(0, 3_000)
    until(page, f"{GRID}.y > 0")
    until(page, SETTLED)
    until(page, """(() => {
      const boxes = [...document.querySelectorAll('.cell:not(.free) img')].map(image => image.getBoundingClientRect());
      const bottom = Math.max(...boxes.map(box => box.bottom)), top = Math.min(...boxes.map(box => box.top));
      return bottom > innerHeight * 1.8 && top < -innerHeight * 0.8;
    })()""")


def test_f_03_a_jump_requests_nothing_in_between(made_up_page):
    library = MadeUpLibrary(100_000)
    page = made_up_page(library)
    library.requests.clear()
    page.evaluate(f"{GRID}.goTo(400_000)")
    until(page, SETTLED)
    first = page.evaluate(f"{GRID}.firstVisible")
    assert all(abs(offset - first) < 400 for offset in library.requests), (first, library.requests)


def test_f_04_a_second_visit_requests_no_picture(site, site_page):
    page = site_page()
    until(page, SETTLED)
    pictures = """() => Object.fromEntries(performance.getEntriesByType('resource')
      .filter(entry => /renditions.*\\/grid$/.test(entry.name)).map(entry => [entry.name, entry.transferSize]))"""
    first = page.evaluate(pictures)
    page.reload()
    until(page, SETTLED)
    # The symbol of an unreadable asset is not kept.
    sizes = {name: size for name, size in page.evaluate(pictures).items() if name in first and site.id("U01") not in name}
    assert len(sizes) > 20 and set(sizes.values()) == {0}


def test_f_05_badges_have_words(site, site_page):
    page = site_page("smart/livePhotos")
    until_shown(page, "Live Photos", 5)
    expect(page.locator(".cell:visible .badge.live")).to_have_count(5)
    assert all(cell["label"].startswith("Live Photo, ") for cell in cells(page))
    open_view(page, "Videos", 12)
    label = page.locator(f".cell[data-id='{site.id('V02')}']")
    expect(label.locator(".badge.video")).to_have_text("0:01")
    assert "0:01" in label.get_attribute("aria-label")
    open_view(page, "Favorites", 6)
    expect(page.locator(".cell:visible .badge.favorite")).to_have_count(6)
    assert all("favorite" in cell["label"] for cell in cells(page))


def test_f_05_bursts_and_raw_files_have_badges(site, site_page):
    page = site_page("smart/bursts")
    until_shown(page, "Bursts", 1)
    expect(page.locator(".cell:visible .badge.burst")).to_have_text("3")
    assert "burst of 3" in cells(page)[0]["label"]
    open_view(page, "RAW", 1)
    expect(page.locator(".cell:visible .badge.raw")).to_have_text("RAW")
    assert "RAW" in cells(page)[0]["label"]


def test_h_15_the_viewer_shows_the_frames_of_a_burst(site, site_page):
    page = site_page("smart/bursts")
    until_shown(page, "Bursts", 1)
    page.locator(".cell .open").click()
    frames = page.locator("burst-strip button")
    frames.nth(2).wait_for()
    assert [frames.nth(place).get_attribute("aria-label") for place in range(3)] == ["Frame 1 of 3", "Frame 2 of 3", "Frame 3 of 3"]
    current = "[...document.querySelectorAll('burst-strip button')].findIndex(({ ariaCurrent }) => ariaCurrent === 'true')"
    until(page, f"{current} >= 0")
    other = (page.evaluate(current) + 1) % 3
    id = frames.nth(other).get_attribute("data-id")
    frames.nth(other).click()
    until(page, f"location.hash === '#/asset/{id}' && {current} === {other}")
    until(page, f"document.querySelector('zoom-stage img.screen')?.src.includes('{id}')")
    page.reload()
    until(page, f"{current} === {other}")
    page.keyboard.press("Escape")
    until(page, "document.querySelector('asset-viewer').hidden && document.activeElement.matches('.cell')")


def test_h_15_arrows_lead_from_a_frame_to_the_neighbors_of_its_burst(site, site_page):
    page = site_page("#/asset/" + site.id("B01_1"), is_waiting=False)
    page.locator("burst-strip button").nth(2).wait_for()
    page.locator("burst-strip button").nth(2).click()
    until(page, "!document.querySelector('.older').disabled")
    page.keyboard.press("ArrowRight")
    until(page, "!document.querySelector('asset-viewer').hidden && document.querySelector('burst-strip').hidden")


def test_f_05_small_cells_have_no_badges(site, site_page):
    page = site_page("smart/livePhotos", width=390)
    until_shown(page, "Live Photos", 5)
    badges = page.locator(".cell:visible .badge.live").first
    expect(badges).to_be_visible()
    page.keyboard.press("-")
    page.keyboard.press("-")
    until(page, f"{GRID}.layout.columns === 9")
    expect(page.locator(".cell .badge.live:visible")).to_have_count(0)
    assert all(found["label"].startswith("Live Photo, ") for found in cells(page))


def test_f_06_the_server_stops_and_starts_again(site, site_page, pages):
    page = site_page()
    until(page, SETTLED)
    shown = ids(page)
    site.stop()
    expect(page.locator(".notice")).to_contain_text("does not answer")
    assert ids(page) == shown
    until(page, SETTLED)  # the pictures stay
    site.start_again()
    until(page, "document.querySelector('.notice').hidden")
    site.calotype("favorite", site.identifier("P20"))
    try:
        until(page, f"document.querySelector('.cell[data-id=\"{site.id('P20')}\"] .favorite') !== null")
    finally:
        site.calotype("favorite", "--off", site.identifier("P20"))
    pages.expected.append(FAILED)  # browsers write each failed request to the console


def test_f_07_an_unreadable_asset_shows_its_reason(site, site_page):
    page = site_page()
    index = page.evaluate(f"{GRID}.snapshot.indexOf({{ id: '{site.id('U01')}' }})")
    page.evaluate(f"{GRID}.reveal({index})")
    cell = page.locator(f".cell[data-id='{site.id('U01')}']")
    expect(cell).to_contain_text("Can’t be read")
    cell.hover()
    until(page, f"""(({{ title, textContent, ariaLabel }}) => title.length > 5 && textContent.includes(title) && ariaLabel.includes(title))
      (document.querySelector('.cell[data-id="{site.id('U01')}"]'))""")


def test_f_07_the_focus_shows_the_reason_too(site, site_page):
    page = site_page()
    index = page.evaluate(f"{GRID}.snapshot.indexOf({{ id: '{site.id('U01')}' }})")
    page.evaluate(f"{GRID}.focusAsset({index})")
    until(page, "document.activeElement.title.length > 5 && document.activeElement.ariaLabel.includes(document.activeElement.title)")


def test_f_02_pictures_in_the_window_come_first_and_far_ones_are_aborted(made_up_page):
    page = made_up_page(MadeUpLibrary(10_000, has_pictures=True))
    page.evaluate(f"{GRID}.goTo(20_000)")
    until(page, SETTLED)
    until(page, """(() => {
      const images = [...document.querySelectorAll('.cell:not(.free) img')];
      const isVisible = (image) => image.getBoundingClientRect().bottom > 0 && image.getBoundingClientRect().top < innerHeight;
      const [seen, near] = [images.filter(isVisible), images.filter(image => !isVisible(image))];
      return near.length > 10 && near.every(image => image.fetchPriority === 'low') && seen.every(image => image.fetchPriority === 'high');
    })()""")
    aborted, asked = [], []
    page.unroute("**/api/v1/renditions/**")
    page.route("**/api/v1/renditions/**", lambda route: asked.append(route.request.url))  # never answered
    page.on("requestfailed", lambda request: "renditions" in request.url and aborted.append(request.url))
    page.evaluate(f"{GRID}.goTo(100_000)")
    until(page, f"{GRID}.cellAt({GRID}.firstVisible)?.picture === 'coming'")
    first = page.evaluate(f"{GRID}.cellAt({GRID}.firstVisible).asset.id")
    page.evaluate(f"{GRID}.goTo(200_000)")
    until(page, f"{GRID}.cellAt({GRID}.firstVisible)?.picture === 'coming'")
    until_true(page, lambda: any(first in url for url in aborted))


def test_f_08_reduced_data_loads_only_small_pictures_until_asked(site, site_page, pages):
    page = pages(site.cookies)
    # Playwright can't emulate the browser's setting.
    page.add_init_script("Object.defineProperty(NetworkInformation.prototype, 'saveData', { get: () => true })")
    page.goto(site.address)
    until(page, SETTLED)
    cells_shown = page.locator(".cell:visible")
    cells_shown.first.click()
    until(page, "document.querySelector('zoom-stage img.grid')?.naturalWidth > 0")
    page.keyboard.press("ArrowRight")
    until(page, "!document.querySelector('.newer').disabled")
    larger = "performance.getEntriesByType('resource').filter(entry => /\\/(screen|full)$/.test(entry.name)).length"
    assert page.evaluate(larger) == 0
    page.get_by_role("button", name="Load the sharp picture").click()
    until(page, "document.querySelector('zoom-stage img.screen')?.naturalWidth > 0")
    until_equal(page, larger, 1)


def test_w_17_an_asset_of_an_album_is_shown_in_the_timeline(site, site_page):
    page = site_page(f"album/{site.collections['Norway']}", height=700)
    until(page, READY)
    page.locator(f".cell[data-id='{site.id('P01')}']").click(button="right")
    page.get_by_role("menuitem", name="Show in timeline").click()
    until_shown(page, "All Photos", 49)
    outlined = "document.querySelector('.cell.pointed-out')"
    until(page, f"{outlined}?.dataset.id === '{site.id('P01')}' && document.activeElement === {outlined}")
    until(page, "(({ top, bottom }) => top >= 0 && bottom <= 700)(document.activeElement.getBoundingClientRect())")
    until(page, f"{outlined} === null")


def test_w_17_an_asset_far_down_is_shown_in_the_timeline(made_up_page):
    page = made_up_page(MadeUpLibrary(100_000), "smart/recentlyAdded")
    until(page, READY)
    for share in (0.7, 0.2):
        open_view(page, "Recently Added", 100_000)
        shown = scrolled_to(page, f"Math.floor({GRID}.layout.height * {share})")
        wanted = shown[len(shown) // 2]["id"]
        page.locator(f".cell[data-id='{wanted}']").click(button="right")
        page.get_by_role("menuitem", name="Show in timeline").click()
        until_shown(page, "All Photos", 100_000)
        until(page, f"document.activeElement.dataset.id === '{wanted}' && document.activeElement.classList.contains('pointed-out')")
        until(page, "(({ top, bottom }) => top >= 0 && bottom <= 900)(document.activeElement.getBoundingClientRect())")


def test_w_01_the_first_page_takes_as_many_requests_in_each_size(site, pages):
    page = pages(site.cookies)
    counts = {}
    for total in (1_000, 100_000, 1_000_000):
        library = MadeUpLibrary(total)
        library.serve(page)
        page.goto(site.address)
        until(page, FIRST_PAGE)
        until(page, SETTLED)
        asked = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
        # The sidebar and messages are loaded meanwhile, in any order.
        counts[total] = sorted(re.sub(r"[?].*", "", name).partition("/api/v1/")[2] for name in asked if "/collections/" in name)
        assert page.evaluate(f"{GRID}.snapshot.total") == total
    assert counts[1_000] == counts[100_000] == counts[1_000_000]
    assert counts[1_000].count("collections/userLibrary/days") == 1


def test_w_03_a_day_of_twenty_thousand(made_up_page):
    page = made_up_page(MadeUpLibrary(100_000, each=20_000))
    scrolled_to(page, 200_000)
    assert page.locator(".day-name").count() == 1
    assert page.evaluate("document.querySelectorAll('.cell').length") < 600


def test_w_04_the_very_last_asset_is_reached(made_up_page):
    page = made_up_page(MadeUpLibrary(1_000_000))
    page.keyboard.press("End")
    until_true(page, lambda: (shown := cells(page)) and number(shown[-1]) == 1 and shown[-1]["box"]["bottom"] <= 900)
    page.keyboard.press("Control+Home")
    until_true(page, lambda: (shown := cells(page)) and number(shown[0]) == 1_000_000)
    resize(page, PHONE)
    page.evaluate(f"{GRID}.focusAsset(0)")
    page.keyboard.press("Control+End")
    until_true(page, lambda: (shown := cells(page)) and number(shown[-1]) == 1 and shown[-1]["box"]["bottom"] <= 900)


def test_w_07_no_gap_at_any_zoom(made_up_page):
    page = made_up_page(MadeUpLibrary(5_000), width=2880, height=1800, device_scale_factor=0.5)
    session = page.context.new_cdp_session(page)
    between = set()
    for scale in (0.5, 1, 1.5, 2, 4):
        width, height = int(1440 / scale), int(900 / scale)
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        session.send("Emulation.setDeviceMetricsOverride", metrics)
        until(page, f"devicePixelRatio === {scale} && innerWidth === {width} && {GRID}.windowHeight <= {height}")
        boxes = [cell["box"] for cell in scrolled_to(page, 2_000)]
        full = {}
        for box in boxes:
            full.setdefault(box["top"], []).append(box)
        row = max(full.values(), key=len)
        gaps = {round(right["left"] - left["right"], 2) for left, right in zip(row, row[1:])}
        assert gaps <= {2, 3}, scale
        # Between two rows of a day is such a gap, too, and between two days a heading.
        tops = sorted({round(box["top"], 2) for box in boxes})
        heights = {round(lower - upper - boxes[0]["height"], 2) for upper, lower in zip(tops, tops[1:])}
        assert all(height in (2, 3) or height > 20 for height in heights), (scale, heights)
        between |= heights
        page.keyboard.press("End")
        until_true(page, lambda: (shown := cells(page)) and number(shown[-1]) == 1)
    assert between & {2, 3}


def test_w_09_back_shows_the_asset_that_was_reached(made_up_page):
    leave_viewer(made_up_page, lambda page: page.go_back())


def test_w_10_escape_shows_the_asset_that_was_reached(made_up_page):
    leave_viewer(made_up_page, lambda page: page.keyboard.press("Escape"))


def test_w_10_the_button_shows_the_asset_that_was_reached(made_up_page):
    leave_viewer(made_up_page, lambda page: page.locator("asset-viewer .close").click())


def leave_viewer(made_up_page, leave):
    page = made_up_page(MadeUpLibrary(20_000))
    before = scrolled_to(page, 50_000)
    page.locator(f".cell[data-id='{before[-1]['id']}'] .open").click()
    for step in range(6):
        expected = f"{number(before[-1]) - step:012}"
        until(page, f"location.hash.endsWith('{expected}') && !document.querySelector('.older').disabled")
        if step < 5:
            page.keyboard.press("ArrowRight")
    leave(page)
    until(page, f"document.activeElement.dataset.id?.endsWith('{expected}')")
    # At the nearest edge.
    until(page, "(({ top, bottom }) => top >= 0 && bottom <= 900 && bottom > 600)(document.activeElement.getBoundingClientRect())")


def test_w_11_a_reload_keeps_the_place_to_the_pixel(made_up_page):
    page = made_up_page(MadeUpLibrary(100_000, has_pictures=True))
    before = scrolled_to(page, 123_456)
    until(page, f"history.state?.standing?.id === {GRID}.standing.id")
    page.route("**/renditions/**", lambda route: None)
    page.reload(wait_until="commit")  # a picture that never comes may hold back the load event
    places = lambda cells: [(cell["id"], cell["box"]["top"]) for cell in cells]
    until_equal(page, lambda: places(cells(page)), places(before))


@contextlib.contextmanager
def restored(playwright_browser, profile, address):
    """Starts the browser as it opens its last windows again, and returns the page of an address.

    Chromium may never finish its start if something attaches to the windows while it opens them
    again. So it starts by itself."""
    port = profile / "DevToolsActivePort"
    port.unlink(missing_ok=True)
    process = subprocess.Popen(
        [WHOLE_CHROMIUM, "--headless", "--no-sandbox", "--no-first-run", "--window-size=1000,700", NO_OTHER_HOSTS, "--lang=en-GB",
         "--remote-debugging-port=0", f"--user-data-dir={profile}", "--restore-last-session"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: port.exists() and port.read_text().count("\n") > 0, "the port of the browser")
        local = f"http://127.0.0.1:{port.read_text().splitlines()[0]}"

        def is_restored():
            with urlopen(f"{local}/json/list", timeout=PATIENCE) as answer:
                return any(target["url"] == address for target in json.load(answer))

        wait_for(is_restored, "the restored page")
        connection = playwright_browser.browser_type.connect_over_cdp(local)
        yield next(page for page in connection.contexts[0].pages if page.url == address)
        connection.close()
    finally:
        end(process)


def test_w_11_a_restarted_browser_keeps_the_place_to_the_pixel(site, browser, tmp_path):
    places = lambda page: [(cell["id"], cell["box"]["top"]) for cell in cells(page)]
    options = {"args": ["--no-sandbox", "--window-size=1000,700", NO_OTHER_HOSTS], "no_viewport": True, "locale": "en-GB"}
    context = watched(browser.browser_type.launch_persistent_context(tmp_path, executable_path=WHOLE_CHROMIUM, **options))
    context.add_cookies([{**cookie, "expires": time.time() + 86_400} for cookie in site.cookies])
    page = context.pages[0]
    page.goto(site.address)
    until(page, FIRST_PAGE)
    page.evaluate(f"{GRID}.goTo(777)")
    until(page, SETTLED)
    before = places(page)
    until(page, f"history.state?.standing?.id === {GRID}.standing.id")
    context.close()
    with restored(browser, tmp_path, site.address) as page:
        until(page, FIRST_PAGE)
        until_equal(page, lambda: places(page), before)


def test_w_12_each_collection_keeps_its_place(made_up_page):
    page = made_up_page(MadeUpLibrary(50_000, albums=3, in_album=2_000))
    all_photos = scrolled_to(page, 90_000)[0]
    open_view(page, "Album 1", 2_000)
    album = scrolled_to(page, 5_000)[0]
    open_view(page, "Album 2", 2_000)
    until_equal(page, f"{GRID}.y", 0)
    open_view(page, "Album 1", 2_000)
    until_equal(page, lambda: place_of(page, album["id"]), album["box"]["top"])
    # A person who scrolls may go back in the same moment, and forward again.
    left = page.evaluate(f"""(() => {{
      {GRID}.goTo(7_000);
      const {{ standing }} = {GRID};
      history.back();
      return standing;
    }})()""")
    until_shown(page, "Album 2", 2_000)
    page.go_forward()
    until_shown(page, "Album 1", 2_000)
    until_equal(page, lambda: place_of(page, left["id"]), left["offset"])
    for _ in range(3):
        page.go_back()
    until_shown(page, "All Photos", 50_000)
    until_equal(page, lambda: place_of(page, all_photos["id"]), all_photos["box"]["top"])
    page.go_forward()
    until_shown(page, "Album 1", 2_000)
    until_equal(page, lambda: place_of(page, album["id"]), album["box"]["top"])


def test_w_13_a_narrower_window_keeps_the_first_asset(made_up_page):
    page = made_up_page(MadeUpLibrary(50_000))
    scrolled_to(page, 90_000)
    anchor = page.evaluate(f"{GRID}.standing")
    page.set_viewport_size({"width": 1000, "height": 900})
    until(page, f"{GRID}.layout.columns < 6")
    until(page, SETTLED)
    assert abs(place_of(page, anchor["id"]) - anchor["offset"]) <= 1
    page.locator(".close-sidebar").click()
    until(page, f"{GRID}.getBoundingClientRect().left < 100")
    until(page, SETTLED)
    assert abs(place_of(page, anchor["id"]) - anchor["offset"]) <= 3


@pytest.mark.parametrize("by", ["keys", "wheel"])
def test_w_13_another_density_keeps_what_is_looked_at(made_up_page, by):
    page = made_up_page(MadeUpLibrary(50_000, albums=1, in_album=2_000))
    scrolled_to(page, 90_000)
    page.mouse.move(700, 450)
    index = page.evaluate(f"{GRID}.assetAtPoint(700, 450)")
    if index < 0:
        index = page.evaluate(f"{GRID}.layout.firstAssetBelow({GRID}.y + 450)")
    top = f"{GRID}.layout.boxOf({index}).top - {GRID}.y"
    columns, before = page.evaluate(f"[{GRID}.layout.columns, {top}]")
    zoom(page, by, "-")
    assert page.evaluate("window.devicePixelRatio") == 1, "the page itself is not zoomed"
    if by == "wheel":
        assert abs(page.evaluate(top) - before) <= 3
    dense = page.evaluate(f"{GRID}.layout.columns")
    open_view(page, "Album 1", 2_000)
    until(page, f"{GRID}.layout.columns < {dense}")  # each view has its own
    page.go_back()
    until_shown(page, "All Photos", 50_000)
    until_equal(page, f"{GRID}.layout.columns", dense)
    page.evaluate(f"{GRID}.focusAsset({GRID}.firstVisible)")
    page.mouse.move(700, 450)
    zoom(page, by, "+")
    assert page.evaluate(f"{GRID}.layout.columns") == columns
    zoom(page, by, "+")


def zoom(page, by, sign):
    """Shows smaller or larger pictures."""
    columns = page.evaluate(f"{GRID}.layout.columns")
    if by == "keys":
        page.keyboard.press(sign)
    else:
        page.keyboard.down("Control")
        page.mouse.wheel(0, 100 if sign == "-" else -100)
        page.keyboard.up("Control")
    until(page, f"{GRID}.layout.columns {'>' if sign == '-' else '<'} {columns}")


# By keys, smaller pictures move the view to its beginning, and larger ones back.
@pytest.mark.parametrize("by, heights", [("keys", (90_000, 300)), ("wheel", (90_000, 90_300, 90_600))])
def test_w_13_zooms_there_and_back_end_at_the_same_place(made_up_page, by, heights):
    page = made_up_page(MadeUpLibrary(50_000, each=400))
    page.mouse.move(1_380, 450)
    for y in heights:
        page.evaluate(f"{GRID}.goTo({y})")
        for sign in "-+++--":
            zoom(page, by, sign)
        assert page.evaluate(f"{GRID}.y") == y


def test_w_13_a_turned_phone_shows_the_photo_of_the_last_zoom(made_up_page):
    page = made_up_page(MadeUpLibrary(5_000), width=390, height=844, has_touch=True, is_mobile=True)
    box = next(cell["box"] for cell in scrolled_to(page, 9_000) if cell["box"]["top"] > 450 and cell["box"]["left"] > 100)
    y = box["top"] + 50
    index = page.evaluate(f"{GRID}.assetAtPoint(195, {y})")
    top = f"{GRID}.layout.boxOf({index}).top - {GRID}.y"
    before = page.evaluate(top)
    pinch(page, 200, 60, y=y)
    until(page, f"{GRID}.layout.columns === 9")
    assert page.evaluate(top) == before > 390
    page.set_viewport_size({"width": 844, "height": 390})
    until(page, f"{GRID}.windowHeight <= 390")
    assert 0 < page.evaluate(top) < 300
    page.set_viewport_size({"width": 390, "height": 844})
    until(page, f"{GRID}.windowHeight > 390")
    assert page.evaluate(top) == before


def test_w_13_two_fingers_change_the_density(made_up_page):
    page = made_up_page(MadeUpLibrary(5_000), width=390, height=844, has_touch=True, is_mobile=True)
    pinch(page, 200, 60)
    until(page, f"{GRID}.layout.columns === 9")
    until(page, f"{GRID}.classList.contains('tiny')")
    pinch(page, 60, 330)
    until(page, f"{GRID}.layout.columns === 1")
    until_equal(page, "visualViewport.scale", 1)


def pinch(page, start, end, y=400):
    """Moves two fingers from one distance to another."""
    for kind, distance in [("touchStart", start), *(("touchMove", start + (end - start) * step / 10) for step in range(1, 11))]:
        touch(page, kind, (195 - distance / 2, y), (195 + distance / 2, y))
    touch(page, "touchEnd")


def test_w_14_scrolling_up_moves_by_the_wheels_steps(made_up_page):
    page = made_up_page(MadeUpLibrary(100_000))
    page.evaluate(f"{GRID}.goTo(300_000)")
    page.mouse.move(700, 450)
    start, first = page.evaluate(f"[{GRID}.y, {GRID}.firstVisible]")
    step, shown = 0, first
    while shown > first - 3_000:
        step += 1
        page.mouse.wheel(0, -2_500)
        shown = until(page, f"{GRID}.y === {start - step * 2_500} && {GRID}.firstVisible")
    assert step > 20


def test_w_15_days_are_those_of_the_place(site, site_page):
    page = site_page(timezone_id="Asia/Tokyo")
    index = page.evaluate(f"{GRID}.snapshot.indexOf({{ id: '{site.id('P11')}' }})")
    day = page.evaluate(f"{GRID}.snapshot.days[{GRID}.layout.dayOf({index})][0]")
    assert day == "2019-12-31", "23:59 in Berlin, while it is the next day in Tokyo"
    for size in (DESK, PHONE):
        resize(page, size)
        page.evaluate(f"{GRID}.reveal({index})")
        until(page, f"document.querySelector('.cell[data-id=\"{site.id('P11')}\"]') !== null")
        until(page, "[...document.querySelectorAll('.day-name')].some(({ textContent }) => textContent.includes('31 Dec'))")


def test_w_16_the_order_is_remembered_and_the_oldest_first_begins_at_its_end(made_up_page):
    page = made_up_page(MadeUpLibrary(10_000))
    page.locator(".view-header select").select_option("oldest")
    until(page, f"{GRID}.y > 10_000")
    until_true(page, lambda: (shown := cells(page)) and number(shown[-1]) == 10_000 and shown[-1]["box"]["bottom"] <= 900)
    page.goto(page.url)
    page.reload()
    expect(page.locator(".view-header select")).to_have_value("oldest")
    until_true(page, lambda: (shown := cells(page)) and number(shown[-1]) == 10_000)


def test_w_16_folders_and_searches_have_their_orders(site, site_page):
    page = site_page(height=TALL)
    folder = site.collections["Travels"]
    page.goto(f"{site.address}folder/{folder}")
    page.get_by_label("All photos in here").click()
    until_in_order(page, f"{folder}/assets?order=newest", 11)
    page.locator(".view-header select").select_option("oldest")
    until_in_order(page, f"{folder}/assets?order=oldest", 11)
    page.goto(f"{site.address}search?q=P0")
    until_in_order(page, "userLibrary/assets?q=P0&order=newest", 9)
    for order in ("added", "oldest"):
        page.locator(".view-header select").select_option(order)
        until_in_order(page, f"userLibrary/assets?q=P0&order={order}", 9)
    page.reload()
    expect(page.locator(".view-header select")).to_have_value("oldest")
    until_in_order(page, "userLibrary/assets?q=P0&order=oldest", 9)
    page.goto(f"{site.address}search?q=zebra")
    page.locator(".backdrop", has_text="Nothing found").wait_for()


def until_in_order(page, path, count):
    """Waits until the page shows the assets of a list of the server."""
    until(page, f"{GRID}.snapshot.total === {count}")
    expected = [asset["id"] for asset in fetched(page, f"/api/v1/collections/{path}&offset=0&limit=100")["assets"]]
    until_equal(page, lambda: ids(page), expected)
