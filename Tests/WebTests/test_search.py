"""The search and what it understands: scenarios Y-04, and search results among the views."""

import pytest
from conftest import FAILED, FIRST_PAGE, until, until_equal
from organizing import READY, cell, own_page, own_site, until_chosen, until_these_chosen
from playwright.sync_api import expect
from views import GRID, SETTLED, ids, open_view, place_of, until_shown

IN_CELL = "document.activeElement.closest('.cell')?.dataset.id"


def search_for(page, text):
    page.keyboard.press("/")
    page.keyboard.type(text)


def test_y_04_each_key_is_one_request_and_waits_for_nothing(site, site_page):
    page = site_page(is_waiting=False)
    until(page, READY)
    asked = []
    page.on("request", lambda request: "/api/v1/search" in request.url and asked.append(request.url.partition("q=")[2]))
    page.evaluate("window.setTimeout = () => 0")  # so that nothing can wait for a timer
    search_for(page, "P07")
    until_shown(page, "“P07”", 1)
    until_equal(page, lambda: [url.partition("&")[0] for url in asked], ["P", "P0", "P07"])


def test_y_04_escape_after_a_suggestion_returns_to_the_place_before(site, site_page):
    page = site_page()
    open_view(page, "Favorites", 6)
    search_for(page, "chicago")
    until(page, "document.querySelector('.suggestions a')?.textContent === 'near Chicago'")
    page.locator(".suggestions a").click()
    until_shown(page, "“near Chicago”", 1)
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    until_shown(page, "Favorites", 6)


def test_y_04_escape_after_a_reload_returns_to_the_place_before(site, site_page):
    page = site_page()
    open_view(page, "Favorites", 6)
    search_for(page, "P07")
    until_shown(page, "“P07”", 1)
    page.reload()
    until_shown(page, "“P07”", 1)
    until(page, READY)
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    until_shown(page, "Favorites", 6)


def test_y_04_back_empties_the_field_that_has_the_focus(site, site_page):
    page = site_page()
    open_view(page, "Favorites", 6)
    search_for(page, "P07")
    until_shown(page, "“P07”", 1)
    page.go_back()
    until_shown(page, "Favorites", 6)
    expect(page.locator("search-box input")).to_have_value("")


def test_y_04_suggestions_that_could_not_be_loaded_come_with_a_later_view(site, pages):
    pages.expected.append(FAILED)  # the browser writes the failed request to its console
    page = pages(site.cookies)
    failed = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.route("**/search-suggestions.js", lambda route: route.abort())
    page.goto(site.address)
    until(page, FIRST_PAGE)
    until_equal(page, lambda: failed, [f"{site.address}elements/search-suggestions.js"])
    page.unroute("**/search-suggestions.js")
    open_view(page, "Favorites", 6)
    search_for(page, "chicago")
    until(page, "document.querySelector('.suggestions a')?.textContent === 'near Chicago'")


def test_y_04_escape_after_an_empty_result_puts_the_focus_on_the_view_before(site, site_page):
    page = site_page()
    open_view(page, "Favorites", 6)
    until(page, READY)
    search_for(page, "zebra")
    until_shown(page, "“zebra”", 0)
    page.keyboard.press("Escape")
    until_shown(page, "Favorites", 6)
    until(page, IN_CELL)


def test_y_04_enter_before_the_result_puts_the_focus_on_its_first_photo(site, site_page):
    page = site_page()
    until(page, READY)
    search_for(page, "zebra")
    until_shown(page, "“zebra”", 0)
    held = []
    page.route("**/api/v1/search*", lambda route: held.append(route))
    page.locator("search-box input").fill("P07")
    page.keyboard.press("Enter")
    until_equal(page, lambda: len(held), 1)
    held[0].continue_()
    until_shown(page, "“P07”", 1)
    until(page, f"{IN_CELL} === '{site.id('P07')}'")


@pytest.mark.parametrize(("key", "width"), [("/", 1440), ("Control+f", 1440), ("/", 390)])
def test_y_04_the_keys_for_a_search_leave_the_viewer(site, site_page, key, width):
    page = site_page(width=width)
    page.locator(".cell[data-id] .open").first.click()
    page.locator("asset-viewer").wait_for()
    until(page, READY)
    page.keyboard.press(key)
    until(page, "document.activeElement.closest('search-box') !== null")
    expect(page.locator("asset-viewer")).to_be_hidden()
    page.keyboard.type("P07")
    until_shown(page, "“P07”", 1)


def test_y_04_an_empty_result_says_what_was_understood(site, site_page):
    page = site_page("search?q=zebra+june+2019", is_waiting=False)
    backdrop = page.locator(".backdrop")
    backdrop.get_by_text("Nothing found").wait_for()
    expect(backdrop).to_contain_text("Searched for: June 2019 · zebra")


def test_w_17_an_asset_of_a_search_is_shown_in_the_timeline(site, site_page):
    page = site_page("search?q=P01", is_waiting=False, height=700)
    until(page, f"{READY} && {GRID}.snapshot.total === 1")
    cell(page, site, "P01").click(button="right")
    page.get_by_role("menuitem", name="Show in timeline").click()
    until_shown(page, "All Photos", 49)
    until(page, f"document.activeElement.dataset.id === '{site.id('P01')}'")
    until(page, "(({ top, bottom }) => top >= 0 && bottom <= 700)(document.activeElement.getBoundingClientRect())")


def test_s_10_a_selection_in_a_search_survives_changes_elsewhere(own_site, own_page):
    page = own_page("search?q=P0", is_waiting=False)
    until(page, f"{READY} && {GRID}.snapshot.total === 9")
    until(page, SETTLED)
    names = own_site.names(ids(page))
    for name in names[1:4]:
        cell(page, own_site, name).click(modifiers=["Control"])
    until_chosen(page, 3)
    own_site.calotype("delete", "--yes", own_site.identifier(names[0]))
    until(page, f"{GRID}.snapshot.total === 8")
    until_these_chosen(page, own_site, names[1:4])
    own_site.calotype("trash", "restore", own_site.identifier(names[0]))
    until(page, f"{GRID}.snapshot.total === 9")
    until_these_chosen(page, own_site, names[1:4])


def test_w_12_a_search_keeps_its_place_when_the_library_has_changed(own_site, own_page):
    page = own_page("search?q=photos", is_waiting=False, height=400)
    until(page, f"{READY} && {GRID}.snapshot.total > 30")
    page.evaluate(f"{GRID}.goTo(600)")
    until(page, SETTLED)
    until(page, f"history.state?.standing?.id === {GRID}.standing.id")
    looked_at = page.evaluate(f"{GRID}.standing.id")
    before = place_of(page, looked_at)
    newest = own_site.names([until(page, f"{GRID}.snapshot.pages.at(0)?.id")])[0]
    open_view(page, "Favorites", 6)
    own_site.calotype("delete", "--yes", own_site.identifier(newest))
    page.evaluate("document.querySelector('side-bar').reveal('recentlyDeleted')")
    until(page, "[...document.querySelectorAll('side-bar .row')].some(row => row.ariaLabel === 'Recently Deleted, 4 items')")
    page.go_back()
    until_shown(page, "“photos”")
    until_equal(page, lambda: place_of(page, looked_at), before)


def test_y_04_the_name_of_a_city_finds_what_was_taken_near_it(site, site_page):
    page = site_page()
    search_for(page, "chicago")
    until_shown(page, "“chicago”", 1)
    until_equal(page, f"{GRID}.snapshot.pages.at(0)?.id", site.id("P01"))
    expect(page.locator(".view-header p").first).to_contain_text("near Chicago")
    expect(page.locator("search-box [role=status]")).to_have_text("1 result")
    page.reload()
    until_shown(page, "“chicago”", 1)


def test_y_04_the_keys_reach_the_suggestions(site, site_page):
    page = site_page()
    search_for(page, "norway")
    page.locator(".suggestions a", has_text="Norway").wait_for()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".suggestions a").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("search-box input")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    until(page, f"{IN_CELL} !== undefined")


def test_the_sidebar_marks_the_page_that_is_open(site, site_page):
    page = site_page("access", is_waiting=False)
    marked = page.locator(".sidebar-links [aria-current]")
    expect(marked).to_have_text("Access")
    page.locator("side-bar .collection").first.click()
    expect(marked).to_have_count(0)
