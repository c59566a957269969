"""Albums and folders, made and changed in the sidebar: scenarios E and N."""

import pytest
from conftest import FAILED, PHONE, box_of, fetched, on_desk_and_phone, until, until_equal, until_true
from organizing import READY, drag, dump, in_order, middle, own_page, undone_sites, until_toast
from organizing import undone_site as own_site
from playwright.sync_api import expect
from views import GRID, row, until_shown


@pytest.fixture
def page(own_page):
    # All rows of the sidebar are in the window.
    return own_page(height=1200)


def tree(page):
    """Returns the titles of the albums and folders with their folder's title, in order."""
    collections = [one for one in fetched(page, "/api/v1/collections")["collections"] if one["kind"] != "smartAlbum"]
    titles = {one["id"]: one["title"] for one in collections}
    return [(one["title"], titles.get(one["parent"])) for one in collections]


def until_row(page, title):
    row(page, title).wait_for()


def expand(page, title):
    row(page, title).locator(".twisty").click()


def make(page, item):
    page.locator(".add-album").click()
    page.get_by_role("menuitem", name=item, exact=True).click()
    field = page.locator("side-bar .rename")
    field.wait_for()
    return field


@on_desk_and_phone
def test_n_01_a_new_album_is_named_in_its_row_and_opened(own_site, own_page, size):
    page = own_page(**size)
    if size == PHONE:
        page.locator(".bottom-bar [data-view=albums]").click()
        until(page, "document.body.classList.contains('with-sidebar')")
        page.evaluate("document.querySelector('side-bar').reveal('group:albums')")  # taller rows: it is not in the window
    field = make(page, "New album")
    field.fill("Summer")
    field.press("Enter")
    until_shown(page, "Summer", 0)
    if size == PHONE:
        until(page, "!document.body.classList.contains('with-sidebar')")
    else:
        until_row(page, "Summer")
    until_equal(page, lambda: ("Summer", None) in tree(page), True)
    assert "Summer" in own_site.calotype("albums")


def history(page):
    return fetched(page, "/api/v1/changes?limit=200")["transactions"]


def test_n_01_making_an_album_is_one_transaction_which_undo_takes_back(own_site, page, pages):
    before = tree(page), len(history(page))
    field = make(page, "New album")
    assert tree(page) == before[0], "nothing is made before it has a name"
    field.press("Enter")
    expect(page.locator("side-bar")).to_contain_text("Enter a name")
    expect(field).to_be_visible()
    field.fill("Summer")
    field.press("Enter")
    until_shown(page, "Summer", 0)
    assert len(history(page)) == before[1] + 1
    until(page, "document.activeElement.querySelector('.title')?.textContent === 'Summer'")
    page.keyboard.press("Control+z")
    until_toast(page, "Undone")
    assert tree(page) == before[0]
    until(page, "document.querySelector('.backdrop').textContent.includes('deleted')")
    pages.expected.append(FAILED)  # the browser writes to its console that the shown album is not there


def test_n_01_escape_makes_no_album(own_site, page):
    before = tree(page), len(history(page))
    field = make(page, "New album")
    field.fill("Summer")
    field.press("Escape")
    field.wait_for(state="detached")
    expect(page.locator("side-bar [data-collection=draft]")).to_have_count(0)
    until(page, "document.activeElement.matches('side-bar .row')")
    assert (tree(page), len(history(page))) == before


def test_e_01_a_folder_opens_while_something_is_dragged_over_it(own_site, page):
    drag(page, middle(row(page, "Receipts")), middle(row(page, "Travels")), is_dropped=False)
    row(page, "Japan").wait_for()
    page.keyboard.press("Escape")
    page.mouse.up()
    page.reload()
    row(page, "Japan").wait_for()


def test_e_01_a_folder_opens_while_a_photo_is_dragged_over_it(own_site, page):
    until(page, "document.querySelector('.cell[data-id]') !== null")
    drag(page, middle(page.locator(".cell:visible").first), middle(row(page, "Travels")), is_dropped=False)
    row(page, "Japan").wait_for()
    page.mouse.move(*middle(row(page, "Japan")))
    page.mouse.up()
    until_toast(page, "1 added to Japan")


def test_f2_renames_the_album_that_is_shown(own_site, page):
    row(page, "Receipts").click()
    until_shown(page, "Receipts", 3)
    page.locator(".cell:visible").first.focus()
    page.keyboard.press("F2")
    field = page.locator("side-bar .rename")
    field.fill("Bills")
    field.press("Enter")
    until_shown(page, "Bills")


def test_f2_renames_an_album_without_photos(own_site, page):
    row(page, "Empty").click()
    until_shown(page, "Empty", 0)
    page.keyboard.press("F2")
    field = page.locator("side-bar .rename")
    field.fill("Later")
    field.press("Enter")
    until_shown(page, "Later", 0)


def test_w_12_an_album_that_was_left_empty_begins_at_its_top(own_site, own_page):
    page = own_page(f"album/{own_site.collections['Empty']}", is_waiting=False, **PHONE)
    until(page, READY)
    until_shown(page, "Empty", 0)
    page.evaluate("document.querySelector('side-bar').dispatchEvent(new CustomEvent('open', { detail: { kind: 'photos', id: 'userLibrary' } }))")
    until_shown(page, "All Photos", 49)
    photos = in_order(page, own_site)[:40]
    own_site.calotype("album", "add", own_site.collections["Empty"], *(own_site.identifier(name) for name in photos))
    page.go_back()
    until_shown(page, "Empty", 40)
    assert page.evaluate(f"{GRID}.y") == 0
    assert page.evaluate(f"{GRID}.layout.height > {GRID}.windowHeight"), "there is something to scroll"


def test_e_04_a_menu_moves_albums_up_and_down(own_site, own_page):
    page = own_page(width=390, height=1200, has_touch=True, is_mobile=True)
    page.locator(".bottom-bar [data-view=albums]").tap()
    siblings = [title for title, parent in tree(page) if parent is None]
    last = siblings[-1]
    for name, expected in (("Move up", [*siblings[:-2], last, siblings[-2]]), ("Move down", siblings)):
        page.get_by_role("button", name=f"Options for {last}", exact=True).tap()
        page.get_by_role("menuitem", name=name, exact=True).tap()
        until_true(page, lambda: [title for title, parent in tree(page) if parent is None] == expected)
    page.get_by_role("button", name=f"Options for {last}", exact=True).tap()
    page.get_by_role("menuitem", name="Move up", exact=True).wait_for()
    assert page.get_by_role("menuitem", name="Move down", exact=True).count() == 0, "it is the last one"


def test_e_02_a_folder_is_made_in_a_folder_and_renamed(own_site, page):
    row(page, "Travels").click(button="right")
    page.get_by_role("menuitem", name="New folder", exact=True).click()
    field = page.locator("side-bar .rename")
    field.fill("Asia")
    field.press("Enter")
    until_row(page, "Asia")
    until_true(page, lambda: ("Asia", "Travels") in tree(page))  # the row comes before the server's answer
    row(page, "Receipts").focus()
    page.keyboard.press("F2")
    field = page.locator("side-bar .rename")
    field.fill("")
    field.press("Enter")
    expect(row(page, "Receipts").locator("..")).to_contain_text("Enter a name")
    expect(field).to_be_visible()
    field.fill("Papers")
    field.press("Enter")
    until_toast(page, "Renamed to Papers")
    until_row(page, "Papers")


def test_e_02_escape_keeps_the_title(own_site, page):
    row(page, "Receipts").focus()
    page.keyboard.press("F2")
    field = page.locator("side-bar .rename")
    field.fill("Papers")
    field.press("Escape")
    until(page, "document.querySelector('side-bar .rename') === null")
    assert ("Receipts", None) in tree(page)


def test_e_03_an_album_is_dragged_into_a_folder_and_back_by_undo(own_site, page):
    before = tree(page)
    dumped = dump(own_site)
    drag(page, middle(row(page, "Receipts")), middle(row(page, "Travels")))
    until_toast(page, "Receipts was moved")
    until_true(page, lambda: ("Receipts", "Travels") in tree(page))
    page.keyboard.press("Control+z")
    until_toast(page, "Undone")
    until_equal(page, lambda: tree(page), before)
    until_equal(page, lambda: dump(own_site), dumped)


def test_e_03_a_folder_can_not_be_dropped_into_itself(own_site, page):
    before = tree(page)
    expand(page, "Travels")
    until_row(page, "Europe")
    drag(page, middle(row(page, "Travels")), middle(row(page, "Europe")), is_dropped=False)
    expect(page.locator("side-bar .drop-target")).to_have_count(0)
    expect(page.locator(".row-mark")).to_be_hidden()
    page.mouse.up()
    assert tree(page) == before


def test_e_04_albums_are_ordered_by_keys_and_by_dragging(own_site, page):
    titles = [title for title, parent in tree(page) if parent is None]
    row(page, titles[0]).focus()
    page.keyboard.press("Alt+ArrowDown")
    until_toast(page, f"{titles[0]} was moved")
    moved = [titles[1], titles[0], *titles[2:]]
    until_equal(page, lambda: [title for title, parent in tree(page) if parent is None], moved)
    until(page, f"""[...document.querySelectorAll('side-bar [aria-level="2"] .title')].map(one => one.textContent).join().endsWith('{",".join(moved)}')""")
    first = box_of(row(page, moved[0]))
    drag(page, middle(row(page, moved[1])), (first["x"] + 60, first["y"] + 3))
    until(page, "document.querySelector('.row-mark').hidden")
    until(page, f"""[...document.querySelectorAll('side-bar [aria-level="2"] .title')].map(one => one.textContent).join().endsWith('{",".join(titles)}')""")
    until_equal(page, lambda: [title for title, parent in tree(page) if parent is None], titles)


def test_e_05_deleting_a_folder_says_what_stays_and_undo_restores_the_tree(own_site, page):
    before, dumped = tree(page), dump(own_site)
    row(page, "Travels").click(button="right")
    page.get_by_role("menuitem", name="Delete folder").click()
    dialog = page.locator("dialog.ask")
    expect(dialog).to_contain_text("Deletes the folder and 3 albums. The 11 items inside stay in the library.")
    dialog.get_by_role("button", name="Delete folder").click()
    until_toast(page, "Travels was deleted")
    until_equal(page, lambda: [title for title, _ in tree(page)], [title for title, parent in before if parent is None and title != "Travels"])
    page.locator(".toast button").click()
    until_toast(page, "Undone")
    until_equal(page, lambda: tree(page), before)
    until_equal(page, lambda: dump(own_site), dumped)


def test_n_07_deleting_an_album_says_that_photos_stay(own_site, page):
    row(page, "Receipts").focus()
    page.keyboard.press("Delete")
    dialog = page.locator("dialog.ask")
    expect(dialog).to_contain_text("Its 3 items stay in the library.")
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert ("Receipts", None) in tree(page)


def test_e_03_an_album_is_moved_into_a_folder_by_its_menu(own_site, page):
    row(page, "Receipts").focus()
    page.keyboard.press("ContextMenu")
    page.get_by_role("menuitem", name="Move to…").press("Enter")
    page.get_by_role("menuitem", name="Travels", exact=True).press("Enter")
    until_toast(page, "Receipts was moved")
    until_true(page, lambda: ("Receipts", "Travels") in tree(page))


def test_e_03_an_album_is_moved_out_of_a_folder_by_touch(own_site, own_page):
    page = own_page(width=390, height=1400, has_touch=True)
    page.locator(".bottom-bar [data-view=albums]").tap()
    expand(page, "Travels")
    page.get_by_role("button", name="Options for Japan").tap()
    page.get_by_role("menuitem", name="Move to…").tap()
    page.get_by_role("menuitem", name="My Albums").tap()
    until_toast(page, "Japan was moved")
    until_true(page, lambda: ("Japan", None) in tree(page))
