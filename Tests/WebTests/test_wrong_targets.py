"""Commands reach the photos that a person chose, whatever happens meanwhile."""

import re
import time

import pytest
from conftest import FAILED, PATIENCE, fetched, until
from organizing import (
    READY, TALL, asset, cell, drag, dump, in_order, middle, own_page, total, touch, undone_sites, until_chosen,
    until_these_chosen, until_toast, until_total)
from organizing import undone_site as own_site
from playwright.sync_api import expect
from test_permission import allowed
from views import FRAME, GRID, open_view, row, until_shown


@pytest.fixture
def page(own_page):
    return own_page(height=TALL)


@pytest.fixture
def names(page, own_site):
    return in_order(page, own_site)


def choose(page, site, *names):
    for name in names:
        cell(page, site, name).click(modifiers=["Control"])
    until_chosen(page, len(names))


def delete_elsewhere(site, name, page, count):
    """Deletes an asset by another program, and waits until the page shows it."""
    site.calotype("delete", "--yes", site.identifier(name))
    until(page, f"{GRID}.snapshot.total === {count}")


def changes(page):
    """Returns the changes that the page sends from now on."""
    sent = []
    page.on("request", lambda request: request.url.endswith("/api/v1/changes") and sent.extend(request.post_data_json["changes"]))
    return sent


class Held:
    """Requests to an address that the test holds back until it lets them go."""

    def __init__(self, page, address):
        self.page = page
        self.routes = []
        self.is_open = False
        page.route(address, lambda route: route.continue_() if self.is_open else self.routes.append(route))

    def wait(self):
        """Waits until the page has sent one."""
        end = time.monotonic() + PATIENCE
        while not self.routes:
            assert time.monotonic() < end, "the page has sent nothing"
            self.page.evaluate("new Promise(requestAnimationFrame)")

    def release(self):
        self.is_open = True
        for route in self.routes:
            route.continue_()


def refuse(page):
    page.route("**/api/v1/changes", lambda route: route.fulfill(
        status=422, content_type="application/problem+json", json={"type": "urn:calotype:problem:invalid", "detail": "The disk is full."}))


# The selected assets of each moment, without what a task changes before it ends.
WATCH_CHOSEN = """() => {
  window.everChosen = new Set();
  const look = () => {
    for (const cell of document.querySelectorAll('.cell:not(.free)[aria-selected=true]')) window.everChosen.add(cell.dataset.id);
  };
  new MutationObserver(look).observe(document.querySelector('photo-grid'), { subtree: true, childList: true, attributes: true });
  look();
}"""


@pytest.mark.parametrize("by", ["choice", "another tab"])
def test_s_10_another_order_keeps_the_selected_photos(own_site, own_page, by):
    # A narrow page shows the order while something is selected.
    page = own_page(width=700, height=4 * TALL)
    names = in_order(page, own_site)
    choose(page, own_site, *names[:3])
    if by == "choice":
        page.locator(".view-header select").select_option("oldest")
    else:
        until(page, "history.state?.kept?.selection?.ids?.length === 3")
        other = page.context.new_page()
        other.goto(own_site.address)
        until(other, READY)
        other.locator(".view-header select").select_option("oldest")
        until(other, f"{GRID}.snapshot.order === 'oldest'")
        other.close()
        page.reload()
        until(page, READY)
    until(page, f"{GRID}.snapshot.order === 'oldest'")
    until_chosen(page, 3)
    until_these_chosen(page, own_site, names[:3])


def test_s_10_a_folder_without_its_photos_has_no_selection(own_site, page):
    open_view(page, "Travels")
    switch = page.get_by_label("All photos in here")
    switch.click()
    until(page, f"{GRID}.snapshot.total === 11")
    page.keyboard.press("Control+a")
    until_chosen(page, 11)
    switch.click()
    until(page, f"{GRID}.snapshot.total === 0")
    page.locator("selection-bar").wait_for(state="hidden")


def test_s_10_no_other_photo_is_selected_while_the_view_changes(own_site, page, names):
    choose(page, own_site, names[4])
    page.evaluate(WATCH_CHOSEN)
    delete_elsewhere(own_site, names[0], page, 48)
    until_these_chosen(page, own_site, [names[4]])
    delete_elsewhere(own_site, names[2], page, 47)
    until_these_chosen(page, own_site, [names[4]])
    assert page.evaluate("[...window.everChosen]") == [own_site.id(names[4])]


def test_s_10_a_key_pressed_while_the_view_changes_is_for_the_selected_photo(own_site, page, names):
    before = in_order(page, own_site, "favorites")
    name = next(name for name in names[3:] if name not in before)
    choose(page, own_site, name)
    held = Held(page, re.compile(r"/api/v1/changes\?since="))
    own_site.calotype("delete", "--yes", own_site.identifier(names[0]))
    until(page, "[...document.querySelectorAll('side-bar .row')].some(row => row.ariaLabel === 'Recently Deleted, 4 items')")
    held.wait()
    page.keyboard.press("f")
    until(page, f"fetch('/api/v1/assets/{own_site.id(name)}').then(a => a.json()).then(a => a.isFavorite)")
    held.release()
    until(page, f"{GRID}.snapshot.total === 48")
    until_these_chosen(page, own_site, [name])
    assert set(in_order(page, own_site, "favorites")) == {*before, name} - {names[0]}


def test_s_10_the_focus_stays_on_its_photo_when_the_view_changes(own_site, page, names):
    favorites = in_order(page, own_site, "favorites")
    name = next(name for name in names[4:] if name not in favorites)
    cell(page, own_site, name).focus()
    delete_elsewhere(own_site, names[0], page, 48)
    until(page, f"document.activeElement.dataset.id === '{own_site.id(name)}'")
    page.keyboard.press("f")
    until(page, f"fetch('/api/v1/assets/{own_site.id(name)}').then(a => a.json()).then(a => a.isFavorite)")


@pytest.mark.parametrize("is_selected", [True, False])
def test_n_04_a_drag_takes_the_same_photo_when_the_view_changes(own_site, page, names, is_selected):
    if is_selected:
        choose(page, own_site, names[4])
    target = middle(row(page, "Empty"))
    drag(page, middle(cell(page, own_site, names[4])), target, is_dropped=False)
    page.locator(".drag-badge.is-adding").wait_for()
    delete_elsewhere(own_site, names[0], page, 48)
    page.mouse.up()
    until_toast(page, "1 added to Empty")
    assert in_order(page, own_site, own_site.collections["Empty"], "custom") == [names[4]]


@pytest.mark.parametrize("command", ["Open", "Select"])
def test_j_a_menu_is_for_its_photo_when_the_view_changes(own_site, page, names, command):
    cell(page, own_site, names[4]).click(button="right")
    page.get_by_role("menuitem", name=command, exact=True).wait_for()
    delete_elsewhere(own_site, names[0], page, 48)
    page.get_by_role("menuitem", name=command, exact=True).click()
    if command == "Open":
        until(page, f"location.href.includes('{own_site.id(names[4])}')")
    else:
        until_chosen(page, 1)
        until_these_chosen(page, own_site, [names[4]])


@pytest.mark.parametrize("link", ["History", "Access"])
def test_j_no_key_acts_on_photos_behind_a_page(own_site, page, names, link):
    choose(page, own_site, *names[:2])
    until(page, "history.state?.kept?.selection?.ids?.length === 2")
    sent = changes(page)
    page.locator(".sidebar-links a", has_text=link).click()
    page.locator(".page h1").wait_for()
    page.locator(".page h1").click()
    page.evaluate("""() => {
      window.prevented = [];
      addEventListener('keydown', (event) => event.defaultPrevented && window.prevented.push(event.key));
    }""")
    for key in ["Delete", "f", "ArrowDown", "PageDown", "End", "Control+a"]:
        page.keyboard.press(key)
    assert page.evaluate("window.prevented") == []
    page.go_back()
    until_chosen(page, 2)
    assert sent == []
    assert total(page) == 49


def test_h_12_a_key_right_after_a_click_is_for_the_opened_photo(own_site, page, names):
    # The events are synthetic, since a real key comes some time after a click.
    page.evaluate("""(id) => {
      document.querySelector(`.cell[data-id='${id}'] .open`).click();
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'i', bubbles: true, cancelable: true }));
    }""", own_site.id(names[1]))
    page.locator("asset-viewer info-panel .resources").wait_for()
    assert page.locator("info-panel.beside").count() == 0


def test_h_12_an_answer_does_not_bring_the_panel_back_to_the_previous_photo(own_site, page, names):
    cell(page, own_site, names[1]).click()
    page.locator("asset-viewer").wait_for()
    page.keyboard.press("i")
    panel = page.locator("asset-viewer info-panel")
    panel.locator(".resources").wait_for()
    held = Held(page, "**/api/v1/changes")
    panel.get_by_label("Add a keyword").fill("sea")
    panel.get_by_label("Add a keyword").press("Enter")
    held.wait()
    page.locator("asset-viewer .older").click()
    until(page, f"location.href.includes('{own_site.id(names[2])}')")
    filename = asset(page, own_site, names[2])["originalFilename"]
    panel.locator(".name", has_text=filename).first.wait_for()
    held.release()
    until_keyword(page, own_site, names[1], "sea")
    panel.get_by_label("Add a keyword").fill("land")
    panel.get_by_label("Add a keyword").press("Enter")
    until_keyword(page, own_site, names[2], "land")
    assert "land" not in asset(page, own_site, names[1])["keywords"]


def until_keyword(page, site, name, keyword):
    until(page, f"fetch('/api/v1/assets/{site.id(name)}').then(a => a.json()).then(a => a.keywords.includes('{keyword}'))")


def test_y_01_an_undo_waits_for_the_change_before_it(own_site, page, names):
    held = Held(page, "**/api/v1/changes")
    undone = []
    page.on("request", lambda request: request.url.endswith("/undo") and undone.append(request))
    choose(page, own_site, names[0])
    page.keyboard.press("h")
    held.wait()
    page.keyboard.press("Control+z")
    assert undone == []
    held.release()
    until_toast(page, "Undone")
    until_total(page, 49)
    assert not asset(page, own_site, names[0])["isHidden"]


def test_s_09_a_cleared_selection_comes_back_without_other_photos(own_site, page, names):
    page.keyboard.press("Control+a")
    until_chosen(page, 49)
    cell(page, own_site, names[-1]).click(modifiers=["Control"])
    until_chosen(page, 48)
    page.keyboard.press("Escape")
    until_toast(page, "Selection cleared")
    page.locator(".toast").hover()
    delete_elsewhere(own_site, names[0], page, 48)
    page.locator(".toast button").click()
    until_chosen(page, 47)
    until_these_chosen(page, own_site, names[1:-1])


def test_s_09_a_cleared_selection_is_offered_in_its_own_view_only(own_site, page):
    page.keyboard.press("Control+a")
    until_chosen(page, 49)
    page.keyboard.press("Escape")
    until_toast(page, "Selection cleared")
    open_view(page, "Favorites", 6)
    until(page, "document.querySelector('.toast') === null")


def test_h_12_a_typed_title_stays_while_the_view_changes(own_site, page, names):
    choose(page, own_site, names[3], names[4])
    page.keyboard.press("i")
    title = page.locator("info-panel.beside").get_by_label("Title")
    title.wait_for()
    title.press_sequentially("Half a ")
    delete_elsewhere(own_site, names[0], page, 48)
    title.press_sequentially("title")
    title.press("Enter")
    for name in names[3:5]:
        until(page, f"fetch('/api/v1/assets/{own_site.id(name)}').then(a => a.json()).then(a => a.title === 'Half a title')")


def test_h_12_a_typed_title_stays_while_the_panel_loads(own_site, page, names):
    held = Held(page, "**/api/v1/assets/*")
    held.is_open = True
    choose(page, own_site, names[3])
    page.keyboard.press("i")
    title = page.locator("info-panel.beside").get_by_label("Title")
    title.wait_for()
    held.is_open = False
    # A second photo is selected and deselected before the panel shows it. So the panel loads the
    # first photo again.
    cell(page, own_site, names[4]).evaluate("""cell => {
      for (let count = 0; count < 2; count++) cell.dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true }));
    }""")
    held.wait()
    title.press_sequentially("Half a ")
    with page.expect_response("**/api/v1/assets/*"):
        held.release()
    page.evaluate(FRAME)
    page.keyboard.type("title")
    page.keyboard.press("Enter")
    until(page, f"fetch('/api/v1/assets/{own_site.id(names[3])}').then(a => a.json()).then(a => a.title === 'Half a title')")


def test_b_01_access_does_not_change_if_the_selection_was_not_saved(own_site, own_page, pages):
    page = own_page()
    client = allowed(own_site, page)
    problem = {"type": "urn:calotype:problem:invalid", "detail": "The disk is full."}

    def refuse_selection(route):
        if route.request.method == "PUT":
            route.fulfill(status=422, content_type="application/problem+json", json=problem)
        else:
            route.continue_()

    page.route("**/access/clients/*/selection", refuse_selection)
    page.locator(".client select").select_option("limited")
    chooser = page.locator("dialog.chooser")
    chooser.locator(".cell[data-id]").first.click()
    chooser.get_by_role("button", name="Done").click()
    until_toast(page, "The disk is full.")
    until(page, "document.querySelector('.client select').value === 'authorized'")
    assert client.fetch("access/status")["readWrite"] == "authorized"
    pages.expected.append(FAILED)  # the browser writes the refusal to its console


def test_n_06_a_photo_that_is_first_does_not_move(own_site, page):
    page.goto(f"{own_site.address}album/{own_site.collections['Norway']}")
    until_shown(page, "Norway", 7)
    until(page, READY)
    before = len(fetched(page, "/api/v1/changes?limit=200")["transactions"])
    cell(page, own_site, "P03").focus()
    page.keyboard.press("Alt+ArrowLeft")
    page.keyboard.press("Alt+ArrowRight")
    until_toast(page, "1 item moved")
    assert len(fetched(page, "/api/v1/changes?limit=200")["transactions"]) == before + 1


def test_h_12_a_refused_text_stays_and_is_not_taken_for_saved(own_site, page, pages):
    refuse(page)
    cell(page, own_site, "P03").click()
    page.locator("asset-viewer").wait_for()
    page.keyboard.press("i")
    title = page.locator("asset-viewer info-panel").get_by_label("Title")
    title.fill("The fjord")
    title.press("Enter")
    until_toast(page, "The disk is full.")
    page.locator(".texts .hint", has_text="Not saved").wait_for()
    page.unroute("**/api/v1/changes")
    title.press("Enter")
    until(page, f"fetch('/api/v1/assets/{own_site.id('P03')}').then(a => a.json()).then(a => a.title === 'The fjord')")
    until(page, "document.querySelector('.texts .hint').hidden")
    pages.expected.append(FAILED)  # the browser writes the refusal to its console


def test_n_07_a_refused_title_of_an_album_goes_back(own_site, page, pages):
    row(page, "Travels").locator(".twisty").click()
    refuse(page)
    row(page, "Norway").focus()
    page.keyboard.press("F2")
    page.locator("input.rename").fill("Sweden")
    page.keyboard.press("Enter")
    until_toast(page, "The disk is full.")
    until(page, "[...document.querySelectorAll('side-bar .title')].some(title => title.textContent === 'Norway')")
    assert row(page, "Sweden").count() == 0
    pages.expected.append(FAILED)  # the browser writes the refusal to its console


def test_s_02_shift_without_a_selection_selects_from_the_focus(own_site, page, names):
    cell(page, own_site, names[2]).focus()
    cell(page, own_site, names[5]).click(modifiers=["Shift"])
    until_chosen(page, 4)
    until_these_chosen(page, own_site, names[2:6])


# A place on a photo that is neither selected nor covered by an element.
BESIDE = """selector => {
  const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
  const isBeside = (x, y) => x < left || x > right || y < top || y > bottom;
  for (const cell of document.querySelectorAll('.cell[data-id]:not([aria-selected=true])')) {
    const box = cell.getBoundingClientRect();
    const y = box.y + box.height / 2;
    for (const x of [box.left + 8, box.right - 8]) {
      if (y > 0 && y < innerHeight && isBeside(x, y) && document.elementFromPoint(x, y)?.closest('.cell') === cell) return [x, y];
    }
  }
  throw new Error('no photo is beside it');
}"""


def phone(own_page):
    return own_page(width=390, height=844, has_touch=True, is_mobile=True)


def test_s_07_the_first_tap_on_a_circle_after_a_long_press_selects(own_site, own_page):
    page = phone(own_page)
    names = in_order(page, own_site)
    touch(page, "touchStart", middle(cell(page, own_site, names[0])))
    page.locator(".menu.peek").wait_for()
    touch(page, "touchEnd")
    assert page.get_by_role("menuitem", name="Open", exact=True).count() == 0, "a tap opens"
    page.get_by_role("menuitem", name="Select", exact=True).tap()
    until_chosen(page, 1)
    cell(page, own_site, names[1]).locator(".circle").tap()
    until_chosen(page, 2)


def test_s_07_lifting_the_finger_of_a_long_press_chooses_no_command(own_site, own_page):
    page = phone(own_page)
    before = dump(own_site)
    touch(page, "touchStart", middle(page.locator(".cell[data-id]:visible").first))
    command = page.locator(".menu.peek").get_by_role("menuitem", name="Delete from library", exact=True)
    x, y = middle(command)
    touch(page, "touchEnd")
    page.touchscreen.tap(4, 4)
    page.locator(".menu.peek").wait_for(state="detached")
    # The cell that lies under the command is pressed now.
    touch(page, "touchStart", (x, y))
    command.wait_for()
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.menu button') !== null", [x, y])
    touch(page, "touchEnd")
    page.get_by_role("menuitem", name="Select", exact=True).tap()
    until_chosen(page, 1)
    assert dump(own_site) == before


def test_a_tap_that_closes_the_menu_of_a_long_press_opens_no_photo(own_site, own_page):
    page = phone(own_page)
    touch(page, "touchStart", middle(cell(page, own_site, in_order(page, own_site)[0])))
    page.locator(".menu.peek").wait_for()
    touch(page, "touchEnd")
    beside = page.evaluate(BESIDE, ".menu.peek")
    page.touchscreen.tap(*beside)
    page.locator(".menu.peek").wait_for(state="detached")
    page.evaluate(FRAME)
    assert page.evaluate("location.hash") == ""
    page.touchscreen.tap(*beside)
    until(page, "location.hash.startsWith('#/asset/')")


def test_a_tap_that_closes_the_list_of_albums_selects_nothing(own_site, own_page):
    page = phone(own_page)
    choose(page, own_site, *in_order(page, own_site)[:2])
    page.locator("selection-bar [data-command=addTo]").click()
    page.locator(".album-choice").wait_for()
    beside = page.evaluate(BESIDE, ".album-choice")
    page.touchscreen.tap(*beside)
    page.locator(".album-choice").wait_for(state="detached")
    page.evaluate(FRAME)
    assert page.locator(".cell[aria-selected=true]").count() == 2
    page.touchscreen.tap(*beside)
    until_chosen(page, 3)


def test_keys_after_a_click_in_the_sidebar_act_on_the_photos(own_site, own_page):
    page = own_page(height=TALL)
    row(page, "Receipts").click()
    until_shown(page, "Receipts", 3)
    page.keyboard.press("Control+a")
    until_chosen(page, 3)
    page.keyboard.press("f")
    until_toast(page, "3 items added to Favorites")
    page.locator("side-bar .row", has_text="Travels").locator(".twisty").click()
    page.keyboard.press("Escape")
    page.locator("selection-bar").wait_for(state="hidden")
    page.keyboard.press("ArrowRight")
    until(page, "document.activeElement.closest('.cell') !== null")


@pytest.mark.parametrize("key, title", [("f", "Favorites"), ("h", "Hidden"), ("p", "All Photos")])
def test_places_are_reached_from_an_open_photo_which_stays_as_it_was(own_site, page, key, title):
    before = dump(own_site)
    cell(page, own_site, "P01").locator(".open").click()
    page.locator("asset-viewer").wait_for()
    page.keyboard.press("g")
    page.keyboard.press(key)
    page.locator("asset-viewer").wait_for(state="hidden")
    expect(page.locator("h1:visible").first).to_have_text(title)
    assert dump(own_site) == before


@pytest.mark.parametrize("is_open", [True, False])
def test_g_and_a_lead_from_an_open_photo_to_the_albums(own_site, own_page, is_open):
    page = own_page(height=TALL)
    if not is_open:
        page.locator(".close-sidebar").click()
    cell(page, own_site, "P01").locator(".open").click()
    page.locator("asset-viewer").wait_for()
    page.keyboard.press("g")
    page.keyboard.press("a")
    page.locator("asset-viewer").wait_for(state="hidden")
    until(page, "document.activeElement.dataset.collection === 'group:albums'")


def test_s_01_a_tap_on_a_corner_of_a_picture_opens_it(own_site, own_page):
    page = phone(own_page)
    [name] = in_order(page, own_site)[:1]
    box = cell(page, own_site, name).bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 12, box["y"] + box["height"] - 12)
    page.locator("asset-viewer").wait_for()
    until(page, f"location.href.includes('{own_site.id(name)}')")
    assert page.locator("selection-bar").is_hidden()
