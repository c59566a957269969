"""Identifiers of assets that a page keeps, and addresses from which it loads copies."""

import http.client
import json
from urllib.parse import urlencode, urlparse
from urllib.request import Request, urlopen

import pytest
from apps import Owner
from conftest import FAILED, PATIENCE, until, until_equal
from playwright.sync_api import expect
from test_picker import cancel, cell, gallery  # noqa: F401
from test_picker_protocol import choose, open_picker, picked  # noqa: F401

ANY = {"selectionLimit": 0, "selection": "ordered", "identifiers": True}


def until_marked(opener, site, **expected):
    """Waits until cells have these marks."""
    marks = lambda: {name: cell(opener.picker, site, name).locator(".mark").text_content() for name in expected}
    until_equal(opener.picker, marks, expected)


def test_r_09_picked_photos_are_preselected_by_their_identifiers(site, open_picker):
    first = open_picker(ANY)
    choose(first, site, "P20", "P18")
    before = picked(first)
    identifiers = [item["identifier"] for item in before]
    assert all(len(identifier) == 22 for identifier in identifiers)
    second = open_picker({**ANY, "preselected": identifiers})
    until(second.picker, "document.querySelector('.add').textContent === 'Add 2'")
    choose(second, site, "P19")
    until_marked(second, site, P20="1", P18="2", P19="3")
    after = picked(second)
    assert [item["identifier"] for item in after[:2]] == identifiers
    assert [bool(item["types"]) for item in after] == [False, False, True]


def test_r_10_cancelling_leaves_what_was_preselected(site, open_picker):
    first = open_picker(ANY)
    choose(first, site, "P20")
    [item] = picked(first)
    second = open_picker({**ANY, "preselected": [item["identifier"]]})
    until(second.picker, "document.querySelector('.add').textContent === 'Add 1'")
    cancel(second.picker)
    assert [item["identifier"] for item in second.hears("cancelled")["items"]] == [item["identifier"]]


def test_r_11_all_that_was_preselected_can_be_taken_away(site, open_picker):
    first = open_picker(ANY)
    choose(first, site, "P20", "P19")
    identifiers = [item["identifier"] for item in picked(first)]
    second = open_picker({**ANY, "selectionLimit": 1, "preselected": identifiers})
    until(second.picker, "document.querySelector('.count').textContent === 'Choose at most 1.'")
    expect(second.picker.locator(".add")).to_be_disabled()
    choose(second, site, "P20", "P19")
    expect(second.picker.locator(".add")).to_be_enabled()
    assert picked(second) == []


def test_t_14_other_origins_know_an_asset_by_other_identifiers(site, open_picker, gallery):  # noqa: F811
    first = open_picker(ANY)
    choose(first, site, "P20")
    [item] = picked(first)
    other = gallery.replace("127.0.0.1", "localhost")
    second = open_picker({**ANY, "preselected": [item["identifier"], "A" * 22, "P20"]}, origin=other)
    until(second.picker, "document.querySelectorAll('.cell .mark').length > 0")
    expect(second.picker.locator(".add")).to_have_text("Add")
    choose(second, site, "P20")
    assert picked(second)[0]["identifier"] != item["identifier"]


def test_r_20_and_r_21_the_page_deselects_and_moves_what_it_knows(site, open_picker):
    first = open_picker(ANY)
    choose(first, site, "P20", "P19", "P18")
    a, b, c = (item["identifier"] for item in picked(first))
    opener = open_picker({**ANY, "selection": "continuousAndOrdered", "preselected": [a, b, c]})
    until(opener.picker, "document.querySelector('.add').textContent === 'Add 3'")
    opener.say({"type": "move", "identifier": c, "after": a})
    until(opener.picker, f"document.querySelector('.cell[data-id=\"{site.id('P18')}\"] .mark').textContent === '2'")
    opener.say({"type": "move", "identifier": b, "after": None})
    until(opener.picker, f"document.querySelector('.cell[data-id=\"{site.id('P19')}\"] .mark').textContent === '1'")
    opener.say({"type": "deselect", "identifiers": [a, "unknown"]})
    until(opener.picker, "document.querySelector('.add').textContent === 'Add 2'")
    until_marked(opener, site, P19="1", P18="2")
    assert opener.page.evaluate("window.heard.map(({ type }) => type)") == ["opened"]


def origin(opener):
    return opener.page.evaluate("location.origin")


def test_addresses_load_in_the_page_until_the_owner_stops_them(site, open_picker, complaints):
    complaints.expected += [FAILED, "Access to fetch"]
    opener = open_picker({"selectionLimit": 0, "deliver": "address"})
    choose(opener, site, "P20")
    [item] = picked(opener)
    opener.say({"type": "address", "request": 1, "item": item["item"], "kind": "main"})
    address = opener.hears("addressed")["address"]
    assert opener.page.evaluate("""async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const answer = await fetch(address, { headers: { Range: 'bytes=0-2' } });
      return [image.naturalWidth > 0, answer.status, [...new Uint8Array(await answer.arrayBuffer())]];
    }""", address) == [True, 206, [0xFF, 0xD8, 0xFF]]
    owner = opener.page.context.new_page()
    owner.goto(f"{site.address}access")
    row = owner.locator(f".handed-over li[data-origin='{origin(opener)}']")
    row.get_by_role("button", name="Stop").click()
    row.get_by_role("button", name="Stop").wait_for(state="detached")
    assert opener.page.evaluate("(address) => fetch(address).then(() => 'read', () => 'refused')", address) == "refused"
    # A page of another origin could not load it before either (T-10).


PAGE = "https://page.example"


def hand_over(site, origin, content=b"a picture"):
    """Hands a copy over to a page, as its picker does. Returns its path."""
    owner = Owner(site)
    query = urlencode({"origin": origin, "asset": site.id("P20"), "seconds": 86_400, "name": "Fjord.jpg"})
    fields = {"Cookie": owner.cookie, "Origin": owner.address, "Content-Type": "image/jpeg"}
    with urlopen(Request(f"{owner.address}/picker/v1/addresses?{query}", content, fields), timeout=PATIENCE) as answer:
        return json.load(answer)["path"]


def ask(site, path, method="GET", fields=()):
    """Sends a request without a browser. Returns the answer, and its body."""
    connection = http.client.HTTPConnection(urlparse(Owner(site).address).netloc, timeout=PATIENCE)
    connection.request(method, path, headers=dict(fields))
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


@pytest.fixture(scope="module")
def handed_over(site):
    """The path of a copy that a page of another origin may load."""
    return hand_over(site, PAGE)


SCRIPT = {"Origin": PAGE, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}


def element(destination, mode="no-cors"):
    return {"Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": destination}


def part(range, **more):
    return {**SCRIPT, "Range": f"bytes={range}", **more}


SIZE = {"Content-Length": "9"}
OPEN, CLOSED = {"Access-Control-Allow-Origin": PAGE}, {"Access-Control-Allow-Origin": None}
WHOLE = {"Content-Range": None, **SIZE}
PREFLIGHT = {
    "Access-Control-Max-Age": "600", "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Range, If-Range", **OPEN}


@pytest.mark.parametrize("method, fields, status, answered, body", [
    ("HEAD", SCRIPT, 200, SIZE | OPEN, b""),
    ("HEAD", part("2-4"), 200, WHOLE, b""),
    ("HEAD", element("image"), 200, SIZE | CLOSED, b""),
    ("HEAD", {}, 403, CLOSED, b""),
    ("GET", part("2-4"), 206, {"Content-Range": "bytes 2-4/9"}, b"pic"),
    ("GET", part("8-"), 206, {"Content-Range": "bytes 8-8/9"}, b"e"),
    # A copy has no tag and no date, so that no condition is true.
    ("GET", part("2-4", **{"If-Range": '"a"'}), 200, WHOLE, b"a picture"),
    ("GET", part("2-4", **{"If-Range": "Sat, 28 Nov 2026 12:00:00 GMT"}), 200, WHOLE, b"a picture"),
    ("GET", part("9-"), 416, {"Content-Range": "bytes */9"}, None),
    # The page has to see the answer.
    ("GET", part("9-"), 416, OPEN, None),
    ("GET", {**element("video"), "Range": "bytes=9-"}, 416, CLOSED, None),
    ("GET", element("audio"), 200, CLOSED, b"a picture"),
    ("GET", {**element("audio"), "Range": "bytes=0-"}, 206, {"Content-Range": "bytes 0-8/9"}, b"a picture"),
    ("GET", element("worker", "same-origin"), 403, CLOSED, None),
    ("GET", element("worker"), 403, CLOSED, None),
    ("GET", element("sharedworker", "same-origin"), 403, CLOSED, None),
    ("GET", element("serviceworker", "same-origin"), 403, CLOSED, None),
    ("GET", element("style"), 403, CLOSED, None),
    ("GET", element("track"), 403, CLOSED, None),
    ("GET", element("empty"), 403, CLOSED, None),
    ("GET", element("image", "navigate"), 403, CLOSED, None),
    ("GET", {"Sec-Fetch-Dest": "image"}, 403, CLOSED, None),
    ("GET", {**SCRIPT, "Sec-Fetch-Mode": "no-cors"}, 403, CLOSED, None),
    ("GET", {**SCRIPT, "Origin": "null"}, 403, CLOSED, None),
    ("GET", {**SCRIPT, "Origin": f"{PAGE}:8443"}, 403, CLOSED, None),
    ("OPTIONS", {**SCRIPT, "Access-Control-Request-Method": "GET"}, 204, PREFLIGHT, b""),
    ("OPTIONS", {**SCRIPT, "Origin": "https://evil.example"}, 403, dict.fromkeys(PREFLIGHT), None),
    ("PUT", SCRIPT, 405, {"Allow": "GET, HEAD, OPTIONS", **CLOSED}, None),
], ids=lambda value: str(value) if isinstance(value, (str, int)) else "")
def test_t_10_an_address_answers(site, handed_over, method, fields, status, answered, body):
    answer, content = ask(site, handed_over, method, fields)
    assert (answer.status, {name: answer.getheader(name) for name in answered}) == (status, answered)
    assert content == body or body is None


# Begins to load an address by all that a page has for it. Each one has an argument of its own.
LOAD = """(address) => {
  const make = (name, attribute, more) => (address) =>
    document.body.append(Object.assign(document.createElement(name), { ...more, [attribute]: address }));
  const loads = {
    img: make('img', 'src'), audio: make('audio', 'src'), video: make('video', 'src'), script: make('script', 'src'),
    style: make('link', 'href', { rel: 'stylesheet' }), iframe: make('iframe', 'src'), object: make('object', 'data'),
    embed: make('embed', 'src'), fetch: (address) => void fetch(address, { mode: 'no-cors' }).catch(() => {}),
    worker: (address) =>
      new Worker(URL.createObjectURL(new Blob([`try { importScripts('${address}') } catch {}`]))),
  };
  for (const [name, load] of Object.entries(loads)) load(`${address}?${name}`);
}"""


def test_t_10_a_browser_uses_an_address_as_a_picture_or_a_movie_alone(site, pages, gallery, handed_over):  # noqa: F811
    pages.expected += [FAILED, "Framing"]
    page = pages(())
    ends = {}
    end = lambda request, value: "?" in request.url and ends.setdefault(request.url.partition("?")[2], value)
    page.on("response", lambda answer: end(answer.request, answer.status))
    page.on("requestfailed", lambda request: end(request, request.failure.removesuffix(".NotSameOrigin")))
    page.goto(gallery)
    page.evaluate(LOAD, site.address.rstrip("/") + handed_over)
    # Chromium keeps the answer 403 from another origin, and tells its status of frames alone.
    blocked = "net::ERR_BLOCKED_BY_RESPONSE"
    expected = {
        "img": 200, "audio": 206, "video": 206, "script": blocked, "style": blocked, "fetch": blocked,
        "worker": blocked, "iframe": 403, "object": 403, "embed": 403}
    until_equal(page, lambda: sorted(ends), sorted(expected))
    assert ends == expected


@pytest.mark.parametrize("place", ["picker", "address"])
def test_t_11_a_page_gets_no_referrer_from_the_library(site, pages, gallery, handed_over, place):  # noqa: F811
    pages.expected.append(FAILED)
    page = pages(())
    page.goto(site.address + (handed_over[1:] if place == "address" else place))
    with page.expect_request(gallery) as followed:
        page.evaluate("(address) => void (location.href = address)", gallery)
    assert "referer" not in followed.value.all_headers()
    page.wait_for_url(gallery)
    assert page.evaluate("document.referrer") == ""


POLYGLOT = "GIF89a=1;window.ran=true;//<script>window.ran = parent.ran = true</script>"


def test_t_12_a_file_that_is_also_a_page_and_a_script_runs_nowhere(site, open_picker, complaints):
    complaints.expected += [FAILED, "Framing"]
    opener = open_picker({"selectionLimit": 0})
    owner = opener.page.context.new_page()
    owner.goto(f"{site.address}access")
    path = owner.evaluate("""async ([origin, asset, body]) => {
      const query = new URLSearchParams({ origin, asset, seconds: 60, name: 'x.gif' });
      const headers = { 'Content-Type': 'image/gif' };
      return (await (await fetch(`/picker/v1/addresses?${query}`, { method: 'POST', headers, body })).json()).path;
    }""", [origin(opener), site.id("P20"), POLYGLOT])
    address = site.address.rstrip("/") + path
    loaded = opener.page.evaluate("""async (address) => {
      const load = (name) => new Promise((resolve) => {
        const element = document.createElement(name);
        element.onload = () => resolve('load');
        element.onerror = () => resolve('error');
        element.src = address;
        document.body.append(element);
      });
      const events = [await load('img'), await load('script')];
      await load('iframe');
      return [...events, await (await fetch(address)).text(), window.ran ?? false];
    }""", address)
    # Its first bytes are those of a picture, which a browser may show.
    assert loaded[1:] == ["error", POLYGLOT, False]
    page = opener.page.context.new_page()
    assert page.goto(address).status == 403
    assert page.evaluate("window.ran ?? false") is False
    # Other tests use the same site.
    owner.evaluate("(origin) => fetch(`/picker/v1/handed-over?${new URLSearchParams({ origin })}`, { method: 'DELETE' })", origin(opener))


def test_a_forgotten_site_gets_new_identifiers(site, open_picker):
    first = open_picker(ANY)
    choose(first, site, "P20")
    [before] = picked(first)
    owner = first.page.context.new_page()
    owner.goto(f"{site.address}access")
    row = owner.locator(f".handed-over li[data-origin='{origin(first)}']")
    expect(row).to_contain_text("recognizes your photos")
    assert row.get_by_role("button", name="Stop").count() == 0
    row.get_by_role("button", name="Forget this site").click()
    row.wait_for(state="detached")
    second = open_picker({**ANY, "preselected": [before["identifier"]]})
    choose(second, site, "P20")
    [after] = picked(second)
    assert after["types"], "it was preselected"
    assert after["identifier"] != before["identifier"]
