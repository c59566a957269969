"""A visit to Examples/WebBrowse: one person with one page, from the albums to others' changes."""

from apps import Owner, app, names, origin, shown, until_grid
from conftest import until, until_equal, until_pictures
from organizing import own_site
from playwright.sync_api import expect
from test_browse import COLOR_COUNT, MESSAGE, browse, expected, rows, until_fetched, until_message

SMALL = {"width": 600, "height": 400}


def test_a_person_browses_and_changes_a_library_from_the_albums_to_the_last_photo(own_site, browse):
    owner = Owner(own_site)
    page = browse(own_site, size=SMALL)
    # The list begins with all photos. The smart albums and the person's albums have their counts.
    until_equal(page, lambda: rows(page, ""), ["All", "Photos", "49"])
    collections = owner.collections()
    smart = [one for one in collections if one["kind"] == "smartAlbum" and one["id"] not in ("userLibrary", "recentlyDeleted")]
    until_equal(page, lambda: rows(page, "Smart Albums"), expected(smart))
    top = [one for one in collections if one["kind"] != "smartAlbum" and one["parent"] is None]
    until_equal(page, lambda: rows(page, "My Albums"), expected(top))
    # All photos are a grid, the oldest first.
    requested = []
    page.on("request", lambda request: request.url.endswith("/grid") and requested.append(request.url))
    page.get_by_role("link", name="All Photos").click()
    oldest = names(own_site, owner.assets("userLibrary", order="oldest"))
    until_grid(page, own_site, oldest)
    # The pictures of the next window are loaded, and those far away are not.
    until(page, """[...document.querySelectorAll('.thumbnails > li')].filter((cell) => {
      const { top, bottom, height } = cell.parentElement.getBoundingClientRect();
      return cell.getBoundingClientRect().top < bottom + height - 1;
    }).every(({ image }) => image.naturalWidth > 0)""")
    assert len(requested) < 49
    # Live Photos have a badge, and videos their length.
    live = page.locator(f".thumbnails > li[data-id='{own_site.id('L01')}'] .badge")
    expect(live).to_have_text(["LIVE", "♥"])
    # A photo is shown without a button to play it.
    open_photo(page, own_site, "P05")
    expect(page.get_by_role("button", name="Play")).to_be_hidden()
    # A video and a Live Photo have one, and play.
    for name in ("V02", "L02"):
        back(page)
        open_photo(page, own_site, name)
        page.get_by_role("button", name="Play").click()
        until(page, "document.querySelector('video').currentTime > 0 && !document.querySelector('video').hidden", patience=60)
    # The edit menu changes a photo, a video and a Live Photo at once, and takes the change back.
    for name in ("P05", "V02", "L02"):
        page.evaluate(f"location.hash = 'userLibrary/{own_site.id(name)}'")
        until_shown(page, own_site, name)
        for entry, filter in [("Sepia Tone", "sepia"), ("Chrome", "chrome"), ("Revert", None)]:
            page.get_by_role("button", name="Edit", exact=True).click()
            page.get_by_role("button", name=entry).click()
            is_made = lambda asset: (asset["edit"] and asset["edit"]["steps"]["filter"]) == filter
            version = until_fetched(own_site, page, f"assets/{own_site.id(name)}", is_made)["version"]
            until(page, f"document.querySelector('.asset').dataset.shown?.endsWith({version!r}) && {MESSAGE} === ''", patience=60)
            until(page, "document.querySelector('.asset img').naturalWidth > 0")
    # The person makes an album.
    back(page)
    page.get_by_role("link", name="Back").click()
    page.get_by_role("button", name="New album").click()
    page.get_by_label("Title").fill("Colors")
    page.get_by_role("button", name="Create").click()
    page.get_by_role("link", name="Colors").click()
    # The album is empty, and gets a picture of one color in one transaction.
    until(page, "document.querySelector('h1').textContent === 'Colors' && !document.querySelector('.thumbnails').hidden")
    page.get_by_role("button", name="Add a photo").click()
    until(page, "document.querySelector('.thumbnails img')?.naturalWidth > 0")
    latest = owner.fetch("changes?limit=1")["transactions"][0]
    assert [latest["counts"][kind] for kind in ("assets", "collections")] == [
        {"inserted": 1, "updated": 0, "deleted": 0}, {"inserted": 0, "updated": 1, "deleted": 0}]
    assert page.locator(".thumbnails img").evaluate(COLOR_COUNT) == 1
    # The picture is removed from the album, and is still in the library.
    page.locator(".thumbnails > li button").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Remove from Colors").click()
    until(page, "document.querySelector('.thumbnails').classList.contains('empty') && document.querySelector('.asset').hidden")
    until_equal(page, lambda: len(owner.assets("userLibrary")), 50)
    # A photo is deleted from the library when the owner has confirmed it.
    page.get_by_role("link", name="Back").click()
    page.get_by_role("link", name="All Photos").click()
    until(page, "document.querySelectorAll('.thumbnails > li').length === 50")
    open_photo(page, own_site, "P04")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete from library").click()
    until_message(page, "Confirm in your photo library.")
    until_pictures(page)
    question = owner.wait(page, "confirmations", "confirmations")
    owner.fetch(f"confirmations/{question['id']}", {"answer": True})
    until(page, "document.querySelectorAll('.thumbnails > li').length === 49 && document.querySelector('.asset').hidden")
    assert "P04" not in shown(page, own_site)
    # The heart says that a photo has become a favorite.
    open_photo(page, own_site, "P03")
    heart = page.get_by_role("button", name="Favorite")
    expect(heart).to_have_text("♡")
    heart.click()
    expect(heart).to_have_text("♥")
    # Another program takes the favorite back, and the heart follows.
    owner.change("setAssets", assets=[own_site.id("P03")], isFavorite=False)
    expect(heart).to_have_text("♡")
    # Other programs' photos and albums appear, change and go without a reload.
    back(page)
    until_pictures(page)
    owner.change("deleteAssets", assets=[own_site.id("P06")])
    until(page, "document.querySelectorAll('.thumbnails > li').length === 48")
    page.get_by_role("link", name="Back").click()
    until_equal(page, lambda: rows(page, ""), ["All", "Photos", "48"])
    colors = next(one["id"] for one in owner.collections() if one["title"] == "Colors")
    owner.change("renameCollection", collection=colors, title="Paints")
    page.get_by_role("link", name="Paints").wait_for()
    owner.change("deleteCollections", collections=[colors])
    expect(page.get_by_role("link", name="Paints")).to_have_count(0)


def open_photo(page, site, name):
    page.locator(f".thumbnails > li[data-id='{site.id(name)}'] button").click()
    until_shown(page, site, name)


def until_shown(page, site, name):
    until(page, f"""document.querySelector('.asset').dataset.shown?.startsWith({site.id(name)!r})
      && document.querySelector('.asset img').naturalWidth > 0 && !document.querySelector('.asset').hidden""")


def back(page):
    page.get_by_role("link", name="Back").click()
    until(page, "document.querySelector('.asset').hidden && !document.querySelector('.thumbnails').hidden")
