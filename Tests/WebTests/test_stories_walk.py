"""One visit of the stories page: a person allows it the photos, browses, searches, opens a photo,
and goes on while the library changes."""

import hashlib

from apps import PHONE, Owner, app, names, origin, shown, until_grid
from conftest import until, until_equal, until_pictures
from organizing import own_site, touch
from playwright.sync_api import expect
from test_picker import cancel
from test_stories import (
    DIGEST, IS_CLOSED, IS_OPEN, SWIPE, TOP, cell, open_menu, search, take_in, until_at, until_closed, until_count,
    until_title)

FIXED = {"Recents": "userLibrary", "Favorites": "favorites", "Videos": "videos", "Screenshots": "screenshots"}
FIRST_ADDRESSES = "[...document.querySelectorAll('.thumbnails img')].slice(0, 9).map(({ src }) => src)"
# Notes the width of each picture that the editor shows.
NOTE_WIDTHS = """() => {
  window.widths = [];
  document.querySelector('img.stage').addEventListener('load', ({ target }) => window.widths.push(target.naturalWidth));
}"""


def digest(owner, asset, kind):
    with owner.open(f"renditions/{asset['id']}/{asset['version']}/{kind}") as answer:
        return hashlib.sha256(answer.read()).hexdigest()


def choose(page, row):
    open_menu(page)
    page.locator(".menu").get_by_role("button", name=row, exact=True).click()
    until(page, "!document.querySelector('.menu').open")
    until_title(page, row)


def swipe(page, *heights):
    touch(page, "touchStart", (200, heights[0]))
    for height in heights[1:]:
        touch(page, "touchMove", (200, height))
    touch(page, "touchEnd")


def find(picker, site, *wanted):
    """Searches for each photo and chooses it."""
    for name in wanted:
        picker.fill(".search", name)
        until_equal(picker, "[...document.querySelectorAll('.cell')].map(({ dataset }) => dataset.id)", [site.id(name)])
        picker.locator(".cell").click()
    picker.click(".add")


def until_loaded(page, count=9):
    images = f"[...document.querySelectorAll('.thumbnails img')].slice(0, {count})"
    until(page, f"{images}.filter(({{ naturalWidth }}) => naturalWidth > 0).length === {count}")


def until_picture(page, image, expected):
    """Waits until an image, which may have no source yet, shows a picture."""
    until_equal(page, lambda: image.evaluate(f"async (image) => image.src && ({DIGEST})(image)"), expected)


def test_q_the_stories_page_from_its_first_text_to_a_live_change(own_site, app, tmp_path):
    owner = Owner(own_site)

    # The page says why it wants photos, and offers one button. There is no sheet to pull.
    page = app(own_site, "WebStories", answer=None, **PHONE)
    enable = page.get_by_role("button", name="Enable photo access")
    expect(enable).to_be_visible()
    expect(page.locator(".reason")).to_have_text("Share a moment from your photos.")
    expect(page.locator(".swipe")).to_be_hidden()
    swipe(page, 700, 650, 600)
    until(page, f"{TOP} >= innerHeight")
    until_count(page, 0)

    # The owner reads the page's purpose, and allows all photos.
    enable.click()
    expect(page.locator(".reason")).to_have_text("Answer in your photo library.")
    request = owner.wait(page, "access", "requests")
    assert request["usageDescription"] == "Shows your photos, so that you can share one as a story."
    owner.answer(page, "full")

    # The button gives way to arrows that point up.
    until(page, SWIPE)
    expect(enable).to_have_count(0)
    expect(page.get_by_role("button", name="Swipe up to view photos")).to_be_visible()
    expect(page.locator(".reason")).to_be_empty()

    # Once allowed, the page does not ask again when it is loaded again.
    page.reload()
    until(page, SWIPE)
    assert owner.fetch("access")["requests"] == []

    # A finger pulls the sheet up to the top, and down out of sight, and up again.
    swipe(page, 700, 660, 620)
    until_at(page, 0)
    swipe(page, 20, 60, 100)
    until_at(page, 844)
    swipe(page, 700, 660, 620)
    until_at(page, 0)

    # The sheet shows all photos and videos, newest first, three in a row, videos with their length.
    until_title(page, "Recents")
    recents = owner.assets("userLibrary")
    until_grid(page, own_site, names(own_site, recents))
    dates = [asset["creationDate"] for asset in recents]
    assert len(recents) == 49 and dates == sorted(dates, reverse=True)
    tops = page.evaluate("[...document.querySelectorAll('.thumbnails > li')].map(({ offsetTop }) => offsetTop)")
    assert tops[0] == tops[1] == tops[2] < tops[3] == tops[4] == tops[5]
    expect(page.locator(".thumbnails .badge")).to_have_count(12)
    expect(cell(page, own_site, "V01").locator(".badge")).to_have_text("0:20")

    # Each cell has the library's picture of its photo.
    until_loaded(page)
    assert page.locator(".thumbnails img").first.evaluate(DIGEST) == digest(owner, recents[0], "grid")
    addresses = page.evaluate(FIRST_ADDRESSES)

    # Rows below the window have their pictures before they are scrolled into it.
    until(page, """[...document.querySelectorAll('.thumbnails > li')]
      .some((cell) => cell.getBoundingClientRect().top > innerHeight && cell.image.naturalWidth > 0)""")

    # A tap opens a photo: its small picture grows, and the full one with all its pixels follows.
    page.evaluate(NOTE_WIDTHS)
    photo = next(asset for asset in recents if asset["id"] == own_site.id("P19"))
    cell(page, own_site, "P19").scroll_into_view_if_needed()
    until(page, f"document.querySelector('li[data-id=\"{photo['id']}\"] img').naturalWidth > 0")
    cell(page, own_site, "P19").locator("button").click()
    until(page, IS_OPEN)
    small, full = until(page, "window.widths.length === 2 && window.widths")
    assert small < full == photo["pixelWidth"]
    assert page.locator("img.stage").evaluate(DIGEST) == digest(owner, photo, "full")

    # Back, the grid is as it was.
    page.get_by_role("button", name="Back").click()
    until(page, IS_CLOSED)
    until_title(page, "Recents")
    until_grid(page, own_site, names(own_site, recents))

    # The title opens the albums: five rows with symbols, then those of the person that have photos.
    open_menu(page)
    rows = page.locator(".menu > ul:not(.albums) button")
    expect(rows).to_have_text(["Search", *FIXED])
    expect(rows.locator("svg")).to_have_count(5)
    albums = {album["title"]: album for album in owner.collections() if album["kind"] == "album"}
    assert albums["Empty"]["count"] == 0
    filled = [title for title, album in albums.items() if album["count"] > 0]
    expect(page.locator(".albums button")).to_have_text(filled)

    # Each album has its newest photo as its cover.
    for title in filled:
        cover = page.locator(".albums").get_by_role("button", name=title).locator("img")
        until(page, f"document.querySelector('.albums [value=\"{albums[title]['id']}\"] img').naturalWidth > 0")
        assert cover.evaluate(DIGEST) == digest(owner, owner.assets(albums[title]["id"])[0], "grid")
    page.keyboard.press("Escape")
    until(page, "!document.querySelector('.menu').open")

    # Each row closes the menu, and shows its photos under its name, newest first.
    for title, id in {**FIXED, **{title: albums[title]["id"] for title in filled}}.items():
        choose(page, title)
        until_grid(page, own_site, names(own_site, owner.assets(id)))

    # Photos that were seen before come back without another load.
    choose(page, "Recents")
    until_loaded(page)
    until_equal(page, FIRST_ADDRESSES, addresses)

    # Search opens the library's own window, which takes ten photos and no more. Cancelled, it
    # leaves the grid alone.
    choose(page, "Japan")
    japan = names(own_site, owner.assets(albums["Japan"]["id"]))
    picker = search(page)
    until(page, "!document.querySelector('.menu').open")
    for index in range(11):
        picker.locator(".cell").nth(index).click()
    expect(picker.locator(".spoken")).to_have_text("You can choose up to 10.")
    expect(picker.locator(".add")).to_have_text("Add 10")
    cancel(picker)
    until_closed(page, picker)
    until_title(page, "Japan")
    until_grid(page, own_site, japan)

    # Photos that are found and added fill the grid in the order in which they were chosen.
    picker = search(page)
    find(picker, own_site, "P20", "P18", "P19")
    until_title(page, "Search Result")
    until_grid(page, own_site, ["P20", "P18", "P19"])
    until_closed(page, picker)

    # A found photo that is deleted elsewhere leaves the result, which keeps its title.
    until_pictures(page)
    owner.change("deleteAssets", assets=[own_site.id("P18")])
    until_grid(page, own_site, ["P20", "P19"])
    until_title(page, "Search Result")

    # In Recents it is gone, too. A photo that is taken in elsewhere comes first.
    choose(page, "Recents")
    until_count(page, 48)
    assert "P18" not in shown(page, own_site)
    before = shown(page, own_site)
    until_loaded(page)
    take_in(own_site, page, tmp_path)
    until_count(page, 49)
    own_site.list_again()
    until_grid(page, own_site, names(own_site, owner.assets("userLibrary")))
    assert shown(page, own_site)[1:] == before

    # An edit that is made elsewhere is seen in the cell.
    page.evaluate("document.querySelector('.thumbnails').scrollTop = 0")
    edited = next(asset for asset in owner.assets("userLibrary") if asset["id"] == own_site.id("P20"))
    cell(page, own_site, "P20").scroll_into_view_if_needed()
    owner.change("editAssets", assets=[edited["id"]], steps={"filter": "noir"})
    after = next(asset for asset in owner.assets("userLibrary") if asset["id"] == edited["id"])
    assert after["version"] != edited["version"]
    until_picture(page, cell(page, own_site, "P20").locator("img"), digest(owner, after, "grid"))

    # The shown album takes a photo and a new name from elsewhere.
    choose(page, "Japan")
    owner.change("addAssets", collection=albums["Japan"]["id"], assets=[edited["id"]])
    until_grid(page, own_site, names(own_site, owner.assets(albums["Japan"]["id"])))
    until_count(page, len(japan) + 1)
    owner.change("renameCollection", collection=albums["Japan"]["id"], title="Kyoto")
    until_title(page, "Kyoto")

    # The open menu follows as well: a new name, a new album, and an empty one that gets a photo.
    open_menu(page)
    expect(page.locator(".albums button")).to_have_text(["Kyoto" if title == "Japan" else title for title in filled])
    owner.change("renameCollection", collection=albums["Rome"]["id"], title="Roma")
    page.locator(".albums").get_by_role("button", name="Roma", exact=True).wait_for()
    owner.fetch("changes", {"changes": [
        {"type": "createAlbum", "as": "$1", "title": "Made elsewhere"},
        {"type": "addAssets", "collection": "$1", "assets": [edited["id"]]}]})
    page.locator(".albums").get_by_role("button", name="Made elsewhere", exact=True).wait_for()
    expect(page.locator(".albums").get_by_role("button", name="Empty", exact=True)).to_have_count(0)
    owner.change("addAssets", collection=albums["Empty"]["id"], assets=[edited["id"]])
    page.locator(".albums").get_by_role("button", name="Empty", exact=True).wait_for()

    # The cover of an album changes with its newest photo.
    newest = owner.assets("userLibrary")[0]
    owner.change("addAssets", collection=albums["Norway"]["id"], assets=[newest["id"]])
    cover = page.locator(f".albums [value='{albums['Norway']['id']}'] img")
    until_picture(page, cover, digest(owner, newest, "grid"))

    # An album that is deleted elsewhere leaves the menu.
    owner.change("deleteCollections", collections=[albums["Receipts"]["id"]])
    expect(page.locator(".albums").get_by_role("button", name="Receipts", exact=True)).to_have_count(0)
    expect(page.locator(".problem")).to_be_empty()


def test_q_a_page_that_may_see_some_photos_shows_these(own_site, app):
    # The owner allows three photos only. The page goes on as with all of them.
    page = app(own_site, "WebStories", answer=None, **PHONE)
    page.get_by_role("button", name="Enable photo access").click()
    owner = Owner(own_site)
    owner.answer(page, "limited", assets=[own_site.id(name) for name in ("P01", "L01", "V01")])
    until(page, SWIPE)
    page.get_by_role("button", name="Swipe up to view photos").click()
    until_at(page, 0)

    # The sheet has these three, newest first, and says that there may be more.
    until_count(page, 3)
    recents = names(own_site, owner.assets("userLibrary"))
    until_grid(page, own_site, [name for name in recents if name in ("P01", "L01", "V01")])
    expect(page.locator(".notice")).to_contain_text("You see the photos that you have selected for this page")

    # Its albums are counted by what it may see.
    choose(page, "Videos")
    until_grid(page, own_site, ["V01"])
