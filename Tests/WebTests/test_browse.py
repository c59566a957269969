"""The page of Examples/WebBrowse: it browses and changes a library of another origin."""

import hashlib

import pytest
from apps import PHONE, Owner, app, names, origin, until_grid, until_selection_is_asked_for
from conftest import FAILED, FRAMES, box_of, until, until_equal, until_pictures, until_true
from organizing import own_site
from playwright.sync_api import expect
from test_stories import DIGEST

DESKTOP = {"width": 1440, "height": 900}
# Counts the colors of an image. JPEG may change each by a little.
COLOR_COUNT = """(image) => {
  const context = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.naturalWidth, image.naturalHeight);
  return new Set(Array.from({ length: data.length / 4 }, (_, index) => [0, 1, 2].map((channel) => data[4 * index + channel] >> 4).join())).size;
}"""
SMART_ALBUMS = [
    "recentlyAdded", "favorites", "videos", "selfPortraits", "livePhotos", "depthEffect", "longExposures", "panoramas",
    "timelapses", "slomoVideos", "cinematic", "bursts", "screenshots", "screenRecordings", "animated", "raw", "spatial",
    "unableToUpload", "allHidden", "unreadable", "damaged"]
MESSAGE = "document.querySelector('.message').textContent"


@pytest.fixture
def browse(app):
    """Opens the page at an album, or at a photo in one."""

    def open(site, place="", size=DESKTOP, **options):
        page = app(site, "WebBrowse", **size, **options)
        until(page, "document.querySelectorAll('.albums a').length > 0")
        if place:
            page.evaluate(f"location.hash = {place!r}")
            shows = "document.querySelectorAll('.thumbnails > li').length > 0"
            until(page, "!document.querySelector('footer').hidden" if "/" in place else shows)
        return page

    return open


def rows(page, section):
    """Returns the titles and counts of a section of the list. The first one has no title."""
    if not section:
        return page.locator(".albums > ul").first.inner_text().split()
    return page.evaluate(f"""[...document.querySelectorAll('.albums h2')].find((one) => one.textContent === {section!r})
      ?.nextElementSibling.innerText.trim().split(/\\n+/) ?? []""")


def expected(albums):
    return [text for album in albums for text in (album["title"], str(album["count"]))]


def until_message(page, text):
    until(page, f"{MESSAGE} === {text!r}")


def until_fetched(site, page, path, holds):
    """Waits until what the owner gets at a path is as a test wants it."""
    return until_true(page, lambda: holds(answer := Owner(site).fetch(path)) and answer, patience=60)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_c_04_all_smart_albums_with_their_counts(site, browse, size):
    page = browse(site, size=size)
    collections = Owner(site).collections()
    until_equal(page, lambda: rows(page, ""), ["All", "Photos", "49"])
    # No client sees Recently Deleted.
    unseen = ("userLibrary", "recentlyDeleted")
    smart = [album for album in collections if album["kind"] == "smartAlbum" and album["id"] not in unseen]
    until_equal(page, lambda: rows(page, "Smart Albums"), expected(smart))
    assert "0" in expected(smart)
    # The order is that of `SmartAlbum.listed` in LibraryStore, as the Swift API fetches them.
    assert [album["id"] for album in smart] == SMART_ALBUMS
    top = [album for album in collections if album["kind"] != "smartAlbum" and album["parent"] is None]
    until_equal(page, lambda: rows(page, "My Albums"), expected(top))
    # A folder shows its albums, and the way back leads up.
    page.get_by_role("link", name="Travels").click()
    until(page, "document.querySelector('h1').textContent === 'Travels'")
    until_equal(page, lambda: rows(page, "Albums")[::2], ["Japan", "Norway", "Europe"])
    page.get_by_role("link", name="Back").click()
    until(page, "document.querySelector('h1').textContent === 'Photos'")


def test_c_04_counts_and_albums_follow_the_library(own_site, browse):
    page = browse(own_site)
    Owner(own_site).change("setAssets", assets=[own_site.id("P03")], isFavorite=True)
    until(page, "document.querySelector('.albums a[href=\"#favorites\"] .count').textContent === '7'")
    page.get_by_role("button", name="New album").click()
    page.get_by_label("Title").fill("Made here")
    page.get_by_role("button", name="Create").click()
    page.get_by_role("link", name="Made here").wait_for()


def test_c_04_limited_access_is_named_and_can_be_changed(site, app):
    page = app(site, "WebBrowse", answer="limited", assets=[site.id("P01"), site.id("P07")])
    until_equal(page, lambda: rows(page, ""), ["All", "Photos", "2"])
    expect(page.get_by_text("You see the photos that you have selected for this page.")).to_be_visible()
    # No album is seen, and none can be made.
    expect(page.get_by_role("button", name="New album")).to_have_count(0)
    expect(page.get_by_role("heading", name="My Albums")).to_have_count(0)
    page.get_by_role("button", name="Manage").click()
    until_selection_is_asked_for(site, page)


def test_an_album_without_photos_says_so(site, browse):
    page = browse(site)
    empty = next(album["id"] for album in Owner(site).collections() if album["kind"] == "smartAlbum" and album["count"] == 0)
    page.evaluate(f"location.hash = {empty!r}")
    until(page, "getComputedStyle(document.querySelector('.thumbnails'), '::after').content === '\"No photos\"'")


def test_a_12_access_that_is_taken_back_leaves_nothing_of_a_photo(site, browse, app, origin):
    page = browse(site, f"userLibrary/{site.id('V01')}")
    page.get_by_role("button", name="Play").click()
    until(page, "document.querySelector('video').currentTime > 0", patience=60)
    page.get_by_role("button", name="Edit", exact=True).click()
    site.calotype("access", "revoke", origin)
    app.expected.append(FAILED)  # the stream of changes
    page.get_by_role("button", name="Enable photo access").wait_for()
    assert page.evaluate("""[document.querySelector('dialog').open, document.querySelector('video').paused,
      document.querySelector('.asset img').hasAttribute('src'), document.querySelectorAll('.thumbnails > li, .albums a').length,
      document.querySelector('h1').textContent]""") == [False, True, False, 0, "Photos"]


def test_f_06_a_library_that_did_not_answer_comes_back(own_site, app):
    page = app(own_site, "WebBrowse")
    until(page, "document.querySelectorAll('.albums a').length > 0")
    app.expected.append(FAILED)
    own_site.stop()
    page.reload()
    until_message(page, "The library does not answer.")
    own_site.start_again()
    until(page, f"document.querySelectorAll('.albums a').length > 0 && {MESSAGE} === ''")
    # Changes arrive after a break of the stream too.
    own_site.stop()
    own_site.start_again()
    Owner(own_site).change("setAssets", assets=[own_site.id("P03")], isFavorite=True)
    until(page, "document.querySelector('.albums a[href=\"#favorites\"] .count').textContent === '7'")


@pytest.mark.parametrize("answer", ["full", "denied"])
def test_c_04_the_page_asks_the_owner_and_says_what_the_answer_was(site, app, answer):
    page = app(site, "WebBrowse", answer=None)
    enable = page.get_by_role("button", name="Enable photo access")
    enable.click()
    until_message(page, "Answer in your photo library.")
    Owner(site).answer(page, answer)
    if answer == "full":
        until_equal(page, lambda: rows(page, ""), ["All", "Photos", "49"])
        expect(enable).to_be_hidden()
    else:
        until(page, f"{MESSAGE}.startsWith('This page may not see your photos.')")
        expect(enable).to_be_disabled()
        expect(page.locator(".albums")).to_be_hidden()


def test_f_01_each_cell_shows_its_own_picture(site, browse):
    page = browse(site, "userLibrary", size={"width": 1440, "height": 2000})
    until_grid(page, site, names(site, Owner(site).assets("userLibrary", order="oldest")))
    until(page, "[...document.querySelectorAll('.thumbnails img')].every((image) => image.naturalWidth > 0)")
    owner, digests = Owner(site), {}
    for asset in owner.assets("userLibrary"):
        if asset["id"] != site.id("U01"):  # it has no picture
            digests[asset["id"]] = digest(site, asset["id"], asset["version"], "grid")
    seen = page.evaluate(f"""async () => Object.fromEntries(await Promise.all(
      [...document.querySelectorAll('.thumbnails > li')].map(async (cell) => [cell.dataset.id, await ({DIGEST})(cell.image)])))""")
    del seen[site.id("U01")]
    assert seen == digests


def test_f_02_pictures_near_the_window_are_loaded_ahead_and_others_given_up(site, browse):
    page = browse(site, size={"width": 390, "height": 300, "has_touch": True})
    requested, given_up = [], []
    page.on("request", lambda request: request.url.endswith("/grid") and requested.append(request.url))
    page.on("requestfailed", lambda request: request.url.endswith("/grid") and given_up.append(request.url))
    held = []
    page.route("**/grid", lambda route: held.append(route))
    page.evaluate("location.hash = 'userLibrary'")
    until(page, "document.querySelectorAll('.thumbnails > li').length === 49")
    near = page.evaluate("""() => {
      const { height } = document.querySelector('.thumbnails').getBoundingClientRect();
      const top = document.querySelector('.thumbnails').getBoundingClientRect().top;
      return [...document.querySelectorAll('.thumbnails > li')].filter((cell) => cell.getBoundingClientRect().top < top + 2 * height).length;
    }""")
    until_equal(page, lambda: len(set(requested)), near)
    assert near < 49
    page.evaluate("document.querySelector('.thumbnails').scrollTop = 1e6")
    until_equal(page, lambda: len(given_up), near)


def test_f_02_pictures_out_of_sight_have_low_priority(site, browse):
    page = browse(site, size={"width": 390, "height": 300, "has_touch": True})
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    priorities = {}

    def note(event):
        url = event["request"]["url"]
        if url.endswith("/grid") and event["request"]["method"] == "GET":
            priorities[url.split("/")[-3]] = event["request"]["initialPriority"]

    session.on("Network.requestWillBeSent", note)
    page.evaluate("location.hash = 'userLibrary'")
    until(page, "document.querySelectorAll('.thumbnails > li').length === 49")
    near = page.evaluate("""() => {
      const { top, bottom, height } = document.querySelector('.thumbnails').getBoundingClientRect();
      const boxes = [...document.querySelectorAll('.thumbnails > li')].map((cell) => [cell.dataset.id, cell.getBoundingClientRect()]);
      return Object.fromEntries(boxes.filter(([, box]) => box.top < bottom + height).map(([id, box]) => [id, box.top < bottom ? 'High' : 'Low']));
    }""")
    assert set(near.values()) == {"High", "Low"}
    until_equal(page, lambda: priorities, near)
    session.detach()


def test_f_05_badges_of_live_photos_videos_and_favorites(site, browse):
    page = browse(site, "userLibrary", size={"width": 1440, "height": 2000})
    badges = lambda name: page.locator(f".thumbnails > li[data-id='{site.id(name)}'] .badge").all_inner_texts()
    until_equal(page, lambda: badges("L01"), ["LIVE", "♥"])
    assert badges("V02") == ["0:01"]
    assert badges("P03") == []


def test_i_01_the_heart_follows_the_library(own_site, browse):
    page = browse(own_site, f"userLibrary/{own_site.id('P03')}", size=PHONE)
    heart = page.get_by_role("button", name="Favorite")
    expect(heart).to_have_attribute("aria-pressed", "false")
    heart.click()
    until(page, "document.querySelector('.favorite').ariaPressed === 'true'")
    assert Owner(own_site).fetch(f"assets/{own_site.id('P03')}")["isFavorite"]
    Owner(own_site).change("setAssets", assets=[own_site.id("P03")], isFavorite=False)
    until(page, "document.querySelector('.favorite').textContent === '♡'")


def test_i_03_a_former_favorite_stays_open(own_site, browse):
    place = f"favorites/{own_site.id('P02')}"
    page = browse(own_site, place)
    page.get_by_role("button", name="Favorite").click()
    until(page, "document.querySelector('.favorite').textContent === '♡'")
    until(page, f"!document.querySelector('.asset').hidden && location.hash === '#{place}' && {MESSAGE} === ''")
    assert own_site.id("P02") not in [asset["id"] for asset in Owner(own_site).assets("favorites")]


@pytest.mark.parametrize("name", ["V01", "L01"])
def test_a_video_and_a_live_photo_play(site, browse, name):
    page = browse(site, f"userLibrary/{site.id(name)}")
    page.get_by_role("button", name="Play").click()
    until(page, "document.querySelector('video').currentTime > 0 && !document.querySelector('video').hidden", patience=60)


def test_a_movie_that_comes_late_is_not_played_over_another_photo(site, browse):
    page = browse(site, f"userLibrary/{site.id('V01')}")
    held = []
    page.route("**/video", lambda route: held.append(route))
    page.get_by_role("button", name="Play").click()
    until_message(page, "Loading…")
    page.evaluate(f"location.hash = 'userLibrary/{site.id('P19')}'")
    until(page, "document.querySelector('h1').textContent === 'P19.JPG'")
    page.evaluate("""() => {
      const { Blob } = window;
      window.Blob = class extends Blob {
        constructor(parts, options) {
          super(parts, options);
          if (options.type.startsWith('video/')) window.hasMovie = true;
        }
      };
    }""")
    held[0].continue_()
    until(page, "window.hasMovie")
    page.evaluate(FRAMES)
    assert page.evaluate("[document.querySelector('video').hidden, document.querySelector('video').src]") == [True, ""]


def test_a_photo_that_does_not_load_is_not_shown_as_another_one(site, browse, app):
    page = browse(site, f"userLibrary/{site.id('P19')}")
    until(page, "document.querySelector('figure img').naturalWidth > 0")
    page.route(f"**/renditions/{site.id('P05')}/**", lambda route: route.abort())
    app.expected.append(FAILED)
    page.evaluate(f"location.hash = 'userLibrary/{site.id('P05')}'")
    until_message(page, "The library does not answer.")
    assert not page.evaluate("document.querySelector('figure img').hasAttribute('src')")
    page.unroute(f"**/renditions/{site.id('P05')}/**")
    page.evaluate("location.hash = 'userLibrary'")
    until_message(page, "")
    page.go_back()
    until(page, "document.querySelector('figure img').naturalWidth > 0")


def test_a_photo_has_no_button_to_play(site, browse):
    page = browse(site, f"userLibrary/{site.id('P05')}")
    expect(page.get_by_role("button", name="Play")).to_have_count(0)


def digest(site, id, version, kind="screen"):
    """Returns the SHA-256 of the picture of a version as the library has it."""
    with Owner(site).open(f"renditions/{id}/{version}/{kind}") as answer:
        return hashlib.sha256(answer.read()).hexdigest()


@pytest.mark.parametrize("name", ["P05", "L02", "V02"])
def test_k_13_each_edit_commits_at_once(own_site, browse, name):
    id = own_site.id(name)
    page = browse(own_site, f"userLibrary/{id}")
    versions = {Owner(own_site).fetch(f"assets/{id}")["version"]}

    def edit(entry, holds):
        page.get_by_role("button", name="Edit", exact=True).click()
        page.get_by_role("button", name=entry).click()
        version = until_fetched(own_site, page, f"assets/{id}", holds)["version"]
        until(page, f"document.querySelector('.asset').dataset.shown.endsWith({version!r}) && {MESSAGE} === ''", patience=60)
        # The picture that is shown is that of this version.
        until_equal(page, lambda: page.evaluate(f"({DIGEST})(document.querySelector('figure img'))"), digest(own_site, id, version))
        return version

    for entry, filter in [("Sepia Tone", "sepia"), ("Chrome", "chrome")]:
        version = edit(entry, lambda asset: (asset["edit"] or {}).get("steps", {}).get("filter") == filter)
        assert version not in versions
        versions.add(version)
    edit("Revert", lambda asset: asset["edit"] is None)
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.get_by_role("button", name="Sepia Tone")).to_be_visible()
    assert page.get_by_role("button", name="Revert").count() == 0


def test_k_11_an_unreadable_photo_can_not_be_edited(site, browse, app):
    page = browse(site, f"userLibrary/{site.id('U01')}")
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_disabled()
    # Its pictures are missing, and Chromium reports each request for them.
    app.expected.append(FAILED)


def test_j_08_an_album_offers_to_remove_and_to_delete(own_site, browse):
    norway, photo = own_site.collections["Norway"], own_site.id("P03")
    page = browse(own_site, f"{norway}/{photo}", size=PHONE)
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".choices button")).to_have_text(["Remove from Norway", "Delete from library", "Cancel"])
    page.get_by_role("button", name="Remove from Norway").click()
    until(page, "document.querySelectorAll('.thumbnails > li').length === 6")
    until_grid(page, own_site, ["P01", "P02", "P04", "P05", "L01", "V01"])
    assert Owner(own_site).fetch("collections/userLibrary/days?order=newest")["total"] == 49


def test_j_08_a_photo_is_deleted_from_the_library_by_its_album(own_site, browse):
    page = browse(own_site, f"{own_site.collections['Norway']}/{own_site.id('P03')}")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete from library").click()
    question = Owner(own_site).wait(page, "confirmations", "confirmations")
    # The person has gone on, and stays there.
    page.evaluate("location.hash = ''")
    until(page, "document.querySelectorAll('.albums a').length > 0 && !document.querySelector('.albums').hidden")
    until_pictures(page)
    Owner(own_site).fetch(f"confirmations/{question['id']}", {"answer": True})
    until_equal(page, lambda: rows(page, ""), ["All", "Photos", "48"])
    assert page.evaluate("location.hash") == ""


@pytest.mark.parametrize("way", ["Cancel", "Escape", "a click beside it"])
def test_j_07_a_dismissed_dialog_deletes_nothing(site, browse, way):
    page = browse(site, f"{site.collections['Norway']}/{site.id('P03')}")
    before = Owner(site).fetch("changes?limit=1")
    page.get_by_role("button", name="Delete").click()
    if way == "Cancel":
        page.get_by_role("button", name="Cancel").click()
    else:
        expect(page.locator(".choices")).to_be_visible()
        page.keyboard.press("Escape") if way == "Escape" else page.mouse.click(20, 300)
    expect(page.locator(".choices")).to_be_hidden()
    until(page, "!document.querySelector('.asset').hidden")
    assert Owner(site).fetch("changes?limit=1") == before


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_j_05_deleting_waits_for_the_owner(own_site, browse, app, is_confirmed):
    page = browse(own_site, f"userLibrary/{own_site.id('P03')}")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".choices button")).to_have_text(["Delete from library", "Cancel"])
    page.get_by_role("button", name="Delete from library").click()
    until_message(page, "Confirm in your photo library.")
    question = Owner(own_site).wait(page, "confirmations", "confirmations")
    until_pictures(page)
    Owner(own_site).fetch(f"confirmations/{question['id']}", {"answer": is_confirmed})
    if is_confirmed:
        until(page, "document.querySelectorAll('.thumbnails > li').length === 48")
    else:
        until(page, f"{MESSAGE} !== '' && {MESSAGE} !== 'Confirm in your photo library.'")
        assert Owner(own_site).fetch(f"assets/{own_site.id('P03')}")["id"]
        app.expected.append(FAILED)  # Chromium reports the refusal


@pytest.mark.parametrize("number, size", [(0.4, [400, 300]), (0.6, [300, 400])])
def test_n_05_a_picture_of_one_color_is_added_in_one_transaction(own_site, browse, number, size):
    norway = own_site.collections["Norway"]
    page = browse(own_site, norway)
    page.evaluate(f"Math.random = () => {number}")
    page.get_by_role("button", name="Add a photo").click()
    until(page, "document.querySelectorAll('.thumbnails > li').length === 8")
    latest = Owner(own_site).fetch("changes?limit=1")["transactions"][0]
    assert latest["counts"]["assets"]["inserted"] == 1
    assert latest["counts"]["collections"]["updated"] == 1
    made = Owner(own_site).assets(norway, order="custom")[-1]
    assert [made["pixelWidth"], made["pixelHeight"]] == size
    image = page.locator(f".thumbnails > li[data-id='{made['id']}'] img")
    image.scroll_into_view_if_needed()
    until(page, f"document.querySelector('li[data-id=\"{made['id']}\"] img').naturalWidth > 0")
    assert image.evaluate(COLOR_COUNT) == 1


def test_n_05_a_picture_of_one_color_is_added_to_all_photos(own_site, browse):
    page = browse(own_site, "userLibrary")
    until(page, "document.querySelectorAll('.thumbnails > li').length === 49")
    page.get_by_role("button", name="Add a photo").click()
    until(page, "document.querySelectorAll('.thumbnails > li').length === 50")
    latest = Owner(own_site).fetch("changes?limit=1")["transactions"][0]
    assert latest["counts"]["assets"]["inserted"] == 1


def test_n_05_nothing_is_added_if_the_album_is_gone(own_site, browse, app):
    norway = own_site.collections["Norway"]
    page = browse(own_site, norway)

    def delete_album(route):
        Owner(own_site).change("deleteCollections", collections=[norway])
        route.continue_()

    page.route("**/api/v1/imports", delete_album)
    with page.expect_response("**/api/v1/imports") as reply:
        page.get_by_role("button", name="Add a photo").click()
    assert reply.value.status >= 400
    assert Owner(own_site).fetch("collections/userLibrary/days?order=newest")["total"] == 49
    until(page, "document.querySelectorAll('.albums a').length > 0")
    app.expected.append(FAILED)  # Chromium reports the refusal


@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("name, density", [("P03", 1), ("V01", 0)])
def test_h_09_a_small_photo_or_video_is_not_enlarged(site, browse, name, density, ratio):
    page = browse(site, f"userLibrary/{site.id(name)}", size={"width": 2000, "height": 1800}, device_scale_factor=ratio)
    until(page, "document.querySelector('.asset img').naturalWidth > 0")
    asset = Owner(site).fetch(f"assets/{site.id(name)}")
    height = asset["pixelHeight"] / ratio**density
    assert asset["pixelHeight"] < page.locator(".asset").evaluate("(element) => element.clientHeight")
    box, stage = (box_of(page.locator(selector)) for selector in (".asset img", ".asset"))
    assert box["height"] == pytest.approx(height, abs=0.1)
    assert box["y"] - stage["y"] == pytest.approx((stage["height"] - height) / 2, abs=0.1)
    assert page.evaluate("getComputedStyle(document.querySelector('.asset img')).objectFit") == "contain"


def test_a_photo_that_is_deleted_elsewhere_leads_back(own_site, browse):
    page = browse(own_site, f"userLibrary/{own_site.id('P03')}")
    until_pictures(page)
    Owner(own_site).change("deleteAssets", assets=[own_site.id("P03")])
    until_message(page, "This photo is gone.")
    until(page, "document.querySelectorAll('.thumbnails > li').length === 48")


def test_f_08_a_movie_plays_on_when_the_sharp_picture_comes(site, browse):
    page = browse(site, "userLibrary")
    page.evaluate("Object.defineProperty(NetworkInformation.prototype, 'saveData', { get: () => true })")
    page.evaluate(f"location.hash = 'userLibrary/{site.id('V01')}'")
    until(page, f"document.querySelector('.asset').dataset.shown?.startsWith('{site.id('V01')}/')")
    until_pictures(page)
    before = page.evaluate("document.querySelector('.asset img').src")
    page.get_by_role("button", name="Play").click()
    until(page, "document.querySelector('video').currentTime > 0")
    page.get_by_role("button", name="Load the sharp picture").click()
    until(page, f"document.querySelector('.asset img').src !== {before!r}")
    assert page.evaluate("(({ hidden, paused }) => [hidden, paused])(document.querySelector('.asset video'))") == [False, False]
    # Another asset ends the movie.
    page.evaluate(f"location.hash = 'userLibrary/{site.id('P03')}'")
    until(page, "document.querySelector('.asset video').hidden && document.querySelector('.asset video').paused")


def test_f_08_reduced_data_loads_the_sharp_picture_when_the_person_asks(site, browse):
    page = browse(site, "userLibrary")
    # Playwright can't emulate the browser's setting.
    page.evaluate("Object.defineProperty(NetworkInformation.prototype, 'saveData', { get: () => true })")
    sharp = []
    page.on("request", lambda request: request.url.endswith("/screen") and sharp.append(request.url))
    button = page.get_by_role("button", name="Load the sharp picture")
    for name, wants_more in (("P01", True), ("P03", False)):
        page.evaluate(f"location.hash = 'userLibrary/{site.id(name)}'")
        until(page, f"document.querySelector('.asset').dataset.shown?.startsWith('{site.id(name)}/')")
        until(page, "document.querySelector('.asset img').naturalWidth > 0")
        expect(button).to_be_visible()
        assert len(sharp) == (0 if wants_more else 1)
        if not wants_more:
            continue
        small = page.evaluate("document.querySelector('.asset img').naturalWidth")
        button.click()
        until(page, f"document.querySelector('.asset img').naturalWidth > {small}")
        expect(button).to_be_hidden()
        assert len(sharp) == 1
