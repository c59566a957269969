"""Tests share browsers and servers without any traces of each other."""

import pytest
from apps import Owner
from organizing import undone_sites

KEPT = "[localStorage.length, sessionStorage.length, document.cookie]"


def test_a_browser_forgets_what_a_test_has_stored(site, contexts):
    page = contexts.page(site.cookies)
    page.goto(f"{site.address}favicon.svg")
    page.evaluate("localStorage.setItem('a', 1); sessionStorage.setItem('a', 1); document.cookie = 'a=1'")
    first = page.context
    contexts.give_back(first)
    page = contexts.page()
    assert page.context is first and first.pages == [page] and first.cookies() == []
    page.goto(f"{site.address}favicon.svg")
    assert page.evaluate(KEPT) == [0, 0, ""]
    other = contexts.page()
    assert other.context is not first, "no two tests have a browser at once"
    contexts.give_back(first, is_changed=True)
    contexts.give_back(other.context)
    assert contexts.page().context is other.context
    contexts.give_back(other.context)


@pytest.mark.parametrize("change", [
    {"type": "setAssets", "assets": ["P03"], "isFavorite": True}, {"type": "setAssets", "assets": ["P03"], "title": "A"},
    {"type": "deleteAssets", "assets": ["P03", "P04"]}, {"type": "createAlbum", "as": "$1", "title": "A"}], ids=lambda change: change["type"])
def test_a_change_is_undone(undone_sites, change):
    site = undone_sites.take()
    names = {"assets": [site.id(name) for name in change["assets"]]} if "assets" in change else {}
    Owner(site).change(**{**change, **names})
    undone_sites.undo()
    assert undone_sites.take() is site
    assert Owner(site).fetch(f"assets/{site.id('P03')}")["title"] is None


def test_a_site_with_a_lasting_change_is_replaced(undone_sites):
    site = undone_sites.take()
    site.calotype("access", "limit", "https://photos.example", site.identifier("P01"))
    undone_sites.undo()
    other = undone_sites.take()
    assert other is not site and site.process.poll() is not None
    other.stop()
    undone_sites.undo()
    assert undone_sites.take() is not other, "an ended server"
