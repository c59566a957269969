"""Photos that are deleted or hidden while a page's picker is open, and servers that end."""

import http.client
import re
import subprocess
from urllib.parse import urlparse

import pytest
from apps import Owner
from conftest import FAILED, PATIENCE, program, until, wait_for
from organizing import own_site  # noqa: F401
from playwright.sync_api import expect
from test_picker import gallery  # noqa: F401
from test_picker_identifiers import PAGE, SCRIPT, ask, element, hand_over
from test_picker_protocol import choose, open_picker, picked  # noqa: F401


@pytest.fixture
def site(own_site):  # noqa: F811
    return own_site


def hide(site, name):
    Owner(site).change("setAssets", assets=[site.id(name)], isHidden=True)


def delete(site, name):
    Owner(site).change("deleteAssets", assets=[site.id(name)])


def with_address(site, open_picker):
    """Picks a photo. Returns the page, and the address that it has got."""
    opener = open_picker({"selectionLimit": 0})
    choose(opener, site, "P20")
    [item] = picked(opener)
    opener.say({"type": "address", "request": 1, "item": item["item"], "kind": "main"})
    address = opener.hears("addressed")["address"]
    return opener, address


def test_t_25_photos_that_are_deleted_or_hidden_before_add_are_not_given(site, open_picker):
    opener = open_picker({"selectionLimit": 0, "selection": "ordered"})
    choose(opener, site, "P20", "P19", "P18")
    hide(site, "P20")
    delete(site, "P18")
    opener.picker.click(".add")
    expect(opener.picker.locator(".message")).to_have_text("2 chosen items were deleted or hidden meanwhile.")
    expect(opener.picker.locator(".add")).to_have_text("Add 1")
    [item] = picked(opener)
    assert opener.file(item["item"])["type"] == "loaded"


@pytest.mark.parametrize("end", [hide, delete])
def test_t_25_a_photo_that_is_deleted_or_hidden_after_add_is_not_handed_over(site, open_picker, end):
    opener = open_picker({"selectionLimit": 0, "selection": "ordered"})
    choose(opener, site, "P20", "P19")
    first, second = picked(opener)
    end(site, "P20")
    answer = opener.file(first["item"])
    assert (answer["type"], answer["code"], answer["message"]) == ("error", "gone", "it was deleted or hidden")
    assert opener.file(second["item"], request=2)["type"] == "loaded"


def test_t_10_an_address_ends_with_its_photo(site, open_picker, complaints):
    complaints.expected += [FAILED, "Access to fetch"]
    opener, address = with_address(site, open_picker)
    load = "(address) => fetch(address).then(({ status }) => status, () => 'refused')"
    assert opener.page.evaluate(load, address) == 200
    delete(site, "P20")
    assert opener.page.evaluate(load, address) == "refused"


def test_t_10_a_page_that_closes_the_picker_may_end_its_addresses(site, open_picker, complaints):
    complaints.expected += [FAILED, "Access to fetch"]
    opener, address = with_address(site, open_picker)
    opener.say({"type": "close", "revoke": True})
    until(opener.page, f"fetch({address!r}).then(() => false, () => true)")


def test_t_10_an_address_ends_with_its_server(site):
    path = hand_over(site, PAGE)
    assert ask(site, path, fields=SCRIPT)[0].status == 200
    site.stop()
    site.start_again()
    ended, body = ask(site, path, fields=SCRIPT)
    never, same = ask(site, f"/picked/{'A' * 43}/Fjord.jpg", fields=SCRIPT)
    assert (ended.status, body) == (never.status, same) == (404, body)


def test_t_11_the_output_of_a_server_contains_no_address(site, tmp_path):
    output = tmp_path / "output"
    port = re.search(r":(\d+)/", site.address)[1]
    site.stop()
    with output.open("wb") as file:
        command = [program(), "--library", site.library, "serve", "--port", port]
        site.process = subprocess.Popen(command, stdout=file, stderr=file)
    wait_for(lambda: "/start#" in output.read_text(), "the link of the server")
    path = hand_over(site, PAGE, content=b"x" * 1_000_000)
    secret = path.split("/")[2]
    requests = [
        ("GET", path, SCRIPT, 200), ("GET", path, {}, 403), ("GET", path, {**SCRIPT, "Range": "bytes=1000000-"}, 416),
        ("HEAD", path, element("image"), 200), ("PUT", path, SCRIPT, 405), ("GET", f"/picked/{secret}", SCRIPT, 404)]
    for method, asked, fields, status in requests:
        assert ask(site, asked, method, fields)[0].status == status
    hang_up(site, path)
    site.stop()
    assert secret not in output.read_text()


def hang_up(site, path):
    """Asks for a file, and closes the connection when the answer has begun."""
    connection = http.client.HTTPConnection(urlparse(Owner(site).address).netloc, timeout=PATIENCE)
    connection.request("GET", path, headers=SCRIPT)
    connection.getresponse().read(100)
    connection.close()
