"""The protocol between a page and the picker: its messages, and its threats."""

import random

import pytest
from conftest import FAILED, FIRST_PAGE, until, until_equal
from playwright.sync_api import expect
from soak import cases, seeded
from test_picker import arm, cell, gallery  # noqa: F401

# Opens the picker by hand, with a port of the test's own. `window.heard` has what the picker says.
OPEN = """([library, configuration, query]) => {
  window.heard = [];
  document.querySelector('#images').addEventListener('click', (event) => {
    event.stopImmediatePropagation();
    window.picker = open(library + 'picker' + query, 'picker', 'popup');
  }, { capture: true, once: true });
  addEventListener('message', (event) => {
    if (event.source !== window.picker || window.port || !configuration) return;
    const { port1, port2 } = new MessageChannel();
    window.port = port1;
    port1.onmessage = ({ data }) => data.type !== 'alive' && window.heard.push(data);
    window.picker.postMessage({ calotype: 'open', version: 1, configuration }, event.origin, [port2]);
  });
}"""


class Opener:
    """A page that has opened the picker."""

    def __init__(self, page, picker):
        self.page = page
        self.picker = picker

    def say(self, message):
        self.page.evaluate("(message) => window.port.postMessage(message)", message)

    def hears(self, type):
        """Waits for a message of the picker, and returns the latest one of the type."""
        return until(self.page, f"window.heard.findLast(({{ type }}) => type === {type!r})")

    def file(self, item, kind="main", request=1):
        self.say({"type": "load", "request": request, "item": item, "kind": kind})
        return until(self.page, f"""(() => {{
          const answer = window.heard.find((message) => message.request === {request} && ['loaded', 'error'].includes(message.type));
          return answer && {{ ...answer, file: answer.file && {{ name: answer.file.name, size: answer.file.size }} }};
        }})()""")


@pytest.fixture
def open_picker(site, contexts, gallery):  # noqa: F811
    taken = []

    def make(configuration, is_signed_in=True, origin=None, context=None, is_waiting=True, query="", script="0", init_script="", **options):
        if context is None:
            page = contexts.page(site.cookies if is_signed_in else (), init_script=init_script, **options)
            context = page.context
            taken.append(context)
        else:
            page = context.new_page()
        page.goto(origin or gallery)
        page.evaluate(script)
        page.evaluate(OPEN, [site.address, configuration, query])
        with context.expect_page() as opened:
            page.click("#images")
        opener = Opener(page, opened.value)
        if configuration is not None:
            opener.hears("opened")
        if is_signed_in and is_waiting and configuration is not None:
            until(opener.picker, FIRST_PAGE)
        return opener

    yield make
    for context in taken:
        contexts.give_back(context)


def choose(opener, site, *names):
    arm(opener.picker)
    for name in names:
        cell(opener.picker, site, name).click()


def picked(opener):
    opener.picker.click(".add")
    return opener.hears("picked")["items"]


def test_r_19_a_new_limit_and_a_new_search_take_effect_at_once(site, open_picker):
    opener = open_picker({"selectionLimit": 0})
    choose(opener, site, "P20", "P19")
    opener.say({"type": "update", "selectionLimit": 1})
    until(opener.picker, "document.querySelector('.add').disabled")
    opener.say({"type": "update", "selectionLimit": 2, "searchText": "P18"})
    until(opener.picker, "document.querySelectorAll('.cell[data-id]').length === 1 && !document.querySelector('.add').disabled")
    expect(opener.picker.locator(".search")).to_have_value("P18")
    expect(opener.picker.locator(".add")).to_have_text("Add 2")


def test_r_22_the_page_zooms_and_scrolls(site, open_picker):
    opener = open_picker({"selectionLimit": 0})
    width = "document.querySelector('.cell').getBoundingClientRect().width"
    before = opener.picker.evaluate(width)
    opener.say({"type": "zoomIn"})
    until(opener.picker, f"{width} > {before}")
    opener.say({"type": "zoomOut"})
    until(opener.picker, f"{width} === {before}")
    opener.picker.mouse.move(600, 500)
    opener.picker.mouse.wheel(0, 2000)
    until(opener.picker, "document.querySelector('photo-grid').scrollTop > 100")
    opener.say({"type": "scrollToInitialPosition"})
    until(opener.picker, "document.querySelector('photo-grid').scrollTop === 0")


def test_a_released_item_can_not_be_loaded(site, open_picker):
    opener = open_picker({"selectionLimit": 0})
    choose(opener, site, "P20", "P19")
    first, second = picked(opener)
    assert opener.file(first["item"])["type"] == "loaded"
    opener.say({"type": "release", "items": [first["item"]]})
    assert opener.file(first["item"], request=2)["code"] == "not-picked"
    assert opener.file(second["item"], request=3)["type"] == "loaded"


def test_t_08_an_address_configures_nothing(site, open_picker):
    opener = open_picker(
        {"filter": "images", "selectionLimit": 2},
        query="?selectionLimit=0&filter=videos&selection=continuous&purpose=evil#filter=videos&selectionLimit=0")
    until(opener.picker, "document.querySelector('photo-grid').snapshot.total === 37")
    assert opener.picker.text_content(".purpose") == ""
    choose(opener, site, "P20", "P19", "P18")
    expect(opener.picker.locator(".spoken")).to_have_text("You can choose up to 2.")
    assert len(picked(opener)) == 2


def test_t_09_only_what_was_picked_can_be_loaded(site, open_picker):
    opener = open_picker({"selectionLimit": 0, "selection": "continuous"})
    choose(opener, site, "P20")
    until(opener.page, "window.heard.some(({ type, items }) => type === 'change' && items.length === 1)")
    [first] = opener.hears("change")["items"]
    assert opener.file(first["item"])["code"] == "not-picked"
    cell(opener.picker, site, "P20").click()
    cell(opener.picker, site, "P19").click()
    [second] = picked(opener)
    for request, item in enumerate([first["item"], site.id("P19"), "guessed"], 2):
        assert opener.file(item, request=request)["code"] == "not-picked"
    assert opener.file(second["item"], "pairedVideo", request=8)["type"] == "error"
    assert opener.file(second["item"], request=9)["type"] == "loaded"


def test_t_01_a_page_may_load_the_script_of_the_picker(site, browser, gallery):  # noqa: F811
    page = browser.new_page()
    page.goto(gallery)
    load = "(address) => import(`${address}picker.js`).then(({ PhotoPicker }) => typeof PhotoPicker.open)"
    assert page.evaluate(load, site.address) == "function"
    page.close()


def test_t_02_no_page_frames_the_picker(site, browser, gallery):  # noqa: F811
    page = browser.new_page()
    page.goto(gallery)
    page.evaluate("""(address) => {
      const frame = document.createElement('iframe');
      frame.src = address;
      window.isLoaded = false;
      frame.onload = () => (window.isLoaded = true);
      document.body.append(frame);
    }""", f"{site.address}picker")
    until(page, "window.isLoaded")
    # The driver learns the frame's address a moment later.
    until_equal(page, lambda: page.frames[1].url.partition(":")[0], "chrome-error")
    page.close()


def test_t_03_no_page_shows_a_control_of_the_picker_below_something_else(site, open_picker, complaints):
    """No address of the library can be framed, so nothing of it can be covered."""
    complaints.expected += ["Framing ", FAILED]
    opener = open_picker({}, is_waiting=False)
    shown = opener.page.evaluate("""async (addresses) => {
      const frames = addresses.flatMap((address) => ['iframe', 'object'].map((name) => {
        const element = document.createElement(name);
        element[name === 'object' ? 'data' : 'src'] = address;
        element.style = 'opacity: 0.01; position: fixed; inset: 0';
        return element;
      }));
      await Promise.all(frames.map((frame) => new Promise((resolve) => {
        frame.onload = frame.onerror = resolve;
        document.body.append(frame);
      })));
      return frames.filter((frame) => frame.contentWindow?.length > 0).length;
    }""", [f"{site.address}{path}" for path in ("picker", "picker/frame", "access", "sessions")])
    assert shown == 0
    assert [frame.url for frame in opener.page.frames[1:] if frame.url.startswith("http")] == []


def test_t_05_only_the_opener_is_heard(site, open_picker):
    opener = open_picker(None)
    heard = opener.page.evaluate("""async (library) => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      const said = [];
      const post = (source) => new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => data.type !== 'alive' && (said.push([source, data.type]), resolve());
        const script = `target.postMessage({ calotype: 'open', version: 1, configuration: {} }, '*', [port])`;
        const view = source === 'frame' ? frame.contentWindow : window;
        view.eval(`(target, port) => ${script}`)(window.picker, port2);
      });
      await new Promise((resolve) => addEventListener('message', resolve, { once: true }));
      // The picker reads the messages in their order: the answer to the second one comes last.
      post('frame');
      await post('opener');
      return said;
    }""", site.address)
    assert heard == [["opener", "opened"]]


def test_t_05_the_page_hears_only_the_window_that_it_has_opened(site, browser, gallery):  # noqa: F811
    page = browser.new_page()
    page.goto(gallery)
    page.evaluate("""(library) => import('/Web/picker.js').then(({ PhotoPicker }) => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      document.querySelector('#images').addEventListener('click', (event) => {
        event.stopImmediatePropagation();
        const opened = [];
        const real = window.open;
        window.open = () => real('about:blank', '_blank', 'popup');
        const session = PhotoPicker.present({ library });
        MessageChannel = new Proxy(MessageChannel, { construct: (target) => (opened.push(1), new target()) });
        addEventListener('message', ({ data }) => {
          if (data === 'last') window.opened = { count: opened.length, isOpen: session.isOpen };
        });
        // The messages arrive in their order.
        frame.contentWindow.eval("parent.postMessage({ calotype: 'ready', versions: [1] }, '*'), parent.postMessage('last', '*')");
      }, { capture: true, once: true });
    })""", site.address)
    page.click("#images")
    assert until(page, "window.opened") == {"count": 0, "isOpen": True}
    page.close()


def test_t_06_another_document_in_the_openers_place_gets_nothing(site, open_picker, gallery):  # noqa: F811
    opener = open_picker({"selectionLimit": 0}, init_script="window.former = window.opener")
    choose(opener, site, "P20")
    assert opener.picker.evaluate("window.opener") is None
    opener.page.add_init_script("window.heard = []; addEventListener('message', ({ data }) => window.heard.push(data));")
    opener.page.goto(gallery)
    opener.picker.click(".add")
    until(opener.picker, "document.querySelector('.message').textContent.includes('Handing over')")
    # This message comes after all others that the picker has sent to its opener.
    opener.picker.evaluate("window.former.postMessage('last', '*')")
    assert until(opener.page, "window.heard.length > 0 && window.heard") == ["last"]


def test_t_15_a_page_can_not_tell_whether_the_person_is_signed_in(site, open_picker, complaints):
    complaints.expected.append(FAILED)  # the picker's own console says that nobody is signed in
    for is_signed_in in (True, False):
        opener = open_picker({}, is_signed_in=is_signed_in)
        assert opener.page.evaluate("[window.picker.length, window.heard.map(({ type }) => type)]") == [0, ["opened"]]
        assert opener.picker.evaluate("history.length") == 1


def test_t_15_a_picker_that_its_page_closes_says_what_the_page_has_said(site, open_picker, complaints):
    complaints.expected.append(FAILED)
    first = open_picker({"identifiers": True})
    arm(first.picker)
    cell(first.picker, site, "P20").click()
    [item] = first.hears("picked")["items"]
    preselected = ["A" * 22, item["identifier"]]
    for is_signed_in in (True, False):
        opener = open_picker({"identifiers": True, "selectionLimit": 0, "preselected": preselected}, is_signed_in=is_signed_in)
        if is_signed_in:
            until(opener.picker, "document.querySelector('.add').textContent === 'Add 1'")
        else:
            opener.picker.get_by_text("Sign in to your library").wait_for()
        opener.say({"type": "close"})
        items = [{key: value for key, value in item.items() if key != "item"} for item in opener.hears("cancelled")["items"]]
        assert items == [{"identifier": identifier, "types": []} for identifier in preselected]


def test_t_17_a_purpose_is_shown_as_text_in_its_own_direction(open_picker):
    opener = open_picker({"purpose": "<img src=x onerror=alert(1)>\u202eevil" + "x" * 200})
    assert opener.picker.text_content(".purpose") == ("<img src=x onerror=alert(1)> evil" + "x" * 200)[:80]
    assert opener.picker.locator(".purpose img").count() == 0
    assert opener.picker.evaluate("getComputedStyle(document.querySelector('.purpose')).unicodeBidi") == "isolate"


def test_t_17_a_purpose_of_ten_thousand_characters_is_refused(open_picker):
    opener = open_picker(None)
    failure = opener.page.evaluate("""(purpose) => new Promise((resolve) => {
      addEventListener('message', function greet({ source, origin, data }) {
        if (source !== window.picker || data.calotype !== 'ready') return;
        removeEventListener('message', greet);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data);
        source.postMessage({ calotype: 'open', version: 1, configuration: { purpose } }, origin, [port2]);
      });
    })""", "x" * 10_000)
    assert (failure["type"], failure["code"]) == ("error", "bad-configuration")
    until(opener.picker, "document.querySelector('.message').textContent.includes('purpose')")
    assert opener.picker.text_content(".purpose") == ""


# Asks for a version of the protocol. `window.failure` has the answer.
ASK_FOR_VERSION = """(version) => addEventListener('message', function greet({ source, origin, data }) {
  if (source !== window.picker || data.calotype !== 'ready') return;
  removeEventListener('message', greet);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => (window.failure = data);
  source.postMessage({ calotype: 'open', version, configuration: {} }, origin, [port2]);
})"""


@pytest.mark.parametrize("version", [2, None])
def test_a_page_that_asks_for_another_version_is_told_so(open_picker, version):
    opener = open_picker(None)
    opener.page.evaluate(ASK_FOR_VERSION, version)
    failure = until(opener.page, "window.failure")
    assert (failure["type"], failure["code"]) == ("error", "unsupported-version")
    expect(opener.picker.locator("photo-grid")).to_be_hidden()
    assert failure["message"] == "version: it has to be 1"
    expect(opener.picker.locator(".message")).to_have_text("This page can’t choose photos: version: it has to be 1")


def test_a_page_tells_a_library_of_another_version_from_one_that_is_silent(site, browser, gallery):  # noqa: F811
    page = browser.new_page()
    page.goto(gallery)
    other = "<script>opener.postMessage({ calotype: 'ready', versions: [2, 3] }, '*')</script>"
    page.context.route(f"{site.address}picker", lambda route: route.fulfill(content_type="text/html", body=other))
    page.evaluate("""(library) => import('/Web/picker.js').then(({ PhotoPicker }) => {
      document.querySelector('#images').addEventListener('click', (event) => {
        event.stopImmediatePropagation();
        PhotoPicker.open({ library }).catch(({ name, message }) => (window.failure = [name, message]));
      }, { capture: true });
    })""", site.address)
    page.click("#images")
    assert until(page, "window.failure") == ["NotSupportedError", "the library's picker is of another version"]
    page.close()


def test_the_domain_that_somebody_has_registered_is_bold(open_picker, gallery):  # noqa: F811
    address = gallery.replace("127.0.0.1", "calotype.gallery.localhost")
    opener = open_picker({}, origin=address)
    assert opener.picker.text_content(".origin") == address.rstrip("/")
    assert opener.picker.locator(".origin b").all_text_contents() == ["gallery.localhost"]
    weights = "[...document.querySelectorAll('.origin, .origin b')].map((element) => Number(getComputedStyle(element).fontWeight))"
    assert opener.picker.evaluate(weights) == [400, 700]


def test_t_19_made_up_messages_change_nothing(site, open_picker):
    opener = open_picker({"selectionLimit": 0})
    errors = []
    opener.picker.on("pageerror", lambda error: errors.append(str(error)))
    opener.picker.on("console", lambda message: message.type == "error" and errors.append(message.text))
    choose(opener, site, "P20")
    opener.page.evaluate("""(count) => {
      const values = [null, undefined, -1, 1.5, NaN, '', 'x'.repeat(2000), [], [{}], {}, true, new Map(), '<script>', { type: 'load' }];
      const types = ['load', 'address', 'cancel', 'update', 'deselect', 'move', 'release', 'opened', 'picked', '__proto__', 'toString', 7, null];
      for (let index = 0; index < count; index++) {
        const value = values[index % values.length];
        const type = types[index % types.length];
        window.port.postMessage(index % 50 === 0 ? value : { type, request: value, item: value, kind: value, seconds: value, identifiers: value, identifier: value, after: value, selectionLimit: -1, items: [value, {}] });
      }
      window.port.postMessage({ type: 'load', request: 20_000, item: 'last', kind: 'main' });
    }""", cases(few=500, many=10_000))
    until(opener.page, "window.heard.some(({ request }) => request === 20_000)", patience=60)
    assert errors == []
    assert opener.page.evaluate("[...new Set(window.heard.map(({ type, code }) => `${type} ${code}`))].sort()") == [
        "error not-picked", "error unknown-type", "opened undefined"]
    expect(opener.picker.locator(".add")).to_have_text("Add 1")
    [item] = picked(opener)
    assert opener.file(item["item"], request=30_000)["type"] == "loaded"


# The fields of messages, as they have to be. ITEM and IDENTIFIER are those of a chosen photo.
RIGHT = {
    "load": {"request": 1, "item": "ITEM", "kind": "main", "representation": "current"},
    "address": {"request": 1, "item": "ITEM", "kind": "main", "representation": "current", "seconds": 60},
    "cancel": {"request": 1},
    "update": {"selectionLimit": 1, "searchText": "P19", "edgesWithoutContentMargins": ["top"]},
    "deselect": {"identifiers": ["IDENTIFIER"]},
    "move": {"identifier": "IDENTIFIER", "after": None},
    "release": {"items": ["ITEM"]},
    "close": {"revoke": True},
}
# Values in JavaScript which a field may not have.
WRONG_NUMBER = ["-1", "1.5", "NaN", "Infinity", "2 ** 53", "'1'", "[1]", "{}", "true", "1n"]
WRONG_TEXT = ["7", "true", "{}", "['ITEM']", "new Map()", "'x'.repeat(1_001)"]
WRONG_LIST = [
    "'ITEM'", "7", "{}", "{ length: 1 }", "[null]", "['ITEM', {}]", "[['ITEM']]", "new Set(['ITEM'])",
    "Array(10_001).fill('')",
    "[, 'ITEM']",
]
NONE = ["null", "undefined"]
WRONG = {
    "request": WRONG_NUMBER + NONE, "item": WRONG_TEXT + NONE, "kind": ["'original'", "''", "0", "['main']", *NONE],
    "representation": ["'best'", "0", "['current']", "true"], "seconds": [*WRONG_NUMBER, "0", "86_401"],
    "selectionLimit": WRONG_NUMBER, "searchText": WRONG_TEXT,
    "edgesWithoutContentMargins": ["'top'", "['middle']", "[null]", "{}"], "identifiers": WRONG_LIST + NONE,
    "identifier": WRONG_TEXT + NONE, "after": WRONG_TEXT, "items": WRONG_LIST, "revoke": ["1", "'true'", "[]", "{}"],
}
# Sends messages, and one more whose answer comes after all others.
SAY_ALL = """([messages, { item, identifier }, last]) => {
  const made = (text) => JSON.parse(text.replaceAll('IDENTIFIER', identifier).replaceAll('ITEM', item));
  for (const [message, field, wrong] of messages) {
    window.port.postMessage({ ...made(JSON.stringify(message)), [field]: eval(`(${made(JSON.stringify(wrong))})`) });
  }
  window.port.postMessage({ type: 'load', request: last, item: 'none', kind: 'main' });
}"""
ANSWERS = "window.heard.filter(({ type }) => type === 'error').map(({ code, message }) => `${code} ${message}`)"


def wrong_messages(count, seed):
    """Makes messages, each with the field that is wrong and its value."""
    source = random.Random(seed)
    for _ in range(count):
        type = source.choice(list(RIGHT))
        field = source.choice(list(RIGHT[type]))
        yield {"type": type, **RIGHT[type]}, field, source.choice(WRONG[field])


def refusals(opener, item, messages, last):
    """Sends messages, and returns what the picker answers."""
    opener.page.evaluate("window.heard = []")
    opener.page.evaluate(SAY_ALL, [messages, item, last])
    until(opener.page, f"window.heard.some(({{ request }}) => request === {last})")
    return opener.page.evaluate(ANSWERS)[:-1]


def test_t_19_a_message_with_one_wrong_field_changes_nothing(site, open_picker):
    opener = open_picker({"selectionLimit": 0, "selection": "continuous", "identifiers": True})
    errors = []
    opener.picker.on("pageerror", lambda error: errors.append(str(error)))
    choose(opener, site, "P20")
    [told] = opener.hears("change")["items"]
    count = cases(few=100, many=10_000)
    before, after = (list(wrong_messages(count, seeded(number))) for number in (19, 20))
    expected = lambda messages: [f"unknown-type {field}: not as it has to be" for _, field, _ in messages]
    assert refusals(opener, told, before, 20_000) == expected(before)
    expect(opener.picker.locator(".search")).to_have_value("")
    expect(opener.picker.locator(".add")).to_have_text("Add 1")
    [item] = picked(opener)
    # After Add, a wrong `release` or `close` would end what the page may load.
    assert refusals(opener, item, after, 20_001) == expected(after)
    assert opener.file(item["item"], request=30_000)["type"] == "loaded"
    assert errors == []


def test_t_24_a_library_of_another_origin_is_refused(site, browser, gallery):  # noqa: F811
    page = browser.new_page()
    page.goto(gallery)
    page.context.route("**/picker", lambda route: route.fulfill(
        content_type="text/html", body=f"<script>location.replace('{site.address}picker')</script>")
        if route.request.url.startswith(gallery) else route.continue_())
    page.evaluate("""() => {
      document.querySelector('#images').addEventListener('click', async (event) => {
        event.stopImmediatePropagation();
        window.failure = await window.PhotoPicker.open({ library: location.origin }).then(() => 'opened', ({ name }) => name);
      }, { capture: true });
      return import('/Web/picker.js').then(({ PhotoPicker }) => void (window.PhotoPicker = PhotoPicker));
    }""")
    page.click("#images")
    assert until(page, "window.failure") == "SecurityError"
    page.close()


def test_t_25_hidden_and_deleted_photos_are_never_shown(site, open_picker):
    opener = open_picker({"selectionLimit": 0})
    for name in ("X01", "D01"):
        opener.picker.fill(".search", name)
        until(opener.picker, f"document.querySelector('.message').textContent.includes('Nothing found for “{name}”.')")
        opener.picker.fill(".search", "")
        until(opener.picker, "document.querySelector('photo-grid').snapshot.total === 49 && !document.querySelector('.message').textContent")
