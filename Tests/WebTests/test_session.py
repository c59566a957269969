"""Tests in which a browser signs in, and in which its session ends."""

import shutil
import subprocess

import pytest
from conftest import FIRST_PAGE, PATIENCE, new_link, program, start_server, until

PASSWORD = "a river in the night"


@pytest.fixture(scope="module")
def library(sample_library, tmp_path_factory):
    """A library with its own server, whose sessions and password the tests change."""
    library = tmp_path_factory.mktemp("sessions") / "Sessions.calotype"
    shutil.copytree(sample_library, library)
    process, _ = start_server(library)
    yield library
    process.terminate()
    process.wait(timeout=10)


@pytest.fixture
def new_browser(browser):
    """Makes pages, each in a browser of its own that has no cookies."""
    contexts = []

    def make():
        context = browser.new_context(locale="en-GB")
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


def enter(page, library):
    """Signs a browser in by a new link, and waits for the library."""
    link = new_link(library)
    page.goto(link)
    page.wait_for_url(link.partition("start#")[0])
    until(page, FIRST_PAGE)


def address(library):
    return new_link(library).partition("start#")[0]


def test_u_01_a_link_shows_the_library_and_leaves_nothing_behind(new_browser, library):
    page = new_browser()
    link = new_link(library)
    page.goto(link)
    page.wait_for_url(link.partition("start#")[0])
    until(page, FIRST_PAGE)
    page.reload()
    until(page, FIRST_PAGE)
    assert page.evaluate("document.cookie") == "", "no script sees it"
    page.go_back()
    assert "#" not in page.url


def test_u_01_a_second_browser_and_a_wrong_link_get_the_same_sentence(new_browser, library):
    link = new_link(library)
    first = new_browser()
    first.goto(link)
    first.wait_for_url(link.partition("start#")[0])
    sentences = []
    for used in (link, link[:-1] + ("A" if link[-1] != "A" else "B")):
        page = new_browser()
        page.goto(used)
        page.locator("#status", has_text="expired").wait_for()
        sentences.append(page.locator("#status").text_content())
        assert page.goto(link.partition("start#")[0]).status == 401
    assert sentences[0] == sentences[1]


def test_a_browser_without_a_session_is_told_what_to_do(new_browser, library):
    page = new_browser()
    assert page.goto(address(library)).status == 401
    assert "calotype open" in page.locator("main").text_content()


def test_u_06_the_cookie_is_secure_and_other_ports_get_none(new_browser, library):
    page = new_browser()
    enter(page, library)
    cookie = next(c for c in page.context.cookies() if not c["name"].endswith("-device"))
    assert cookie["name"].startswith("__Host-calotype")
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Strict")
    assert cookie["domain"] == "calotype.localhost"


def test_u_06_after_signing_out_back_shows_nothing(new_browser, library):
    page = new_browser()
    enter(page, library)
    page.locator(".sessions-link").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    page.go_back()
    page.go_back()
    page.locator("h1", has_text="Sign in").wait_for()
    assert page.locator("photo-grid").count() == 0
    assert not [c for c in page.context.cookies() if not c["name"].endswith("-device")]


def test_u_07_ending_a_session_closes_its_page_within_a_second(new_browser, library):
    shown, other = new_browser(), new_browser()
    enter(shown, library)
    enter(other, library)
    other.goto(address(library) + "sessions")
    assert other.locator(".sessions li").count() >= 2
    # The page that was shown last is the first of the others.
    with shown.expect_navigation(timeout=1500):
        other.get_by_role("button", name="End all other sessions").click()
    shown.locator("h1", has_text="Sign in").wait_for()


def test_u_03_u_05_a_password_is_set_and_signs_in_without_scripts(browser, new_browser, library):
    page = new_browser()
    enter(page, library)
    page.goto(address(library) + "sessions")
    page.get_by_label("New password").fill("password")
    page.get_by_role("button", name="Set a password").click()
    page.get_by_role("alert").wait_for()
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Set a password").click()
    page.get_by_role("button", name="Change the password").wait_for()

    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(address(library))
    plain.get_by_label("Password").fill("wrong")
    plain.get_by_role("button", name="Sign in").click()
    assert "wrong" in plain.get_by_role("alert").text_content()
    plain.get_by_label("Password").fill(PASSWORD)
    plain.get_by_role("button", name="Sign in").click()
    plain.wait_for_url(address(library))
    plain.goto(address(library) + "sessions")
    plain.get_by_role("button", name="Sign out").click()
    plain.wait_for_url("**/sign-in")
    context.close()
    subprocess.run([program(), "--library", str(library), "password", "reset"], check=True, timeout=60)


def test_u_08_another_port_of_localhost_changes_nothing(new_browser, library):
    """A form of a same-site page is refused, and its image shows nothing."""
    page = new_browser()
    enter(page, library)
    target = address(library).replace("calotype.localhost", "localhost")
    other = page.context.new_page()
    body = f'''<form method="post" action="{target}sign-out"><button>Go</button></form>'''
    other.route("http://localhost:1/", lambda route: route.fulfill(content_type="text/html", body=body))
    other.goto("http://localhost:1/")
    with other.expect_response(lambda response: response.url.endswith("/sign-out")) as refused:
        other.get_by_role("button").click()
    assert refused.value.status == 403
    page.reload()
    until(page, FIRST_PAGE)
