"""The page of Examples/WebSelecting, which shows the selection in the picker without access."""

import pytest
from apps import PHONE, app, origin
from conftest import FAILED, FIRST_PAGE, FRAMES, open_guard, until, until_equal, until_true
from playwright.sync_api import expect
from test_picker import cancel

SHOWN = "document.querySelector('.stage img')?.naturalWidth > 0"


@pytest.fixture
def sample(app):
    """Opens the page, and the picker by one of its buttons."""

    def open(site, button, size=PHONE, page=None):
        page = page or app(site, "WebSelecting", answer=None, **size)
        with page.context.expect_page() as opened:
            page.get_by_role("button", name=button, exact=True).click()
        picker = opened.value
        until(picker, FIRST_PAGE)
        picker.bring_to_front()
        picker.mouse.move(300, 300)
        open_guard(picker)
        picker.mouse.move(310, 310)
        return page, picker

    return open


def pick(picker, site, *names):
    for name in names:
        cell = picker.locator(f".cell[data-id='{site.id(name)}']")
        cell.scroll_into_view_if_needed()
        cell.click()
    picker.click(".add")


def facts(page):
    return dict(zip(page.locator("dt").all_inner_texts(), page.locator("dd").all_inner_texts()))


def until_shown(page, name, place):
    """Waits until the sample shows a photo at its place: 1 of 4."""
    expect(page.locator(".count")).to_have_text(place)
    until_equal(page, lambda: facts(page).get("Name", "").partition(".")[0], name)
    until(page, SHOWN)
    expect(page.locator("progress.shown")).to_have_count(0)


@pytest.mark.parametrize("button, total", [("Photos", 37), ("Live Photos", 5), ("Videos", 12)])
def test_r_02_the_buttons_of_the_sample_are_filters(site, sample, button, total):
    _, picker = sample(site, button)
    until_equal(picker, "document.querySelector('photo-grid').snapshot.total", total)


def test_r_08_the_sample_shows_its_selection_in_order(site, sample):
    page, picker = sample(site, "Photos")
    pick(picker, site, "P20", "P18", "P19", "P17")
    for number, name in enumerate(["P20", "P18", "P19", "P17"], 1):
        until_shown(page, name, f"{number} of 4")
        expect(page.locator("progress")).to_be_hidden()
        page.get_by_role("button", name="Next").click()


def test_r_06_the_sample_has_no_limit(site, sample):
    page, picker = sample(site, "Photos")
    for place in range(6):
        picker.locator(".cell[data-id]").nth(place).click()
    picker.click(".add")
    expect(page.locator(".count")).to_have_text("1 of 6")


def test_the_sample_shows_how_much_has_come(site, sample):
    page, picker = sample(site, "Photos")
    # The picker's window tells each part of a file that has arrived.
    picker.evaluate("""() => {
      const { fetch } = window;
      window.fetch = async (...request) => {
        const answer = await fetch(...request);
        if (!String(request[0]).includes('/resources/')) return answer;
        const bytes = new Uint8Array(await answer.arrayBuffer());
        const half = bytes.length >> 1;
        const body = new ReadableStream({
          async start(stream) {
            stream.enqueue(bytes.subarray(0, half));
            await new Promise((go) => (window.goOn = go));
            stream.enqueue(bytes.subarray(half));
            stream.close();
          },
        });
        return new Response(body, { headers: { 'Content-Length': bytes.length, 'Content-Type': answer.headers.get('Content-Type') } });
      };
    }""")
    pick(picker, site, "P19")
    until(page, "document.querySelector('progress.shown') && Math.abs(document.querySelector('progress').value - 0.5) < 0.01")
    picker.evaluate("window.goOn()")
    until_shown(page, "P19", "1 of 1")


def test_a_button_of_the_sample_leaves_the_open_picker_and_what_is_shown(site, sample):
    page, picker = sample(site, "Photos")
    pick(picker, site, "P19")
    until_shown(page, "P19", "1 of 1")
    page, picker = sample(site, "Videos", page=page)
    page.get_by_role("button", name="Photos", exact=True).click()
    page.evaluate(FRAMES)
    assert not picker.is_closed()
    until_shown(page, "P19", "1 of 1")
    cancel(picker)


def test_the_sample_shows_what_the_file_says(site, sample):
    page, picker = sample(site, "Photos")
    pick(picker, site, "P19")
    until_shown(page, "P19", "1 of 1")
    shown = facts(page)
    assert shown["Name"].startswith("P19") and shown["Type"] == "image/jpeg"
    width, height = page.evaluate("[document.querySelector('.stage img').naturalWidth, document.querySelector('.stage img').naturalHeight]")
    assert shown["Size"].startswith(f"{width} × {height}, ")
    assert shown["Taken"].startswith("2026-")


def test_the_sample_plays_a_live_photo(site, sample):
    page, picker = sample(site, "Live Photos")
    pick(picker, site, "L01")
    until(page, SHOWN)
    page.get_by_role("button", name="Play Live Photo").click()
    until(page, "document.querySelector('.stage video').currentTime > 0")


def test_the_sample_shows_a_video_with_controls(site, sample):
    page, picker = sample(site, "Videos")
    pick(picker, site, "V02")
    until(page, "document.querySelector('.stage video[controls]')?.videoWidth > 0", patience=60)
    until_equal(page, lambda: facts(page).get("Duration"), "0:01")


def test_the_sample_shows_progress_until_the_file_is_there(site, sample):
    page, picker = sample(site, "Photos")
    held = []
    picker.route("**/api/v1/resources/**", lambda route: held.append(route))
    pick(picker, site, "P19")
    expect(page.locator("progress.shown")).to_have_count(1)
    until_true(picker, lambda: held)
    held[0].continue_()
    until_shown(page, "P19", "1 of 1")


def test_the_sample_says_that_a_photo_can_not_be_loaded(site, sample, complaints):
    complaints.expected.append(FAILED)
    page, picker = sample(site, "Photos")
    picker.route("**/api/v1/resources/**", lambda route: route.abort())
    pick(picker, site, "P19")
    expect(page.locator(".count")).to_have_text("1 of 1")
    expect(page.locator("progress.shown")).to_have_count(0)
    expect(page.locator(".empty")).not_to_have_text("Select photos, Live Photos or videos.")


def test_the_sample_says_that_the_browser_has_blocked_the_picker(site, app):
    page = app(site, "WebSelecting", answer=None, **PHONE)
    page.evaluate("window.open = () => null")
    page.get_by_role("button", name="Photos", exact=True).click()
    expect(page.locator(".empty")).to_have_text("the browser has blocked the picker's window")


def test_r_10_a_cancelled_picker_leaves_the_sample_as_it_was(site, sample):
    page, picker = sample(site, "Photos")
    pick(picker, site, "P19")
    until_shown(page, "P19", "1 of 1")
    page.evaluate("new MutationObserver(() => (window.isChanged = true)).observe(document.body, { subtree: true, childList: true, characterData: true })")
    _, picker = sample(site, "Videos", page=page)
    with picker.expect_event("close"):
        cancel(picker)
    # The answer came before the window closed. A frame comes after what the page does with it.
    page.evaluate(FRAMES)
    assert not page.evaluate("window.isChanged")
    assert page.locator(".count").inner_text() == "1 of 1"
    assert facts(page)["Name"].startswith("P19")


def test_r_09_photos_that_were_selected_before_are_preselected_and_not_loaded_again(site, sample):
    page, picker = sample(site, "Photos")
    pick(picker, site, "P20", "P18")
    until_shown(page, "P20", "1 of 2")
    _, picker = sample(site, "Photos", page=page)
    until(picker, "document.querySelector('.add').textContent === 'Add 2'")
    for name, mark in [("P20", "1"), ("P18", "2")]:
        expect(picker.locator(f".cell[data-id='{site.id(name)}'] .mark")).to_have_text(mark)
    pick(picker, site, "P19")
    for number, name in enumerate(["P20", "P18", "P19"], 1):
        until_shown(page, name, f"{number} of 3")
        page.get_by_role("button", name="Next").click()


def test_r_11_photos_that_are_all_deselected_leave_the_sample(site, sample):
    page, picker = sample(site, "Photos")
    pick(picker, site, "P20")
    until_shown(page, "P20", "1 of 1")
    _, picker = sample(site, "Photos", page=page)
    until(picker, "document.querySelector('.add').textContent === 'Add 1'")
    pick(picker, site, "P20")
    expect(page.locator(".empty")).to_have_text("Select photos, Live Photos or videos.")
    expect(page.locator("footer")).to_be_hidden()
