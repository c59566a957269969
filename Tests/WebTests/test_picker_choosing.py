"""Choosing in the picker, on a desk and on a phone."""

import re
from urllib.parse import unquote

import pytest
from conftest import FAILED, STOPPED_CLOCK, box_of, fetched, new_context, until, until_equal, until_true
from made_up import DRAWN, MadeUpLibrary
from organizing import drag, in_order, middle, touch
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect
from test_picker import arm, cell, gallery, tap  # noqa: F401
from test_picker_protocol import choose, open_picker, picked  # noqa: F401
from views import FRAME

DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844, "has_touch": True}
# The numbers of items that the opener was told, one for each change of a continuous selection.
TOLD = "window.heard.filter(({ type }) => type === 'change').map(({ items }) => items.length)"
TOTAL = "document.querySelector('photo-grid')?.snapshot?.total"
both = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])


def names(opener, site, items):
    return [item["name"].partition(".")[0] for item in items]


def chosen(picker):
    return picker.locator('.cell[aria-selected="true"]').count()


def tray(picker, site):
    return site.names(picker.evaluate("[...document.querySelectorAll('.tray button')].map(({ dataset }) => dataset.id)"))


def until_tray(picker, site, *names):
    until_equal(picker, lambda: tray(picker, site), list(names))


@both
def test_r_01_the_bar_has_what_a_person_needs(site, open_picker, size):
    picker = open_picker({"selectionLimit": 0}, **size).picker
    for selector in (".cancel", ".add", ".search", ".asker"):
        expect(picker.locator(selector)).to_be_visible()
    expect(picker.locator(".tabs button")).to_have_text(["Photos", "Albums"])
    expect(picker.locator(".asker")).to_contain_text("127.0.0.1")
    expect(picker.locator(".asker")).to_contain_text("gets copies")
    assert picker.evaluate("document.documentElement.scrollWidth <= innerWidth")
    until_equal(picker, "document.querySelector('photo-grid').scrollTop", 0)


# The movies of the fixture library have no subtypes.
KINDS = {
    "images": 37, "videos": 12, "livePhotos": 5, "screenshots": 6, "panoramas": 2, "bursts": 1, "slomoVideos": 1,
    "timelapseVideos": 1, "screenRecordings": 1, "depthEffectPhotos": 0, "cinematicVideos": 0, "spatialMedia": 0}


@pytest.mark.parametrize("kinds", [list(KINDS)[:6], list(KINDS)[6:]], ids=["first", "rest"])
def test_r_02_each_kind_is_a_filter(site, open_picker, kinds):
    context = None
    for kind in kinds:
        opener = open_picker({"filter": kind}, context=context, is_waiting=False)
        until(opener.picker, f"{TOTAL} === {KINDS[kind]} && !document.querySelector('photo-grid').hidden")
        context = opener.page.context
        opener.picker.close()


@both
def test_r_02_an_empty_view_names_the_filter(site, open_picker, size):
    picker = open_picker({"filter": "cinematicVideos"}, is_waiting=False, **size).picker
    until(picker, "document.querySelector('.message').textContent === 'No cinematic videos here.'")


@both
def test_r_04_albums_have_the_number_and_the_cover_that_the_filter_leaves(site, open_picker, size):
    picker = open_picker({"filter": "images", "selectionLimit": 0}, **size).picker
    picker.get_by_role("tab", name="Albums").click()
    norway = picker.get_by_role("button", name="Norway, 6 items")
    norway.wait_for()
    assert picker.get_by_role("button", name="Videos").count() == 0
    cover = norway.locator("img").get_attribute("src").split("/")[4]
    norway.click()
    until(picker, f"{TOTAL} === 6")
    until(picker, f"document.querySelector('.cell[data-id=\"{cover}\"]') !== null")
    picker.fill(".search", "P20")
    until(picker, f"{TOTAL} === 0")
    picker.fill(".search", "P02")
    until(picker, f"{TOTAL} === 1")
    picker.get_by_role("tab", name="Photos").click()
    picker.fill(".search", "")
    until(picker, f"{TOTAL} === 37")


@both
@pytest.mark.parametrize("key", ["click", "Enter"])
def test_r_05_one_choice_finishes(site, open_picker, key, size):
    opener = open_picker({}, **size)
    assert not opener.picker.is_visible(".add")
    arm(opener.picker)
    if key == "click":
        cell(opener.picker, site, "P20").click()
    else:
        cell(opener.picker, site, "P20").locator(".open").focus()
        opener.picker.keyboard.press("Enter")
    assert names(opener, site, opener.hears("picked")["items"]) == ["P20"]


def test_r_06_shift_and_a_rubber_band_choose_ranges(site, open_picker):
    opener = open_picker({"selectionLimit": 0})
    picker = opener.picker
    arm(picker)
    cells = picker.locator(".cell[data-id]")
    cells.nth(0).click()
    cells.nth(4).click(modifiers=["Shift"])
    until(picker, "document.querySelector('.add').textContent === 'Add 5'")
    first, last = box_of(cells.nth(5)), box_of(cells.nth(6))
    drag(picker, (first["x"] + 8, first["y"] + 8), (last["x"] + 20, last["y"] + 20))
    until(picker, "document.querySelector('.add').textContent === 'Add 7'")
    assert len(set(names(opener, site, picked(opener)))) == 7


class FoundLibrary(MadeUpLibrary):
    """A made-up library that finds its assets by their identifiers."""

    def json(self, url):
        found = super().json(url)
        if wanted := re.findall(r'"([0-9A-F-]{36})"', unquote(url)):
            found["assets"] = [self.cell(self.total - int(id[-12:])) for id in wanted]
        return found


# Describes assets in the page, since a request that a test answers takes some milliseconds.
DESCRIBED = """(() => {
  const { fetch } = window;
  window.fetch = async (address, ...rest) => {
    const [, number] = /\\/api\\/v1\\/assets\\/[0-9-]+-0*(\\d+)$/.exec(address) ?? [];
    return number ? Response.json({ originalFilename: `${number}.jpg`, resources: [] }) : fetch(address, ...rest);
  };
})();"""


def test_r_06_three_hundred_that_are_chosen_at_once_arrive_in_their_order(site, browser, open_picker):
    context = new_context(browser, init_script=DESCRIBED + DRAWN, **DESK)
    context.add_cookies(site.cookies)
    FoundLibrary(300, has_pictures=True).serve(context)
    opener = open_picker({"selectionLimit": 0}, context=context)
    arm(opener.picker)
    for key in ("ArrowRight", " ", "Shift+Control+End"):
        opener.picker.keyboard.press(key)
    until_added(opener.picker, 300)
    # The newest one, with the highest number, is the first one of the view.
    assert [item["name"] for item in picked(opener)] == [f"{number}.jpg" for number in range(300, 0, -1)]
    context.close()


def until_added(picker, count):
    expect(picker.locator(".add")).to_have_text(f"Add {count:,}" if count else "Add")


def test_s_04_another_range_from_the_same_anchor_replaces_the_last_one_in_the_picker(site, open_picker):
    picker = open_picker({"selectionLimit": 0}).picker
    arm(picker)
    cells = picker.locator(".cell[data-id]")
    cells.nth(6).click()
    cells.nth(2).click()
    cells.nth(5).click(modifiers=["Shift"])
    until_added(picker, 5)
    cells.nth(3).click(modifiers=["Shift"])
    until_added(picker, 3)
    cells.nth(0).click(modifiers=["Shift", "Control"])
    until_added(picker, 5)


def test_s_04_keys_select_in_the_picker(site, open_picker):
    picker = open_picker({"selectionLimit": 0}).picker
    arm(picker)
    picker.keyboard.press("ArrowRight")
    picker.keyboard.press(" ")
    until_added(picker, 1)
    picker.keyboard.press("Shift+ArrowRight")
    picker.keyboard.press("Shift+ArrowRight")
    until_added(picker, 3)
    picker.keyboard.press("Shift+ArrowLeft")
    until_added(picker, 2)
    picker.keyboard.press("Control+a")
    until_added(picker, 49)
    picker.keyboard.press("Control+ArrowRight")
    picker.keyboard.press("Control+Space")
    until_added(picker, 48)


def test_s_04_keys_have_a_ring_in_the_picker_and_clicks_have_none(site, open_picker):
    picker = open_picker({"selectionLimit": 0}).picker
    arm(picker)
    ring = "document.activeElement.matches('.cell:focus-visible')"
    cell(picker, site, "P20").click()
    until(picker, "document.activeElement.matches('.cell')")
    assert not picker.evaluate(ring)
    picker.keyboard.press("ArrowRight")
    until(picker, ring)
    picker.keyboard.press("Enter")
    until_added(picker, 2)
    assert picker.evaluate(ring)
    cell(picker, site, "P18").click()
    until(picker, f"!{ring}")


def test_t_04_a_key_counts_after_another_one_that_came_too_early(open_picker):
    picker = open_picker({"selectionLimit": 0}).picker
    picker.bring_to_front()
    picker.evaluate(STOPPED_CLOCK)
    picker.evaluate("dispatchEvent(new Event('resize'))")
    picker.keyboard.press("ArrowRight")
    picker.evaluate("window.clock += 900")
    picker.keyboard.press(" ")
    until_added(picker, 1)


def test_s_04_an_ordered_picker_has_no_ranges(site, open_picker):
    picker = open_picker({"selectionLimit": 0, "selection": "ordered"}).picker
    arm(picker)
    cells = picker.locator(".cell[data-id]")
    cells.nth(0).click()
    picker.keyboard.press("Control+a")
    picker.keyboard.press("Shift+ArrowRight")
    drag(picker, middle(cells.nth(4)), middle(cells.nth(6)))
    cells.nth(2).click()
    until_added(picker, 2)


def test_s_04_a_band_in_the_picker_follows_the_pointer_and_escape_restores(site, open_picker):
    opener = open_picker({"selectionLimit": 0, "selection": "continuous"})
    picker = opener.picker
    arm(picker)
    cells = picker.locator(".cell[data-id]")
    cells.nth(0).click()
    until_equal(opener.page, TOLD, [1])
    drag(picker, middle(cells.nth(5)), middle(cells.nth(6)), is_dropped=False)
    until_added(picker, 3)
    picker.mouse.move(*(side + 10 for side in middle(cells.nth(5))))
    until_added(picker, 2)
    picker.keyboard.press("Escape")
    until_added(picker, 1)
    # The pointer is lifted over a photo, which is no click on it: the band would add a third one.
    picker.mouse.up()
    x, y = middle(cells.nth(6))
    drag(picker, (x, y), (x + 20, y + 10))
    until_added(picker, 2)
    # The page is told of a band once, at its end.
    until_equal(opener.page, TOLD, [1, 2])


def test_s_04_a_band_at_the_edge_scrolls_the_picker(site, large_picker):
    picker, _ = large_picker
    arm(picker)
    box = box_of(picker.locator("photo-grid"))
    drag(picker, (box["x"] + 40, box["y"] + 150), (box["x"] + 400, box["y"] + box["height"] - 5), is_dropped=False)
    until(picker, f"{Y} > 1_000 && {CHOSEN_COUNT} > 40")
    picker.mouse.move(box["x"] + 400, box["y"] + 5)
    until(picker, f"{Y} === 0")
    picker.mouse.up()
    until(picker, f"{CHOSEN_COUNT} < 40")


def test_s_04_a_finger_sweeps_in_the_picker(site, open_picker):
    picker = open_picker({"selectionLimit": 0}, **PHONE, is_mobile=True).picker
    # A row with three cells of one day.
    _, first, _ = day_of(picker, 3)
    shown = "document.querySelector('photo-grid')"
    picker.evaluate(f"{shown}.reveal({first + 2})")
    until(picker, f"{shown}.cellAt({first + 2})?.asset !== undefined")
    names = in_order(picker, site)[first : first + 3]
    arm(picker)
    points = [middle(cell(picker, site, name)) for name in names]
    sweep(picker, points)
    until_added(picker, 3)
    sweep(picker, points[1:])
    until_added(picker, 1)


def day_of(picker, least):
    """Returns the index of the first day with some assets, that of its first asset, and its
    count."""
    days = [count for _, count in fetched(picker, "/api/v1/collections/userLibrary/days?order=newest")["days"]]
    day = next(day for day, count in enumerate(days) if count >= least)
    return day, sum(days[:day]), days[day]


def shown_circle(picker, day, first):
    """Scrolls to a day, and returns its circle."""
    picker.evaluate(f"document.querySelector('photo-grid').reveal({first})")
    return picker.locator(f".day-name[data-day='{day}'] .day-circle")


@both
def test_s_08_a_heading_of_the_picker_chooses_its_day(site, open_picker, size):
    opener = open_picker({"selectionLimit": 0, "selection": "continuous"}, **size)
    picker = opener.picker
    day, first, count = day_of(picker, 3)
    of_day = in_order(picker, site)[first : first + count]
    circle = shown_circle(picker, day, first)
    expect(circle).to_have_attribute("aria-checked", "false")
    arm(picker)
    cell(picker, site, of_day[1]).click()
    expect(circle).to_have_attribute("aria-checked", "mixed")
    circle.click()
    until_added(picker, count)
    expect(circle).to_have_attribute("aria-checked", "true")
    until(opener.page, f"window.heard.findLast(({{ type }}) => type === 'change').items.length === {count}")
    assert sorted(names(opener, site, opener.hears("change")["items"])) == sorted(of_day)
    cell(picker, site, of_day[0]).click()
    expect(circle).to_have_attribute("aria-checked", "mixed")
    circle.click()
    expect(circle).to_have_attribute("aria-checked", "true")
    circle.click()
    until_added(picker, 0)
    expect(circle).to_have_attribute("aria-checked", "false")


def test_s_08_a_day_of_a_picker_with_a_limit_is_chosen_as_far_as_it_fits(site, open_picker):
    picker = open_picker({"selectionLimit": 2}).picker
    day, first, _ = day_of(picker, 3)
    circle = shown_circle(picker, day, first)
    arm(picker)
    circle.click()
    expect(picker.locator(".spoken")).to_have_text("You can choose up to 2.")
    until_added(picker, 2)
    expect(circle).to_have_attribute("aria-checked", "mixed")


@pytest.mark.parametrize("configuration", [{}, {"selectionLimit": 0, "selection": "ordered"}], ids=["one", "ordered"])
def test_s_08_a_picker_without_ranges_has_no_circles_for_days(site, open_picker, configuration):
    picker = open_picker(configuration).picker
    until(picker, "document.querySelectorAll('.day-name').length > 1")
    assert picker.locator(".day-circle").count() == 0


@pytest.mark.parametrize("large_picker", [1_000], indirect=True)
def test_s_08_a_day_that_is_not_loaded_is_chosen_whole(site, large_picker):
    picker, _ = large_picker
    circle = picker.locator(".day-name[data-day='0'] .day-circle")
    arm(picker)
    circle.click()
    until_added(picker, 1_000)
    expect(circle).to_have_attribute("aria-checked", "true")
    circle.click()
    until_added(picker, 0)
    expect(circle).to_have_attribute("aria-checked", "false")


def sweep(picker, points):
    """Moves a finger over points of a row."""
    touch(picker, "touchStart", points[0])
    (x, y), (end, _) = points[0], points[-1]
    for step in range(1, 11):
        touch(picker, "touchMove", (x + (end - x) * step / 10, y))
    touch(picker, "touchEnd")


Y = "document.querySelector('photo-grid').y"
CHOSEN_COUNT = "Number(document.querySelector('.add').textContent.replace(/\\D/g, ''))"


@pytest.fixture
def large_picker(request, site, browser, open_picker):
    """A picker of a made-up library of 5,000 assets, and the library. The parameter is the number
    of assets of a day."""
    library = MadeUpLibrary(5_000, each=getattr(request, "param", 25), has_pictures=True)
    context = new_context(browser, init_script="", **DESK)
    context.add_cookies(site.cookies)
    library.serve(context)
    yield open_picker({"selectionLimit": 0}, context=context).picker, library
    context.close()


def test_the_view_stays_at_its_place_while_its_photos_fail_again(large_picker, complaints):
    picker, _ = large_picker
    asked = []
    note = lambda kind: lambda request: kind in request.url and asked.append(kind)
    for kind in ("/days?", "/assets?offset="):
        picker.on("request", note(kind))
    picker.route("**/assets?offset=*", lambda route: route.abort())
    picker.evaluate("document.querySelector('photo-grid').goTo(20_000)")
    until_true(picker, lambda: "/days?" in asked and "/assets?offset=" in asked[asked.index("/days?"):])
    picker.evaluate(FRAME)
    assert picker.evaluate(Y) > 15_000
    complaints.expected.append(FAILED)


def test_the_view_stays_at_its_place_when_the_library_changes(large_picker):
    picker, library = large_picker
    library.add_today(3)
    # The picker notices the change when it loads more cells.
    picker.evaluate("document.querySelector('photo-grid').goTo(20_000)")
    until(picker, f"{TOTAL} === 5003")
    assert picker.evaluate(Y) > 15_000


def test_r_06_a_range_takes_no_more_than_the_limit(site, open_picker):
    picker = open_picker({"selectionLimit": 3}).picker
    arm(picker)
    cells = picker.locator(".cell[data-id]")
    cells.nth(0).click()
    cells.nth(5).click(modifiers=["Shift"])
    until(picker, "document.querySelector('.spoken').textContent === 'You can choose up to 3.'")
    expect(picker.locator(".add")).to_have_text("Add 3")


@pytest.mark.parametrize("motion, animation, outline", [("no-preference", "refuse", "none"), ("reduce", None, "solid")])
def test_r_07_a_refused_cell_shakes_or_has_an_outline_and_others_are_dim(site, open_picker, motion, animation, outline):
    picker = open_picker({"selectionLimit": 2}, reduced_motion=motion).picker
    arm(picker)
    cells = picker.locator(".cell[data-id]")
    for index in range(3):
        cells.nth(index).click()
    until(picker, "document.querySelectorAll('.cell.refused').length === 1")
    style = "([name, place]) => getComputedStyle(document.querySelectorAll('.cell[data-id]')[place])[name]"
    assert animation is None or picker.evaluate(style, ["animationName", 2]) == animation
    assert picker.evaluate(style, ["outlineStyle", 2]) == outline
    assert [picker.evaluate(style, ["opacity", place]) for place in (0, 1, 3)] == ["1", "1", "0.45"]
    assert chosen(picker) == 2
    # The next choice shows nothing of it any more.
    cells.nth(0).click()
    until(picker, "document.querySelectorAll('.cell.refused').length === 0 && !document.body.classList.contains('full')")


def test_r_08_if_the_order_counts_shift_chooses_one(site, open_picker):
    picker = open_picker({"selectionLimit": 0, "selection": "ordered"}).picker
    arm(picker)
    cells = picker.locator(".cell[data-id]")
    cells.nth(0).click()
    cells.nth(4).click(modifiers=["Shift"])
    until(picker, "document.querySelector('.add').textContent === 'Add 2'")
    cells.nth(2).click()
    cells.nth(4).click()
    until_equal(picker, lambda: [cells.nth(index).locator(".mark").text_content() for index in (0, 2, 4)], ["1", "2", ""])


@both
def test_r_08_a_continuous_picker_tells_the_whole_selection(site, open_picker, size):
    opener = open_picker({"selectionLimit": 0, "selection": "continuousAndOrdered"}, **size)
    arm(opener.picker)
    for clicked, told in [("P20", ["P20"]), ("P19", ["P20", "P19"]), ("P20", ["P19"])]:
        cell(opener.picker, site, clicked).click()
        until_equal(opener.page, lambda: names(opener, site, opener.hears("change")["items"]), told)


def test_r_08_a_continuous_picker_leaves_out_a_selection_that_has_changed_before_it_was_told(site, open_picker):
    opener = open_picker({"selectionLimit": 0, "selection": "continuousAndOrdered"})
    held = []
    opener.picker.route(f"**/api/v1/assets/{site.id('P20')}*", lambda route: held.append(route))
    choose(opener, site, "P20", "P19")
    until_added(opener.picker, 2)
    until_true(opener.picker, lambda: held)
    cell(opener.picker, site, "P20").click()
    until_equal(opener.page, lambda: names(opener, site, opener.hears("change")["items"]), ["P19"])
    for route in held:
        route.continue_()
    cell(opener.picker, site, "P20").click()
    until_equal(opener.page, lambda: names(opener, site, opener.hears("change")["items"]), ["P19", "P20"])
    assert opener.page.evaluate(TOLD) == [1, 2]


@both
def test_r_15_capabilities_can_be_taken_away(site, open_picker, size):
    disabled = ["search", "stagingArea", "collectionNavigation", "sensitivityAnalysisIntervention"]
    opener = open_picker({"selectionLimit": 0, "disabledCapabilities": disabled}, **size)
    choose(opener, site, "P20")
    assert not opener.picker.is_visible(".search") and not opener.picker.is_visible(".tabs")
    expect(opener.picker.locator(".count")).to_have_text("1 selected")
    expect(opener.picker.locator(".count")).to_be_disabled()
    assert opener.picker.is_visible(".cancel")


@both
def test_r_16_the_tray_takes_away_and_reorders(site, open_picker, size):
    opener = open_picker({"selectionLimit": 0, "selection": "ordered"}, **size)
    picker = opener.picker
    choose(opener, site, "P20", "P19", "P18", "P17")
    picker.click(".count")
    until_tray(picker, site, "P20", "P19", "P18", "P17")
    picker.locator(".tray button").nth(1).click()
    until_tray(picker, site, "P20", "P18", "P17")
    picker.locator(".tray button").nth(2).focus()
    picker.keyboard.press("ArrowLeft")
    picker.keyboard.press("ArrowLeft")
    until_tray(picker, site, "P17", "P20", "P18")
    if size is DESK:
        picker.locator(".tray button").nth(0).drag_to(picker.locator(".tray button").nth(2), target_position={"x": 50, "y": 20})
        until_tray(picker, site, "P20", "P18", "P17")
    assert names(opener, site, picked(opener)) == tray(picker, site) or size is PHONE


def test_r_16_a_held_finger_reorders_the_tray(site, open_picker):
    opener = open_picker({"selectionLimit": 0, "selection": "ordered"}, **PHONE, is_mobile=True)
    picker = opener.picker
    choose(opener, site, "P20", "P19", "P18")
    picker.click(".count")
    until_tray(picker, site, "P20", "P19", "P18")
    first, third = (middle(picker.locator(".tray button").nth(index)) for index in (0, 2))
    touch(picker, "touchStart", first)
    picker.locator(".tray .dragged").wait_for()
    for step in range(1, 6):
        touch(picker, "touchMove", (first[0] + (third[0] + 10 - first[0]) * step / 5, first[1]))
    touch(picker, "touchEnd")
    until_tray(picker, site, "P19", "P18", "P20")


def test_r_16_escape_ends_a_drag_in_the_tray(site, open_picker):
    opener = open_picker({"selectionLimit": 0, "selection": "ordered"})
    picker = opener.picker
    choose(opener, site, "P20", "P19", "P18")
    picker.click(".count")
    until_tray(picker, site, "P20", "P19", "P18")
    buttons = picker.locator(".tray button")
    drag(picker, middle(buttons.nth(0)), middle(buttons.nth(2)), is_dropped=False)
    picker.locator(".tray .dragged").wait_for()
    picker.keyboard.press("Escape")
    until(picker, "document.querySelector('.tray .dragged') === null")
    assert tray(picker, site) == ["P20", "P19", "P18"]
    assert opener.page.evaluate("window.heard.some(({ type }) => type === 'cancelled')") is False


@pytest.mark.parametrize("preferred, asked, color", [
    ("light", "dark", "rgb(17, 17, 19)"), ("dark", "light", "rgb(255, 255, 255)"), ("dark", "light dark", "rgb(17, 17, 19)")])
def test_r_01_a_page_asks_for_light_or_dark_colors(site, open_picker, preferred, asked, color):
    picker = open_picker({"selectionLimit": 0, "colorScheme": asked}, color_scheme=preferred).picker
    until_equal(picker, "getComputedStyle(document.body).backgroundColor", color)


def looks_as_usual(open_picker, size, configuration):
    """Waits until a configured picker has the same layout as one without the configuration."""
    boxes = "['.cell', '.asker', '.options', '.picker-bar'].map((name) => JSON.stringify(document.querySelector(name).getBoundingClientRect()))"
    usual, other = (open_picker({"selectionLimit": 0, **more}, **size).picker for more in ({}, configuration))
    until_equal(other, lambda: other.evaluate(boxes) == usual.evaluate(boxes), True)
    assert other.is_visible(".add") and other.is_visible(".search")
    return other


@both
def test_r_17_margins_change_nothing_in_a_window(site, open_picker, size):
    looks_as_usual(open_picker, size, {"edgesWithoutContentMargins": ["top", "leading", "bottom", "trailing"]})


@both
def test_r_18_the_compact_mode_changes_nothing_in_a_window(site, open_picker, size):
    looks_as_usual(open_picker, size, {"mode": "compact"})


@both
def test_r_25_a_search_finds_and_the_selection_outlives_it(site, open_picker, size):
    opener = open_picker({"selectionLimit": 0, "searchText": "P20"}, is_waiting=False, **size)
    until(opener.picker, f"{TOTAL} === 1")
    expect(opener.picker.locator(".search")).to_have_value("P20")
    choose(opener, site, "P20")
    opener.picker.fill(".search", "Norway")
    until(opener.picker, f"{TOTAL} === 7")
    opener.picker.fill(".search", "")
    until(opener.picker, f"{TOTAL} === 49")
    expect(opener.picker.locator(".add")).to_have_text("Add 1")


def test_r_25_a_search_finds_places_among_what_the_filter_leaves(site, open_picker):
    picker = open_picker({"selectionLimit": 0, "filter": "images"}).picker
    picker.fill(".search", "near Chicago")
    until(picker, f"{TOTAL} === 1")
    picker.locator(".cell[data-id]").wait_for()
    videos = open_picker({"selectionLimit": 0, "filter": "videos", "searchText": "near Chicago"}, is_waiting=False).picker
    videos.get_by_text("No videos found for “near Chicago”.").wait_for()


SELECTED_TAB = "[...document.querySelectorAll('.tabs [aria-selected=true]')].map(({ textContent }) => textContent).join()"


def test_r_19_a_search_of_the_page_shows_photos_instead_of_albums(site, open_picker):
    opener = open_picker({"selectionLimit": 0})
    opener.picker.get_by_role("tab", name="Albums").click()
    opener.picker.get_by_role("button", name="Norway").wait_for()
    opener.say({"type": "update", "searchText": "P20"})
    until(opener.picker, f"{TOTAL} === 1 && {SELECTED_TAB} === 'Photos'")
    expect(opener.picker.locator(".albums")).to_be_hidden()


def test_arrow_keys_move_among_the_tabs_of_the_picker(site, open_picker):
    picker = open_picker({"selectionLimit": 0}).picker
    picker.get_by_role("tab", name="Photos").focus()
    for key, title in [("ArrowRight", "Albums"), ("ArrowRight", "Photos"), ("ArrowLeft", "Albums"), ("Home", "Photos"), ("End", "Albums")]:
        picker.keyboard.press(key)
        until(picker, f"{SELECTED_TAB} === {title!r} && document.activeElement.textContent === {title!r}")
    picker.get_by_role("button", name="Norway").wait_for()
    assert picker.evaluate("[...document.querySelectorAll('.tabs button')].map(({ tabIndex }) => tabIndex)") == [-1, 0]
    assert picker.evaluate("[...document.querySelectorAll('.tabs button')].every((tab) => document.getElementById(tab.getAttribute('aria-controls')))")


def test_r_19_a_limit_of_one_for_several_chosen_photos_waits_for_the_person(site, open_picker):
    opener = open_picker({"selectionLimit": 0})
    picker = opener.picker
    choose(opener, site, "P20", "P19")
    opener.say({"type": "update", "selectionLimit": 1})
    expect(picker.locator(".count")).to_have_text("Choose at most 1.")
    expect(picker.locator(".add")).to_be_visible()
    expect(picker.locator(".add")).to_be_disabled()
    cell(picker, site, "P19").click()
    until_added(picker, 1)
    assert names(opener, site, picked(opener)) == ["P20"]


def test_r_19_a_picker_of_one_photo_gets_an_add_button_with_a_larger_limit(site, open_picker):
    opener = open_picker({})
    expect(opener.picker.locator(".add")).to_be_hidden()
    opener.say({"type": "update", "selectionLimit": 2})
    expect(opener.picker.locator(".add")).to_be_visible()
    choose(opener, site, "P20", "P19")
    assert names(opener, site, picked(opener)) == ["P20", "P19"]


@both
def test_r_27_escape_clears_the_search_and_then_cancels(site, open_picker, size):
    opener = open_picker({"selectionLimit": 0, "searchText": "P20"}, is_waiting=False, **size)
    until(opener.picker, f"{TOTAL} === 1")
    opener.picker.keyboard.press("Escape")
    until(opener.picker, f"{TOTAL} === 49")
    assert opener.page.evaluate("window.heard.length") == 1
    try:
        opener.picker.keyboard.press("Escape")
    except PlaywrightError as error:
        assert "has been closed" in str(error)  # before the browser has answered the key
    assert opener.hears("cancelled")["items"] == []


def test_r_09_the_view_begins_at_what_was_selected_even_with_a_filter(site, open_picker):
    wanted = {"selectionLimit": 0, "identifiers": True, "filter": "images"}
    first = open_picker(wanted)
    first.picker.fill(".search", "P01")
    until(first.picker, f"{TOTAL} === 1")
    choose(first, site, "P01")
    identifier = picked(first)[0]["identifier"]
    second = open_picker({**wanted, "preselected": [identifier]}, height=500)
    until(second.picker, f"document.querySelector('.cell[data-id=\"{site.id('P01')}\"]')?.getBoundingClientRect().top < innerHeight")
