"""Tests that only a browser that has opened the printed address is signed in."""

from conftest import FIRST_PAGE, until


def test_the_printed_address_shows_the_library_and_leaves_its_token_behind(browser, printed_address, calotype_server):
    context = browser.new_context()
    page = context.new_page()
    page.goto(printed_address)
    until(page, FIRST_PAGE)
    assert page.url == calotype_server
    page.reload()
    until(page, FIRST_PAGE)
    assert page.evaluate("document.cookie") == "", "no script sees it"
    context.close()


def test_another_browser_is_told_what_to_do(browser, calotype_server):
    context = browser.new_context()
    page = context.new_page()
    assert page.goto(calotype_server).status == 401
    assert "calotype serve" in page.locator("p").first.text_content()
    context.close()


def test_a_page_whose_server_was_started_again_says_so(new_page, calotype_server):
    page = new_page()
    page.goto(calotype_server)
    until(page, FIRST_PAGE)
    # A made-up response, because the browser would write a real one to its console.
    page.evaluate("globalThis.fetch = () => Promise.resolve(new Response('', { status: 401 })); null")
    page.locator(".notice").wait_for()
    assert "started again" in page.locator(".notice").text_content()
