"""A load that a page cancels, in the server of a library."""

import pytest
from conftest import until, wait_for
from organizing import add_long_movie, encoders, own_site, until_nothing_is_encoded  # noqa: F401
from test_picker import arm, gallery  # noqa: F401
from test_picker_protocol import open_picker, picked  # noqa: F401


@pytest.fixture
def site(own_site):  # noqa: F811
    return own_site


def test_a_load_that_the_page_cancels_ends_the_work_of_the_server(site, open_picker, tmp_path):
    add_long_movie(site, tmp_path)
    opener = open_picker({"selectionLimit": 0, "representation": "compatible"})
    opener.picker.fill(".search", "Long")
    until(opener.picker, "document.querySelector('photo-grid').snapshot.total === 1")
    arm(opener.picker)
    opener.picker.locator(".cell[data-id]").first.click()
    [item] = picked(opener)
    opener.say({"type": "load", "request": 1, "item": item["item"], "kind": "main"})
    until_something_is_encoded(site)
    opener.say({"type": "cancel", "request": 1})
    assert opener.hears("error")["code"] == "cancelled"
    until_nothing_is_encoded(site)


def until_something_is_encoded(site):
    wait_for(lambda: encoders(site), "the server's encoding")
