"""The element <photo-picker>: a form control, on a page of another origin."""

import hashlib
import http.server
import re
import threading

import pytest
from conftest import FIRST_PAGE, open_guard, until, until_equal, until_true
from playwright.sync_api import expect
from test_picker import arm, cancel, cell, gallery, pick, status  # noqa: F401

ELEMENT = "document.querySelector('photo-picker')"


@pytest.fixture
def element(browser, gallery):  # noqa: F811
    page = browser.new_page()
    page.goto(gallery)
    until(page, f"{ELEMENT}.matches(':defined')")
    yield page
    page.close()


def test_a_required_picker_keeps_its_form_until_something_is_chosen(element):
    assert element.evaluate(f"{ELEMENT}.closest('form').checkValidity()") is True
    element.evaluate(f"{ELEMENT}.setAttribute('required', '')")
    assert element.evaluate(f"{ELEMENT}.closest('form').checkValidity()") is False
    assert element.evaluate(f"{ELEMENT}.matches(':invalid')") is True


def test_a_fieldset_disables_the_picker(element):
    element.evaluate(f"""() => {{
      const fields = Object.assign(document.createElement('fieldset'), {{ disabled: true }});
      {ELEMENT}.replaceWith(fields);
      fields.append(document.createElement('photo-picker'));
    }}""")
    button = f"{ELEMENT}.shadowRoot.querySelector('button')"
    assert element.evaluate(f"{button}.disabled") is True
    element.evaluate("document.querySelector('fieldset').disabled = false")
    assert element.evaluate(f"{button}.disabled") is False


def test_a_link_opens_the_picker_that_the_browser_has_blocked(site, element):
    element.evaluate("""(library) => {
      document.querySelector('photo-picker').setAttribute('library', library);
      window.reallyOpen = window.open;
      window.open = () => null;
      document.querySelector('photo-picker').addEventListener('error', () => {});
    }""", site.address)
    link = element.locator("photo-picker").get_by_role("link", name="Open the picker")
    element.get_by_text("Choose for the form").click()
    link.wait_for()
    element.evaluate("() => void (window.open = window.reallyOpen)")
    with element.context.expect_page() as opened:
        link.click()
    until(opened.value, f"location.href === {site.address!r} + 'picker'")


def test_the_element_says_that_no_library_has_answered_and_offers_another_try(element):
    # Without the attribute, the browser looks for a library at web+calotype:pick, and has none.
    element.evaluate(f"{ELEMENT}.removeAttribute('library')")
    element.get_by_text("Choose for the form").click()
    problem = element.locator("photo-picker [part=problem]")
    expect(problem).to_have_text("No photo library has answered.")
    link = element.locator("photo-picker").get_by_role("link", name="Open the picker")
    with element.context.expect_page():
        link.click()


@pytest.mark.parametrize("attribute, value, message", [
    ("library", "no address", "library: it has to be an address"),
    ("library", "localhost:2839", "library: it has to be an address"),
    ("filter", "{", "JSON"),
])
def test_the_element_tells_the_page_what_is_wrong_with_its_attributes(element, attribute, value, message):
    element.evaluate(f"""() => {{
      {ELEMENT}.setAttribute({attribute!r}, {value!r});
      {ELEMENT}.addEventListener('error', (event) => (window.told = event.message));
    }}""")
    element.get_by_text("Choose for the form").click()
    assert message in until(element, "window.told")
    expect(element.locator("photo-picker [part=problem]")).to_have_text("The photos can’t be taken over.")


def test_a_page_may_show_what_is_wrong_by_itself(element):
    element.evaluate(f"""() => {{
      {ELEMENT}.setAttribute('library', 'no address');
      {ELEMENT}.addEventListener('error', (event) => (event.preventDefault(), window.told = event.message));
    }}""")
    element.get_by_text("Choose for the form").click()
    assert until(element, "window.told") == "library: it has to be an address"
    expect(element.locator("photo-picker [part=problem]")).to_have_text("")


def test_the_element_has_its_files_until_they_are_removed(site, pick):
    page, picker = pick("Choose for the form")
    until(page, f"{ELEMENT}.matches(':state(picking)')")
    arm(picker)
    for index in range(2):
        picker.locator(".cell").nth(index).click()
    with picker.expect_event("close"):
        picker.click(".add")
    status(page, "The form has 2 files.")
    until(page, f"!{ELEMENT}.matches(':state(picking)')")
    names = f"{ELEMENT}.files.map(({{ name }}) => name)"
    first, second = page.evaluate(names)
    page.evaluate(f"{ELEMENT}.move({ELEMENT}.files[1], 0)")
    until_equal(page, names, [second, first])
    page.evaluate(f"{ELEMENT}.remove({ELEMENT}.files[0])")
    assert page.evaluate(f"new FormData({ELEMENT}.form ?? {ELEMENT}.closest('form')).getAll('photos').map(({{ name }}) => name)") == [first]
    page.evaluate(f"{ELEMENT}.closest('form').reset()")
    until_equal(page, names, [])


@pytest.fixture
def receiver():
    """The address of a server that forms are posted to, and the posts: their boundaries and
    bodies."""
    posts = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            posts.append((self.headers.get_boundary(), body))
            self.send_response(204)  # the page stays
            self.end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", posts
    server.shutdown()


def parts(boundary, body):
    """Returns the files of a posted form: their fields, names, types and digests."""
    for part in body.split(f"--{boundary}".encode())[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        pattern = r'\r\nContent-Disposition: form-data; name="(.*)"; filename="(.*)"\r\nContent-Type: (.*)'
        yield *re.fullmatch(pattern, head.decode()).groups(), hashlib.sha256(content[:-2]).hexdigest()


DIGESTS = """async () => Promise.all(document.querySelector('photo-picker').files.map(async (file) => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return digest.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');
}))"""


def test_a_form_posts_the_files_of_the_element(site, pick, receiver):
    address, posts = receiver
    page, picker = pick("Choose for the form")
    arm(picker)
    for name in ("P20", "S01"):
        cell(picker, site, name).click()
    picker.click(".add")
    status(page, "The form has 2 files.")
    page.evaluate(f"""(action) => {{
      const form = {ELEMENT}.closest('form');
      Object.assign(form, {{ action, method: 'post', enctype: 'multipart/form-data' }}).requestSubmit();
    }}""", address)
    until_true(page, lambda: posts)
    first, second = page.evaluate(DIGESTS)
    assert list(parts(*posts[0])) == [
        ("photos", "P20.JPG", "image/jpeg", first), ("photos", "S01.PNG", "image/png", second)]


# The window's focus may come late on a slow machine, and keys do nothing for a while after it.
WITHOUT_FOCUS = """
addEventListener('focus', (event) => event.target === window && event.stopImmediatePropagation(), true);
"""


def test_the_element_and_its_window_are_used_by_keys_alone(site, contexts, gallery):  # noqa: F811
    page = contexts.page(site.cookies, init_script=WITHOUT_FOCUS)
    page.goto(f"{gallery}?library={site.address}")
    until(page, f"{ELEMENT}.getAttribute('library') && {ELEMENT}.matches(':defined')")
    press_until(page, "Tab", f"document.activeElement === {ELEMENT}")
    with page.context.expect_page() as opened:
        page.keyboard.press("Enter")
    picker = opened.value
    until(picker, FIRST_PAGE)
    picker.bring_to_front()
    open_guard(picker)
    press_until(picker, "Tab", "document.activeElement.closest('.cell') !== null")
    for key in (" ", "ArrowRight", " "):
        picker.keyboard.press(key)
    expect(picker.locator(".add")).to_have_text("Add 2")
    press_until(picker, "Shift+Tab", "document.activeElement.matches('.add')")
    picker.keyboard.press("Enter")
    assert status(page, "The form has") == "The form has 2 files."
    contexts.give_back(page.context)


def press_until(page, key, condition):
    """Presses a key until a condition holds, at most twenty times."""
    for _ in range(20):
        if page.evaluate(condition):
            return
        page.keyboard.press(key)
    pytest.fail(f"{key} does not lead to {condition}, but to {page.evaluate('document.activeElement.outerHTML')}")


def close_window(picker):
    picker.close(run_before_unload=True)


@pytest.mark.parametrize("leave", [cancel, close_window])
def test_the_element_fires_cancel_and_nothing_else_if_nothing_is_chosen(pick, leave):
    page, picker = pick("Choose for the form")
    page.evaluate("""() => {
      window.fired = [];
      for (const type of ['input', 'change', 'cancel', 'error']) {
        document.addEventListener(type, () => window.fired.push(type), true);
      }
    }""")
    arm(picker)
    leave(picker)
    until(page, f"!{ELEMENT}.matches(':state(picking)')")
    assert page.evaluate("window.fired") == ["cancel"]
    assert page.evaluate(f"{ELEMENT}.files") == []
