"""Tests of what the page loads, and when."""

from conftest import FIRST_PAGE, until
from playwright.sync_api import expect

# The scripts that the page has requested, in their order. The size is that of the compressed body.
SCRIPTS = """performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
  .sort((a, b) => a.startTime - b.startTime)
  .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, size: encodedBodySize }))"""
NAMED = """[...document.querySelectorAll('link[rel=modulepreload], script[src]')]
  .map(({ href, src }) => new URL(href ?? src).pathname)"""
MOST_BYTES = 45_000


def test_the_first_page_needs_at_most_45_kilobytes_of_scripts_in_two_levels(new_page, calotype_server):
    page = new_page()
    page.goto(calotype_server)
    until(page, FIRST_PAGE)
    until(page, f"{SCRIPTS}.some(({{ name }}) => name === '/elements/organizing.js')")
    scripts = page.evaluate(SCRIPTS)
    names = [script["name"] for script in scripts]
    first = scripts[:names.index("/later.js")]
    # The page itself names each of them, so that no script waits for another.
    assert {script["name"] for script in first} == set(page.evaluate(NAMED))
    assert sum(script["size"] for script in first) <= MOST_BYTES, sorted(first, key=lambda script: -script["size"])
    assert "/elements/organizing.js" in names, "the rest is loaded without being asked for"


def test_an_asset_opens_before_the_rest_is_loaded(new_page, calotype_server):
    page = new_page()
    held = []
    page.route("**/later.js", lambda route: held.append(route))
    page.goto(calotype_server)
    page.locator(".cell[data-id]").first.click()
    until(page, "document.querySelector('asset-viewer').asset && !document.querySelector('asset-viewer').hidden")
    until(page, "document.querySelector('zoom-stage img')?.naturalWidth > 0")
    for route in held:
        route.continue_()
    until(page, FIRST_PAGE)
    page.keyboard.press("Escape")
    until(page, "document.querySelector('asset-viewer').hidden")


def test_information_that_is_open_before_the_rest_is_loaded_gets_its_fields(new_page, calotype_server):
    page = new_page()
    held = []
    page.route("**/later.js", lambda route: held.append(route))
    page.goto(calotype_server)
    page.locator(".cell[data-id]").first.click()
    page.locator("asset-viewer").wait_for()
    page.keyboard.press("i")
    panel = page.locator("info-panel")
    panel.locator(".resources").wait_for()
    expect(panel.get_by_label("Title")).to_have_count(0)
    for route in held:
        route.continue_()
    panel.get_by_label("Title").wait_for()
