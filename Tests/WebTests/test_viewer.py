"""Tests of one asset over the whole window, as a person uses it."""

import re
import subprocess

import pytest

from conftest import FIRST_PAGE, FRAMES, Site, box_of, fetched, on_desk_and_phone, program, until, until_equal, until_true
from organizing import QUICK, middle, png, touch
from playwright.sync_api import expect
from test_grid import assets, position_of, show

VIEWER = "document.querySelector('asset-viewer')"
OPEN = f"!{VIEWER}.hidden"
CLOSED = f"{VIEWER}.hidden"
STAGE = "document.querySelector('zoom-stage')"
GRID = "document.querySelector('photo-grid')"
# The server does not answer any more when the viewer wants a neighbor.
UNANSWERED = f"() => {{ {GRID}.snapshot.pages.load = () => Promise.reject(new Error('no answer')); }}"
# The picture has grown from its cell.
RESTING = "document.querySelector('zoom-stage .picture').getAnimations().length === 0"


def drawn(kind):
    return f"document.querySelector('zoom-stage img.{kind}')?.naturalWidth > 0"


def is_picture(asset):
    """Whether an asset is a readable photo that is larger than the window, as the newest one may be
    or not: that depends on the time of day at which the library was made."""
    return asset["mediaType"] == "image" and not asset["unreadable"] and (asset["pixelWidth"], asset["pixelHeight"]) == (1600, 1200)


def opened(page, wanted=is_picture):
    """Clicks on the first asset that fulfills a condition. Returns its position and the asset."""
    position = position_of(page, wanted)
    show(page, position).click()
    until(page, OPEN)
    return position, assets(page, 500)[position]


def asset_id(page):
    found = re.search(r"#/asset/(.+)$", page.url)
    return found and found[1]


def test_h_01_a_click_opens_and_escape_closes(library_page):
    page = library_page()
    _, asset = opened(page)
    until_equal(page, lambda: asset_id(page), asset["id"])
    until(page, drawn("screen"))
    assert page.locator("asset-viewer .title strong").text_content() in page.locator("asset-viewer").get_attribute("aria-label")
    page.keyboard.press("Escape")
    until(page, CLOSED)
    until_equal(page, lambda: asset_id(page), None)
    until_equal(page, "document.activeElement.dataset.id", asset["id"])


def test_h_01_after_escape_the_mouse_reaches_the_link_of_the_photo_with_the_focus(library_page):
    page = library_page()
    position, _ = opened(page)
    page.keyboard.press("Escape")
    until(page, CLOSED)
    until(page, "document.activeElement.matches('.cell:focus-visible')")
    # Nothing lies above the link, whose address a middle click opens in another window.
    show(page, position).locator(".open").click()
    until(page, OPEN)


# Opens an asset, and returns its cell's sides, and the picture's in each frame until it rests.
GROWING = """new Promise((done) => {
    const picture = document.querySelector('zoom-stage .picture');
    const cell = document.querySelector('.cell[data-id]:has(img)');
    const sidesOf = (element) => [element.getBoundingClientRect().width, element.getBoundingClientRect().height];
    const cellSides = sidesOf(cell);
    const sides = [];
    cell.querySelector('.open').click();
    let duration;
    const look = () => {
      const [animation] = picture.getAnimations();
      if (!animation && duration === undefined) return requestAnimationFrame(look);
      if (duration === undefined) {
        duration = animation.effect.getTiming().duration;
        animation.currentTime = 0;
      }
      sides.push(sidesOf(picture));
      animation ? requestAnimationFrame(look) : done({ sides, cellSides, duration });
    };
    look();
  })"""


def test_h_01_the_picture_grows_from_its_cell_and_shrinks_back(library_page):
    page = library_page()
    seen = page.evaluate(GROWING)
    assert seen["duration"] <= 250
    larger = [side - cell_side for side, cell_side in zip(seen["sides"][0], seen["cellSides"])]
    assert abs(min(larger)) < 0.5, "the picture just covers its cell, whose sides can differ by a pixel"
    assert min(seen["sides"][-1]) > max(seen["cellSides"])
    page.keyboard.press("Escape")
    until(page, CLOSED)
    until(page, "document.querySelector('.shrinking') === null")


def test_ax_04_nothing_moves_with_reduced_motion(library_page):
    page = library_page(reduced_motion="reduce")
    page.locator(".cell[data-id]:has(img)").first.click()
    until(page, OPEN)
    moving = "document.getAnimations().filter(animation => animation.effect.getTiming().duration > 10)"
    assert page.evaluate(f"{moving}.filter(animation => animation.effect.getKeyframes().some(frame => 'transform' in frame)).length") == 0
    page.keyboard.press("Escape")
    until(page, CLOSED)
    expect(page.locator(".shrinking")).to_have_count(0)


def test_enter_opens_the_focused_asset(library_page):
    page = library_page()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    until(page, OPEN)
    until_equal(page, lambda: asset_id(page), assets(page)[1]["id"])


def test_the_grid_picture_is_there_before_the_screen_one(library_page):
    page = library_page()
    held, released = [], []
    page.route("**/screen", lambda route: route.continue_() if released else held.append(route))
    opened(page)
    until(page, drawn("grid"))
    until(page, RESTING)
    box = box_of(page.locator("zoom-stage .picture"))
    released.append(True)
    for route in held:
        route.continue_()
    until(page, drawn("screen"))
    assert box_of(page.locator("zoom-stage .picture")) == box, "nothing moved"


def test_back_closes_and_forward_opens_again(library_page):
    page = library_page()
    _, asset = opened(page)
    page.go_back()
    until(page, CLOSED)
    page.go_forward()
    until(page, OPEN)
    until_equal(page, lambda: asset_id(page), asset["id"])


def test_h_03_arrows_and_buttons_go_to_neighbours(library_page):
    page = library_page()
    order = [asset["id"] for asset in assets(page)]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(page, OPEN)
    expect(page.locator(".newer")).to_be_disabled()
    expect(page.locator(".older")).to_be_enabled()
    for key, place in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        until(page, f"location.hash === '#/asset/{order[place]}'")
    page.mouse.move(700, 400)
    page.locator(".older").click()
    until(page, f"location.hash === '#/asset/{order[2]}'")
    page.go_back()
    until(page, CLOSED)
    until_equal(page, "document.activeElement.dataset.id", order[2])  # the focus follows


def test_h_02_a_reload_shows_the_same_asset_and_its_neighbours(library_page):
    page = library_page()
    position, asset = opened(page)
    page.reload()
    until(page, OPEN)
    until_equal(page, lambda: asset_id(page), asset["id"])
    until(page, "!document.querySelector('.older').disabled")
    page.keyboard.press("ArrowRight")
    following = assets(page)[position + 1]["id"]
    until(page, f"location.hash === '#/asset/{following}'")


def test_h_02_an_address_leads_to_an_asset_far_down(library_page):
    page = library_page()
    asset = assets(page, 500)[150]
    page = library_page(f"#/asset/{asset['id']}")
    until(page, OPEN)
    until(page, "!document.querySelector('.older').disabled")
    page.keyboard.press("Escape")
    until(page, f"document.activeElement.dataset.id === '{asset['id']}'")
    # It is scrolled into view.
    until(page, "(({ top, bottom }) => top >= 0 && bottom <= 900)(document.activeElement.getBoundingClientRect())")


def test_zoom_loads_every_pixel_and_zero_resets(library_page):
    page = library_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    opened(page)
    until(page, drawn("screen"))
    assert not any(url.endswith("/full") for url in asked)
    page.keyboard.press("+")
    until(page, f"{STAGE}.isZoomed")
    until(page, drawn("full"))
    page.keyboard.press("0")
    until(page, f"!{STAGE}.isZoomed")
    page.keyboard.press("+")
    until(page, f"{STAGE}.isZoomed")
    page.keyboard.press("Escape")
    until(page, f"!{STAGE}.isZoomed")
    assert page.evaluate(OPEN), "the first Escape ends the zoom"
    page.keyboard.press("Escape")
    until(page, CLOSED)


SMALLER, LARGER = "asset-viewer .smaller", "asset-viewer .larger"


def test_h_05_a_zoom_button_without_effect_is_disabled(library_page):
    page = library_page()
    opened(page)
    smaller, larger = page.locator(SMALLER), page.locator(LARGER)
    expect(smaller).to_have_attribute("aria-disabled", "true")
    expect(larger).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("+")
    until(page, f"document.querySelector('{SMALLER}').ariaDisabled === 'false'")
    for _ in range(20):
        page.keyboard.press("+")
    until(page, f"document.querySelector('{LARGER}').ariaDisabled === 'true'")
    page.keyboard.press("0")
    until(page, f"document.querySelector('{SMALLER}').ariaDisabled === 'true'")
    page.reload()
    smaller.wait_for()  # for an asset that is opened by its address too
    expect(larger).to_have_attribute("aria-disabled", "false")


def test_h_05_a_video_after_a_zoomed_picture_is_not_zoomed(library_page):
    page = library_page()
    opened(page)
    page.keyboard.press("+")
    until(page, f"{STAGE}.isZoomed")
    video = next(asset for asset in assets(page, 500) if asset["mediaType"] == "video")
    page.evaluate(f"location.hash = '#/asset/{video['id']}'")
    page.locator("asset-viewer video.movie").wait_for()
    until(page, f"!{STAGE}.isZoomed && !{VIEWER}.classList.contains('zoomed')")


def test_h_05_an_unreadable_photo_has_no_zoom_buttons(library_page):
    page = library_page()
    opened(page, lambda asset: asset["unreadable"])
    page.locator("asset-viewer .cannot").wait_for()
    expect(page.locator(SMALLER)).to_be_hidden()
    expect(page.locator(LARGER)).to_be_hidden()


def zoom_by_wheel(page):
    """Turns the wheel with Ctrl. After that, the wheel zooms without Ctrl."""
    page.keyboard.down("Control")
    page.mouse.wheel(0, -120)
    page.keyboard.up("Control")
    until(page, f"{STAGE}.isZoomed")


def test_h_06_the_wheel_zooms_where_the_pointer_is_and_dragging_moves(library_page):
    page = library_page()
    # A narrow picture stays in the middle until it is as wide as its stage.
    opened(page, lambda asset: is_picture(asset) and asset["pixelWidth"] > asset["pixelHeight"])
    until(page, drawn("screen"))
    until(page, RESTING)
    box = box_of(page.locator("zoom-stage .picture"))
    point = (box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
    page.mouse.move(*point)
    zoom_by_wheel(page)
    for _ in range(3):
        scale = page.evaluate(f"{STAGE}.zoom.scale")
        page.mouse.wheel(0, -300)
        until(page, f"{STAGE}.zoom.scale > {scale} || {STAGE}.isLargest")
    assert page.evaluate(f"{STAGE}.zoom.scale") >= 3
    zoomed = box_of(page.locator("zoom-stage .picture"))
    assert abs((point[0] - zoomed["x"]) / zoomed["width"] - 0.4) < 0.01
    page.mouse.down()
    page.mouse.move(point[0] + 60, point[1] + 30)
    page.mouse.up()

    def way():
        moved = box_of(page.locator("zoom-stage .picture"))
        return round(moved["x"] - zoomed["x"]), round(moved["y"] - zoomed["y"])

    until_equal(page, way, (60, 30))


# A press is held down at once, without the time of 280 ms.
HELD_AT_ONCE = """(start => {
  window.setTimeout = (act, time, ...rest) => (time === 280 ? (act(), 0) : start(act, time, ...rest));
})(window.setTimeout)"""


@pytest.mark.parametrize("subtype", [None, "photoLive"])
def test_h_06_a_picture_that_was_held_before_moves_too(library_page, subtype):
    page = library_page(reduced_motion="reduce")
    opened(page, is_picture if subtype is None else lambda asset: subtype in asset["mediaSubtypes"])
    until(page, drawn("screen"))
    for _ in range(6):
        page.keyboard.press("+")
    until(page, f"{STAGE}.zoom.scale > 2")
    page.evaluate(HELD_AT_ONCE)
    before = page.evaluate(f"{STAGE}.zoom.x")
    page.mouse.move(700, 450)
    page.mouse.down()
    page.mouse.move(760, 450)
    until(page, f"Math.abs({STAGE}.zoom.x - {before} - 60) < 1")
    page.mouse.up()


def test_h_04_a_slow_click_hides_the_bars(library_page):
    page = library_page()
    opened(page)
    until(page, drawn("screen"))
    page.evaluate(HELD_AT_ONCE)
    page.mouse.move(700, 450)
    page.mouse.down()
    page.mouse.up()
    until(page, BARE)


BUTTONS = ["Favorite", "Add to album…", "Edit", "Information", "Delete", "More"]
# The buttons that a screen reader finds in the toolbar, and whether they are in the window.
TOOLS = """[...document.querySelectorAll('asset-viewer .tools button')].filter((button) => button.checkVisibility()).map((button) => {
  const { left, top, right, bottom } = button.getBoundingClientRect();
  return { name: button.ariaLabel, isInside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight, top, side: Math.min(right - left, bottom - top) };
})"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_h_05_the_toolbar_has_named_buttons_on_a_phone_at_the_bottom(library_page, width, height):
    page = library_page(width=width, height=height)
    opened(page)
    until(page, f"{VIEWER}.classList.contains('can-change')")
    tools = page.evaluate(TOOLS)
    assert [tool["name"] for tool in tools] == BUTTONS
    assert all(tool["isInside"] for tool in tools)
    if width == 390:
        assert all(tool["top"] > height * 3 / 4 and tool["side"] >= 40 for tool in tools), tools
    else:
        assert all(tool["top"] < 100 for tool in tools), tools
    for name in BUTTONS:
        expect(page.locator("asset-viewer .tools").get_by_role("button", name=name, exact=True)).to_be_enabled()


def test_h_10_a_double_click_zooms_in_and_out(library_page):
    page = library_page()
    opened(page)
    until(page, drawn("screen"))
    page.mouse.dblclick(700, 450)
    until(page, f"{STAGE}.isZoomed")
    page.mouse.dblclick(700, 450)
    until(page, f"!{STAGE}.isZoomed")


def test_keys_pan_a_zoomed_picture_and_do_not_step(library_page):
    page = library_page()
    _, asset = opened(page)
    until(page, RESTING)
    page.keyboard.press("1")
    until(page, f"{STAGE}.isZoomed")
    until(page, RESTING)
    before = page.evaluate(f"{STAGE}.zoom")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    # The parts to the right and below are shown.
    until(page, f"{STAGE}.zoom.x < {before['x']} && {STAGE}.zoom.y < {before['y']}")
    assert asset_id(page) == asset["id"]


def test_keys_of_one_letter_can_be_switched_off(library_page):
    page = library_page(reduced_motion="reduce")
    opened(page, is_live)
    page.evaluate("localStorage.setItem('letterKeys', 'false')")
    for key in ("i", "l", "+"):
        page.keyboard.press(key)
    assert page.locator("info-panel").is_hidden()
    assert page.locator("video.live-movie").count() == 0
    assert not page.evaluate(f"{STAGE}.isZoomed")
    page.evaluate("localStorage.removeItem('letterKeys')")
    page.keyboard.press("i")
    expect(page.locator("info-panel")).to_be_visible()


@pytest.mark.parametrize("ratio", [1, 2])
def test_h_08_a_pixel_is_a_pixel_at_100_percent(library_page, ratio):
    page = library_page(width=700, height=600, device_scale_factor=ratio)
    _, asset = opened(page)
    until(page, RESTING)
    page.keyboard.press("1")
    until(page, f"{STAGE}.isZoomed")
    until(page, RESTING)
    box = page.evaluate("document.querySelector('zoom-stage .picture').getBoundingClientRect().toJSON()")
    assert abs(box["width"] * ratio - asset["pixelWidth"]) < 0.05
    assert abs(box["left"] * ratio - round(box["left"] * ratio)) < 0.05, "on the screen's pixels"
    assert abs(box["top"] * ratio - round(box["top"] * ratio)) < 0.05


def test_h_09_a_small_picture_is_not_enlarged(library_page):
    page = library_page(width=3000, height=2400)
    _, asset = opened(page)
    until(page, RESTING)
    width = page.evaluate("document.querySelector('zoom-stage .picture').getBoundingClientRect().width")
    assert width == asset["pixelWidth"]
    for _ in range(12):
        page.keyboard.press("+")
    until(page, f"Math.abs(document.querySelector('zoom-stage .picture').getBoundingClientRect().width - {8 * asset['pixelWidth']}) < 1")


@pytest.fixture(scope="module")
def transparent_site(tmp_path_factory):
    """A server of a library with two transparent pictures: a small one, and one that is larger than
    the window."""
    folder = tmp_path_factory.mktemp("transparent")
    files = {"Small": (300, 200), "Large": (2000, 1500)}
    for name, size in files.items():
        (folder / f"{name}.png").write_bytes(png(*size, color=(200, 0, 0, 128)))
    paths = [str(folder / f"{name}.png") for name in files]
    library = folder / "Transparent.calotype"
    subprocess.run([program(), "--library", str(library), "import", "--create", *paths], check=True, timeout=60)
    site = Site(library)
    yield site
    site.stop()


@pytest.fixture
def transparent_page(transparent_site, pages):
    """Opens one of the transparent pictures from its cell."""

    def make(name, before="null", **options):
        page = pages(transparent_site.cookies, **options)
        page.goto(transparent_site.address)
        until(page, FIRST_PAGE)
        page.evaluate(before)
        page.locator(f".cell[data-id='{transparent_site.id(name)}']").click()
        until(page, OPEN)
        return page

    return make


# The placeholders of the stage and the strip that are shown behind a picture.
PLACEHOLDERS = """[...document.querySelectorAll('zoom-stage .picture, zoom-stage .neighbor, film-strip button')]
  .filter((element) => element.style.backgroundImage !== '').length"""
LAYERS = "[...document.querySelectorAll('zoom-stage .picture > *')].map((layer) => layer.className).join(' ')"


@on_desk_and_phone
def test_h_16_nothing_is_behind_a_transparent_picture(transparent_page, size):
    page = transparent_page("Large", **size)
    until_equal(page, LAYERS, "screen")
    until_equal(page, PLACEHOLDERS, 0)
    page.keyboard.press("+")
    until_equal(page, LAYERS, "full")
    picture, ground = page.evaluate("""() => {
      const probe = document.querySelector("asset-viewer").appendChild(document.createElement("i"));
      probe.style.color = "var(--stage)";
      return [getComputedStyle(document.querySelector("zoom-stage .picture")).backgroundColor, getComputedStyle(probe).color];
    }""")
    assert picture == ground, "the viewer's ground stays behind the picture when it is zoomed"


def test_h_16_nothing_is_behind_the_only_picture_that_is_loaded(transparent_page):
    page = transparent_page("Large", before="Object.defineProperty(NetworkInformation.prototype, 'saveData', { get: () => true })")
    until_equal(page, LAYERS, "grid")
    until(page, drawn("grid"))
    until(page, "document.querySelector('zoom-stage .picture').style.backgroundImage === ''")


def test_h_16_a_neighbor_has_no_placeholder_behind_it(transparent_page):
    page = transparent_page("Large", width=390, height=844, has_touch=True, is_mobile=True)
    until(page, "!document.querySelector('.newer').disabled || !document.querySelector('.older').disabled")
    by = 1 if page.evaluate("document.querySelector('.newer').disabled") else -1
    finger = Finger(page, (195, 420))
    finger.move((195 - 100 * by, 420))
    until(page, "document.querySelector('zoom-stage .neighbor img')?.naturalWidth > 0")
    until_equal(page, PLACEHOLDERS, 0)
    finger.lift()


def test_h_07_a_late_layer_does_not_cover_a_sharper_one(library_page):
    page = library_page()
    held, released = [], []
    page.route("**/screen", lambda route: route.continue_() if released else held.append(route))
    page.evaluate(WATCH_DECODING)
    _, asset = opened(page)
    until(page, drawn("grid"))
    page.keyboard.press("+")
    until_equal(page, LAYERS, "full")
    released.append(True)
    for route in held:
        route.continue_()
    until(page, f"[...decoded].some((address) => address.includes('{asset['id']}') && address.endsWith('/screen'))")
    page.evaluate(FRAMES)
    assert page.evaluate(LAYERS) == "full"


@pytest.mark.parametrize("ratio", [1, 2])
def test_h_09_a_small_picture_has_its_size_from_the_start(transparent_page, ratio):
    page = transparent_page("Small", device_scale_factor=ratio)
    until(page, RESTING)
    picture = page.locator("zoom-stage .picture")
    box = box_of(picture)
    assert (box["width"] * ratio, box["height"] * ratio) == (300, 200)
    until_equal(page, LAYERS, "screen")
    assert box_of(picture) == box
    # A double click enlarges it, since the person asks, and another one takes that back.
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.dblclick(*middle)
    until_equal(page, LAYERS, "full")
    until_equal(page, lambda: box_of(picture)["width"] * ratio, 600)
    page.mouse.dblclick(*middle)
    until_equal(page, lambda: box_of(picture), box)


@pytest.mark.parametrize("ratio", [1, 2])
def test_h_09_a_small_picture_is_not_enlarged_above_the_menu(transparent_site, pages, ratio):
    phone = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
    page = pages(transparent_site.cookies, device_scale_factor=ratio, **phone)
    page.goto(transparent_site.address)
    until(page, FIRST_PAGE)
    picture = page.locator(".menu.peek img")
    # The menu is 320 pixels wide, including its border.
    widths = {"Small": 300 / ratio, "Large": 318}
    for name, width in widths.items():
        touch(page, "touchStart", middle(page.locator(f".cell[data-id='{transparent_site.id(name)}']")))
        until_equal(page, lambda: box_of(picture)["width"], width)
        menu = box_of(page.locator(".menu.peek"))
        assert box_of(picture)["x"] + width / 2 == menu["x"] + menu["width"] / 2
        touch(page, "touchEnd")
        page.touchscreen.tap(5, 5)
        picture.wait_for(state="detached", timeout=10_000)


@pytest.mark.parametrize("ratio", [1, 2])
def test_h_09_a_small_picture_keeps_its_size_in_the_editor(transparent_page, ratio):
    page = transparent_page("Small", device_scale_factor=ratio)
    until(page, RESTING)
    page.keyboard.press("e")
    page.locator("photo-editor [data-filter=sepia]").click()
    preview = page.locator("zoom-stage canvas.preview")
    preview.wait_for()
    box = box_of(preview)
    assert (box["width"] * ratio, box["height"] * ratio) == (300, 200)
    assert box_of(page.locator("zoom-stage .picture")) == box


def test_h_06_the_point_under_the_pointer_stays_over_ten_steps(library_page):
    page = library_page()
    opened(page, lambda asset: is_picture(asset) and asset["pixelWidth"] > asset["pixelHeight"])
    until(page, RESTING)
    point = (600, 500)
    page.mouse.move(*point)
    # A picture that does not fill its stage yet stays in the middle.
    zoom_by_wheel(page)
    scale = page.evaluate(f"{STAGE}.zoom.scale")
    page.mouse.wheel(0, -300)
    until(page, f"{STAGE}.zoom.scale > {scale} * 1.5")

    def place():
        box = box_of(page.locator("zoom-stage .picture"))
        return box["x"], box["y"], box["width"]

    left, top, width = now = place()
    for _ in range(10):
        page.mouse.wheel(0, -40)
        until(page, f"document.querySelector('zoom-stage .picture').getBoundingClientRect().width > {now[2]} + 0.5")
        now = place()
    scale = now[2] / width
    assert scale > 1.5
    assert abs(now[0] + (point[0] - left) * scale - point[0]) <= 1
    assert abs(now[1] + (point[1] - top) * scale - point[1]) <= 1


# Looks at the picture in each frame until its sharpest layer is there. Returns the places it had.
PLACES = """new Promise((done) => {
    const picture = document.querySelector('zoom-stage .picture');
    const places = new Set();
    const look = () => {
      for (const element of [picture, ...picture.querySelectorAll('img')]) {
        const { left, top, width, height } = element.getBoundingClientRect();
        places.add([left, top, width, height].map((side) => side.toFixed(2)).join(' '));
      }
      const full = picture.querySelector('img.full');
      full && full.getAnimations().length === 0 ? done([...places]) : requestAnimationFrame(look);
    };
    look();
  })"""


def test_h_07_a_sharper_layer_does_not_move_the_picture(library_page):
    page = library_page()
    held, released = [], []
    page.route("**/full", lambda route: route.continue_() if released else held.append(route))
    opened(page)
    until(page, drawn("screen"))
    until(page, RESTING)
    page.keyboard.press("+")
    until(page, f"{STAGE}.isZoomed")
    released.append(True)
    for route in held:
        route.continue_()
    assert len(page.evaluate(PLACES)) == 1, "each layer has one place, in each frame"
    fade = page.evaluate("getComputedStyle(document.querySelector('zoom-stage img.full')).animationDuration")
    assert fade == "0.08s"


BARE = f"{VIEWER}.classList.contains('bare')"


def test_h_04_a_click_hides_the_bars_and_the_pointer_brings_them_back(library_page):
    page = library_page()
    page.evaluate(QUICK)
    opened(page)
    until(page, RESTING)
    before = box_of(page.locator("zoom-stage .picture"))
    page.mouse.click(700, 450)
    until(page, BARE)
    page.locator("asset-viewer .bar").wait_for(state="hidden")
    assert box_of(page.locator("zoom-stage .picture")) == before, "the picture stays"
    page.mouse.move(730, 450)
    page.mouse.move(760, 450)
    until(page, f"!{BARE}")
    page.mouse.click(700, 450)
    until(page, BARE)
    page.mouse.click(700, 450)
    until(page, f"!{BARE}")
    page.mouse.click(700, 450)
    until(page, BARE)
    page.keyboard.press("Shift")
    until(page, f"!{BARE}")
    page.locator("asset-viewer .bar").wait_for(state="visible")


STRIP = "document.querySelector('film-strip')"


def test_h_03_the_strip_shows_neighbors_and_leads_to_them(library_page):
    page = library_page()
    order = [asset["id"] for asset in assets(page, 500)]
    position, _ = opened(page)
    current = f"{STRIP}.querySelector('[aria-current=true]').getBoundingClientRect()"
    until(page, f"{STRIP}.querySelectorAll('button').length > 5")
    until(page, f"Math.abs({current}.left + {current}.width / 2 - 720) < 1")
    assert page.evaluate(f"{STRIP}.querySelectorAll('button').length") < 60
    right = page.evaluate(f"{current}.right")
    box = box_of(page.locator("film-strip"))
    page.mouse.click(right + 8 + 34 + 16, box["y"] + 20)
    until(page, f"location.hash === '#/asset/{order[position + 2]}'")
    page.mouse.move(720, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(720 - 5 * 34, box["y"] + 20, steps=10)
    until(page, f"location.hash === '#/asset/{order[position + 7]}'")
    page.mouse.up()
    until_equal(page, lambda: asset_id(page), order[position + 7])


# Looks at the stage in each frame for a while, and counts those without any picture.
EMPTY_FRAMES = """
window.emptyFrames = 0;
window.looked = 0;
const look = () => {
  const picture = document.querySelector('zoom-stage .picture');
  const isShown = picture.style.backgroundImage !== '' || [...picture.querySelectorAll('img')].some((image) => image.complete && image.naturalWidth > 0);
  const isOther = document.querySelector('asset-viewer video.movie, asset-viewer .cannot') !== null;
  if (!isShown && !isOther) window.emptyFrames += 1;
  window.looked += 1;
  requestAnimationFrame(look);
};
look();
"""


def test_h_03_the_stage_is_never_empty_while_an_arrow_is_held(library_page):
    page = library_page()
    opened(page)
    until(page, "!document.querySelector('.older').disabled")
    page.evaluate(EMPTY_FRAMES)
    first = asset_id(page)
    for _ in range(40):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    until(page, f"location.hash !== '#/asset/{first}' && looked > 10")
    assert page.evaluate("emptyFrames") == 0


# Keeps the addresses of the pictures that can be drawn at once.
WATCH_DECODING = """() => {
  window.decoded = new Set();
  const { decode } = HTMLImageElement.prototype;
  HTMLImageElement.prototype.decode = function () {
    return decode.call(this).then(() => { decoded.add(this.src); });
  };
}"""
# Steps to the next asset, and returns the layers of the next frame.
STEP = """() => {
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  return new Promise((resolve) => requestAnimationFrame(() => resolve(
    [...document.querySelectorAll("zoom-stage .picture img")].map((image) => [image.src, getComputedStyle(image).opacity]))));
}"""


def test_h_03_the_next_frame_shows_a_neighbor_that_was_loaded_ahead(library_page):
    page = library_page()
    order = assets(page, 500)
    position = next(place for place in range(1, 400) if all(is_picture(asset) for asset in order[place:place + 2]))
    page.evaluate(WATCH_DECODING)
    show(page, position).click()
    until(page, OPEN)
    following = order[position + 1]["id"]
    until(page, f"[...decoded].some((address) => address.includes('{following}') && address.endsWith('/screen'))")
    [[address, opacity]] = page.evaluate(STEP)
    assert following in address and address.endswith("/screen")
    assert opacity == "1"


@pytest.mark.parametrize("turned", ["deltaX", "deltaY"])
def test_h_03_a_gesture_on_a_trackpad_goes_to_one_neighbor(library_page, turned):
    page = library_page()
    order = [asset["id"] for asset in assets(page, 500)]
    position, _ = opened(page)
    until(page, "!document.querySelector('.older').disabled")
    page.mouse.move(700, 450)
    # Events of one gesture, whatever time the machine takes to send them.
    page.evaluate("""(turned) => {
        const options = { [turned]: 120, bubbles: true, cancelable: true };
        for (let index = 0; index < 4; index += 1) document.querySelector('zoom-stage').dispatchEvent(new WheelEvent('wheel', options));
      }""", turned)
    until(page, f"location.hash === '#/asset/{order[position + 1]}'")


def test_m_01_a_video_plays(library_page):
    page = library_page()
    opened(page, lambda asset: asset["mediaType"] == "video" and not asset["unreadable"])
    movie = "document.querySelector('video.movie')"
    until(page, f"{movie}.controls && {movie}.poster.endsWith('/screen')")
    page.evaluate(f"{movie}.muted = true")
    if page.evaluate(f"{movie}.paused"):
        page.keyboard.press("Space")
    until(page, f"{movie}.currentTime > 0.1")
    page.keyboard.press("Escape")
    until(page, CLOSED)
    expect(page.locator("video")).to_have_count(0)


def is_live(asset):
    return "photoLive" in asset["mediaSubtypes"] and not asset["unreadable"]


LIVE = "document.querySelector('video.live-movie')"


def test_l_02_a_live_photo_plays_by_key_and_returns_to_its_still(library_page):
    page = library_page(reduced_motion="reduce")  # no hint plays before
    opened(page, is_live)
    until(page, drawn("screen"))
    expect(page.locator(".live-badge")).to_contain_text("LIVE")
    page.keyboard.press("l")
    until(page, f"{LIVE}?.currentTime > 0.1 && {LIVE}.classList.contains('playing')")
    page.keyboard.press("l")
    until(page, f"{LIVE} === null")
    page.keyboard.press("Space")
    until(page, f"{LIVE}?.currentTime > 0.1")
    until(page, f"{LIVE} === null")
    until(page, drawn("screen"))


def test_l_01_a_live_photo_plays_while_held_and_while_its_badge_is_hovered(library_page):
    page = library_page(reduced_motion="reduce")  # no hint plays before
    opened(page, is_live)
    until(page, drawn("screen"))
    page.mouse.move(700, 450)
    page.mouse.down()
    until(page, f"{LIVE}?.currentTime > 0.1")
    page.mouse.up()
    until(page, f"{LIVE} === null")
    page.locator(".live-badge").hover()
    until(page, f"{LIVE}?.currentTime > 0.1")
    page.mouse.move(700, 450)
    until(page, f"{LIVE} === null")


def test_the_information_panel(library_page):
    page = library_page()
    _, asset = opened(page)
    page.keyboard.press("i")
    panel = page.locator("info-panel")
    panel.locator(".resources").wait_for()
    until_true(page, lambda: asset["id"] in (panel.locator(".download").first.get_attribute("href") or ""))
    text = panel.inner_text()
    full = fetched(page, f"/api/v1/assets/{asset['id']}")
    assert f"{full['pixelWidth']} × {full['pixelHeight']}" in text
    assert full["originalFilename"] in text
    if full["creationDate"]:
        assert full["creationDate"][:4] in text and "UTC" in text
    for index, resource in enumerate(full["resources"]):
        assert resource["originalFilename"] in text and resource["sha256"] in text
        link = panel.locator(".download").nth(index)
        assert link.get_attribute("href") == f"/api/v1/resources/{asset['id']}/{index}"
    for note in full["notes"] or []:
        assert note in text
    page.keyboard.press("i")
    expect(panel).to_be_hidden()


def test_an_original_can_be_downloaded(library_page):
    page = library_page()
    opened(page)
    page.locator(".information").click()
    with page.expect_download() as started:
        page.locator(".download").first.click()
    assert started.value.suggested_filename


def test_a_place_is_a_plain_link(library_page):
    page = library_page()
    for asset in assets(page, 500):
        full = fetched(page, f"/api/v1/assets/{asset['id']}")
        if full["latitude"] is not None:
            break
    else:
        pytest.fail("no asset has a location")
    page = library_page(f"#/asset/{asset['id']}")
    until(page, OPEN)
    page.keyboard.press("i")
    # The fields come with the parts of the page that are loaded last.
    place = f"{full['latitude']:.5f}, {full['longitude']:.5f}"
    until(page, f"[...document.querySelectorAll('info-panel input')].some(({{ value }}) => value === {place!r})")
    link = page.locator("info-panel a[target]")
    assert link.get_attribute("href").startswith("https://www.openstreetmap.org/")
    assert "noreferrer" in link.get_attribute("rel")


def test_an_unreadable_asset_says_why(library_page):
    page = library_page()
    opened(page, lambda asset: asset["unreadable"])
    expect(page.locator("asset-viewer .cannot")).to_contain_text("Can’t be read")
    page.keyboard.press("i")
    expect(page.locator("info-panel .trouble p")).not_to_be_empty()


def test_hostile_file_names_are_text(library_page, calotype_server):
    page = library_page()
    name = "<img src=x onerror=alert(1)>.jpg"

    def rename(route):
        # Playwright can't resolve the server's name.
        asset = route.fetch(url=route.request.url.replace("calotype.localhost", "127.0.0.1")).json()
        asset["originalFilename"] = asset["resources"][0]["originalFilename"] = name
        route.fulfill(json=asset)

    page.route("**/api/v1/assets/*", rename)
    opened(page)
    page.keyboard.press("i")
    page.locator(".resources").wait_for()
    expect(page.locator("info-panel .name", has_text=name)).to_have_count(2)
    assert page.locator("info-panel img").count() == 0


@pytest.fixture
def phone(library_page):
    """A phone with an open picture, and the number of its place."""
    page = library_page(width=390, height=844, has_touch=True, is_mobile=True)
    page.evaluate(QUICK)
    position = position_of(page, is_picture)
    page.locator(f".cell[data-id='{assets(page, 500)[position]['id']}']").tap()
    until(page, OPEN)
    until(page, "!document.querySelector('.older').disabled")
    until(page, RESTING)
    page.position = position
    return page


def test_h_03_swipes_on_a_phone(phone):
    following = assets(phone, 500)[phone.position + 1]["id"]
    swipe(phone, (330, 420), (60, 425))
    until(phone, f"location.hash === '#/asset/{following}'")
    until(phone, f"{STAGE}.getAnimations().length === 0 && {STAGE}.style.transform === ''")


def test_h_03_the_neighbor_comes_in_while_the_finger_moves(phone):
    following = assets(phone, 500)[phone.position + 1]
    until(phone, f"performance.getEntriesByType('resource').some(({{ name }}) => name.includes('{following['id']}'))")
    finger = Finger(phone, (330, 420))
    finger.move((130, 425))
    left = "[...document.querySelectorAll('zoom-stage .neighbor img')].at(-1)?.getBoundingClientRect().left"
    until(phone, f"{left} > 150 && {left} < 390")  # the next picture follows the finger
    finger.move((325, 425))
    finger.lift()
    until(phone, f"{STAGE}.style.transform === ''")
    assert asset_id(phone) == assets(phone, 500)[phone.position]["id"], "a drag that goes back goes nowhere"


def test_h_03_a_swiped_picture_comes_back_if_its_neighbor_cannot_be_loaded(phone):
    shown, following = (assets(phone, 500)[phone.position + by]["id"] for by in (0, 1))
    phone.evaluate(UNANSWERED)
    swipe(phone, (330, 420), (60, 425))
    until(phone, f"{STAGE}.getAnimations().length === 0 && {STAGE}.style.transform === ''")
    assert asset_id(phone) == shown
    phone.evaluate(f"delete {GRID}.snapshot.pages.load")
    phone.keyboard.press("ArrowRight")
    until(phone, f"location.hash === '#/asset/{following}'")


def test_h_03_steps_go_on_while_the_browser_refuses_more_addresses(library_page):
    page = library_page()
    position, _ = opened(page)
    until(page, "!document.querySelector('.older').disabled")
    page.evaluate("void (history.replaceState = () => { throw new DOMException('too often', 'SecurityError'); })")
    before = page.evaluate("location.hash")
    listed = assets(page, 500)
    for step in (1, 2):
        page.keyboard.press("ArrowRight")
        until(page, f"{VIEWER}.asset.id === '{listed[position + step]['id']}'")
    assert page.evaluate("location.hash") == before
    page.evaluate("delete history.replaceState")
    until(page, f"location.hash === '#/asset/{listed[position + 2]['id']}'")


def test_h_03_an_arrow_leads_to_the_neighbor_after_a_failed_one(library_page):
    page = library_page()
    position, asset = opened(page)
    following = assets(page, 500)[position + 1]["id"]
    until(page, "!document.querySelector('.older').disabled")
    page.evaluate(UNANSWERED)
    page.keyboard.press("ArrowRight")
    page.evaluate("new Promise(requestAnimationFrame)")
    assert asset_id(page) == asset["id"]
    page.evaluate(f"delete {GRID}.snapshot.pages.load")
    page.keyboard.press("ArrowRight")
    until(page, f"location.hash === '#/asset/{following}'")


def test_h_01_the_picture_follows_a_finger_that_pulls_it_down(phone):
    finger = Finger(phone, (195, 300))
    finger.move((195, 500))
    # Half of what is behind shows after 200 of 400 pixels.
    until(phone, f"Math.abs({VIEWER}.style.getPropertyValue('--presence') - 0.5) < 0.02")
    pulled = box_of(phone.locator("zoom-stage .picture"))["y"]
    finger.move((195, 650))
    until(phone, f"document.querySelector('zoom-stage .picture').getBoundingClientRect().top > {pulled + 100}")
    finger.lift()
    until(phone, CLOSED)


def test_h_10_a_pinch_beyond_the_limits_springs_back(phone):
    scale = f"{STAGE}.zoom.scale"
    fingers = pinch(phone, 300, 150, is_lifted=False)
    until(phone, f"{scale} < 1")
    fingers.lift()
    until(phone, f"{scale} === 1")
    until(phone, RESTING)
    pinch(phone, 20, 380)
    until(phone, f"{scale} > 2")
    fingers = pinch(phone, 20, 380, is_lifted=False)
    greatest = f"8 * {assets(phone, 500)[phone.position]['pixelWidth']} / {STAGE}.box.offsetWidth"
    until(phone, f"{scale} > {greatest} * 1.2")
    fingers.lift()
    until(phone, f"Math.abs({scale} - {greatest}) < 0.01")


def test_h_10_the_end_of_a_zoomed_picture_hands_a_second_drag_on(phone):
    first, following = (assets(phone, 500)[phone.position + by]["id"] for by in (0, 1))
    pinch(phone, 100, 200)
    until(phone, f"{STAGE}.isZoomed")
    until(phone, RESTING)
    swipe(phone, (380, 420), (10, 420))
    until(phone, f"{STAGE}.endsShown.includes(1)")
    assert asset_id(phone) == first, "the drag that reaches the end goes no further"
    swipe(phone, (380, 420), (10, 420))
    until(phone, f"location.hash === '#/asset/{following}'")


def test_h_03_a_finger_swipes_over_a_video(library_page):
    page = library_page(width=390, height=844, has_touch=True, is_mobile=True)
    position = position_of(page, lambda asset: asset["mediaType"] == "video")
    following = assets(page, 500)[position + 1]["id"]
    page.goto(page.url + f"#/asset/{assets(page, 500)[position]['id']}")
    until(page, OPEN)
    until(page, "!document.querySelector('.older').disabled")
    swipe(page, (330, 300), (60, 305))
    until(page, f"location.hash === '#/asset/{following}'")


class Finger:
    """A finger on the screen."""

    def __init__(self, page, start):
        self.touch, self.at = page.context.new_cdp_session(page), start
        self.send("touchStart", [start])

    def send(self, kind, points):
        self.touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": id} for id, (x, y) in enumerate(points)]})

    def move(self, end, steps=6):
        for step in range(1, steps + 1):
            self.send("touchMove", [[a + (b - a) * step / steps for a, b in zip(self.at, end)]])
        self.at = end

    def lift(self):
        self.send("touchEnd", [])


def swipe(page, start, end):
    finger = Finger(page, start)
    finger.move(end)
    finger.lift()


def pinch(page, before, after, is_lifted=True):
    """Two fingers around the middle go from one distance to another."""
    fingers = Finger.__new__(Finger)
    fingers.touch = page.context.new_cdp_session(page)
    places = lambda distance: [(195 - distance / 2, 420), (195 + distance / 2, 420)]
    fingers.send("touchStart", places(before)[:1])
    fingers.send("touchStart", places(before))
    for step in range(1, 7):
        fingers.send("touchMove", places(before + (after - before) * step / 6))
    if is_lifted:
        fingers.lift()
    return fingers


def test_h_03_a_second_swipe_after_a_failed_one_is_like_the_first(phone):
    shown, following = (assets(phone, 500)[phone.position + by]["id"] for by in (0, 1))
    at_rest = f"{STAGE}.getAnimations().length === 0 && {STAGE}.style.transform === ''"
    # The first neighbor is refused while the second finger is on the screen, before it moves.
    phone.evaluate(f"""() => {{
      {GRID}.snapshot.pages.load = () => new Promise((_, reject) => (window.refuse = () => reject(new Error('no answer'))));
    }}""")
    swipe(phone, (330, 420), (60, 425))
    until(phone, "window.refuse !== undefined")
    finger = Finger(phone, (330, 420))
    phone.evaluate("window.refuse()")
    until(phone, f"{STAGE}.getAnimations().length > 0")
    finger.move((130, 425))
    left = "document.querySelector('zoom-stage .picture').getBoundingClientRect().left"
    until(phone, f"{STAGE}.getAnimations().length === 0 && {left} < -100")  # the picture follows the finger
    phone.evaluate(UNANSWERED)
    finger.lift()
    until(phone, at_rest)
    assert asset_id(phone) == shown and phone.evaluate(left) >= 0
    phone.evaluate(f"delete {GRID}.snapshot.pages.load")
    swipe(phone, (330, 420), (60, 425))
    until(phone, f"location.hash === '#/asset/{following}'")
    until(phone, at_rest)
