"""A visit to Examples/WebSegments: one person with one page, from the first button to the phone."""

import re

from apps import Owner, app, origin, until_grid
from conftest import box_of, until, until_equal
from organizing import middle, own_site, touch
from playwright.sync_api import expect
from test_segments import SCROLL, SELECTED, SETTLED, WATCH_FADES, cell, images, label, segments, select

LARGE_PREVIEW = "document.querySelector('.peek img').naturalWidth > 360"


def test_a_person_chooses_an_image_from_the_first_click_to_the_last(own_site, app):
    owner = Owner(own_site)
    favorites = [asset["id"] for asset in owner.assets("favorites")]
    owner.change("setAssets", assets=favorites, isFavorite=False)
    page = app(own_site, "WebSegments", answer=None, width=1440, height=500, has_touch=True)
    choose = page.get_by_role("button", name="Choose an image…")
    # A click opens a dialog in the middle, which waits for the owner's permission.
    choose.click()
    page.get_by_text("Answer in your photo library.").wait_for()
    box = box_of(page.locator(".photo-browser"))
    assert abs(box["x"] + box["width"] / 2 - 720) <= 1 and abs(box["y"] + box["height"] / 2 - 250) <= 1
    # The owner allows it, and the thumbnails appear.
    owner.answer(page, "full")
    recents = images(own_site, "userLibrary")
    until(page, f"{SELECTED} === 'Recents' && {SETTLED} && document.querySelectorAll('.thumbnails > li').length === {len(recents)}")
    # The segments are the smart albums with images, by title, and Favorites although it is empty.
    assert segments(page) == [
        "Animated", "Bursts", "Favorites", "Live Photos", "Panoramas", "RAW", "Recently Added", "Recents", "Screenshots"]
    # The list contains images only, the newest first.
    until_grid(page, own_site, recents)
    # Another segment fades in.
    page.evaluate(WATCH_FADES)
    select(page, "Favorites", 0)
    assert page.evaluate("window.fades") == [[1, 0, 175], [0, 1, 175]]
    # A held finger shows a large preview and a menu of one entry.
    select(page, "Recents", len(recents))
    touch(page, "touchStart", middle(cell(page, own_site, "P20").locator("button")))
    entry = page.locator(".peek button")
    entry.wait_for()
    touch(page, "touchEnd")
    until(page, LARGE_PREVIEW)
    # The entry makes the image a favorite, and the star appears once the library has changed.
    expect(entry).to_have_text("Make favorite")
    entry.tap()
    expect(label(page, own_site, "P20")).to_have_text(re.compile("^★ "))
    assert owner.fetch(f"assets/{own_site.id('P20')}")["isFavorite"]
    # The favorite is in its segment, beside one that another program has made.
    owner.change("setAssets", assets=[own_site.id("P19")], isFavorite=True)
    expect(label(page, own_site, "P19")).to_have_text(re.compile("^★ "))
    select(page, "Favorites", 2)
    until_grid(page, own_site, images(own_site, "favorites"))
    # A favorite that is one no longer leaves the list, and the other cell stays the same element.
    page.evaluate(f"window.kept = document.querySelector('li[data-id=\"{own_site.id('P19')}\"]')")
    cell(page, own_site, "P20").locator("button").click(button="right")
    expect(entry).to_have_text("Remove favorite")
    entry.click()
    until_grid(page, own_site, ["P19"])
    assert page.evaluate("document.querySelector('.thumbnails > li') === window.kept")
    # A click hands the image over at full size, and closes the dialog.
    asset = owner.fetch(f"assets/{own_site.id('P19')}")
    cell(page, own_site, "P19").locator("button").click()
    expect(page.locator(".result")).to_have_text(f"{asset['pixelWidth']} × {asset['pixelHeight']}")
    expect(page.locator("dialog")).to_have_count(0)
    # The dialog opens again. Below each cell are a star, if it is a favorite, and the day.
    choose.click()
    until(page, f"{SELECTED} === 'Recents' && {SETTLED} && document.querySelectorAll('.thumbnails > li').length === {len(recents)}")
    expect(label(page, own_site, "P03")).to_have_text("14 Jun 2024")
    owner.change("setAssets", assets=[own_site.id("P03")], isFavorite=True)
    expect(label(page, own_site, "P03")).to_have_text("★ 14 Jun 2024")
    # Each segment is found again where it was left.
    page.evaluate("document.querySelector('.thumbnails').scrollTop = 200")
    until_equal(page, SCROLL, 200)
    select(page, "Screenshots", 6)
    until_equal(page, SCROLL, 0)
    select(page, "Recents", len(recents))
    until_equal(page, SCROLL, 200)
    # The dialog fills the window of a phone, and works there.
    page.set_viewport_size({"width": 390, "height": 844})
    until(page, "document.querySelector('.photo-browser').getBoundingClientRect().width === 390")
    select(page, "Favorites", 2)
    cell(page, own_site, "P03").locator("button").tap()
    expect(page.locator("dialog")).to_have_count(0)
    asset = owner.fetch(f"assets/{own_site.id('P03')}")
    expect(page.locator(".result")).to_have_text(f"{asset['pixelWidth']} × {asset['pixelHeight']}")
