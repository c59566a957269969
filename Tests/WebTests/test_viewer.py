"""Tests of one asset over the whole window, as a person uses it."""

import re

import pytest

from conftest import fetched, until
from test_grid import assets, position_of, show

VIEWER = "document.querySelector('asset-viewer')"
OPEN = f"!{VIEWER}.hidden"
CLOSED = f"{VIEWER}.hidden"
STAGE = "document.querySelector('zoom-stage')"


def drawn(kind):
    return f"document.querySelector('zoom-stage img.{kind}')?.naturalWidth > 0"


def is_picture(asset):
    return asset["mediaType"] == "image" and not asset["unreadable"]


def opened(page, wanted=is_picture):
    """Clicks on the first asset that fulfills a condition. Returns its position and the asset."""
    position = position_of(page, wanted)
    show(page, position).click()
    until(page, OPEN)
    return position, assets(page, 500)[position]


def asset_id(page):
    found = re.search(r"#/asset/(.+)$", page.url)
    return found and found[1]


def test_a_click_opens_and_escape_closes(library_page):
    page = library_page()
    _, asset = opened(page)
    assert asset_id(page) == asset["id"]
    until(page, drawn("screen"))
    assert page.locator("asset-viewer .title strong").text_content() in page.locator("asset-viewer").get_attribute("aria-label")
    page.keyboard.press("Escape")
    until(page, CLOSED)
    assert asset_id(page) is None
    assert page.evaluate("document.activeElement.dataset.id") == asset["id"]


def test_enter_opens_the_focused_asset(library_page):
    page = library_page()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    until(page, OPEN)
    assert asset_id(page) == assets(page)[1]["id"]


def test_the_grid_picture_is_there_before_the_screen_one(library_page):
    page = library_page()
    held, released = [], []
    page.route("**/screen", lambda route: route.continue_() if released else held.append(route))
    opened(page)
    until(page, drawn("grid"))
    box = page.locator("zoom-stage .picture").bounding_box()
    released.append(True)
    for route in held:
        route.continue_()
    until(page, drawn("screen"))
    assert page.locator("zoom-stage .picture").bounding_box() == box, "nothing moved"


def test_back_closes_and_forward_opens_again(library_page):
    page = library_page()
    _, asset = opened(page)
    page.go_back()
    until(page, CLOSED)
    page.go_forward()
    until(page, OPEN)
    assert asset_id(page) == asset["id"]


def test_arrows_and_buttons_go_to_neighbours(library_page):
    page = library_page()
    order = [asset["id"] for asset in assets(page)]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(page, OPEN)
    assert page.locator(".newer").is_disabled()
    for key, place in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        until(page, f"location.hash === '#/asset/{order[place]}'")
    page.mouse.move(700, 400)
    page.locator(".older").click()
    until(page, f"location.hash === '#/asset/{order[2]}'")
    page.go_back()
    until(page, CLOSED)
    assert page.evaluate("document.activeElement.dataset.id") == order[2], "the focus follows"


def test_a_reload_shows_the_same_asset_and_its_neighbours(library_page):
    page = library_page()
    position, asset = opened(page)
    page.reload()
    until(page, OPEN)
    assert asset_id(page) == asset["id"]
    until(page, "!document.querySelector('.older').disabled")
    page.keyboard.press("ArrowRight")
    following = assets(page)[position + 1]["id"]
    until(page, f"location.hash === '#/asset/{following}'")


def test_an_address_leads_to_an_asset_far_down(library_page):
    page = library_page()
    asset = assets(page, 500)[150]
    page = library_page(f"#/asset/{asset['id']}")
    until(page, OPEN)
    until(page, "!document.querySelector('.older').disabled")
    page.keyboard.press("Escape")
    until(page, f"document.activeElement.dataset.id === '{asset['id']}'")
    box = page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
    assert 0 <= box["top"] and box["bottom"] <= 900, "scrolled into view"


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
    assert not page.evaluate(f"{STAGE}.isZoomed")
    page.keyboard.press("+")
    page.keyboard.press("Escape")
    assert page.evaluate(OPEN) and not page.evaluate(f"{STAGE}.isZoomed"), "the first Escape ends the zoom"
    page.keyboard.press("Escape")
    until(page, CLOSED)


def test_the_wheel_zooms_where_the_pointer_is_and_dragging_moves(library_page):
    page = library_page()
    # A narrow picture stays in the middle until it is as wide as its stage.
    opened(page, lambda asset: is_picture(asset) and asset["pixelWidth"] > asset["pixelHeight"])
    until(page, drawn("screen"))
    box = page.locator("zoom-stage .picture").bounding_box()
    point = (box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
    page.mouse.move(*point)
    for _ in range(3):
        page.mouse.wheel(0, -300)
    until(page, f"{STAGE}.zoom.scale > 3 || {STAGE}.zoom.scale === 3")
    zoomed = page.locator("zoom-stage .picture").bounding_box()
    assert abs((point[0] - zoomed["x"]) / zoomed["width"] - 0.4) < 0.01
    page.mouse.down()
    page.mouse.move(point[0] + 60, point[1] + 30)
    page.mouse.up()
    moved = page.locator("zoom-stage .picture").bounding_box()
    assert (round(moved["x"] - zoomed["x"]), round(moved["y"] - zoomed["y"])) == (60, 30)


def test_a_double_click_zooms_in_and_out(library_page):
    page = library_page()
    opened(page)
    until(page, drawn("screen"))
    page.mouse.dblclick(700, 450)
    until(page, f"{STAGE}.isZoomed")
    page.mouse.dblclick(700, 450)
    until(page, f"!{STAGE}.isZoomed")


def test_a_video_plays(library_page):
    page = library_page()
    opened(page, lambda asset: asset["mediaType"] == "video" and not asset["unreadable"])
    movie = "document.querySelector('video.movie')"
    assert page.evaluate(f"{movie}.controls && {movie}.poster.endsWith('/screen')")
    page.evaluate(f"{movie}.muted = true")
    if page.evaluate(f"{movie}.paused"):
        page.keyboard.press("Space")
    until(page, f"{movie}.currentTime > 0.1")
    page.keyboard.press("Escape")
    until(page, CLOSED)
    assert page.locator("video").count() == 0


def is_live(asset):
    return "photoLive" in asset["mediaSubtypes"] and not asset["unreadable"]


LIVE = "document.querySelector('video.live-movie')"


def test_a_live_photo_plays_by_key_and_returns_to_its_still(library_page):
    page = library_page()
    opened(page, is_live)
    until(page, drawn("screen"))
    assert "LIVE" in page.locator(".live-badge").text_content()
    page.keyboard.press("l")
    until(page, f"{LIVE}?.currentTime > 0.1 && {LIVE}.classList.contains('playing')")
    page.keyboard.press("l")
    until(page, f"{LIVE} === null")
    page.keyboard.press("Space")
    until(page, f"{LIVE}?.currentTime > 0.1")
    until(page, f"{LIVE} === null")
    assert page.evaluate(drawn("screen"))


def test_a_live_photo_plays_while_held_and_while_its_badge_is_hovered(library_page):
    page = library_page()
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
    text = panel.inner_text()
    full = fetched(page, f"/api/assets/{asset['id']}")
    assert f"{full['pixelWidth']} × {full['pixelHeight']}" in text
    assert full["originalFilename"] in text
    if full["creationDate"]:
        assert full["creationDate"][:4] in text and "UTC" in text
    for index, resource in enumerate(full["resources"]):
        assert resource["originalFilename"] in text and resource["sha256"][:12] in text
        link = panel.locator(".download").nth(index)
        assert link.get_attribute("href") == f"/resources/{asset['id']}/{index}"
    for note in full["notes"] or []:
        assert note in text
    page.keyboard.press("i")
    assert panel.is_hidden()


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
        full = fetched(page, f"/api/assets/{asset['id']}")
        if full["latitude"] is not None:
            break
    else:
        pytest.fail("no asset has a location")
    page = library_page(f"#/asset/{asset['id']}")
    until(page, OPEN)
    page.keyboard.press("i")
    link = page.locator("info-panel a[target]")
    assert link.get_attribute("href").startswith("https://www.openstreetmap.org/")
    assert "noreferrer" in link.get_attribute("rel")
    assert re.search(r"\d+\.\d{5}° [NS], \d+\.\d{5}° [EW]", page.locator("info-panel").inner_text())


def test_an_unreadable_asset_says_why(library_page):
    page = library_page()
    opened(page, lambda asset: asset["unreadable"])
    assert "Can’t be read" in page.locator("asset-viewer .cannot").text_content()
    page.keyboard.press("i")
    page.locator("info-panel .trouble").wait_for()
    assert page.locator("info-panel .trouble p").text_content()


def test_hostile_file_names_are_text(library_page, calotype_server):
    page = library_page()
    name = "<img src=x onerror=alert(1)>.jpg"

    def rename(route):
        # Playwright can't resolve the server's name.
        asset = route.fetch(url=route.request.url.replace("calotype.localhost", "127.0.0.1")).json()
        asset["originalFilename"] = asset["resources"][0]["originalFilename"] = name
        route.fulfill(json=asset)

    page.route("**/api/assets/*", rename)
    opened(page)
    page.keyboard.press("i")
    page.locator(".resources").wait_for()
    assert page.locator("info-panel img").count() == 0
    assert page.locator("info-panel .name", has_text=name).count() == 2


def test_swipes_on_a_phone(library_page):
    page = library_page(width=390, height=844, has_touch=True, is_mobile=True)
    position = position_of(page, is_picture)
    asset = assets(page, 500)[position]
    page.locator(f".cell[data-id='{asset['id']}']").tap()
    until(page, OPEN)
    until(page, "!document.querySelector('.older').disabled")
    swipe(page, (330, 420), (60, 425))
    following = assets(page)[position + 1]["id"]
    until(page, f"location.hash === '#/asset/{following}'")


def swipe(page, start, end):
    touch = page.context.new_cdp_session(page)
    steps = 6
    points = [[a + (b - a) * step / steps for a, b in zip(start, end)] for step in range(steps + 1)]
    for kind, point in zip(["touchStart"] + ["touchMove"] * steps, points):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": point[0], "y": point[1]}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_server_that_is_gone_is_noticed_and_its_return_too(new_page, calotype_server):
    page = new_page()
    page.goto(calotype_server)
    until(page, "document.querySelector('.cell[data-id]') !== null")
    # A made-up refusal, because the browser would write a real one to its console.
    page.evaluate("globalThis.served = fetch; globalThis.fetch = () => Promise.reject(new TypeError('refused')); null")
    page.locator(".notice").wait_for()
    assert "does not answer" in page.locator(".notice").text_content()
    page.evaluate("globalThis.fetch = globalThis.served; null")
    page.locator(".notice button").click()
    page.locator(".notice").wait_for(state="hidden")
