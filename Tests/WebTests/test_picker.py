"""The picker that a page of another origin opens, and what it hands over."""

import functools
import http.server
import shutil
import subprocess
import threading
from urllib.parse import quote

import pytest
from conftest import FAILED, FIRST_PAGE, ROOT, STOPPED_CLOCK, box_of, new_context, open_guard, until, until_equal
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def gallery(tmp_path_factory):
    """The address of the example page, served by an origin of its own."""
    folder = tmp_path_factory.mktemp("gallery")
    shutil.copytree(ROOT / "Examples/WebPicker", folder, dirs_exist_ok=True)
    (folder / "Web").mkdir()
    shutil.copy(ROOT / "Web/picker.js", folder / "Web")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def pick(site, contexts, gallery):
    """Presses a button of the page. Returns the page and the picker's window."""
    taken = []

    def press(button, is_signed_in=True, **options):
        page = contexts.page(site.cookies if is_signed_in else (), init_script="", **options)
        taken.append(page.context)
        page.goto(f"{gallery}?library={site.address}")
        with page.context.expect_page() as opened:
            page.get_by_text(button).click()
        picker = opened.value
        if is_signed_in:
            until(picker, FIRST_PAGE)
        return page, picker

    yield press
    for context in taken:
        contexts.give_back(context)


def arm(picker):
    """Lets the time pass in which clicks do nothing, and moves the pointer, as a person does."""
    picker.bring_to_front()
    picker.mouse.move(300, 300)
    open_guard(picker)
    picker.mouse.move(310, 310)


def tap(picker, selector):
    """Taps the middle of an element, without any other movement of a pointer."""
    box = box_of(picker.locator(selector).first)
    picker.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def cancel(picker):
    """Presses Cancel. The window may be gone before the browser has answered the click."""
    try:
        picker.click(".cancel")
    except PlaywrightError as error:
        assert "has been closed" in str(error)


def cell(picker, site, name):
    return picker.locator(f'.cell[data-id="{site.id(name)}"]')


def status(page, text):
    until(page, f"document.querySelector('#status').textContent.includes({text!r})")
    return page.text_content("#status")


def test_r_02_the_filter_decides_what_the_picker_shows(site, pick):
    _, picker = pick("Choose up to three images")
    until(picker, "document.querySelector('photo-grid').snapshot.total === 37")
    expect(picker.locator(".asker")).to_contain_text("127.0.0.1")
    expect(picker.locator(".purpose")).to_have_text("Shown in a gallery on this page")


def test_r_07_a_choice_over_the_limit_is_refused(site, pick):
    _, picker = pick("Choose up to three images")
    arm(picker)
    cells = picker.locator(".cell")
    for index in range(4):
        cells.nth(index).click()
    expect(picker.locator(".spoken")).to_have_text("You can choose up to 3.")
    expect(picker.locator('.cell[aria-selected="true"]')).to_have_count(3)
    expect(picker.locator(".add")).to_have_text("Add 3")


def test_r_08_ordered_choices_have_numbers_and_arrive_in_their_order(site, pick):
    page, picker = pick("Choose anything, in order")
    arm(picker)
    for name in ("P18", "P20", "P19"):
        cell(picker, site, name).click()
    until_equal(picker, lambda: [cell(picker, site, name).locator(".mark").text_content() for name in ("P18", "P19", "P20")], ["1", "3", "2"])
    picker.click(".add")
    text = status(page, "bytes")
    assert [part.split(",")[0].partition(".")[0] for part in text.split("; ")] == ["P18", "P20", "P19"]
    assert page.evaluate("Promise.all([...document.querySelectorAll('.gallery img')].map((image) => image.decode())).then(() => true)")
    # A small picture that replaces one of them is not enlarged. A new canvas is 150 pixels high.
    sizes = "[...document.querySelectorAll('.gallery img')].map((image) => image.offsetHeight)"
    assert page.evaluate(sizes) == [180, 180, 180]
    page.evaluate("document.querySelector('.gallery img').src = document.createElement('canvas').toDataURL()")
    until_equal(page, sizes, [150, 180, 180])


def test_t_13_a_picked_file_has_no_place(site, pick, tmp_path):
    page, picker = pick("Choose up to three images")
    arm(picker)
    picker.fill(".search", "P01")
    until(picker, "document.querySelector('photo-grid').snapshot.total === 1")
    arm(picker)
    cell(picker, site, "P01").click()
    picker.click(".add")
    status(page, "bytes")
    data = page.evaluate("""async () => {
      const answer = await fetch(document.querySelector('.gallery img').src);
      return [...new Uint8Array(await answer.arrayBuffer())];
    }""")
    copy = tmp_path / "copy.jpg"
    copy.write_bytes(bytes(data))
    tags = subprocess.run(["exiftool", "-s", "-G1", str(copy)], capture_output=True, text=True).stdout
    assert "JPEG" in tags
    assert "GPS" not in tags


def test_t_04_clicks_right_after_the_window_has_come_do_nothing(site, pick):
    _, picker = pick("Choose anything, in order")
    picker.locator(".cell").first.dispatch_event("click")
    assert picker.locator('.cell[aria-selected="true"]').count() == 0


def test_t_04_a_tap_chooses_once_the_window_has_been_there_for_a_while(site, pick):
    page, picker = pick("Choose anything, in order", width=390, has_touch=True)
    picker.bring_to_front()
    picker.evaluate(STOPPED_CLOCK)
    picker.evaluate("dispatchEvent(new Event('resize'))")  # as when a keyboard appears
    tap(picker, ".cell")
    assert picker.locator('.cell[aria-selected="true"]').count() == 0
    picker.evaluate("window.clock += 900")
    tap(picker, ".cell")
    until(picker, "document.querySelectorAll('.cell[aria-selected=true]').length === 1")
    tap(picker, ".add")
    assert "bytes" in status(page, "bytes")


def test_r_10_cancelling_hands_nothing_over(site, pick):
    page, picker = pick("Choose up to three images")
    cancel(picker)
    assert status(page, "Nothing chosen.") == "Nothing chosen."


def test_t_21_a_closed_window_is_an_abort(site, pick):
    page, picker = pick("Choose up to three images")
    picker.close()
    assert status(page, ".").startswith(("Nothing chosen", "AbortError"))


def test_r_04_albums_show_what_the_filter_leaves(site, pick):
    _, picker = pick("Choose up to three images")
    picker.get_by_role("tab", name="Albums").click()
    picker.get_by_role("button", name="Norway").first.click()
    until(picker, "document.querySelector('photo-grid').snapshot.total === 6")


def test_t_18_the_picker_never_asks_for_a_password(site, pick, complaints):
    complaints.expected.append(FAILED)
    _, picker = pick("Choose up to three images", is_signed_in=False)
    until(picker, "document.querySelector('.message a') !== null")
    assert picker.locator("input[type=password]").count() == 0
    assert picker.evaluate("frames.length") == 0


# Counts the fields for passwords and the frames that a page has now or later.
COUNT_FIELDS = """() => {
  const find = () => document.querySelectorAll('input[type=password], iframe').length;
  window.fields = find();
  new MutationObserver(() => (window.fields += find()))
    .observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['type'] });
}"""


def test_t_18_no_step_of_choosing_has_a_field_for_a_password(site, pick):
    _, picker = pick("Choose up to three images")
    picker.evaluate(COUNT_FIELDS)
    picker.get_by_role("tab", name="Albums").click()
    picker.get_by_role("button", name="Norway").first.click()
    until(picker, "document.querySelector('photo-grid').snapshot.total === 6")
    arm(picker)
    picker.locator(".cell[data-id]").first.click()
    picker.locator(".count").click()
    picker.locator(".tray:not([hidden])").wait_for()
    assert picker.evaluate("fields") == 0


def test_t_07_a_page_without_an_origin_is_refused(site, browser, gallery):
    page = browser.new_page()
    page.goto(gallery)
    page.evaluate(f"""() => {{
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';
      frame.srcdoc = `<script>
        const picker = open('{site.address}picker');
        addEventListener('message', (event) => {{
          if (event.data.calotype !== 'ready') return;
          const {{ port1, port2 }} = new MessageChannel();
          port1.onmessage = ({{ data }}) => parent.postMessage(data, '*');
          picker.postMessage({{ calotype: 'open', version: 1, configuration: {{}} }}, '*', [port2]);
        }});
      <\\/script>`;
      addEventListener('message', ({{ data }}) => (window.heard = data));
      document.body.append(frame);
    }}""")
    until(page, "window.heard?.type === 'error'")
    assert page.evaluate("window.heard.code") == "bad-configuration"
    page.close()


@pytest.mark.parametrize("place", ["data", "file"])
def test_t_07_a_page_of_a_file_or_of_data_is_refused(site, browser, tmp_path, place):
    document = f"""<!doctype html><button>Choose</button><script>
      document.querySelector("button").onclick = () => (window.picker = open("{site.address}picker", "_blank", "popup"));
      addEventListener("message", ({{ data, source }}) => {{
        if (data.calotype !== "ready" || window.port) return;
        const {{ port1, port2 }} = new MessageChannel();
        window.port = port1;
        port1.onmessage = ({{ data }}) => (window.heard = data);
        source.postMessage({{ calotype: "open", version: 1, configuration: {{}} }}, "*", [port2]);
      }});
    </script>"""
    file = tmp_path / "page.html"
    file.write_text(document)
    context = new_context(browser, init_script="")
    context.add_cookies(site.cookies)
    page = context.new_page()
    page.goto(file.as_uri() if place == "file" else f"data:text/html,{quote(document)}")
    with context.expect_page() as opened:
        page.click("button")
    until(page, "window.heard?.type === 'error'")
    assert page.evaluate("window.heard.code") == "bad-configuration"
    until(opened.value, "document.querySelector('.message').textContent.startsWith('This page can’t choose photos')")
    assert opened.value.locator(".cell").count() == 0
    context.close()


def test_the_form_has_the_files_of_the_element(site, pick):
    page, picker = pick("Choose for the form")
    arm(picker)
    for index in range(2):
        picker.locator(".cell").nth(index).click()
    picker.click(".add")
    assert status(page, "The form has") == "The form has 2 files."
