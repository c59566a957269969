"""The segmented browser of Examples/WebSegments: a dialog in which a visitor chooses an image."""

import re

import pytest
from apps import PHONE, Owner, app, names, origin, shown, until_grid, until_selection_is_asked_for
from conftest import FAILED, NO_STREAM_ITERATOR, PATIENT, box_of, until, until_equal, until_pictures, until_true
from organizing import middle, own_site, touch
from playwright.sync_api import expect

DESKTOP = {"width": 1440, "height": 900}
SELECTED = "document.querySelector('[role=tab][aria-selected=true]')?.textContent"
SCROLL = "document.querySelector('.photo-browser .thumbnails').scrollTop"
SETTLED = """document.querySelector('.photo-browser .thumbnails')?.getAnimations().every((one) => one.playState === 'finished')
  && getComputedStyle(document.querySelector('.photo-browser .thumbnails')).opacity === '1'"""


@pytest.fixture
def chooser(app):
    """Opens the dialog, and waits for its first segment."""

    def open(site, size=DESKTOP, **options):
        page = app(site, "WebSegments", **size, **options)
        page.get_by_role("button", name="Choose an image…").click()
        until(page, f"{SELECTED} === 'Recents' && {SETTLED} && document.querySelectorAll('.thumbnails > li').length > 0")
        return page

    return open


def segments(page):
    return page.get_by_role("tab").all_inner_texts()


def select(page, title, count):
    page.get_by_role("tab", name=title, exact=True).click()
    until(page, f"{SELECTED} === {title!r} && document.querySelectorAll('.thumbnails > li').length === {count} && {SETTLED}")


def cell(page, site, name):
    return page.locator(f".thumbnails > li[data-id='{site.id(name)}']")


def label(page, site, name):
    return cell(page, site, name).locator(".label")


def images(site, collection):
    return names(site, Owner(site).assets(collection, where="mediaType==1"))


def test_images_come_in_a_browser_whose_streams_have_no_iterator(own_site, chooser):
    page = chooser(own_site, init_script=PATIENT + NO_STREAM_ITERATOR)
    until(page, "[...document.querySelectorAll('.thumbnails > li img')].some((image) => image.naturalWidth > 0)")
    cell(page, own_site, "P20").wait_for()
    Owner(own_site).change("setAssets", assets=[own_site.id("P20")], isHidden=True)
    cell(page, own_site, "P20").wait_for(state="detached")


@pytest.mark.parametrize("answer, gets_images", [("denied", False), ("restricted", False), ("limited", True)])
def test_a_15_an_answer_without_access_closes_the_dialog(site, app, answer, gets_images):
    page = app(site, "WebSegments", answer=None)
    page.get_by_role("button", name="Choose an image…").click()
    page.get_by_text("Answer in your photo library.").wait_for()
    Owner(site).answer(page, answer, **({"assets": [site.id("P05")]} if gets_images else {}))
    if gets_images:
        until(page, "document.querySelectorAll('.thumbnails > li').length === 1")
    else:
        page.get_by_text("This page may not see your photos").wait_for()
        expect(page.locator("dialog")).to_have_count(0)


def test_a_15_limited_access_is_named_and_can_be_changed(site, app):
    page = app(site, "WebSegments", answer="limited", assets=[site.id("P05")])
    page.get_by_role("button", name="Choose an image…").click()
    page.get_by_text("You see the photos that you have selected for this page.").wait_for()
    page.get_by_role("button", name="Manage").click()
    until_selection_is_asked_for(site, page)


def test_a_12_access_that_is_taken_back_closes_the_dialog(site, chooser, app, origin):
    page = chooser(site)
    site.calotype("access", "revoke", origin)
    app.expected.append(FAILED)  # the stream of changes
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".result")).to_contain_text("This page may not see your photos.")


def test_f_06_a_segment_that_does_not_load_leaves_the_one_before(site, chooser, app):
    page = chooser(site)
    page.route("**/collections/favorites/assets*", lambda route: route.abort())
    app.expected.append(FAILED)
    page.get_by_role("tab", name="Favorites").click()
    page.get_by_text("The library does not answer.").wait_for()
    assert page.evaluate(SELECTED) == "Recents"
    page.unroute("**/collections/favorites/assets*")
    select(page, "Favorites", 5)
    expect(page.get_by_text("The library does not answer.")).to_have_count(0)


def test_p_01_the_cross_closes_the_dialog(site, chooser):
    page = chooser(site)
    page.get_by_role("button", name="Close").click()
    page.get_by_text("Canceled.").wait_for()


def test_p_04_the_menu_of_a_deleted_photo_closes(own_site, chooser):
    page = chooser(own_site)
    cell(page, own_site, "P20").click(button="right")
    page.locator(".peek button").wait_for()
    until_pictures(page)
    Owner(own_site).change("deleteAssets", assets=[own_site.id("P20")])
    expect(page.locator(".peek")).to_be_hidden()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_p_01_the_segments_are_smart_albums_with_images(site, chooser, size):
    page = chooser(site, size=size)
    box = box_of(page.locator(".photo-browser"))
    if size is PHONE:
        assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 844)
    else:
        assert box["x"] + box["width"] / 2 == pytest.approx(720, abs=1)
        assert box["y"] + box["height"] / 2 == pytest.approx(450, abs=1)
    left_out = ("allHidden", "recentlyDeleted", "unreadable", "damaged")
    until_equal(page, lambda: segments(page), sorted(
        album["title"] for album in Owner(site).collections()
        if album["kind"] == "smartAlbum" and album["id"] not in left_out
        and (album["imageCount"] > 0 or album["id"] == "favorites")))
    assert segments(page) == [
        "Animated", "Bursts", "Favorites", "Live Photos", "Panoramas", "RAW", "Recently Added", "Recents", "Screenshots"]


def test_p_02_a_segment_shows_images_only_newest_first(site, chooser):
    page = chooser(site)
    select(page, "Favorites", 5)
    until_grid(page, site, images(site, "favorites"))
    assert "V01" not in shown(page, site)


def test_p_03_the_star_and_the_date_are_below_each_cell(site, chooser):
    page = chooser(site)
    expect(label(page, site, "P02")).to_have_text("★ 14 Jun 2024")
    expect(label(page, site, "P03")).to_have_text("14 Jun 2024")


@pytest.mark.parametrize("zone, locale, texts", [
    ("Pacific/Auckland", "en-US", ["★ Jun 14, 2024", "Mar 4, 2019"]), ("America/Los_Angeles", "de-DE", ["★ 14.06.2024", "04.03.2019"])])
def test_p_03_the_date_is_that_of_the_place_in_the_words_of_the_person(site, chooser, zone, locale, texts):
    page = chooser(site, timezone_id=zone, locale=locale)
    expect(label(page, site, "P02")).to_have_text(texts[0])
    expect(label(page, site, "P01")).to_have_text(texts[1])  # 17:20 in Chicago


@pytest.mark.parametrize("way", ["right click", "Shift+F10", "ContextMenu", "long press"])
def test_p_04_the_menu_toggles_a_favorite(own_site, chooser, way):
    page = chooser(own_site, size=PHONE if way == "long press" else DESKTOP)
    button = cell(page, own_site, "P20").locator("button")
    entry = page.locator(".peek button")

    def open_menu():
        if way == "right click":
            button.click(button="right")
        elif way == "long press":
            touch(page, "touchStart", middle(button))
            entry.wait_for()
            touch(page, "touchEnd")
        else:
            button.focus()
            page.keyboard.press(way)
        entry.wait_for()

    open_menu()
    expect(entry).to_have_text("Make favorite")
    # The label follows the library, also if the favorite was made elsewhere.
    Owner(own_site).change("setAssets", assets=[own_site.id("P20")], isFavorite=True)
    until(page, "document.querySelector('.peek button').textContent === 'Remove favorite'")
    expect(label(page, own_site, "P20")).to_have_text(re.compile("^★ "))
    entry.click()
    until(page, f"!document.querySelector('li[data-id=\"{own_site.id('P20')}\"] .label').textContent.startsWith('★')")
    open_menu()
    expect(entry).to_have_text("Make favorite")


def test_p_05_a_former_favorite_leaves_and_the_segment_stays(own_site, chooser):
    page = chooser(own_site)
    select(page, "Favorites", 5)
    first, second = page.locator(".thumbnails > li").all()[:2]
    second_id = second.get_attribute("data-id")
    page.evaluate("window.kept = document.querySelectorAll('.thumbnails > li')[1]")
    first.locator("button").click(button="right")
    page.locator(".peek button").click()
    until(page, "document.querySelectorAll('.thumbnails > li').length === 4")
    until(page, "document.querySelector('.thumbnails > li') === window.kept")
    until_equal(page, lambda: shown(page, own_site)[0], own_site.names([second_id])[0])
    # The last ones leave together.
    rest = [own_site.id(name) for name in shown(page, own_site)]
    Owner(own_site).change("setAssets", assets=rest, isFavorite=False)
    until(page, "document.querySelectorAll('.thumbnails > li').length === 0")
    until_equal(page, SELECTED, "Favorites")


def test_g_07_other_cells_slide_when_one_leaves(own_site, chooser):
    page = chooser(own_site)
    select(page, "Favorites", 5)
    page.evaluate("""() => {
      const { animate } = Element.prototype;
      window.slides = [];
      Element.prototype.animate = function (frames, options) {
        if (frames.translate) window.slides.push(options.duration);
        return animate.call(this, frames, options);
      };
    }""")
    page.locator(".thumbnails button").first.click(button="right")
    page.locator(".peek button").click()
    until(page, "document.querySelectorAll('.thumbnails > li').length === 4 && window.slides.length > 0")
    assert set(page.evaluate("window.slides")) == {200}


def test_g_07_several_changed_images_fade_and_the_place_is_kept(own_site, chooser):
    page = chooser(own_site, size={"width": 390, "height": 500, "has_touch": True})
    recents = len(images(own_site, "userLibrary"))
    page.evaluate("document.querySelector('.thumbnails').scrollTop = 300")
    page.evaluate(WATCH_FADES)
    Owner(own_site).change("setAssets", assets=[own_site.id(name) for name in ("P18", "P19", "P20")], isFavorite=True)
    until(page, "document.querySelectorAll('.thumbnails .label').values().filter(({ textContent }) => textContent.startsWith('★')).toArray().length === 8")
    assert page.evaluate("window.fades") == [], "a change of looks alone does not fade"
    Owner(own_site).change("setAssets", assets=[own_site.id("G01"), own_site.id("R01")], isHidden=True)
    until(page, f"document.querySelectorAll('.thumbnails > li').length === {recents - 2} && {SETTLED}")
    assert page.evaluate("window.fades") == [[1, 0, 175], [0, 1, 175]]
    until(page, f"Math.abs({SCROLL} - 300) <= 1")


WATCH_FADES = """() => {
  const { animate } = Element.prototype;
  window.fades = [];
  Element.prototype.animate = function (frames, options) {
    if (frames.opacity) window.fades.push([...frames.opacity, options.duration]);
    return animate.call(this, frames, options);
  };
}"""


def test_p_06_each_segment_keeps_its_place(site, chooser):
    page = chooser(site, size={"width": 390, "height": 500, "has_touch": True})
    recents = len(images(site, "userLibrary"))
    select(page, "Screenshots", 6)
    middle_of_screenshots = page.evaluate("""() => {
      const list = document.querySelector('.thumbnails');
      return (list.scrollTop = Math.floor((list.scrollHeight - list.clientHeight) / 2));
    }""")
    select(page, "Recents", recents)
    page.evaluate("document.querySelector('.thumbnails').scrollTop = 700")
    select(page, "Screenshots", 6)
    until(page, f"Math.abs({SCROLL} - {middle_of_screenshots}) <= 1")
    select(page, "Recents", recents)
    until(page, f"Math.abs({SCROLL} - 700) <= 1")
    page.keyboard.press("Escape")
    page.get_by_text("Canceled.").wait_for()
    page.get_by_role("button", name="Choose an image…").click()
    until(page, f"document.querySelectorAll('.thumbnails > li').length === {recents} && {SETTLED}")
    until_equal(page, SCROLL, 0)


@pytest.mark.parametrize("motion, duration", [("no-preference", 175), ("reduce", 0)])
def test_p_06_a_segment_fades(site, chooser, motion, duration):
    page = chooser(site, reduced_motion=motion)
    page.evaluate(WATCH_FADES)
    select(page, "Screenshots", 6)
    until_equal(page, "window.fades", [[1, 0, duration], [0, 1, duration]])


def test_p_07_a_click_hands_the_image_over_at_full_size(site, chooser):
    page = chooser(site)
    asset = Owner(site).fetch(f"assets/{site.id('P19')}")
    requests = []
    page.on("request", lambda request: request.url.endswith("/full") and requests.append(request.url))
    held = []
    page.route("**/full", lambda route: held.append(route))
    cell(page, site, "P19").locator("button").click()
    until(page, f"document.querySelector('li[data-id=\"{site.id('P19')}\"]').classList.contains('loading')")
    cell(page, site, "P18").locator("button").click()
    until_true(page, lambda: held)
    assert len(requests) == 1
    held[0].continue_()
    page.get_by_text(f"{asset['pixelWidth']} × {asset['pixelHeight']}").wait_for()
    expect(page.locator("dialog")).to_have_count(0)


def test_p_07_the_cell_shows_how_much_of_the_image_has_come(site, chooser):
    page = chooser(site)
    page.evaluate("""() => {
      const { setProperty } = CSSStyleDeclaration.prototype;
      window.parts = [];
      CSSStyleDeclaration.prototype.setProperty = function (name, value, ...rest) {
        if (name === '--part') window.parts.push(parseFloat(value));
        return setProperty.call(this, name, value, ...rest);
      };
    }""")
    cell(page, site, "P19").locator("button").click()
    until(page, "window.parts.at(-1) === 100")
    assert page.evaluate("window.parts") == sorted(page.evaluate("window.parts"))


def test_p_07_an_image_that_can_not_be_loaded_says_so_and_another_can_be_chosen(site, chooser, app):
    page = chooser(site)
    page.route("**/full", lambda route: route.abort())
    cell(page, site, "P19").locator("button").click()
    expect(page.locator(".photo-browser .message")).not_to_be_empty()
    expect(page.locator(".thumbnails > li.loading")).to_have_count(0)
    page.unroute("**/full")
    cell(page, site, "P18").locator("button").click()
    page.locator(".result").get_by_text(re.compile(r"\d+ × \d+")).wait_for()
    app.expected.append(f"{FAILED}: net::ERR_FAILED")  # browsers write each failed request to the console


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_p_08_a_held_finger_peeks_and_goes_on_to_the_menu(own_site, chooser, motion):
    page = chooser(own_site, size=PHONE, reduced_motion=motion)
    x, y = middle(cell(page, own_site, "P20").locator("button"))
    touch(page, "touchStart", (x, y))
    page.locator(".peek[open]").wait_for()
    name = page.evaluate("getComputedStyle(document.querySelector('.peek')).animationName")
    assert name == ("none" if motion == "reduce" else "peek")
    touch(page, "touchEnd")
    expect(page.locator(".peek")).to_be_visible()
    page.keyboard.press("Escape")
    until(page, "!document.querySelector('.peek').open")
    # The finger goes on to the entry, and is lifted there.
    touch(page, "touchStart", (x, y))
    page.locator(".peek button").wait_for()
    for _ in range(4):  # the picture follows the finger
        until(page, "document.querySelector('.peek').getAnimations().length === 0")
        target = middle(page.locator(".peek button"))
        touch(page, "touchMove", target)
    until(page, "document.querySelector('.peek').style.translate !== ''")
    touch(page, "touchEnd")
    until(page, f"document.querySelector('li[data-id=\"{own_site.id('P20')}\"] .label').textContent.startsWith('★')")


def test_p_08_a_finger_is_held_for_300_milliseconds(site, chooser):
    page = chooser(site, size=PHONE)
    place = middle(cell(page, site, "P20").locator("button"))
    page.evaluate("window.hold = new Promise((resolve) => addEventListener('pointerdown', () => resolve(), { once: true })), null")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    touch(page, "touchStart", place)
    page.evaluate("window.hold")
    is_open = "document.querySelector('.peek').open"
    page.clock.run_for(299)
    assert not page.evaluate(is_open)
    page.clock.run_for(1)
    assert page.evaluate(is_open)
    page.context.close()  # its clock stays stopped


def test_p_09_keys_move_among_the_segments(site, chooser):
    page = chooser(site, size=PHONE)
    assert page.evaluate("document.querySelector('.segments').scrollWidth > document.querySelector('.segments').clientWidth")
    page.get_by_role("tab", name="Recents").focus()
    for key, title in [("ArrowRight", "Screenshots"), ("ArrowRight", "Animated"), ("ArrowLeft", "Screenshots"),
                       ("Home", "Animated"), ("End", "Screenshots")]:
        page.keyboard.press(key)
        until(page, f"{SELECTED} === {title!r} && document.activeElement.textContent === {title!r}")
    box = box_of(page.get_by_role("tab", name="Screenshots"))
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_p_10_the_dialog_works_on_a_phone(site, chooser):
    page = chooser(site, size=PHONE)
    columns = page.evaluate("getComputedStyle(document.querySelector('.thumbnails')).gridTemplateColumns.split(' ').length")
    assert columns == 3
    until_equal(page, "document.documentElement.scrollWidth", 390)
    until(page, "document.querySelector('.thumbnails img').naturalWidth > 0")
    cell(page, site, "P20").locator("button").tap()
    page.locator(".result").get_by_text(re.compile(r"\d+ × \d+")).wait_for()


def test_p_09_recents_is_selected_if_the_open_segment_loses_its_last_image(own_site, chooser):
    page = chooser(own_site)
    select(page, "Screenshots", 6)
    Owner(own_site).change("setAssets", assets=[asset["id"] for asset in Owner(own_site).assets("screenshots")], isHidden=True)
    until(page, f"{SELECTED} === 'Recents' && document.querySelectorAll('.thumbnails > li').length > 0")
    assert "Screenshots" not in segments(page)
    until_equal(page, "document.querySelector('[role=tab][aria-selected=true]').tabIndex", 0)


def test_a_change_that_cannot_be_shown_says_so(own_site, chooser, app):
    page = chooser(own_site)
    page.route("**/api/v1/collections**", lambda route: route.abort())
    Owner(own_site).change("setAssets", assets=[own_site.id("P20")], isFavorite=True)
    expect(page.locator(".photo-browser .message")).not_to_be_empty()
    app.expected.append(f"{FAILED}: net::ERR_FAILED")  # browsers write each failed request to the console
