"""The information panel, in the viewer and beside the grid: scenarios H."""

import re
from datetime import datetime, timedelta

import pytest
from apps import Owner
from conftest import FAILED, FIRST_PAGE, Site, copy_library, fetched, until, until_equal, until_true
from organizing import READY, TALL, asset, bitmap, cell, own_page, undone_sites, until_chosen, until_toast
from organizing import undone_site as own_site
from playwright.sync_api import expect
from views import FRAME, GRID, row, until_shown


def test_h_12_an_album_is_a_link_that_does_not_load_the_page_again(own_site, page):
    page.evaluate("window.isSamePage = true")
    panel = open_information(page, own_site, "P03")
    panel.get_by_role("link", name="Norway").click()
    until_shown(page, "Norway", 7)
    assert page.evaluate("window.isSamePage"), "nothing is loaded again"
    expect(page.locator("asset-viewer")).to_be_hidden()


def test_h_12_the_whole_digest_of_a_file_is_shown_and_copied(own_site, own_page):
    page = own_page(height=TALL, permissions=["clipboard-read", "clipboard-write"])
    panel = open_information(page, own_site, "P03")
    digest = asset(page, own_site, "P03")["resources"][0]["sha256"]
    expect(panel).to_contain_text(digest)
    assert len(digest) == 64
    panel.get_by_role("button", name="Copy the SHA-256").first.click()
    until(page, "document.querySelector('info-panel .copy').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == digest


@pytest.fixture
def page(own_page):
    return own_page(height=TALL)


def open_information(page, site, name):
    cell(page, site, name).click()
    page.locator("asset-viewer").wait_for()
    page.keyboard.press("i")
    page.locator("info-panel .resources").wait_for()
    return page.locator("asset-viewer info-panel")


def until_asset(page, site, name, condition):
    until(page, f"fetch('/api/v1/assets/{site.id(name)}').then(a => a.json()).then(asset => {condition})")


def test_h_12_texts_are_edited_in_place(own_site, page):
    panel = open_information(page, own_site, "P03")
    title = panel.get_by_label("Title")
    title.fill("The fjord")
    title.press("Enter")
    until_asset(page, own_site, "P03", "asset.title === 'The fjord'")
    title.fill("Something else")
    title.press("Escape")
    expect(title).to_have_value("The fjord")
    panel.get_by_label("Caption").fill("In the morning")
    panel.get_by_label("Title").focus()
    until_asset(page, own_site, "P03", "asset.caption === 'In the morning'")
    keyword = panel.get_by_label("Add a keyword")
    keyword.fill("sea")
    keyword.press("Enter")
    until_asset(page, own_site, "P03", "asset.keywords.join() === 'sea'")
    panel.get_by_label("Remove sea").click()
    until_asset(page, own_site, "P03", "asset.keywords.length === 0")


def test_h_12_date_and_place_are_edited_in_place(own_site, page):
    panel = open_information(page, own_site, "P03")
    panel.get_by_role("button", name="Edit the date").click()
    panel.get_by_label("Date and time").fill("2018-05-06T07:08:09")
    panel.get_by_label("Zone").select_option("-05:00")
    panel.get_by_role("button", name="Save").click()
    until_asset(page, own_site, "P03", "asset.creationDate.startsWith('2018-05-06T07:08:09') && asset.creationDate.endsWith('-05:00')")
    expect(page.locator("asset-viewer .title strong")).to_have_text("6 May 2018")
    place = panel.get_by_label("Place")
    place.fill("somewhere")
    place.press("Enter")
    expect(panel).to_contain_text("Enter two numbers")
    place.fill("59.91, 10.75")
    place.press("Enter")
    until_asset(page, own_site, "P03", "Math.abs(asset.latitude - 59.91) < 0.0001 && Math.abs(asset.longitude - 10.75) < 0.0001")


def test_h_12_many_assets_are_edited_at_once(own_site, page):
    dates = [asset(page, own_site, name)["creationDate"] for name in ("P03", "P10")]
    for name in ("P03", "P10"):
        cell(page, own_site, name).click(modifiers=["Control"])
    until_chosen(page, 2)
    page.locator("selection-bar [data-command=information]").click()
    panel = page.locator("info-panel.beside")
    keyword = panel.get_by_label("Add a keyword")
    keyword.fill("summer")
    keyword.press("Enter")
    until_toast(page, "2 items changed")
    for name in ("P03", "P10"):
        until_asset(page, own_site, name, "asset.keywords.join() === 'summer'")
    page.locator(".toast button").click()
    until_toast(page, "Undone")
    assert [asset(page, own_site, name)["keywords"] for name in ("P03", "P10")] == [[], []]
    assert [asset(page, own_site, name)["creationDate"] for name in ("P03", "P10")] == dates


def test_h_12_several_photos_of_a_day_are_shown_without_a_time_and_made_exact(own_site, page, tmp_path):
    names = ["IMG-20161224-WA0001", "IMG-20161224-WA0002"]
    for name in names:
        (tmp_path / f"{name}.bmp").write_bytes(bitmap())
    own_site.calotype("import", *(str(tmp_path / f"{name}.bmp") for name in names))
    own_site.list_again()
    for name in names:
        cell(page, own_site, name).click(modifiers=["Control"])
    until_chosen(page, 2)
    page.locator("selection-bar [data-command=information]").click()
    panel = page.locator("info-panel.beside")
    expect(panel).to_contain_text("24 December 2016")
    expect(panel).not_to_contain_text("12:00")
    panel.get_by_role("button", name="Edit the date").click()
    panel.get_by_role("button", name="Save").click()
    for name in names:
        until_asset(page, own_site, name, "asset.datePrecision === 'time' && asset.creationDate.startsWith('2016-12-24T12:00:00')")


def in_library(page):
    """Returns all assets of the library by their ids, as the grid gets them: without titles and
    keywords."""
    cells = fetched(page, "/api/v1/collections/userLibrary/assets?offset=0&limit=500&order=oldest")["assets"]
    return {cell["id"]: cell for cell in cells}


def in_full(page, ids):
    """Returns assets by their ids, as the panel gets them."""
    return page.evaluate("""async (ids) => Object.fromEntries(await Promise.all(
      ids.map(async (id) => [id, await (await fetch(`/api/v1/assets/${id}`)).json()])))""", list(ids))


@pytest.fixture
def large_site(sample_library, tmp_path):
    """A server of a library with more photos than the panel compares."""
    library = tmp_path / "Sample.calotype"
    copy_library(sample_library, library)
    site = Site(library)
    yield site
    site.stop()


def test_h_12_any_number_of_photos_is_edited_at_once(large_site, pages):
    page = pages(large_site.cookies)
    page.goto(large_site.address)
    until(page, f"{READY} && {FIRST_PAGE}")
    before = in_library(page)
    count, dates = len(before), {asset["creationDate"] for asset in before.values()}
    assert count > 100
    page.keyboard.press("Control+a")
    until_chosen(page, count)
    page.locator("selection-bar [data-command=information]").click()
    panel = page.locator("info-panel.beside")
    panel.get_by_label("Title").fill("A journey")
    panel.get_by_label("Title").press("Enter")
    until_toast(page, f"{count} items changed")
    panel.get_by_label("Add a keyword").fill("summer")
    panel.get_by_label("Add a keyword").press("Enter")
    until(page, "document.querySelector('info-panel.beside .keywords')?.textContent.includes('summer')")
    until_chosen(page, count)
    panel.get_by_role("button", name="Edit the date").click()
    date = panel.get_by_label("Date and time")
    newest = datetime.fromisoformat(date.input_value())
    date.fill((newest + timedelta(hours=1)).isoformat())
    panel.get_by_role("button", name="Save").click()
    until_true(page, lambda: len({asset["creationDate"] for asset in in_library(page).values()} & dates) < len(dates))
    after = in_full(page, before)
    assert {asset["title"] for asset in after.values()} == {"A journey"}
    assert all("summer" in asset["keywords"] for asset in after.values())
    moved = {id: instant(after[id]) - instant(before[id]) for id in before}
    assert max(moved.values()) - min(moved.values()) < timedelta(milliseconds=2)
    zones = [{id: instant(asset).utcoffset() for id, asset in found.items()} for found in (before, after)]
    assert zones[0] == zones[1]
    page.locator("photo-grid").focus()
    page.keyboard.press("Control+z")
    until_true(page, lambda: {id: instant(asset) for id, asset in in_library(page).items()} == {id: instant(before[id]) for id in before})


KEYWORDS = "document.querySelector('info-panel.beside .keywords ul')?.textContent"


# Takes the server's answers about single photos, and hands them on once the test lets them go.
HOLD = """() => {
  const ask = window.fetch;
  window.held = [];
  window.holdNoMore = () => (window.fetch = ask);
  let isReleased = false;
  window.release = () => {
    holdNoMore();
    isReleased = true;
    for (const go of held) go();
    // The page has taken them by the second frame.
    return new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame));
  };
  window.fetch = async (path, options) => {
    const answer = await ask(path, options);
    if (!path.startsWith('/api/v1/assets/')) return answer;
    const text = await answer.text();
    // An answer that was on its way at the release is not held.
    if (!isReleased) await new Promise(go => held.push(go));
    return new Response(text);
  };
}"""


def until_held(page, count):
    # A change of the view can load them once more.
    until(page, f"held.length >= {count}")


def beside(page, site, *names):
    """Selects photos, and opens their information beside the grid."""
    for name in names:
        cell(page, site, name).click(modifiers=["Control"])
    until_chosen(page, len(names))
    page.locator("selection-bar [data-command=information]").click()
    panel = page.locator("info-panel.beside")
    panel.get_by_label("Title").wait_for()
    return panel


def enter(panel, label, text):
    panel.get_by_label(label).fill(text)
    panel.get_by_label(label).press("Enter")


def refuse(route):
    problem = {"type": "urn:calotype:problem:invalid", "detail": "The disk is full."}
    route.fulfill(status=422, content_type="application/problem+json", json=problem)


def test_h_12_a_keyword_is_shown_if_the_view_changes_before_its_photos_are_loaded(large_site, pages):
    page = pages(large_site.cookies)
    page.goto(large_site.address)
    until(page, f"{READY} && {FIRST_PAGE}")
    page.keyboard.press("Control+a")
    until_chosen(page, page.evaluate(f"{GRID}.snapshot.total"))
    page.locator("selection-bar [data-command=information]").click()
    panel = page.locator("info-panel.beside")
    panel.get_by_label("Title").wait_for()
    page.evaluate(HOLD)
    before = page.evaluate(f"{GRID}.snapshot.revision")
    enter(panel, "Add a keyword", "summer")
    until(page, f"{GRID}.snapshot.revision !== '{before}'")
    until_held(page, 50)
    page.evaluate("release()")
    until(page, f"{KEYWORDS}.includes('summer')")


def test_h_12_an_earlier_answer_does_not_take_a_keyword_away(own_site, page):
    panel = beside(page, own_site, "P03", "P10")
    days = []
    page.route("**/days?*", lambda route: days.append(route))  # the view stays as it is
    page.evaluate(HOLD)
    enter(panel, "Title", "A journey")
    until_held(page, 2)
    page.evaluate("void holdNoMore()")
    enter(panel, "Add a keyword", "summer")
    until(page, f"{KEYWORDS}.includes('summer')")
    page.evaluate("release()")
    assert page.evaluate(f"{KEYWORDS}.includes('summer')")


def test_h_12_a_refused_keyword_comes_back_into_the_field(own_site, page, pages):
    panel = beside(page, own_site, "P03", "P10")
    page.evaluate(HOLD)
    enter(panel, "Title", "A journey")
    until_held(page, 2)
    changes = []
    page.route("**/api/v1/changes", lambda route: changes.append(route))
    enter(panel, "Add a keyword", "summer")
    until_true(page, lambda: changes)
    page.evaluate("document.querySelector('info-panel.beside .texts').isOld = true")
    page.evaluate("release()")
    until(page, "!document.querySelector('info-panel.beside .texts').isOld")
    refuse(changes[0])
    until_toast(page, "Nothing was changed. The disk is full.")
    expect(panel.get_by_label("Add a keyword")).to_have_value("summer")
    pages.expected.append(FAILED)  # the browser writes the refusal to its console


def test_h_12_a_refused_title_stays_when_a_keyword_is_added(own_site, page, pages):
    panel = beside(page, own_site, "P03", "P10")
    page.route("**/api/v1/changes", refuse)
    enter(panel, "Title", "A journey")
    until_toast(page, "Nothing was changed. The disk is full.")
    page.unroute("**/api/v1/changes")
    enter(panel, "Add a keyword", "summer")
    until(page, f"{KEYWORDS}.includes('summer')")
    expect(panel.get_by_label("Title")).to_have_value("A journey")
    expect(panel.locator(".hint:visible")).to_have_count(1)
    enter(panel, "Title", "A journey")
    until_asset(page, own_site, "P10", "asset.title === 'A journey'")
    pages.expected.append(FAILED)  # the browser writes the refusal to its console


def test_h_12_a_keyword_is_shown_if_the_viewer_asks_anew_before_its_photo_is_loaded(own_site, page):
    panel = open_information(page, own_site, "P03")
    page.evaluate(HOLD)
    before = page.evaluate(f"{GRID}.snapshot.revision")
    enter(panel, "Add a keyword", "summer")
    until(page, f"{GRID}.snapshot.revision !== '{before}'")
    until(page, "held.length > 0")
    page.evaluate("release()")
    until(page, "document.querySelector('asset-viewer .keywords ul')?.textContent.includes('summer')")
    expect(panel.get_by_label("Add a keyword")).to_be_focused()


def test_h_12_keywords_are_typed_one_after_the_other(own_site, page):
    panel = beside(page, own_site, "P03", "P10")
    panel.get_by_label("Add a keyword").focus()
    for keyword in ("sea", "summer"):
        page.keyboard.type(keyword)
        page.keyboard.press("Enter")
        until(page, f"{KEYWORDS}.includes('{keyword}')")
    expect(panel.get_by_label("Add a keyword")).to_be_focused()


def test_h_12_a_keyword_is_shown_once_a_half_typed_title_is_left(own_site, page):
    panel = beside(page, own_site, "P03", "P10")
    page.evaluate(HOLD)
    enter(panel, "Add a keyword", "summer")
    until_held(page, 2)
    panel.get_by_label("Title").press_sequentially("A jour")
    page.evaluate("release()")
    expect(panel.get_by_label("Title")).to_have_value("A jour")
    panel.get_by_label("Title").press("Escape")
    until(page, f"{KEYWORDS}.includes('summer')")
    expect(panel.get_by_label("Title")).to_have_value("")


def test_h_12_a_new_date_saves_no_half_typed_title(own_site, page):
    panel = beside(page, own_site, "P03", "P10")
    panel.get_by_role("button", name="Edit the date").click()
    panel.get_by_label("Date and time").fill("2018-05-06T07:08:09")
    changes = []
    page.route("**/api/v1/changes", lambda route: changes.append(route))
    panel.get_by_role("button", name="Save").click()
    until_true(page, lambda: changes)
    panel.get_by_label("Title").press_sequentially("A jour")
    page.evaluate(HOLD)
    changes[0].continue_()
    page.unroute("**/api/v1/changes")
    until_held(page, 2)
    page.evaluate("release()")
    panel.get_by_label("Title").press_sequentially("ney")
    panel.get_by_label("Title").press("Enter")
    until_asset(page, own_site, "P10", "asset.title === 'A journey'")
    page.locator("info-panel.beside .edit").wait_for()
    page.locator("photo-grid").focus()
    page.keyboard.press("Control+z")
    until_toast(page, "Undone")
    assert asset(page, own_site, "P10")["title"] is None, "the title was saved once"


def instant(asset):
    return datetime.fromisoformat(asset["creationDate"])


def test_h_14_a_date_says_the_clock_of_the_place_and_that_at_home(own_site, own_page):
    page = own_page(height=TALL, timezone_id="Europe/Berlin")
    panel = open_information(page, own_site, "P01")
    expect(panel).to_contain_text("00:20:11 at home, Tuesday")
    # The name of the city comes once the map is there.
    expect(panel.locator(".clock")).to_contain_text("17:20:11 UTC−06:00")
    assert re.search("00:20:11 at home, Tuesday,? 5 March 2019", panel.inner_text())


def dot(page):
    return page.evaluate("[...document.querySelector('place-map .dot').style.cssText.matchAll(/[\\d.]+/g)].map(Number)")


def test_h_13_the_map_is_drawn_from_outlines_of_the_library(own_site, own_page):
    page = own_page(height=TALL, timezone_id="Europe/Berlin")
    panel = open_information(page, own_site, "P01")
    place_map = panel.locator("place-map")
    place_map.wait_for()
    expect(panel).to_contain_text("Chicago, United States")
    expect(panel.locator(".clock")).to_contain_text("in Chicago")
    expect(place_map).to_have_attribute("aria-label", "Map of Chicago, United States")
    boxes, scales = [], []
    closer, further = (place_map.get_by_role("button", name=name) for name in ("Closer", "Further away"))
    further.click()
    expect(further).to_be_disabled()
    for step in range(3):
        boxes.append(page.evaluate("document.querySelector('place-map svg').viewBox.baseVal.height"))
        scales.append(int(place_map.locator(".scale").inner_text().replace(",", "").removesuffix(" km")))
        if step < 2:
            closer.click()
            until(page, f"document.querySelector('place-map svg').viewBox.baseVal.height !== {boxes[-1]}")
    expect(closer).to_be_disabled()
    assert boxes == sorted(boxes, reverse=True) and len(set(boxes)) == 3
    assert scales == sorted(scales, reverse=True) and len(set(scales)) == 3


def test_h_13_the_dot_follows_the_place(own_site, page):
    panel = open_information(page, own_site, "P03")
    place = panel.get_by_label("Place")
    place.fill("59.9139, 10.7522")
    place.press("Enter")
    panel.locator("place-map").wait_for()
    until(page, "document.querySelector('asset-viewer info-panel').innerText.includes('Oslo, Norway')")
    view = "document.querySelector('place-map svg').getAttribute('viewBox')"
    before = page.evaluate(view)
    panel.get_by_label("Place").fill("35.68, 139.65")
    panel.get_by_label("Place").press("Enter")
    until(page, "document.querySelector('asset-viewer info-panel').innerText.includes('Tokyo, Japan')")
    until(page, f"{view} !== {before!r}")
    # The place is in the middle.
    until_true(page, lambda: (parts := dot(page)) and all(abs(part - 50) < 0.1 for part in parts))


def test_h_12_a_place_is_shown_once_and_a_digest_in_even_lines(own_site, own_page):
    for width in (390, 1440):
        page = own_page(width=width, height=TALL)
        panel = open_information(page, own_site, "P01")
        expect(panel.get_by_label("Place")).to_have_value(re.compile("^41[.]"))
        assert "° N" not in panel.inner_text()
        groups = panel.locator(".digest code").first
        lines = """element => {
          const tops = [...element.querySelectorAll('span')].map(group => group.getBoundingClientRect().top);
          return [...new Set(tops)].map(top => tops.filter(other => other === top).length);
        }"""
        until_equal(page, lambda: groups.evaluate(lines), [4, 4])  # two lines of four groups each


def test_an_undo_is_shown_in_the_panel_of_an_open_photo(own_site, page):
    panel = open_information(page, own_site, "P03")
    title = panel.get_by_label("Title")
    title.fill("The fjord")
    title.press("Enter")
    until_asset(page, own_site, "P03", "asset.title === 'The fjord'")
    page.locator("asset-viewer").focus()
    page.keyboard.press("Control+z")
    until_toast(page, "Undone")
    expect(title).to_have_value("")


@pytest.mark.parametrize("names", [["P03"], ["P03", "P10"]], ids=["one", "two"])
def test_a_change_by_another_page_is_shown_beside_the_grid(own_site, page, names):
    for name in names:
        cell(page, own_site, name).click(modifiers=["Control"])
    until_chosen(page, len(names))
    page.locator("selection-bar [data-command=information]").click()
    panel = page.locator("info-panel.beside")
    panel.get_by_label("Title").wait_for()
    # The panel loads a new selection twice, so the second title proves the event.
    for title in ("Elsewhere", "Elsewhere again"):
        Owner(own_site).change("setAssets", assets=[own_site.id(name) for name in names], title=title)
        expect(panel.get_by_label("Title")).to_have_value(title)


def test_a_text_that_is_being_written_stays_when_another_page_changes_the_photo(own_site, page):
    panel = open_information(page, own_site, "P03")
    panel.get_by_label("Title").fill("Half a")
    with page.expect_response(f"**/api/v1/assets/{own_site.id('P03')}"):
        Owner(own_site).change("setAssets", assets=[own_site.id("P03")], caption="Elsewhere")
    expect(panel.get_by_label("Title")).to_have_value("Half a")
    panel.get_by_label("Title").press("Enter")
    expect(panel.get_by_label("Caption")).to_have_value("Elsewhere")


def test_an_album_that_gets_the_open_photo_is_listed(own_site, page):
    panel = open_information(page, own_site, "P03")
    expect(panel.get_by_role("link", name="Receipts")).to_have_count(0)
    own_site.calotype("album", "add", "Receipts", own_site.identifier("P03"))
    panel.get_by_role("link", name="Receipts").wait_for()


def test_the_panel_is_not_made_again_if_its_values_stay(own_site, page):
    panel = open_information(page, own_site, "P03")
    panel.evaluate("(panel) => (panel.querySelector('.resources').isTheSame = true)")
    with page.expect_response(f"**/api/v1/assets/{own_site.id('P03')}"):
        own_site.calotype("album", "create", "Another")
    row(page, "Another").wait_for(state="attached")
    page.evaluate(FRAME)
    assert panel.evaluate("(panel) => panel.querySelector('.resources').isTheSame")
