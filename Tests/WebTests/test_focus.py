"""The focus stays in what the person works on, also when a button removes or hides itself."""

import pytest
from conftest import until
from organizing import READY, cell, own_page, undone_sites, until_chosen, until_toast
from organizing import undone_site as own_site
from playwright.sync_api import expect
from test_permission import CARD, Client, press

IN_CELL = "document.activeElement.closest('.cell')?.dataset.id"


@pytest.fixture
def page(own_page):
    return own_page()


def test_after_clearing_the_selection_the_focus_is_on_the_cell_again(own_site, page):
    cell(page, own_site, "P20").focus()
    page.keyboard.press("Space")
    until_chosen(page, 1)
    page.locator("selection-bar .clear").focus()
    page.keyboard.press("Enter")
    until(page, "document.querySelector('selection-bar').hidden")
    until(page, f"{IN_CELL} === '{own_site.id('P20')}'")


def test_after_the_button_of_a_message_the_focus_is_where_it_was(own_site, page):
    cell(page, own_site, "P20").focus()
    page.keyboard.press("Delete")
    until_toast(page, "moved to Recently Deleted")
    until(page, f"({IN_CELL} ?? '{own_site.id('P20')}') !== '{own_site.id('P20')}'")
    following = page.evaluate(IN_CELL)
    page.keyboard.press("F6")
    page.keyboard.press("Enter")
    until_toast(page, "Undone")
    until(page, f"{IN_CELL} === '{following}'")


def test_f6_leads_to_a_request_and_after_its_answer_back(own_site, page):
    cell(page, own_site, "P20").focus()
    client = Client(own_site)
    client.ask()
    page.locator(CARD).wait_for()
    expect(page.locator("access-requests [role=status]")).to_contain_text("wants to see your photos")
    assert page.evaluate(IN_CELL) == own_site.id("P20"), "a request takes no focus"
    page.keyboard.press("F6")
    until(page, f"document.activeElement.matches('{CARD}')")
    press(page, "Don’t allow")
    until(page, f"document.querySelector('{CARD}') === null")
    until(page, f"{IN_CELL} === '{own_site.id('P20')}'")


def test_undoing_in_the_history_keeps_the_focus_in_the_list(own_site, own_page):
    for title in ("First", "Second"):
        own_site.calotype("album", "create", title)
    page = own_page("history", is_waiting=False)
    until(page, READY)
    undo = page.locator("history-page li button")
    undo.first.focus()
    page.keyboard.press("Enter")
    page.locator("history-page .undone").wait_for()
    until(page, "document.activeElement.closest('history-page .days') !== null")


def test_after_choosing_what_a_program_sees_the_focus_stays_with_it(own_site, own_page):
    for origin in ("https://first.example", "https://second.example"):
        own_site.calotype("access", "limit", origin, own_site.identifier("P01"))
    page = own_page("access", is_waiting=False)
    until(page, READY)
    page.locator(".client", has_text="second.example").get_by_role("button", name="Select photos…").focus()
    page.keyboard.press("Enter")
    page.locator("dialog.chooser").get_by_role("button", name="Done").click()
    until_toast(page, "second.example")
    until(page, "document.activeElement.closest('.client')?.textContent.includes('second.example') === true")


def test_tab_reaches_nothing_that_the_viewer_covers(page):
    page.get_by_role("button", name="Close the sidebar").click()
    page.locator(".sidebar-toggle").wait_for()
    page.locator(".cell .open").first.click()
    page.locator("asset-viewer:focus").wait_for()
    for _ in range(14):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || document.activeElement.closest('asset-viewer') !== null")


SIDEBAR_IS_INERT = "document.querySelector('side-bar').inert"


def test_a_sidebar_that_was_closed_stays_so_after_the_viewer(own_site, own_page):
    page = own_page(f"album/{own_site.collections['Norway']}")
    page.get_by_role("button", name="Close the sidebar").click()
    page.locator(".cell .open").first.click()
    page.locator("asset-viewer:focus").wait_for()
    page.keyboard.press("Escape")
    until(page, "document.querySelector('asset-viewer').hidden")
    assert page.evaluate(SIDEBAR_IS_INERT)
    until(page, "document.activeElement.closest('.cell') !== null")
    page.keyboard.press("F2")
    assert page.locator("side-bar input.rename").count() == 0


def test_a_sidebar_behind_the_viewer_stays_out_of_reach_when_a_tablet_is_turned(page):
    page.locator(".cell .open").first.click()
    page.locator("asset-viewer:focus").wait_for()
    page.set_viewport_size({"width": 700, "height": 900})
    until(page, "!document.body.classList.contains('with-sidebar')")
    page.set_viewport_size({"width": 1440, "height": 900})
    until(page, "document.body.classList.contains('with-sidebar')")
    assert page.evaluate(SIDEBAR_IS_INERT)
    page.keyboard.press("Escape")
    until(page, f"document.querySelector('asset-viewer').hidden && !{SIDEBAR_IS_INERT}")
