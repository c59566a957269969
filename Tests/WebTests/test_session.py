"""Tests in which a browser signs in, and in which its session ends."""

import datetime
import json
import os
import pty
import re
import subprocess
from zoneinfo import ZoneInfo

import pytest
from conftest import A_MINUTE_LATER, FAILED, FIRST_PAGE, copy_library, end, fetched, new_context, new_link, program, sign_in, start_server, until, until_true, written
from playwright.sync_api import expect

PASSWORD = "a river in the night"


@pytest.fixture(scope="module")
def library(sample_library, tmp_path_factory):
    """A library with its own server, whose sessions and password the tests change."""
    library = tmp_path_factory.mktemp("sessions") / "Sessions.calotype"
    copy_library(sample_library, library)
    process, _ = start_server(library)
    yield library
    end(process)


@pytest.fixture
def new_browser(pages):
    """Makes pages, each in a browser of its own that has no cookies."""
    yield lambda: pages([])
    # A browser without a session gets answers such as 401, of which it tells.
    pages.expected.append(FAILED)


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


@pytest.fixture
def browser_of_the_person(tmp_path):
    """An environment whose browser only notes the addresses, and the file with them."""
    command, opened = tmp_path / "browser", tmp_path / "opened"
    command.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    command.chmod(0o755)
    return {**os.environ, "CALOTYPE_BROWSER": str(command)}, opened


def serve_at_a_terminal(library, environment, *options):
    """Starts a server whose output is a terminal. Returns it with the link that it printed."""
    terminal, output = pty.openpty()
    command = [program(), "--library", str(library), "serve", "--create", "--port", "0", *options]
    process = subprocess.Popen(command, stdout=output, env=environment)
    os.close(output)
    with open(terminal, encoding="utf-8") as lines:
        return process, written(process, lines, r"http://\S+/start#[\w-]+")


def test_u_01_serve_opens_its_link_in_the_browser(new_browser, browser_of_the_person, tmp_path):
    environment, opened = browser_of_the_person
    library = tmp_path / "Opened.calotype"
    quiet, _ = serve_at_a_terminal(library, environment, "--no-open")
    end(quiet)
    process, link = serve_at_a_terminal(library, environment)
    page = new_browser()
    until_true(page, lambda: opened.exists() and opened.read_text().endswith("\n"))
    # The server with --no-open has opened nothing.
    [file] = opened.read_text().split()
    assert "#" not in file, "other users can read the arguments of programs"
    assert (library / "open.html").stat().st_mode & 0o777 == 0o600
    page.goto(file)
    page.wait_for_url(link.partition("start#")[0])
    assert page.evaluate("fetch('/api/v1/library').then(({ status }) => status)") == 200
    page.goto("about:blank")
    end(process)
    assert not (library / "open.html").exists()


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


def test_u_01_a_used_link_leads_to_the_library_in_a_browser_that_is_signed_in(new_browser, library):
    page = new_browser()
    link = new_link(library)
    for _ in range(2):
        page.goto(link)
        page.wait_for_url(link.partition("start#")[0])
        until(page, FIRST_PAGE)
        page.goto("about:blank")


def test_u_01_a_refused_link_shows_the_command_and_no_way_that_does_not_exist(new_browser, library):
    page = new_browser()
    page.goto(address(library) + "start#used")
    expect(page.locator("#status code")).to_have_text("calotype open")
    expect(page.locator("main")).not_to_contain_text("`")
    expect(page.get_by_role("link", name="Sign in by password")).to_have_count(0)


def test_the_sessions_page_has_times_of_the_readers_zone(pages, library):
    page = pages(sign_in(new_link(library)), timezone_id="Asia/Kolkata")
    page.goto(address(library) + "sessions")
    [session] = [each for each in fetched(page, "/api/v1/sessions") if each["isCurrent"]]
    zone = ZoneInfo("Asia/Kolkata")
    since, seen = (datetime.datetime.fromisoformat(session[key]).astimezone(zone) for key in ("since", "lastSeen"))
    times = page.locator(".sessions li", has_text="This browser").locator("time")
    expect(times.first).to_have_text(f"{since.day} {since:%B %Y}")
    expect(times.last).to_have_text(f"{seen.day} {seen:%B %Y} at {seen:%H:%M}")


def test_a_browser_without_a_session_is_told_what_to_do(new_browser, library):
    page = new_browser()
    assert page.goto(address(library)).status == 401
    expect(page.locator("main")).to_contain_text("calotype open")


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
    page.locator(".sidebar-links [href='/sessions']").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    page.go_back()
    page.go_back()
    page.locator("h1", has_text="Sign in").wait_for()
    expect(page.locator("photo-grid")).to_have_count(0)
    assert not [c for c in page.context.cookies() if not c["name"].endswith("-device")]


def test_u_19_the_manifest_is_fetched_with_credentials(new_browser, library):
    """An installed app works behind a proxy that asks for a password, too."""
    page = new_browser()
    assert page.goto(address(library) + "manifest.json").status == 401
    enter(page, library)
    manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Calotype"


def says_that_nobody_is_there(asked):
    return "calotype-unattended" in asked.value.headers


def test_a_page_says_that_nobody_is_there_until_a_person_acts(new_browser, library):
    page = new_browser()
    enter(page, library)
    page.evaluate(A_MINUTE_LATER)
    make_album = [program(), "--library", str(library), "album", "create", "By another program"]
    with page.expect_request("**/days?*") as asked:
        subprocess.run(make_album, check=True, timeout=60)
    assert says_that_nobody_is_there(asked)
    with page.expect_request("**/api/v1/session") as asked:
        page.keyboard.press("Shift")
    assert asked.value.method == "HEAD", "pictures alone would not tell it"
    assert not says_that_nobody_is_there(asked)
    with page.expect_request("**/days?*") as asked:
        subprocess.run(make_album, check=True, timeout=60)
    assert not says_that_nobody_is_there(asked)


def test_u_07_ending_a_session_closes_its_page(new_browser, library):
    shown, other = new_browser(), new_browser()
    enter(shown, library)
    enter(other, library)
    other.goto(address(library) + "sessions")
    other.locator(".sessions li").nth(1).wait_for()
    # The page that was shown last is the first of the others.
    with shown.expect_navigation():
        other.get_by_role("button", name="End all other sessions").click()
    shown.locator("h1", has_text="Sign in").wait_for()
    # There is none to end any more.
    other.get_by_role("button", name="Sign out", exact=True).wait_for()
    expect(other.get_by_role("button", name="End all other sessions")).to_have_count(0)


def test_u_03_u_05_a_password_is_set_and_signs_in_without_scripts(browser, new_browser, library):
    page = new_browser()
    enter(page, library)
    page.goto(address(library) + "sessions")
    page.get_by_label("New password").fill("password")
    page.get_by_role("button", name="Set a password").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("^That password is easy to guess; .*[.]$"))
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Set a password").click()
    page.get_by_role("button", name="Change the password").wait_for()

    context = new_context(browser, java_script_enabled=False)
    plain = context.new_page()
    plain.goto(address(library))
    plain.get_by_label("Password").fill("wrong")
    plain.get_by_role("button", name="Sign in").click()
    expect(plain.get_by_role("alert")).to_contain_text("wrong")
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
