"""Changing the library in the page: scenarios I, J, N and Y."""

import json
import re
import zipfile
from urllib.parse import urlparse
from urllib.request import Request, urlopen

import pytest
from conftest import FAILED, PATIENCE, box_of, fetched, on_desk_and_phone, until, until_equal
from organizing import (
    READY, TALL, asset, cell, drag, dump, in_order, middle, own_page, total, undo_by_toast, undone_sites, until_chosen,
    until_toast, until_total)
from organizing import undone_site as own_site
from playwright.sync_api import expect
from views import GRID, ids, open_view, row, until_shown


@pytest.fixture
def page(own_site, own_page):
    return own_page(height=TALL)


def choose(page, site, *names):
    for name in names:
        cell(page, site, name).click(modifiers=["Control"])
    until_chosen(page, len(names))


def command(page, name):
    page.locator(f"selection-bar [data-command={name}]").click()


def menu(page, item):
    page.get_by_role("menuitem", name=item, exact=True).click()


def history(page):
    return fetched(page, "/api/v1/changes?limit=200")["transactions"]


def is_favorite(page, site, name):
    return asset(page, site, name)["isFavorite"]


def until_favorite(page, site, name, expected=True):
    until(page, f"fetch('/api/v1/assets/{site.id(name)}').then(a => a.json()).then(a => a.isFavorite === {json.dumps(expected)})")


@on_desk_and_phone
def test_i_01_a_favorite_by_key_by_menu_and_in_the_viewer(own_site, own_page, size):
    page = own_page(f"album/{own_site.collections['Norway']}", **size)
    cell(page, own_site, "P03").focus()
    page.keyboard.press("f")
    until_favorite(page, own_site, "P03")
    cell(page, own_site, "P03").locator(".favorite").wait_for()
    cell(page, own_site, "P03").click(button="right")
    menu(page, "Remove from Favorites")
    until_favorite(page, own_site, "P03", False)
    cell(page, own_site, "P03").click()
    button = page.locator("asset-viewer .favorite-button")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    until(page, "document.querySelector('.favorite-button').ariaPressed === 'true'")
    until_favorite(page, own_site, "P03")


def test_i_01_two_quick_keys_leave_a_photo_as_it_was(own_site, page):
    cell(page, own_site, "P03").click()
    page.locator("asset-viewer .favorite-button").wait_for()
    sent = []
    page.on("request", lambda request: request.url.endswith("/changes") and sent.append(request.post_data_json["changes"][0]["isFavorite"]))
    page.keyboard.press("f")
    page.keyboard.press("f")
    until_equal(page, lambda: sent, [True, False])
    until(page, "document.querySelector('.favorite-button').ariaPressed === 'false'")
    until_favorite(page, own_site, "P03", False)
    assert sent == [True, False]


def test_i_01_a_refused_favorite_goes_back_with_a_sentence(own_site, page, pages):
    page.route("**/api/v1/changes", lambda route: route.fulfill(
        status=422, content_type="application/problem+json", json={"type": "urn:calotype:problem:invalid", "detail": "The disk is full."}))
    cell(page, own_site, "P03").focus()
    page.keyboard.press("f")
    until_toast(page, "Nothing was changed. The disk is full.")
    expect(cell(page, own_site, "P03").locator(".favorite")).to_have_count(0)
    pages.expected.append(FAILED)  # the browser writes the refusal to its console


def test_i_02_mixed_favorites_become_all_then_none(own_site, page):
    choose(page, own_site, "P02", "P03")
    before = len(history(page))
    page.keyboard.press("f")
    until_toast(page, "2 items added to Favorites")
    assert len(history(page)) == before + 1, "one transaction"
    assert is_favorite(page, own_site, "P02") and is_favorite(page, own_site, "P03")
    page.keyboard.press("f")
    until_toast(page, "2 items removed from Favorites")
    assert not is_favorite(page, own_site, "P02") and not is_favorite(page, own_site, "P03")


def test_i_03_a_former_favorite_leaves_favorites(own_site, page):
    open_view(page, "Favorites", 6)
    names = in_order(page, own_site, "favorites")
    cell(page, own_site, names[1]).focus()
    page.keyboard.press("f")
    until(page, f"{GRID}.snapshot.total === 5")
    until(page, f"document.activeElement.dataset.id === '{own_site.id(names[2])}'")
    undo_by_toast(page)
    until(page, f"{GRID}.snapshot.total === 6")
    assert in_order(page, own_site, "favorites") == names


def open_norway(page, site):
    page.goto(f"{site.address}album/{site.collections['Norway']}")
    until_shown(page, "Norway", 7)
    until(page, READY)


def norway(page, site):
    return in_order(page, site, site.collections["Norway"], "custom")


ALBUM = ["P03", "P01", "P02", "P04", "P05", "L01", "V01"]


def test_j_01_an_album_removes_and_deletes_apart(own_site, page):
    open_norway(page, own_site)
    cell(page, own_site, "P01").click(button="right")
    items = page.get_by_role("menuitem")
    texts = lambda: [item.locator("span").text_content() for item in items.all()]
    until_equal(page, lambda: texts()[-2:], ["Remove from Norway", "Delete from library"])
    assert page.evaluate("document.querySelector('.menu > :last-child').previousElementSibling.matches('hr')"), "a line is between them"
    red, green, blue = page.evaluate("getComputedStyle(document.querySelector('.menu > :last-child')).color.match(/\\d+/g).slice(0, 3).map(Number)")
    assert red > 150 and red > 2 * max(green, blue)
    page.keyboard.press("Escape")
    cell(page, own_site, "P01").focus()
    page.keyboard.press("Control+Delete")
    until_toast(page, "1 moved to Recently Deleted")
    until_total(page, 48)
    undo_by_toast(page)
    until_total(page, 49)
    assert norway(page, own_site) == ALBUM


@on_desk_and_phone
def test_j_02_a_removed_asset_stays_in_the_library_and_returns_to_its_place(own_site, own_page, size):
    page = own_page(f"album/{own_site.collections['Norway']}", **size)
    until_shown(page, "Norway", 7)
    choose(page, own_site, "P02")
    page.keyboard.press("Delete")
    until_toast(page, "Removed from Norway")
    until(page, f"{GRID}.snapshot.total === 6")
    assert total(page) == 49
    undo_by_toast(page)
    until(page, f"{GRID}.snapshot.total === 7")
    assert norway(page, own_site) == ALBUM


def test_j_03_deleting_needs_no_question_and_can_be_undone(own_site, page):
    before = dump(own_site)
    choose(page, own_site, "P03", "P04", "P10")
    page.keyboard.press("Delete")
    until_toast(page, "3 moved to Recently Deleted")
    until(page, f"{GRID}.snapshot.total === 46")
    until(page, "[...document.querySelectorAll('side-bar .row')].some(row => row.ariaLabel === 'Recently Deleted, 6 items')")
    undo_by_toast(page)
    until(page, f"{GRID}.snapshot.total === 49")
    assert dump(own_site) == before


def test_j_03_the_message_stays_while_it_is_hovered(own_site, page, pages):
    page.clock.install()
    pages.has_changed_browsers = True
    cell(page, own_site, "P03").focus()
    page.keyboard.press("Delete")
    until_toast(page, "1 moved")
    page.locator(".toast").hover()
    page.clock.fast_forward(20_000)
    expect(page.locator(".toast")).to_be_visible()
    page.mouse.move(5, 400)
    # The message waits for its time from the moment in which the pointer left it.
    until_equal(page, lambda: page.clock.fast_forward(9_000) or page.locator(".toast").count(), 0)


def latest_deleted(page):
    """Returns the cell of D01, which has the most days left and was in Norway."""
    path = "/api/v1/collections/recentlyDeleted/assets?offset=0&limit=500&order=deleted"
    assets = fetched(page, path)["assets"]
    return page.locator(f".cell[data-id='{max(assets, key=lambda asset: asset['daysLeft'])['id']}']")


def test_j_04_deleting_for_good_asks_and_the_focus_is_on_cancel(own_site, page):
    open_view(page, "Recently Deleted", 3)
    latest_deleted(page).click(modifiers=["Control"])
    until_chosen(page, 1)
    command(page, "deleteForGood")
    dialog = page.locator("dialog.ask")
    dialog.wait_for()
    until_equal(page, "document.activeElement.textContent", "Cancel")
    expect(dialog.get_by_role("button")).to_have_text(["Cancel", "Delete 1 item"])
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert total(page, "recentlyDeleted") == 3


def test_j_06_a_restored_asset_is_back_in_its_album(own_site, page):
    open_view(page, "Recently Deleted", 3)
    latest_deleted(page).click(modifiers=["Control"])
    until_chosen(page, 1)
    command(page, "restore")
    until_toast(page, "1 restored")
    until(page, f"{GRID}.snapshot.total === 2")
    assert total(page) == 50
    assert len(norway(page, own_site)) == len(ALBUM) + 1


def test_j_06_a_restored_asset_is_back_at_its_place(own_site, page):
    own_site.calotype("delete", "--yes", own_site.identifier("P02"))
    open_view(page, "Recently Deleted", 4)
    cell(page, own_site, "P02").click(modifiers=["Control"])
    command(page, "restore")
    until_toast(page, "1 restored")
    assert norway(page, own_site) == ALBUM


def test_j_01_the_key_for_the_library_deletes_outside_of_albums_too(own_site, page):
    cell(page, own_site, "P03").focus()
    page.keyboard.press("Control+Delete")
    until_toast(page, "1 moved to Recently Deleted")


@pytest.mark.parametrize("leave", [
    lambda page: page.keyboard.press("Escape"),
    lambda page: page.locator("dialog.ask").get_by_role("button", name="Cancel").click(),
    lambda page: page.close(),
], ids=["Escape", "Cancel", "closed"])
def test_j_07_a_dismissed_dialog_deletes_nothing(own_site, own_page, leave):
    page, other = own_page("smart/recentlyDeleted", height=TALL), own_page()
    before = len(history(other))
    latest_deleted(page).click(modifiers=["Control"])
    until_chosen(page, 1)
    command(page, "deleteForGood")
    page.locator("dialog.ask").wait_for()
    leave(page)
    if not page.is_closed():
        page.locator("dialog.ask").wait_for(state="detached")
    assert len(history(other)) == before
    assert total(other, "recentlyDeleted") == 3


def test_j_08_the_viewer_in_an_album_offers_both(own_site, page):
    open_norway(page, own_site)
    cell(page, own_site, "P01").click()
    page.locator("asset-viewer .delete-button").click()
    expect(page.get_by_role("menuitem")).to_have_text(["Remove from Norway", "Delete from library"])
    menu(page, "Remove from Norway")
    until_toast(page, "Removed from Norway")
    assert "P01" not in norway(page, own_site)


def test_j_09_the_address_of_a_deleted_asset_offers_to_restore_it(own_site, page):
    assets = fetched(page, "/api/v1/collections/recentlyDeleted/assets?offset=0&limit=500&order=deleted")["assets"]
    latest = max(assets, key=lambda asset: asset["daysLeft"])
    page.goto(f"{own_site.address}#/asset/{latest['id']}")
    page.reload()
    note = page.locator("asset-viewer .deleted-note")
    note.wait_for()
    expect(note).to_contain_text(f"In Recently Deleted, {latest['daysLeft']} days left")
    until(page, READY)
    note.get_by_role("button", name="Restore").click()
    until_toast(page, "1 restored")
    note.wait_for(state="hidden")
    expect(page.locator("asset-viewer")).to_be_visible()
    assert total(page) == 50


def test_hidden_assets_leave_the_library(own_site, page):
    choose(page, own_site, "P03", "P04")
    page.keyboard.press("h")
    until_toast(page, "2 items hidden")
    until(page, f"{GRID}.snapshot.total === 47")
    undo_by_toast(page)
    until(page, f"{GRID}.snapshot.total === 49")


def test_n_02_an_album_of_a_selection_has_the_order_of_choosing(own_site, page):
    choose(page, own_site, "P10", "P03", "P07")
    page.keyboard.press("a")
    page.locator(".album-choice input").fill("Lofoten")
    page.locator(".choice", has_text="New album “Lofoten”").wait_for()
    page.keyboard.press("Enter")
    until_toast(page, "Lofoten was made")
    row(page, "Lofoten").click()
    until_shown(page, "Lofoten", 3)
    made = page.evaluate("location.pathname").rpartition("/")[2]
    assert in_order(page, own_site, made, "custom") == ["P10", "P03", "P07"]


def test_n_02_a_new_album_is_the_first_choice(own_site, page):
    choose(page, own_site, "P10", "P03")
    command(page, "addTo")
    page.locator(".choice", has_text="New album").click()
    page.get_by_placeholder("Name of the new album").fill("Lofoten")
    page.keyboard.press("Enter")
    until_toast(page, "Lofoten was made")


def test_n_02_an_empty_album_is_filled_on_its_own_page_by_keys(own_site, page):
    open_view(page, "Empty", 0)
    page.get_by_role("button", name="Add photos…").click()
    page.locator(".chooser .cell[data-id]").first.wait_for()
    expect(page.locator(".chooser").get_by_role("button", name="Add")).to_be_disabled()
    for key in ("ArrowRight", "Space", "ArrowRight", "Space"):
        page.keyboard.press(key)
    until(page, "document.querySelector('.chooser [role=status]').textContent === '2 photos chosen'")
    page.locator(".chooser").get_by_role("button", name="Add").click()
    until_toast(page, "2 added to Empty")
    until_shown(page, "Empty", 2)


def test_n_03_an_album_is_found_by_typing_and_filled_once(own_site, page):
    choose(page, own_site, "P01", "P10")
    command(page, "addTo")
    page.locator(".album-choice input").fill("norw")
    until(page, "document.querySelectorAll('.choice').length === 2")
    page.keyboard.press("Enter")
    until_toast(page, "1 added to Norway, 1 was already there")
    assert norway(page, own_site) == [*ALBUM, "P10"]


def test_s_08_an_album_in_its_own_order_has_no_days_to_select(own_site, page):
    open_norway(page, own_site)
    cell(page, own_site, "P01").focus()
    page.keyboard.press("d")
    page.keyboard.press("Space")
    until_chosen(page, 1)


def test_n_03_select_mode_ends_once_its_photos_are_in_an_album(own_site, own_page):
    page = own_page(width=390, height=844, has_touch=True, is_mobile=True)
    page.locator(".select-mode").tap()
    for position in (0, 1):
        page.locator(".cell[data-id]:visible").nth(position).tap()
    until_chosen(page, 2)
    command(page, "addTo")
    page.locator(".choice", has_text="Receipts").tap()
    until_toast(page, "added to Receipts")
    page.locator("selection-bar").wait_for(state="hidden")


def test_n_03_photos_are_added_from_the_head_of_an_album(own_site, page):
    open_norway(page, own_site)
    page.locator(".view-header .add-photos").click()
    page.locator(".chooser .cell[data-id]").first.click()
    page.locator(".chooser").get_by_role("button", name="Add").click()
    until_toast(page, "added to Norway")


def test_n_04_a_selection_is_dragged_onto_an_album(own_site, page):
    choose(page, own_site, "P10", "P11")
    start, end = middle(cell(page, own_site, "P11")), middle(row(page, "Receipts"))
    drag(page, start, end, is_dropped=False)
    expect(page.locator(".drag-badge")).to_have_text("2")
    until(page, "document.querySelectorAll('.drop-target').length === 1")
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator(".drag-badge")).to_have_count(0)
    drag(page, start, end)
    until_toast(page, "2 added to Receipts")
    until_chosen(page, 2)
    assert in_order(page, own_site, own_site.collections["Receipts"], "custom") == ["S01", "S02", "S03", "P10", "P11"]
    assert total(page) == 49


def test_n_06_assets_are_moved_within_an_album(own_site, page):
    open_norway(page, own_site)
    choose(page, own_site, "P01", "P02")
    last = box_of(cell(page, own_site, "L01"))
    drag(page, middle(cell(page, own_site, "P02")), (last["x"] + last["width"] * 0.8, last["y"] + 50), is_dropped=False)
    page.locator(".insertion-mark").wait_for()
    page.mouse.up()
    until_toast(page, "2 items moved")
    assert norway(page, own_site) == ["P03", "P04", "P05", "L01", "P01", "P02", "V01"]
    page.keyboard.press("Control+z")
    until_toast(page, "Undone")
    assert norway(page, own_site) == ALBUM


def test_n_06_a_drag_in_another_order_shows_the_albums_own_one(own_site, page):
    open_norway(page, own_site)
    page.locator(".view-header select").select_option("newest")
    until(page, f"{GRID}.snapshot.order === 'newest'")
    shown = in_order(page, own_site, own_site.collections["Norway"], "newest")
    moved, before = shown[0], shown[3]
    box = box_of(cell(page, own_site, before))
    drag(page, middle(cell(page, own_site, moved)), (box["x"] + box["width"] * 0.2, box["y"] + 50), is_dropped=False)
    page.locator(".insertion-mark").wait_for()
    page.mouse.up()
    until_toast(page, "1 item moved")
    until(page, f"{GRID}.snapshot.order === 'custom'")
    expected = [name for name in ALBUM if name != moved]
    expected.insert(expected.index(before), moved)
    assert norway(page, own_site) == expected
    until(page, f"document.activeElement.dataset.id === '{own_site.id(moved)}'")
    expect(page.locator(".view-header select")).to_have_value("custom")
    page.keyboard.press("Control+z")
    until_toast(page, "Undone")
    assert norway(page, own_site) == ALBUM


def test_n_06_alt_and_arrows_move_an_asset(own_site, page):
    open_norway(page, own_site)
    cell(page, own_site, "P01").focus()
    page.keyboard.press("Alt+ArrowRight")
    until_toast(page, "1 item moved")
    until(page, f"document.activeElement.dataset.id === '{own_site.id('P01')}'")
    assert norway(page, own_site) == ["P03", "P02", "P01", "P04", "P05", "L01", "V01"]


def test_j_06_the_message_of_a_deletion_does_not_cover_restore(own_site, own_page):
    page = own_page(width=390, height=844)
    cell(page, own_site, "P20").focus()
    page.keyboard.press("Delete")
    until_toast(page, "moved to Recently Deleted")
    page.keyboard.press("g")
    page.keyboard.press("d")
    until_shown(page, "Recently Deleted", 4)
    cell(page, own_site, "P20").click()
    page.locator("asset-viewer .deleted-note").get_by_role("button", name="Restore").click()
    until_toast(page, "1 restored")


def test_n_08_a_cover_is_chosen(own_site, page):
    open_norway(page, own_site)
    cell(page, own_site, "P01").click(button="right")
    menu(page, "Use as cover")
    until_toast(page, "Cover of Norway changed")
    collections = fetched(page, "/api/v1/collections")["collections"]
    [album] = [collection for collection in collections if collection["title"] == "Norway"]
    assert album["covers"][0]["id"] == own_site.id("P01")


def test_y_01_keys_undo_and_redo(own_site, page):
    before = dump(own_site)
    choose(page, own_site, "P03", "P04")
    page.keyboard.press("Delete")
    until_toast(page, "2 moved")
    deleted = dump(own_site)
    page.keyboard.press("Control+z")
    until_toast(page, "Undone")
    assert dump(own_site) == before
    page.keyboard.press("Control+Shift+z")
    until_toast(page, "Done again")
    assert dump(own_site) == deleted


def test_y_02_another_page_undoes_after_a_reload(own_site, page, own_page):
    cell(page, own_site, "P03").focus()
    page.keyboard.press("Delete")
    until_toast(page, "1 moved")
    other = own_page(height=TALL)
    until(other, READY)
    other.keyboard.press("Control+z")
    until_toast(other, "Undone")
    until(page, f"{GRID}.snapshot.total === 49")


def favorite_by_a_program(site, name, is_favorite):
    """Changes a photo as a program that has access."""
    key = site.calotype("access", "token", "Frame", "--level", "readWrite").strip()
    change = {"type": "setAssets", "assets": [site.id(name)], "isFavorite": is_favorite}
    fields = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    address = f"http://127.0.0.1:{urlparse(site.address).port}/api/v1/changes"
    urlopen(Request(address, json.dumps({"changes": [change]}).encode(), fields), timeout=PATIENCE).close()


def test_y_02_a_change_of_a_photo_that_a_program_changed_later_is_not_undone(own_site, page, pages):
    pages.expected.append(FAILED)  # the browser writes the refusal to its console
    cell(page, own_site, "P03").focus()
    page.keyboard.press("f")
    until_favorite(page, own_site, "P03")
    favorite_by_a_program(own_site, "P03", False)
    until_favorite(page, own_site, "P03", False)
    before = dump(own_site)
    page.keyboard.press("Control+z")
    until_toast(page, "Can’t undo or redo: P03.JPG has been changed since.")
    assert dump(own_site) == before


def test_y_03_the_history_tells_and_undoes(own_site, page):
    choose(page, own_site, "P03", "P04")
    page.keyboard.press("Delete")
    until_toast(page, "2 moved")
    page.goto(own_site.address + "history")
    first = page.locator("history-page li").first
    first.wait_for()
    expect(first.locator(".what")).to_have_text("Deleted 2 items")
    expect(first.locator(".which")).to_have_text("P03.JPG and P04.JPG")
    expect(first).to_contain_text("You")
    first.get_by_role("button", name="Undo").click()
    until_toast(page, "Undone")
    expect(page.locator("history-page li .what").first).to_have_text("Undo: restored 2 items")
    until_total(page, 49)
    page.keyboard.press("Control+Shift+z")
    expect(page.locator("history-page li .what").first).to_have_text("Redo: deleted 2 items")


def test_y_03_the_history_tells_what_was_done_to_albums(own_site, page):
    own_site.calotype("album", "create", "Fjords")
    own_site.calotype("album", "add", "Fjords", own_site.identifier("P03"), own_site.identifier("P04"))
    own_site.calotype("album", "rename", "Fjords", "Bergen")
    page.goto(own_site.address + "history")
    rows = page.locator("history-page li")
    for place, line in enumerate(["Renamed Fjords to Bergen", "Added 2 items to Bergen", "Made the album Fjords"]):
        expect(rows.nth(place).locator(".what")).to_have_text(line)
    # The lines say the names, except the present one of what was made as Fjords.
    expect(rows.nth(0).locator(".which")).to_have_count(0)
    expect(rows.nth(1).locator(".which")).to_have_count(0)
    expect(rows.nth(2).locator(".which")).to_have_text("Bergen")


def test_y_03_the_history_says_whether_a_time_is_in_the_morning(own_site, own_page):
    own_site.calotype("album", "create", "New")
    page = own_page("history", is_waiting=False, locale="en-US")
    expect(page.locator("history-page li .who").first).to_have_text(re.compile(r"^\d+:\d\d\s[AP]M · "))


def test_y_03_the_history_keeps_what_was_loaded(own_site, page):
    for _ in range(30):
        for isFavorite in (True, False):
            fetched_change(page, {"type": "setAssets", "assets": [own_site.id("P03")], "isFavorite": isFavorite})
    page.goto(own_site.address + "history")
    rows = page.locator("history-page li")
    expect(rows).to_have_count(50)
    page.get_by_role("button", name="Show older").click()
    until(page, "document.querySelectorAll('history-page li').length > 55")
    count = rows.count()
    own_site.calotype("favorite", own_site.identifier("P04"))
    newest = history(page)[0]["transaction"]
    page.locator(f"history-page li[data-transaction='{newest}']").wait_for()
    until(page, f"document.querySelectorAll('history-page li').length >= {count}")


def fetched_change(page, change):
    page.evaluate("""async change => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch('/api/v1/changes', { method: 'POST', headers, body: JSON.stringify({ changes: [change] }) });
      if (!answer.ok) throw new Error(await answer.text());
    }""", change)


@pytest.mark.parametrize("item, kind", [("Download", "current"), ("Download originals", "originals")])
def test_l_08_the_selected_photos_are_downloaded(own_site, page, item, kind):
    choose(page, own_site, "L01", "P03")
    command(page, "download")
    with page.expect_download() as started, page.expect_request("**/api/v1/downloads") as asked:
        menu(page, item)
    assert asked.value.post_data_json["kind"] == kind
    with zipfile.ZipFile(started.value.path()) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
    assert sum("L01" in name for name in names) == 2, "both files of the Live Photo"
    assert sum("P03" in name for name in names) == 1


def test_l_08_one_asset_is_downloaded_by_its_menu(own_site, page):
    cell(page, own_site, "P03").click(button="right")
    with page.expect_download() as started:
        menu(page, "Download originals")
    with zipfile.ZipFile(started.value.path()) as archive:
        assert [name.partition(".")[0] for name in archive.namelist()] == ["P03"]


def test_y_04_search_as_it_is_typed_and_escape_returns(own_site, page):
    open_view(page, "Favorites", 6)
    page.keyboard.press("/")
    page.keyboard.type("P07")
    until(page, "location.pathname === '/search'")
    until(page, f"{GRID}.snapshot.total === 1")
    until_equal(page, lambda: own_site.names(ids(page)), ["P07"])
    page.keyboard.press("Escape")
    until(page, "location.pathname === '/smart/favorites'")
    until_shown(page, "Favorites", 6)


def test_y_04_albums_and_places_are_suggested(own_site, page):
    page.keyboard.press("/")
    page.keyboard.type("norw")
    suggestions = page.locator(".suggestions a")
    expect(suggestions).to_have_text(["Norway"])
    page.get_by_label("Search", exact=True).fill("photos of norway 2019")
    until_shown(page, "“photos of norway 2019”")
    expect(suggestions).to_have_text(["Norway"])
    page.get_by_label("Search", exact=True).fill("chicago")
    until(page, "[...document.querySelectorAll('.suggestions a')].map(link => link.textContent).join() === 'near Chicago'")
    suggestions.click()
    until_shown(page, "“near Chicago”", 1)
    until_equal(page, f"{GRID}.snapshot.pages.at(0)?.id", own_site.id("P01"))
    expect(page.locator(".view-header p").first).to_contain_text("near Chicago")
    page.reload()
    until_shown(page, "“near Chicago”", 1)


def open_burst(page, site):
    """Opens the photo that represents the burst, and returns the names of its frames."""
    page.locator(".cell:visible .open").click()
    page.locator("burst-strip .keeping").wait_for()
    return site.names(page.locator("burst-strip .frames button").evaluate_all("frames => frames.map(frame => frame.dataset.id)"))


def test_h_15_one_frame_of_a_burst_is_kept(own_site, own_page):
    page = own_page("smart/bursts")
    before = in_order(page, own_site)
    names = open_burst(page, own_site)
    page.locator("burst-strip .frames button").nth(1).click()
    until(page, f"location.hash === '#/asset/{own_site.id(names[1])}'")
    page.get_by_role("button", name="Keep only this").click()
    until_toast(page, "2 moved to Recently Deleted")
    until(page, "document.querySelector('burst-strip').hidden")
    assert page.url.endswith(own_site.id(names[1])) and page.locator("asset-viewer").is_visible()
    assert in_order(page, own_site) == [names[1] if name in names else name for name in before]
    undo_by_toast(page)
    until(page, "document.querySelectorAll('burst-strip:not([hidden]) .frames button').length === 3")
    until_total(page, len(before))


def test_h_15_all_frames_of_a_burst_are_kept(own_site, own_page):
    page = own_page("smart/bursts")
    before = in_order(page, own_site)
    names = open_burst(page, own_site)
    page.get_by_role("button", name="Keep all").click()
    until_toast(page, "3 photos kept")
    until(page, "document.querySelector('burst-strip .keeping button:last-child').hidden")
    assert page.get_by_role("button", name="Keep only this").is_visible()
    assert sorted(in_order(page, own_site)) == sorted({*before, *names})
    undo_by_toast(page)
    until(page, "!document.querySelector('burst-strip .keeping button:last-child').hidden")
    until_total(page, len(before))
