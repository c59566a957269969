"""Events that come while a page is hidden, or one after another in a hurry."""

import pytest
from conftest import FAILED, until
from organizing import own_page, own_site
from test_permission import CARD, Client
from views import GRID, open_view, row, until_shown

# Other tabs can't cover a page of a headless browser.
HIDDEN = """(isHidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def page(own_page):
    return own_page()


def test_a_02_a_request_that_came_while_the_page_was_hidden_appears(own_site, page):
    page.evaluate(HIDDEN, True)
    Client(own_site).ask()
    page.evaluate(HIDDEN, False)
    page.locator(CARD).wait_for()


def test_c_01_the_sidebar_fills_although_the_first_answers_fail(own_site, pages):
    page = pages(own_site.cookies)
    page.route("**/api/v1/collections", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/v1/collections")):
        page.goto(own_site.address)
    page.unroute("**/api/v1/collections")
    row(page, "Receipts").wait_for()
    pages.expected.append(FAILED)  # browsers write each failed request to the console


def test_escape_in_a_request_leaves_the_asset_open(own_site, page):
    page.locator(".cell[data-id]").first.click()
    until(page, "location.hash.startsWith('#/asset/')")
    Client(own_site).ask()
    page.locator(CARD).get_by_role("button", name="Don’t allow").focus()
    page.keyboard.press("Escape")
    until(page, f"document.querySelector('{CARD}') === null")
    page.get_by_role("button", name="1 request waiting").wait_for()
    assert page.evaluate("location.hash").startswith("#/asset/")


def test_closing_twice_at_once_stays_in_the_album(own_site, page):
    page.goto(own_site.address + "smart/favorites")
    page.locator(".cell[data-id]").first.click()
    until(page, "!document.querySelector('asset-viewer').hidden")
    page.evaluate("""for (let press = 0; press < 2; press++) {
      document.querySelector("asset-viewer").dispatchEvent(new CustomEvent("close"));
    }""")
    until(page, "location.hash === ''")
    # A step forward comes after all steps back. It leads to the photo if there was one.
    page.go_forward()
    until(page, "location.hash.startsWith('#/asset/') && location.pathname === '/smart/favorites'")


def test_a_view_whose_photos_did_not_come_is_shown_once_they_come(own_site, own_page, pages):
    page = own_page(height=300)
    page.evaluate(f"{GRID}.goTo(1000)")
    until(page, f"history.state?.standing?.id === {GRID}.standing.id")
    open_view(page, "Favorites", 6)
    # The place at which the timeline was left has to be asked for at the new revision.
    own_site.calotype("favorite", own_site.identifier("P04"))
    until_shown(page, "Favorites", 7)
    page.route("**/assets?at=*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/assets?at=" in request.url):
        row(page, "All Photos").click()
    page.unroute("**/assets?at=*")
    until_shown(page, "All Photos", 49)
    pages.expected.append(FAILED)


def test_photos_that_did_not_come_are_asked_for_again(library_page, pages):
    page = library_page()
    page.route("**/assets?offset=100*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "offset=100" in request.url):
        page.evaluate(f"{GRID}.goTo({GRID}.layout.boxOf(150).top)")
    page.unroute("**/assets?offset=100*")
    until(page, f"{GRID}.cellAt(150)?.asset !== undefined")
    pages.expected.append(FAILED)


@pytest.mark.parametrize("name, address", [("access", "**/api/v1/access"), ("history", "**/api/v1/changes?limit=*")])
def test_a_page_that_got_no_answer_fills_once_changes_are_told_again(own_site, page, pages, name, address):
    page.route(address, lambda route: route.abort())
    page.locator(f".sidebar-links a[href='/{name}']").click()
    page.locator(f"{name}-page").get_by_text("The server does not answer.").wait_for()
    page.unroute(address)
    for is_hidden in (True, False):
        page.evaluate(HIDDEN, is_hidden)
    page.locator(f"{name}-page").locator("li, .nothing").first.wait_for()
    pages.expected.append(FAILED)


@pytest.mark.parametrize("name", ["access", "history"])
def test_a_page_that_could_not_be_loaded_is_loaded_again(own_site, page, pages, name):
    script = f"**/elements/{name}-page.js"
    page.route(script, lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.url.endswith(f"{name}-page.js")):
        page.locator(f".sidebar-links a[href='/{name}']").click()
    page.unroute(script)
    page.locator(f"{name}-page h1").wait_for()
    pages.expected.append(FAILED)
