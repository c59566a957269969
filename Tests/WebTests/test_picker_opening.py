"""Opening the picker by `web+calotype:pick`, filters of a page, and the fields of what it gets."""

import hashlib

import pytest
from conftest import FIRST_PAGE, STOPPED_CLOCK, WHOLE_CHROMIUM, until, until_equal
from playwright.sync_api import expect
from test_picker import arm, cell, gallery  # noqa: F401
from test_picker_protocol import choose, open_picker, picked  # noqa: F401


@pytest.fixture
def own_browser(browser, site, tmp_path):
    """A whole browser, which can register handlers, and is signed in. The shell can not."""
    context = browser.browser_type.launch_persistent_context(tmp_path, executable_path=WHOLE_CHROMIUM, args=["--no-sandbox"])
    context.add_cookies(site.cookies)
    yield context
    context.close()


def test_a_page_without_an_address_opens_the_library_that_the_owner_has_registered(site, own_browser, gallery):  # noqa: F811
    page = own_browser.new_page()
    page.goto(f"{site.address}access")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.enable")
    devtools.send("Page.setRPHRegistrationMode", {"mode": "autoAccept"})
    page.get_by_role("button", name="Offer this library to web pages").click()
    page.goto(gallery)
    with own_browser.expect_page() as opened:
        page.get_by_text("Choose up to three images").click()
    picker = opened.value
    until(picker, f"location.href.startsWith({site.address!r} + 'picker') && document.querySelectorAll('.cell[data-id] img').length > 0")
    arm(picker)
    cell(picker, site, "P20").click()
    picker.click(".add")
    until(page, "document.querySelector('.gallery img')?.naturalWidth > 0")


@pytest.mark.parametrize("filter, total", [
    ({"any": ["livePhotos", "videos"]}, 17), ({"all": ["images", {"not": "screenshots"}]}, 31), ({"not": "videos"}, 37),
    ({"all": [{"any": ["images", "videos"]}, {"not": "livePhotos"}]}, 44), ({"playbackStyle": 2}, 1), ({"any": []}, 0), ({"all": []}, 49),
])
def test_r_03_a_page_combines_filters(open_picker, filter, total):
    opener = open_picker({"filter": filter, "selectionLimit": 0}, is_waiting=total > 0)
    until_equal(opener.picker, "document.querySelector('photo-grid').snapshot?.total", total)


def test_the_page_is_answered_before_the_styles_and_other_scripts_are_loaded(site, contexts, open_picker):
    context = contexts.page(site.cookies).context
    held, is_answered = [], False
    for files in ("styles/*", "picker/picker.css", "picker/page.js"):
        context.route(f"{site.address}{files}", lambda route: route.continue_() if is_answered else held.append(route))
    opener = open_picker({}, context=context, is_waiting=False)  # It waits for `opened`.
    styles = {"base.css", "grid.css", "header.css", "cards.css", "touch.css", "picker.css"}
    until_equal(opener.page, lambda: {route.request.url.rpartition("/")[2] for route in held}, styles)
    is_answered = True
    for route in held:
        route.continue_()
    until(opener.picker, FIRST_PAGE)
    contexts.give_back(context)


def test_an_item_says_nothing_but_what_its_files_are(site, open_picker):
    opener = open_picker({"selectionLimit": 0, "identifiers": True})
    choose(opener, site, "P20", "L01")
    for item in picked(opener):
        assert sorted(item) == ["duration", "identifier", "isLivePhoto", "item", "mediaType", "name", "pixelHeight", "pixelWidth", "types"]
        assert all(set(type) <= {"kind", "type", "uniformType", "bytes"} for type in item["types"])


def test_a_file_comes_with_its_digest(site, open_picker):
    opener = open_picker({"selectionLimit": 0})
    choose(opener, site, "P20")
    [item] = picked(opener)
    digest = opener.file(item["item"])["sha256"]
    content = opener.page.evaluate("window.heard.find(({ type }) => type === 'loaded').file.arrayBuffer().then((bytes) => [...new Uint8Array(bytes)])")
    assert digest == hashlib.sha256(bytes(content)).hexdigest()


@pytest.mark.parametrize("pressed", [".cell:nth-of-type(3)", ".add"])
@pytest.mark.parametrize("event", ["window.dispatchEvent(new Event('focus'))", "window.dispatchEvent(new Event('resize'))",
                                   "document.dispatchEvent(new Event('visibilitychange'))"])
def test_t_04_a_click_counts_some_time_after_the_window_has_appeared(site, open_picker, event, pressed):
    opener = open_picker({"selectionLimit": 0})
    picker = opener.picker
    picker.bring_to_front()
    picker.evaluate(STOPPED_CLOCK)

    def pass_time(milliseconds):
        picker.evaluate(f"window.clock += {milliseconds}")
        picker.mouse.move(300, 300)
        picker.mouse.move(310, 310)

    chosen = picker.locator('.cell[aria-selected="true"]')
    pass_time(900)
    cell(picker, site, "P20").click()
    expect(chosen).to_have_count(1)
    picker.evaluate(event)
    pass_time(700)
    picker.locator(pressed).first.click()
    # The page answers in the order of what it is told.
    opener.say({"type": "load", "request": 1, "item": "none", "kind": "main"})
    opener.hears("error")
    assert (chosen.count(), opener.page.evaluate("window.heard.map(({ type }) => type)")) == (1, ["opened", "error"])
    pass_time(200)
    picker.locator(pressed).first.click()
    expect(chosen).to_have_count(2) if pressed != ".add" else opener.hears("picked")
