"""Tests share browsers without any traces of each other."""

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
