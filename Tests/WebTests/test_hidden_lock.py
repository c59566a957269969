"""The lock of the Hidden album: scenarios D-02 and U-20."""

import pytest
from conftest import FAILED, fetched, give_password, new_link, sign_in, until
from organizing import own_page, own_site, until_toast
from views import GRID, open_view, row, rows, until_shown

PASSWORD = "a river in the night"
LOCKED = "document.querySelector('.backdrop:not([hidden]) h2')?.textContent === 'Hidden is locked'"


@pytest.fixture
def page(own_site, own_page, pages):
    """A page that shows Hidden, of an owner who has a password."""
    give_password(own_site.library, PASSWORD)
    page = own_page("smart/allHidden")
    until_shown(page, "Hidden", 2)
    yield page
    # A wrong password is answered with 401, of which the browser tells.
    pages.expected.append(FAILED)


def lock(page):
    """Sets the lock."""
    page.get_by_role("button", name="Lock with password").click()
    until_toast(page, "Hidden is locked. Your password opens it.")
    until(page, LOCKED)


def unlock(page, password=PASSWORD):
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Unlock").click()


def hidden_row(page):
    return next(row for row in rows(page) if row["id"] == "allHidden")


def test_u_20_hidden_shows_nothing_before_the_password(page):
    lock(page)
    until(page, f"{GRID}.snapshot.total === 0")
    until(page, "document.querySelector('[data-collection=allHidden]').ariaLabel === 'Hidden, locked'")
    assert hidden_row(page)["count"] == ""
    assert page.locator(".view-header p").text_content() == ""
    assert fetched(page, "/api/v1/collections/allHidden/days?order=newest")["total"] == 0
    unlock(page, "a wrong password")
    page.get_by_role("alert").filter(has_text="The password is wrong.").wait_for()
    until(page, LOCKED)
    unlock(page)
    until(page, f"{GRID}.snapshot.total === 2")
    until(page, "document.querySelector('[data-collection=allHidden]').ariaLabel === 'Hidden, 2 items'")


def test_d_02_hidden_asks_for_the_lock_again_when_it_was_left(page):
    lock(page)
    unlock(page)
    until(page, f"{GRID}.snapshot.total === 2")
    open_view(page, "All Photos", 49)
    until(page, "document.querySelector('[data-collection=allHidden]').ariaLabel === 'Hidden, locked'")
    row(page, "Hidden").click()
    until(page, LOCKED)
    assert fetched(page, "/api/v1/collections/allHidden/days?order=newest")["total"] == 0
    page.go_back()
    until_shown(page, "All Photos", 49)


def test_u_20_other_pages_follow_the_lock(page, own_site, own_page, pages):
    beside = own_page("smart/allHidden")
    elsewhere = pages(sign_in(new_link(own_site.library)))
    elsewhere.goto(own_site.address + "smart/allHidden")
    for other in (beside, elsewhere):
        until_shown(other, "Hidden", 2)
    lock(page)
    for other in (beside, elsewhere):
        until(other, f"{LOCKED} && {GRID}.snapshot.total === 0")
        until(other, "document.querySelector('[data-collection=allHidden]').ariaLabel === 'Hidden, locked'")
    unlock(page)
    until(beside, f"{GRID}.snapshot.total === 2")
    # Another browser's session opens the lock for itself.
    assert elsewhere.evaluate(LOCKED)
    row(page, "All Photos").click()
    until(beside, f"{LOCKED} && {GRID}.snapshot.total === 0")


def test_u_20_the_history_of_another_page_follows_the_lock(page, own_page):
    identifier = fetched(page, "/api/v1/collections/allHidden/assets?limit=1")["assets"][0]["id"]
    history = own_page("history", is_waiting=False)
    page.evaluate(
        """id => fetch('/api/v1/changes', {
          method: 'POST', headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ changes: [{ type: 'setAssets', assets: [id], caption: 'A surprise' }] }) })""", identifier)
    newest = "document.querySelector('history-page li .what')?.textContent"
    until(history, f"{newest} === 'Described 1 item'")
    lock(page)
    until(history, f"{newest} === 'Changed nothing that is shown'")


def test_u_20_hidden_is_locked_when_its_time_is_over(page):
    lock(page)
    answer = {"isSet": True, "hasPassword": True, "openSeconds": 1}
    page.route("**/api/v1/hidden-lock/opening", lambda route: route.fulfill(json=answer))
    unlock(page)
    page.get_by_role("button", name="Lock now").wait_for()
    until(page, LOCKED)


def test_u_20_the_lock_is_removed_by_one_who_has_opened_it(page):
    lock(page)
    unlock(page)
    until(page, f"{GRID}.snapshot.total === 2")
    page.get_by_role("button", name="Remove the lock").click()
    until_toast(page, "Hidden is not locked any more.")
    page.reload()
    until_shown(page, "Hidden", 2)


def test_u_20_without_a_password_one_has_to_be_set(own_page):
    page = own_page("smart/allHidden")
    page.get_by_role("button", name="Lock with password").click()
    dialog = page.get_by_role("dialog", name="Set a password first")
    dialog.wait_for()
    dialog.get_by_role("button", name="Open sessions").click()
    page.wait_for_url("**/sessions")
