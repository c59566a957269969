"""The picker of programs on other machines, and of pages that can't reach its window."""

import http.server
import json
import threading
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from conftest import FAILED, FIRST_PAGE, PATIENCE, new_context, until
from playwright.sync_api import expect
from test_picker import arm, cell

MESSAGE = "document.querySelector('.message').textContent"


class Program:
    """A program on another machine, which has begun a picker."""

    def __init__(self, site, configuration, name="Frame"):
        self.sessions = f"{site.address.replace('calotype.localhost', '127.0.0.1')}picker/v1/sessions"
        body = json.dumps({"configuration": configuration, "clientName": name}).encode()
        with urlopen(Request(self.sessions, body, {"Content-Type": "application/json"}), timeout=PATIENCE) as answer:
            self.opened = json.load(answer)

    def get(self, path=""):
        with urlopen(f"{self.sessions}/{self.opened['session']}{path}", timeout=PATIENCE) as answer:
            return answer.read()

    def result(self):
        """Waits until the person has answered."""
        news = {"state": "waiting", "revision": 0}
        while news["state"] in ("waiting", "open"):
            news = json.loads(self.get(f"?since={news['revision']}"))
        return news


@pytest.fixture
def open_address(site, browser):
    """Opens the address of a picker in a browser that is signed in."""
    contexts = []

    def make(address):
        context = new_context(browser, init_script="")
        context.add_cookies(site.cookies)
        contexts.append(context)
        page = context.new_page()
        page.goto(address)
        return page

    yield make
    for context in contexts:
        context.close()


def type_code(page, code):
    page.locator(".code").wait_for()
    page.keyboard.type(code)  # the field has the focus


def test_t_23_a_program_on_another_machine_shows_a_code(site, open_address, complaints):
    complaints.expected.append(FAILED)
    program = Program(site, {"selectionLimit": 0})
    code = program.opened["code"]
    page = open_address(program.opened["picker"])
    until(page, f"{MESSAGE}.includes('Type the two digits that Frame (127.0.0.1) shows.')")
    assert program.opened["session"] not in page.url
    # Nothing can be chosen before.
    assert not page.locator("photo-grid").is_visible() and not page.locator(".add").is_visible()
    type_code(page, "10" if code != "10" else "11")
    until(page, f"{MESSAGE}.includes('These are other digits.')")
    type_code(page, code)
    until(page, FIRST_PAGE)
    assert page.text_content(".origin") == "Frame (127.0.0.1)"
    arm(page)
    cell(page, site, "P20").click()
    page.click(".add")
    news = program.result()
    assert news["state"] == "picked"
    [item] = news["items"]
    assert (item["name"], item["mediaType"]) == ("P20.JPG", "image")
    assert program.get(f"/items/{item['item']}/main")[:2] == b"\xff\xd8"
    with pytest.raises(HTTPError) as refused:
        program.get(f"/items/{site.id('P20')}/main")
    assert refused.value.code == 404


def test_the_owner_stops_a_program_that_got_photos(site, open_address, complaints):
    complaints.expected.append(FAILED)
    program = Program(site, {"selectionLimit": 0}, name="Kitchen frame")
    page = open_address(program.opened["picker"])
    type_code(page, program.opened["code"])
    until(page, FIRST_PAGE)
    arm(page)
    cell(page, site, "P20").click()
    page.click(".add")
    [item] = program.result()["items"]
    assert program.get(f"/items/{item['item']}/main")[:2] == b"\xff\xd8"
    access = open_address(f"{site.address}access")
    # The programs of other tests are listed, too.
    row = access.locator(".handed-over li[data-picker]", has_text="Kitchen frame")
    expect(row).to_contain_text("Kitchen frame · 127.0.0.1 · 1 copy until")
    row.get_by_role("button", name="Stop: Kitchen frame").click()
    row.wait_for(state="detached")
    with pytest.raises(HTTPError) as refused:
        program.get(f"/items/{item['item']}/main")
    assert refused.value.code == 404


def test_a_window_that_no_page_has_opened_shows_a_sentence_and_no_controls(site, open_address):
    page = open_address(f"{site.address}picker")
    until(page, f"{MESSAGE}.startsWith('A web page opens this window')")
    for part in (".picker-bar", ".asker", ".options"):
        assert not page.locator(part).is_visible()


def test_a_picker_with_five_wrong_codes_has_ended(site, open_address, complaints):
    complaints.expected.append(FAILED)
    program = Program(site, {})
    wrong = "10" if program.opened["code"] != "10" else "11"
    page = open_address(program.opened["picker"])
    for number in range(1, 5):
        with page.expect_response("**/code"):
            type_code(page, wrong)
        until(page, f"{MESSAGE}.includes('These are other digits.')")
    type_code(page, wrong)
    until(page, f"{MESSAGE}.includes('This picker has ended.')")
    assert program.result()["state"] == "cancelled"


@pytest.mark.parametrize("cancel", ["button", "Escape"])
def test_the_question_for_the_code_can_be_canceled(site, open_address, cancel):
    program = Program(site, {})
    page = open_address(program.opened["picker"])
    page.locator(".code").wait_for()
    if cancel == "button":
        page.get_by_role("button", name="Cancel").click()
    else:
        page.keyboard.press("Escape")
    assert program.result()["state"] == "cancelled"
    until(page, f"{MESSAGE}.includes('You can close this window.')")


def test_a_closed_window_cancels_before_the_code(site, open_address):
    program = Program(site, {})
    page = open_address(program.opened["picker"])
    page.locator(".code").wait_for()
    page.context.close()
    assert program.result()["state"] == "cancelled"


@pytest.fixture
def isolated():
    """A page of another origin that is cross-origin isolated, so that no window knows it. Below
    /open, it is not."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            body = b"<!doctype html><link rel=icon href=data:,><title>Isolated</title><button>Pick</button>"
            self.send_response(200)
            isolation = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
            for name, value in {
                "Content-Type": "text/html", "Content-Length": str(len(body)), **({} if self.path == "/open" else isolation),
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


# Begins a picker, and loads what was picked. OPEN_WITH are the features of its window.
PICK = """async (library) => {
  const sessions = `${library}picker/v1/sessions`;
  const body = JSON.stringify({ configuration: { selectionLimit: 0, selection: 'ordered', identifiers: true } });
  const begun = await fetch(sessions, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { session, picker, code } = await begun.json();
  document.querySelector('button').addEventListener('click', () => open(picker, '_blank', OPEN_WITH));
  window.code = code;
  const news = { revision: 0, state: 'waiting' };
  while (['waiting', 'open'].includes(news.state)) {
    Object.assign(news, await (await fetch(`${sessions}/${session}?since=${news.revision}`)).json());
  }
  window.files = [];
  for (const { item, name, identifier } of news.items) {
    const file = await (await fetch(`${sessions}/${session}/items/${item}/main`)).blob();
    const bitmap = await createImageBitmap(file);
    window.files.push([name, identifier.length, bitmap.width > 0]);
  }
  window.isDone = true;
}"""


@pytest.mark.parametrize("is_isolated", [True, False], ids=["isolated", "with an opener"])
def test_a_page_without_a_window_picks(site, browser, isolated, is_isolated):
    context = new_context(browser, init_script="")
    context.add_cookies(site.cookies)
    page = context.new_page()
    page.goto(isolated if is_isolated else f"{isolated}open")
    assert page.evaluate("crossOriginIsolated") is is_isolated
    page.evaluate(f"([library, OPEN_WITH]) => void ({PICK})(library)", [site.address, "noopener" if is_isolated else ""])
    code = until(page, "window.code")
    with context.expect_page() as opened:
        page.click("button")
    picker = opened.value
    type_code(picker, code)
    until(picker, FIRST_PAGE)
    assert picker.text_content(".origin") == isolated.rstrip("/")
    arm(picker)
    for name in ("P20", "P18"):
        cell(picker, site, name).click()
    picker.click(".add")
    until(page, "window.isDone")
    assert page.evaluate("window.files") == [["P20.JPG", 22, True], ["P18.JPG", 22, True]]
    context.close()
