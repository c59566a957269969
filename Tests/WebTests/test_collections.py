"""The sidebar with its collections, and their views: scenarios C, D and E."""

import datetime
import re

import pytest
from conftest import DESK, FAILED, FIRST_PAGE, PHONE, box_of, fetched, on_desk_and_phone, until, until_equal
from made_up import MadeUpLibrary
from playwright.sync_api import expect
from views import GRID, SETTLED, cells, ids, open_view, resize, row, rows, show_sidebar, until_shown

SHOWN = {
    "All Photos": 49, "Favorites": 6, "Videos": 12, "Screenshots": 6, "Live Photos": 5, "Panoramas": 2, "Animated": 1,
    "Bursts": 1, "RAW": 1, "Slo-mo": 1, "Time-lapse": 1, "Screen Recordings": 1, "Hidden": 2, "Recently Deleted": 3,
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_c_01_the_sidebar_has_three_groups(site_page, scheme):
    page = site_page(color_scheme=scheme, height=1600)  # so that each row has an element
    for size, groups in ((DESK, ["Smart Albums", "My Albums"]), (PHONE, ["My Albums", "Smart Albums"])):
        resize(page, size)
        show_sidebar(page)
        until(page, "document.querySelectorAll('side-bar .row.collection').length > 10")
        until_equal(page, lambda: [each["title"] for each in rows(page) if each["level"] == 1], ["All Photos", *groups])
        found = rows(page)
        assert found[0]["title"] == "All Photos" and found[0]["count"] == "49" and found[0]["label"] == "All Photos, 49 items"
        titles = [each["title"] for each in found]
        first = titles.index("My Albums") + 1
        assert titles[first:first + 3] == ["Receipts", "Empty", "Travels"]
        assert all(each["pictures"] or each["symbols"] for each in found if each["count"] is not None)


def test_c_01_on_a_phone_the_sidebar_is_a_page(site_page):
    page = site_page(width=390, height=844, has_touch=True, is_mobile=True)
    expect(page.locator("side-bar")).to_be_hidden()
    page.locator(".bottom-bar [data-view=albums]").tap()
    row(page, "Receipts").tap()
    until_shown(page, "Receipts", 3)
    page.locator("side-bar").wait_for(state="hidden")
    expect(page.locator(".bottom-bar [data-view=albums]")).to_have_attribute("aria-current", "page")
    page.locator(".bottom-bar [data-view=albums]").tap()
    page.locator("side-bar").wait_for()
    bar, sidebar = (box_of(page.locator(name)) for name in (".bottom-bar", "side-bar"))
    assert sidebar["width"] == 390 and sidebar["y"] + sidebar["height"] == bar["y"]
    page.locator(".bottom-bar [data-view=photos]").tap()
    until_shown(page, "All Photos", 49)
    page.locator("side-bar").wait_for(state="hidden")


def test_y_04_a_phone_shows_the_field_for_a_search_above_the_results(site, site_page):
    page = site_page(width=390, height=844, has_touch=True, is_mobile=True)
    until(page, "document.querySelector('search-box') !== null")
    page.locator(".bottom-bar [data-view=search]").tap()
    until(page, "document.activeElement.matches('search-box input')")
    expect(page.locator("side-bar .tree")).to_be_hidden()
    page.keyboard.type("P07")
    until_shown(page, "“P07”", 1)
    field, cell = (box_of(page.locator(name)) for name in ("search-box", ".cell:not(.free)"))
    assert field["y"] + field["height"] < cell["y"]
    expect(page.locator(".bottom-bar [data-view=search]")).to_have_attribute("aria-current", "page")
    page.locator(".bottom-bar [data-view=photos]").tap()
    until_shown(page, "All Photos", 49)
    expect(page.locator("search-box")).to_be_hidden()


def test_c_02_covers_show_nothing_that_was_hidden_or_deleted(site_page):
    page = site_page(height=1600)
    for size in (DESK, PHONE):
        resize(page, size)
        show_sidebar(page)
        until(page, "document.querySelectorAll('side-bar .row.collection').length > 10")
        for title in ("Hidden", "Recently Deleted"):
            cover = row(page, title).locator(".cover")
            expect(cover.locator("svg")).to_have_count(1)
            expect(cover.locator("img")).to_have_count(0)


def test_c_02_covers(site, site_page):
    page = site_page(height=1600)
    by_title = {each["title"]: each for each in fetched(page, "/api/v1/collections")["collections"]}
    cover = {title: site.names([each["id"] for each in collection["covers"]]) for title, collection in by_title.items()}
    assert cover["Recents"] == ["P20"]
    assert cover["Favorites"] == ["P09"]
    assert cover["Norway"] == ["L01"], "the newest in it, not the first"
    assert set(cover["Travels"]) >= {"L01", "P08"}
    assert cover["Empty"] == []
    for size in (DESK, PHONE):
        resize(page, size)
        show_sidebar(page)
        expect(row(page, "Travels").locator(".cover img")).to_have_count(len(cover["Travels"]))
        empty = row(page, "Empty").locator(".cover")
        expect(empty.locator("svg")).to_have_count(1)
        expect(empty.locator("img")).to_have_count(0)
        until(page, "[...document.querySelectorAll('side-bar .cover img')].every(image => image.naturalWidth > 0)")


def test_c_03_smart_albums_with_assets(site_page):
    page = site_page(height=1600)  # so that each row has an element
    until(page, "document.querySelectorAll('side-bar .row.collection').length > 10")
    counts = {each["title"]: int(each["count"]) for each in rows(page) if each["count"] is not None}
    for title, count in SHOWN.items():
        assert counts.get(title) == count, title
    assert all(count > 0 for title, count in counts.items() if title != "Empty")
    page.get_by_text("Show empty").click()
    until(page, "[...document.querySelectorAll('side-bar .row')].some(row => row.textContent.includes('Hide empty'))")
    more = {each["title"]: int(each["count"]) for each in rows(page) if each["count"] is not None}
    assert len(more) > len(counts)
    assert {title: more[title] for title in counts} == counts
    resize(page, PHONE)
    show_sidebar(page)
    until_equal(page, lambda: {each["title"]: int(each["count"]) for each in rows(page) if each["count"] is not None}, more)
    page.get_by_text("Hide empty").click()
    until_equal(page, lambda: {each["title"]: int(each["count"]) for each in rows(page) if each["count"] is not None}, counts)


def opened(pages, cookies, address, library, **options):
    page = pages(cookies, **options)
    library.serve(page)
    page.goto(address)
    until(page, FIRST_PAGE)
    return page


def test_c_05_two_thousand_albums(site, pages):
    page = opened(pages, site.cookies, site.address, MadeUpLibrary(100_000, albums=2_000))
    until(page, "document.querySelectorAll('side-bar .row.collection').length > 5")
    assert page.evaluate("document.querySelectorAll('side-bar [role=treeitem]').length") <= 60
    page.locator("side-bar .filter").click()
    page.keyboard.type("1999")
    until_equal(page, lambda: rows(page)[-1]["title"], "Album 1999")
    page.keyboard.press("Escape")
    row(page, "All Photos").focus()
    page.keyboard.press("End")
    until(page, "document.activeElement.querySelector('.title')?.textContent === 'Album 2000'")
    assert page.evaluate("document.querySelectorAll('side-bar [role=treeitem]').length") <= 60
    box = box_of(page.locator("side-bar [role=treeitem]:focus"))
    assert 0 < box["y"] and box["y"] + box["height"] <= 900


def test_c_06_a_new_favorite_changes_the_count_in_place(site, site_page):
    first, second = site_page(), site_page("smart/favorites")
    resize(second, PHONE)
    show_sidebar(second)
    for page in (first, second):
        until(page, "document.querySelectorAll('side-bar .row.collection').length > 10")
        row(page, "Favorites").evaluate("row => (row.wasThere = true)")
    try:
        site.calotype("favorite", site.identifier("P20"))
        for page in (first, second):
            until(page, "[...document.querySelectorAll('side-bar .row')].some(row => row.ariaLabel === 'Favorites, 7 items')")
            assert row(page, "Favorites").evaluate("row => row.wasThere"), "the row's element is the same"
            expect(row(page, "Favorites").locator(".cover img").first).to_have_attribute("src", re.compile(site.id("P20")))
        until(second, f"{GRID}.snapshot.total === 7")
    finally:
        site.calotype("favorite", "--off", site.identifier("P20"))


def test_c_07_an_album_of_a_program_comes_changes_and_goes(site, pages, site_page):
    page = site_page()
    site.calotype("album", "create", "Harbor")
    row(page, "Harbor").wait_for()
    open_view(page, "Harbor", 0)
    expect(page.locator(".backdrop")).to_contain_text("Empty album")
    id = page.evaluate("location.pathname").rpartition("/")[2]
    identifier = next(line for line in site.calotype("albums").splitlines() if "Harbor" in line).split()[1]
    assert identifier.startswith(id)
    site.calotype("album", "rename", identifier, "Port")
    until_shown(page, "Port")
    expect(page).to_have_title(re.compile("^Port"))
    site.calotype("album", "delete", "--yes", identifier)
    until(page, "document.querySelector('.backdrop').textContent.includes('deleted')")
    row(page, "Port").wait_for(state="detached")
    page.locator(".backdrop").get_by_role("button", name="Undo").click()
    until_shown(page, "Port", 0)
    row(page, "Port").wait_for()
    site.calotype("album", "delete", "--yes", identifier)
    until(page, "document.querySelector('.backdrop').textContent.includes('deleted')")
    page.get_by_text("Show all photos").click()
    until_shown(page, "All Photos", 49)
    pages.expected.append(FAILED)  # the page may ask for the album at the moment in which it goes


SMART_ALBUMS = [
    ("smart/favorites", "Favorites", {"P02", "P05", "P09", "L01", "S01", "V01"}),
    ("smart/screenshots", "Screenshots", {"S01", "S02", "S03", "S04", "S05", "S06"}),
    ("smart/panoramas", "Panoramas", {"N01", "N02"}),
    ("smart/livePhotos", "Live Photos", {"L01", "L02", "L03", "L04", "L05"}),
    ("smart/slomoVideos", "Slo-mo", {"M01"}), ("smart/timelapses", "Time-lapse", {"T01"}),
    ("smart/screenRecordings", "Screen Recordings", {"C01"}),
    ("smart/videos", "Videos", {*(f"V0{number}" for number in range(1, 9)), "M01", "T01", "C01", "H01"}),
    ("smart/bursts", "Bursts", {"B01_1"}),
    ("smart/animated", "Animated", {"G01"}),
    ("smart/raw", "RAW", {"R01"}),
    ("smart/unreadable", "Unable to Read", {"U01"}),
]


def test_d_01_smart_albums_open_with_their_assets(site, site_page):
    page = site_page(height=1600)  # so that each row has an element
    for address, title, expected in SMART_ALBUMS:
        open_view(page, title, len(expected))
        until(page, f"location.pathname === '/{address}'")
        expect(page).to_have_title(re.compile(f"^{title}"))
        until_equal(page, lambda: set(site.names(ids(page))), expected)
        order = fetched(page, f"/api/v1/collections/{address.partition('/')[2]}/assets?offset=0&limit=50&order=newest")["assets"]
        assert ids(page) == [asset["id"] for asset in order]
        dates = [asset["creationDate"][:19] for asset in order]
        assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize("address, title, expected", SMART_ALBUMS[:2])
def test_d_01_the_address_of_a_smart_album_opens_it(site, site_page, address, title, expected):
    page = site_page(address)
    until_shown(page, title, len(expected))
    page.reload()
    until_shown(page, title, len(expected))
    until_equal(page, lambda: set(site.names(ids(page))), expected)
    expect(page).to_have_title(re.compile(f"^{title}"))


def test_d_02_hidden_assets_are_only_in_hidden(site, site_page):
    page = site_page("smart/allHidden")
    until_shown(page, "Hidden", 2)
    until_equal(page, lambda: set(site.names(ids(page))), {"X01", "X02"})
    everything = fetched(page, "/api/v1/collections/userLibrary/assets?offset=0&limit=500&order=newest")["assets"]
    assert not {site.id("X01"), site.id("X02")} & {asset["id"] for asset in everything}
    try:
        site.calotype("hide", "--off", site.identifier("X01"))
        until(page, f"{GRID}.snapshot.total === 1")
        open_view(page, "All Photos", 50)
        index = page.evaluate(f"{GRID}.snapshot.indexOf({{ id: '{site.id('X01')}' }})")
        page.evaluate(f"{GRID}.reveal({index})")
        until(page, SETTLED)
        assert site.id("X01") in ids(page)
        date = fetched(page, f"/api/v1/assets/{site.id('X01')}")["creationDate"][:10]
        day = page.evaluate(f"{GRID}.layout.dayOf({index})")
        assert page.evaluate(f"{GRID}.snapshot.days[{day}]") == [date, 1]
        heading = datetime.date.fromisoformat(date)
        expect(page.locator(f".day-name[data-day='{day}']")).to_contain_text(f"{heading.day} {heading:%b}")
    finally:
        site.calotype("hide", site.identifier("X01"))


ORDERS = {"newest": "Newest first", "oldest": "Oldest first", "added": "Date added", "custom": "Custom order", "deleted": "Date deleted"}
DATES = ["newest", "oldest", "added"]


def test_d_03_each_collection_has_the_order_that_its_menu_says(site, site_page):
    page = site_page(height=1600)  # so that each row has an element
    menu = page.locator(".view-header select")
    dates = {name: fetched(page, f"/api/v1/assets/{site.id(name)}")["creationDate"] for name in NORWAY}
    for title, count, orders in [
        ("All Photos", 49, DATES), ("Favorites", 6, DATES), ("Recently Added", 49, ["added", "newest", "oldest"]),
        ("Recently Deleted", 3, ["deleted", "newest", "oldest"]), ("Norway", 7, ["custom", *DATES])]:
        if title == "Norway":
            row(page, "Travels").locator(".twisty").click()
        open_view(page, title, count)
        assert menu.locator("option").all_text_contents() == [ORDERS[order] for order in orders]
        id = page.evaluate(f"{GRID}.snapshot.place.id")
        for order in [*orders, orders[0]]:
            menu.select_option(ORDERS[order])
            until_equal(page, f"{GRID}.snapshot.order", order)
            listed = fetched(page, f"/api/v1/collections/{id}/assets?offset=0&limit=100&order={order}")["assets"]
            until_equal(page, lambda: ids(page), [asset["id"] for asset in listed][-len(ids(page)) if order == "oldest" else 0:][:len(ids(page))])
            if title == "Norway":
                expected = {"custom": NORWAY, "newest": sorted(NORWAY, key=dates.get, reverse=True), "oldest": sorted(NORWAY, key=dates.get)}
                assert site.names(ids(page)) == expected.get(order, site.names(ids(page)))
            if order in ("newest", "oldest"):
                found = [asset["creationDate"] for asset in listed]
                assert found == sorted(found, reverse=order == "newest")


NORWAY = ["P03", "P01", "P02", "P04", "P05", "L01", "V01"]


@on_desk_and_phone
def test_d_03_recently_added_is_ordered_by_date_added(site_page, size):
    page = site_page("smart/recentlyAdded", **size)
    until_shown(page, "Recently Added")
    expect(page.locator(".view-header select")).to_have_value("added")
    assert page.locator(".view-header option:checked").text_content() == "Date added"
    expect(page.locator(".day-name")).to_have_count(0)
    added = fetched(page, "/api/v1/collections/recentlyAdded/assets?offset=0&limit=500&order=added")["assets"]
    shown = ids(page)
    assert len(shown) > 5 and shown == [asset["id"] for asset in added[:len(shown)]]


@on_desk_and_phone
def test_d_04_cells_of_recently_deleted_say_the_days_that_are_left(site_page, size):
    page = site_page("smart/recentlyDeleted", **size)
    until_shown(page, "Recently Deleted", 3)
    left = ["28 days left", "20 days left", "1 day left"]
    until_equal(page, lambda: [cell["text"].strip() for cell in cells(page)], left)
    assert all(days in cell["label"] for days, cell in zip(left, cells(page)))


def test_e_01_a_folder_expands_and_stays_so(site_page):
    page = site_page(height=1600)
    resize(page, PHONE)
    show_sidebar(page)
    row(page, "Travels").locator(".twisty").click()
    row(page, "Japan").wait_for()
    expect(page.locator("side-bar")).to_be_visible()  # it expands, and is not opened
    row(page, "Travels").locator(".twisty").click()
    row(page, "Japan").wait_for(state="detached")
    resize(page, DESK)
    row(page, "Travels").locator(".twisty").click()
    row(page, "Japan").wait_for()
    assert page.evaluate("location.pathname") == "/"
    until_equal(page, lambda: [each["title"] for each in rows(page)][-4:], ["Travels", "Japan", "Norway", "Europe"])
    row(page, "Travels").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    row(page, "Rome").wait_for()
    expect(row(page, "Europe")).to_have_attribute("aria-expanded", "true")
    expect(row(page, "Rome")).to_have_attribute("aria-level", "4")
    focused = "document.activeElement.querySelector('.title')?.textContent"
    page.keyboard.press("ArrowRight")
    until_equal(page, focused, "Rome")
    page.keyboard.press("ArrowLeft")
    until_equal(page, focused, "Europe")
    page.reload()
    row(page, "Rome").wait_for()
    page.keyboard.press("Tab")
    row(page, "Travels").focus()
    page.keyboard.press("ArrowLeft")
    until(page, "![...document.querySelectorAll('side-bar .title')].some(title => title.textContent === 'Japan')")


def test_e_01_the_folders_around_an_album_are_open_if_the_page_begins_with_it(site, site_page):
    page = site_page(f"album/{site.collections['Norway']}", height=1600)
    row(page, "Norway").wait_for()
    expect(row(page, "Norway")).to_have_attribute("aria-current", "page")
    expect(row(page, "Norway")).to_have_attribute("tabindex", "0")
    row(page, "Travels").locator(".twisty").click()
    row(page, "Norway").wait_for(state="detached")


@on_desk_and_phone
def test_e_06_a_folders_page_has_cards_and_all_photos(site, site_page, size):
    page = site_page(f"folder/{site.collections['Travels']}", is_waiting=False, **size)
    until_shown(page, "Travels")
    cards = page.locator(".card")
    expect(cards.locator("strong")).to_have_text(["Japan", "Norway", "Europe"])
    expect(cards.nth(1)).to_have_text(re.compile("7 items$"))
    expect(page.locator(".cell:visible")).to_have_count(0)
    page.get_by_label("All photos in here").click()
    until(page, f"{GRID}.snapshot.total === 11")
    until(page, "document.querySelectorAll('.cell:not(.free)[data-id]').length === 11")
    expected = {"P01", "P02", "P03", "P04", "P05", "L01", "V01", "P06", "P07", "P08", "P09"}
    assert set(site.names(page.evaluate("[...document.querySelectorAll('.cell[data-id]')].map(cell => cell.dataset.id)"))) == expected
    page.get_by_label("All photos in here").click()
    until(page, f"{GRID}.snapshot.total === 0")
    cards.nth(2).click()
    until_shown(page, "Europe")
    page.locator(".card").first.click()
    until_shown(page, "Rome", 1)
    until(page, r"/^\/album\/[\w-]+$/.test(location.pathname)")
    page.go_back()
    page.go_back()
    until_shown(page, "Travels")
