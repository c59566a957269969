"""Identifiers of assets that a page keeps, and addresses from which it loads copies."""

from conftest import FAILED, until, until_equal
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
