"""The session of an open picker: what keeps its window open, what ends it, and what goes wrong."""

import os
import signal

import pytest
from conftest import FAILED, FIRST_PAGE, NO_OTHER_HOSTS, WHOLE_CHROMIUM, new_context, until, until_equal, until_true
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect
from test_picker import arm, cancel, cell, gallery  # noqa: F401
from test_picker_protocol import choose, open_picker, picked  # noqa: F401

ANY = {"selectionLimit": 0, "selection": "ordered", "identifiers": True}
# Opens the picker by a click with the page's own copy of picker.js.
PRESENT = """([library, configuration, text]) => import('/Web/picker.js').then(({ PhotoPicker }) => {
  window.PhotoPicker = PhotoPicker;
  document.querySelector('#images').addEventListener('click', (event) => {
    event.stopImmediatePropagation();
    window.session = PhotoPicker.present({ ...configuration, library });
    if (text !== null) window.session.update({ searchText: text });
    window.session.finished.then((photos) => (window.photos = photos), ({ name }) => (window.failure = name));
  }, { capture: true, once: true });
})"""


@pytest.fixture
def present(site, browser, gallery):  # noqa: F811
    """Opens the picker with picker.js. Returns the page, which has `session`, and the picker's window."""
    contexts = []

    def make(configuration, script="", opener_script="0", browser=browser, search_text=None, **options):
        context = new_context(browser, init_script="", **options)
        contexts.append(context)
        context.add_cookies(site.cookies)
        if script:
            context.add_init_script(f"if (location.pathname === '/picker') {{ {script} }}")
        page = context.new_page()
        page.goto(gallery)
        page.evaluate(opener_script)
        page.evaluate(PRESENT, [site.address, configuration, search_text])
        with context.expect_page() as opened:
            page.click("#images")
        until(opened.value, FIRST_PAGE)
        return page, opened.value

    yield make
    for context in contexts:
        context.close()


def identifiers_of(site, open_picker, *names):  # noqa: F811
    """Returns the identifiers that the page has for assets."""
    opener = open_picker(ANY)
    choose(opener, site, *names)
    return [item["identifier"] for item in picked(opener)]


def test_the_movie_of_a_live_photo_can_be_loaded_after_its_picture(site, open_picker):
    opener = open_picker({"selectionLimit": 0})
    # A window whose page has everything closes at once, and not after 1.5 seconds.
    opener.picker.evaluate("""() => {
      const { setTimeout: start } = window;
      window.setTimeout = (act, time, ...rest) => start(act, time === 1_500 ? 0 : time, ...rest);
    }""")
    choose(opener, site, "L01")
    [item] = picked(opener)
    assert opener.file(item["item"])["type"] == "loaded"
    assert opener.file(item["item"], "pairedVideo", request=2)["type"] == "loaded"


def test_the_window_closes_when_the_page_has_all_that_is_new(site, open_picker):
    identifiers = identifiers_of(site, open_picker, "P20")
    opener = open_picker({**ANY, "preselected": identifiers})
    until(opener.picker, "document.querySelector('.add').textContent === 'Add 1'")
    choose(opener, site, "P19")
    items = picked(opener)
    with opener.picker.expect_event("close"):
        assert opener.file(items[1]["item"])["type"] == "loaded"


def test_r_27_closing_the_window_keeps_what_was_preselected(site, open_picker):
    identifiers = identifiers_of(site, open_picker, "P20")
    opener = open_picker({**ANY, "preselected": identifiers})
    until(opener.picker, "document.querySelector('.add').textContent === 'Add 1'")
    opener.picker.close(run_before_unload=True)
    assert [item["identifier"] for item in opener.hears("cancelled")["items"]] == identifiers


def test_t_09_nothing_can_be_loaded_while_the_person_cancels(site, open_picker):
    identifiers = identifiers_of(site, open_picker, "P20")
    opener = open_picker({**ANY, "selection": "continuous", "preselected": identifiers})
    until(opener.picker, "document.querySelector('.add').textContent === 'Add 1'")
    choose(opener, site, "P19")
    until(opener.page, "window.heard.some(({ items }) => items?.length === 2)")
    item = opener.hears("change")["items"][1]
    opener.picker.route("**/picker/v1/identifiers", lambda route: None)  # never answered
    cancel(opener.picker)
    opener.say({"type": "load", "request": 1, "item": item["item"], "kind": "main"})
    opener.hears("cancelled")
    assert opener.page.evaluate("window.heard.some(({ type }) => type === 'loaded')") is False


def test_add_can_be_pressed_again_if_the_library_did_not_answer(site, open_picker, complaints):
    complaints.expected.append(FAILED)
    opener = open_picker({"selectionLimit": 0})
    # The details are requested as soon as a photo is chosen, and again by Add.
    opener.picker.route("**/api/v1/assets/*", lambda route: route.abort())
    choose(opener, site, "P20")
    opener.picker.click(".add")
    until(opener.picker, "document.querySelector('.message').textContent.includes('Press Add again')")
    opener.picker.unroute("**/api/v1/assets/*")
    assert [item["name"].partition(".")[0] for item in picked(opener)] == ["P20"]


def test_a_continuous_selection_asks_once_for_each_photo(site, open_picker):
    opener = open_picker({**ANY, "selection": "continuous"})
    asked = []
    opener.picker.on("request", lambda request: "/api/v1/assets/" in request.url and asked.append(request.url))
    choose(opener, site, "P20", "P19", "P18")
    until(opener.page, "window.heard.some(({ items }) => items?.length === 3)")
    until_equal(opener.picker, lambda: len(asked), 3)


def test_r_15_without_actions_a_continuous_selection_is_handed_over_at_once(site, open_picker):
    opener = open_picker({"selectionLimit": 0, "selection": "continuous", "disabledCapabilities": ["selectionActions"]})
    assert not opener.picker.is_visible(".add") and not opener.picker.is_visible(".cancel")
    choose(opener, site, "P20", "P19")
    until(opener.page, "window.heard.some(({ items }) => items?.length === 2)")
    first, second = opener.hears("change")["items"]
    assert opener.file(first["item"])["type"] == "loaded"
    cell(opener.picker, site, "P19").click()
    until(opener.page, "window.heard.at(-1).items?.length === 1")
    assert opener.file(second["item"], request=2)["code"] == "not-picked"
    opener.picker.close(run_before_unload=True)
    assert [item["item"] for item in opener.hears("picked")["items"]] == [first["item"]]


def test_r_28_a_second_picker_is_refused_and_the_first_one_comes_to_the_front(site, present):
    page, picker = present({"selectionLimit": 0})
    # No page can see the focus of another origin's window.
    page.evaluate("""() => {
      const { focus } = window.session;
      window.session.focus = function () {
        window.focusCount = (window.focusCount ?? 0) + 1;
        focus.call(this);
      };
    }""")
    assert page.evaluate("window.PhotoPicker.open({ selectionLimit: 3 }).then(() => '', ({ name }) => name)") == "InvalidStateError"
    assert len(page.context.pages) == 2
    assert page.evaluate("window.focusCount") == 1
    arm(picker)
    cell(picker, site, "P20").click()
    picker.click(".add")
    assert until(page, "window.photos?.length") == 1


def test_t_21_a_crash_of_the_window_is_an_abort(site, present, own_browser):
    page, picker = present({"selectionLimit": 0}, browser=own_browser)
    try:
        picker.goto("chrome://crash")
    except PlaywrightError:
        pass
    assert until(page, "window.failure") == "AbortError"


# The page looks at its window when the test lets it, and not by the clock. `answers` counts the
# messages of the window.
LOOK_BY_HAND = """() => {
  window.setInterval = (act, time) => (Object.assign(window, { look: act, lookEvery: time }), 0);
  window.answers = 0;
  window.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      this.port1.addEventListener("message", () => window.answers++);
    }
  };
}"""
# Lets half of a file through, and then nothing.
STALL = """
const { fetch } = window;
window.fetch = async (...request) => {
  const answer = await fetch(...request);
  if (!/\\/resources\\//.test(request[0])) return answer;
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const body = new ReadableStream({ start: (stream) => stream.enqueue(bytes.subarray(0, bytes.length / 2)) });
  return new Response(body, { headers: { "Content-Type": answer.headers.get("Content-Type"), "Content-Length": bytes.length } });
};
"""


@pytest.fixture
def own_browser(browser):
    """A browser whose processes a test may kill."""
    own = browser.browser_type.launch(executable_path=WHOLE_CHROMIUM, args=["--no-sandbox", NO_OTHER_HOSTS])
    yield own
    own.close()


def busiest_renderer(browser, page):
    """Returns the process that draws a page: the one that works while its script does."""
    session = browser.new_browser_cdp_session()

    def times():
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return {process["id"]: process["cpuTime"] for process in processes if process["type"] == "renderer"}

    before = times()
    page.evaluate("() => { for (const end = performance.now() + 500; performance.now() < end; ); }")
    after = times()
    return max(after, key=lambda id: after[id] - before.get(id, 0))


def test_t_21_a_window_that_is_killed_in_the_middle_of_a_file_is_an_abort(site, own_browser, present):
    page, picker = present({"selectionLimit": 0}, script=STALL, opener_script=LOOK_BY_HAND, browser=own_browser)
    arm(picker)
    cell(picker, site, "P20").click()
    picker.click(".add")
    until(page, "window.photos?.length")
    page.evaluate("""() => void window.photos[0].file({ onprogress: (completed, total) => (window.part = completed / total) })
      .then(() => (window.outcome = 'a file'), ({ name }) => (window.outcome = name))""")
    assert until(page, "window.part") == pytest.approx(0.5, abs=0.01)
    assert page.evaluate("window.lookEvery") == 250
    crashed = []
    picker.on("crash", lambda page: crashed.append(page))
    os.kill(busiest_renderer(own_browser, picker), signal.SIGKILL)
    until_true(page, lambda: crashed)
    # The first look asks for a sign of life. The page waits for eleven more: 2.75 seconds.
    for _ in range(11):
        assert page.evaluate("window.look(), Promise.resolve().then(() => window.outcome)") is None
    page.evaluate("window.look()")
    assert until(page, "window.outcome") == "AbortError"


def test_t_21_a_window_whose_timers_the_browser_holds_back_is_alive(site, present):
    page, picker = present({"selectionLimit": 0}, script="window.setInterval = () => 0;", opener_script=LOOK_BY_HAND)
    arm(picker)
    # The page gives a window up that is silent for eleven looks.
    for _ in range(14):
        before = page.evaluate("window.answers")
        page.evaluate("window.look()")
        until(page, f"window.answers > {before}")
    assert page.evaluate("window.failure") is None
    cell(picker, site, "P20").click()
    picker.click(".add")
    assert until(page, "window.photos?.length") == 1


def test_r_15_a_closed_window_does_not_hand_over_a_photo_that_the_page_has_deselected(site, open_picker):
    opener = open_picker({**ANY, "selection": "continuousAndOrdered", "disabledCapabilities": ["selectionActions"]})
    choose(opener, site, "P20", "P19", "P18")
    until(opener.page, "window.heard.some(({ items }) => items?.length === 3)")
    first, second, third = (item["identifier"] for item in opener.hears("change")["items"])
    opener.say({"type": "deselect", "identifiers": [first]})
    opener.say({"type": "move", "identifier": third, "after": None})
    until(opener.picker, f"document.querySelector('.cell[data-id=\"{site.id('P18')}\"] .mark').textContent === '1'")
    opener.picker.close(run_before_unload=True)
    assert [item["identifier"] for item in opener.hears("picked")["items"]] == [third, second]


def test_r_20_messages_before_the_library_is_shown_take_effect_afterward(site, open_picker):
    first, second = identifiers_of(site, open_picker, "P20", "P19")
    # Both messages come before the picker has asked the server for what is preselected.
    script = f"""(() => {{
      const {{ MessageChannel }} = window;
      window.MessageChannel = class extends MessageChannel {{
        constructor() {{
          super();
          this.port1.postMessage({{ type: 'deselect', identifiers: ['{first}'] }});
          this.port1.postMessage({{ type: 'update', searchText: 'P18' }});
        }}
      }};
    }})()"""
    opener = open_picker({**ANY, "preselected": [first, second]}, script=script)
    expect(opener.picker.locator(".add")).to_have_text("Add 1")
    expect(opener.picker.locator(".search")).to_have_value("P18")
    arm(opener.picker)
    assert [item["identifier"] for item in picked(opener)] == [second]


def test_r_19_an_update_before_the_picker_has_answered_takes_effect(site, present):
    page, picker = present({"selectionLimit": 0}, search_text="P20")
    until(picker, "document.querySelectorAll('.cell[data-id]').length === 1")
    expect(picker.locator(".search")).to_have_value("P20")


def test_a_window_to_which_its_page_says_nothing_says_so(site, browser, gallery):  # noqa: F811
    context = new_context(browser, init_script="")
    # The picker waits 20 seconds.
    context.add_init_script("const { setTimeout: start } = window; window.setTimeout = (act, time) => start(act, time === 20_000 ? 1 : time);")
    page = context.new_page()
    page.goto(gallery)
    page.evaluate("(library) => document.querySelector('#images').addEventListener('click', () => open(`${library}picker`), { once: true })", site.address)
    with context.expect_page() as opened:
        page.click("#images")
    opened.value.get_by_text("The page that opened this window has not asked for anything.").wait_for()
    context.close()


def test_files_that_could_not_be_handed_over_are_counted(site, present, complaints):
    complaints.expected.append(FAILED)
    page, picker = present({"selectionLimit": 0})
    picker.route(f"**/api/v1/resources/{site.id('P19')}/*", lambda route: route.abort())
    arm(picker)
    for name in ("P20", "P19"):
        cell(picker, site, name).click()
    picker.click(".add")
    until(page, "window.photos?.length === 2")
    page.evaluate("Promise.allSettled(window.photos.map((photo) => photo.file())).then((all) => (window.outcome = all.map(({ status }) => status)))")
    picker.get_by_text("1 of 2 items could not be handed over.").wait_for()
    assert until(page, "window.outcome") == ["fulfilled", "rejected"]
