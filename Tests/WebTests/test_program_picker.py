"""The picker of a Swift program: the example PickPhotos picks in a real browser."""

import os
import re
import signal
import socket
import struct
import subprocess
from pathlib import Path

import pytest
from apps import Owner
from conftest import CHROMIUM, FAILED, FIRST_PAGE, NO_OTHER_HOSTS, PATIENCE, Site, copy_library, new_context, new_link, program, server_socket, sign_in, until, until_equal, wait_for
from organizing import add_long_movie, encoders, own_site, until_nothing_is_encoded
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect
from test_picker import arm, cell

class PickPhotos:
    """The running example. A script replaces the browser and notes the pickers' addresses."""

    name = "PickPhotos"

    def __init__(self, library, folder, **variables):
        self.folder = folder
        self.seen = 0
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1" >> {folder}/addresses\n')
        browser.chmod(0o700)
        environment = {
            **os.environ, "CALOTYPE_LIBRARY": str(library), "CALOTYPE_AUTHORIZATION": "denied",
            "CALOTYPE_BROWSER": str(browser), **variables}
        environment = {name: value for name, value in environment.items() if value is not None}
        with open(folder / "output", "w") as output, open(folder / "errors", "w") as errors:
            self.process = subprocess.Popen(
                [str(Path(program()).parent / self.name)], env=environment, stdin=subprocess.PIPE, stdout=output,
                stderr=errors, text=True)

    @property
    def output(self):
        return (self.folder / "output").read_text()

    @property
    def errors(self):
        return (self.folder / "errors").read_text()

    def next_address(self):
        """Returns the address of the next picker that the program opens."""
        file = self.folder / "addresses"
        lines = wait_for(lambda: file.exists() and file.read_text().splitlines()[self.seen:], "the address of a picker")
        self.seen += 1
        return lines[0]

    def stop(self):
        """Ends the program before its end, if it runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(timeout=PATIENCE)

    def end(self):
        """Waits until the program has ended, and returns its output."""
        assert self.process.wait(timeout=PATIENCE) == 0
        return self.output


class Driver(PickPhotos):
    """A program that shows pickers and changes them as it is told."""

    name = "picker-driver"

    def tell(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()

    def lines(self, count):
        """Waits until the program has printed so many lines, and returns all."""
        wait_for(lambda: self.output.count("\n") >= count, f"{count} lines of the program")
        return self.output.splitlines()


@pytest.fixture
def start(tmp_path):
    """Starts a program, and ends it with the test."""
    started = []

    def make(kind, library, **variables):
        example = kind(library, tmp_path, **variables)
        started.append(example)
        return example

    yield make
    for example in started:
        example.stop()


@pytest.fixture
def pick_photos(start):
    return lambda library, **variables: start(PickPhotos, library, **variables)


@pytest.fixture
def drive(start):
    return lambda library, **variables: start(Driver, library, **variables)


@pytest.fixture
def signed_in(browser):
    """Returns an empty page in a browser that is signed in."""
    contexts = []

    def make(cookies):
        context = new_context(browser, init_script="")
        context.add_cookies(cookies)
        contexts.append(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def show(signed_in):
    """Opens the address of a picker in a browser that is signed in."""

    def make(address, cookies):
        page = signed_in(cookies)
        page.goto(address)
        until(page, FIRST_PAGE)
        return page

    return make


def leave(page, button):
    """Presses a button that ends the picker. Waits until the window closes or says that it can."""

    def is_over():
        try:
            return "You can close this window." in page.text_content(".message")
        except PlaywrightError:
            return page.is_closed()

    try:
        page.click(button)
    except PlaywrightError as error:
        # The window may be gone before the browser has answered the click.
        assert "has been closed" in str(error)
    wait_for(is_over, "the end of the picker")


def cancel(page):
    leave(page, ".cancel")


def test_r_26_a_program_without_access_gets_what_a_person_picks(site, pick_photos, show):
    example = pick_photos(site.library)
    page = show(example.next_address(), site.cookies)
    until(page, "document.querySelector('.asker').textContent.startsWith('PickPhotos')")
    until(page, "document.querySelector('photo-grid').snapshot.total === 37")
    arm(page)
    for name in ("P18", "P20"):
        cell(page, site, name).click()
    # The program dismisses the picker, which ends its window.
    leave(page, ".add")
    # The next picker begins with the photos of the last one selected, in their order.
    page = show(example.next_address(), site.cookies)
    until(page, "document.querySelector('.add').textContent === 'Add 2'")
    arm(page)
    page.locator(".cell").first.click()
    leave(page, ".add")
    cancel(show(example.next_address(), site.cookies))
    lines = example.end().splitlines()
    assert lines[0] == "images: 2 picked"
    assert [line.strip().partition(":")[0] for line in lines[1:3]] == ["P18", "P20"]
    assert lines[3] == "Live Photos and videos: 3 picked"
    # A canceled picker keeps what was preselected.
    assert lines[7] == "anything: 3 picked"
    assert lines[-1] == "access: never asked for"
    assert "refused" not in example.output


def test_r_30_a_server_that_is_killed_leaves_the_results_empty(fixture_library, tmp_path, pick_photos, show, complaints):
    complaints.expected.append(FAILED)
    library = tmp_path / "Fixture.calotype"
    copy_library(fixture_library, library)
    site = Site(library)
    example = pick_photos(library, PATH="/usr/bin:/bin")
    show(example.next_address(), site.cookies)
    site.process.kill()
    site.process.wait(timeout=PATIENCE)
    assert "images: 0 picked" in example.end()
    assert "The picker ended: the library's server has ended, or does not answer" in example.errors


def server_of(library):
    """Returns the process that listens for pickers of a library; None if none does."""
    with socket.socket(socket.AF_UNIX) as connection:
        place = server_socket(library, "picker")
        try:
            folder = os.open(place.parent, os.O_DIRECTORY)
        except FileNotFoundError:
            return None
        try:
            connection.connect(f"/proc/self/fd/{folder}/{place.name}")
        except OSError:
            return None
        finally:
            os.close(folder)
        return struct.unpack("iII", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]


def test_a_program_starts_a_server_for_its_picker(fixture_library, tmp_path, pick_photos, show, complaints):
    complaints.expected.append(FAILED)
    library = tmp_path / "Fixture.calotype"
    copy_library(fixture_library, library)
    example = pick_photos(library, CALOTYPE_PROGRAM=program())
    address = example.next_address()
    server = server_of(library)
    try:
        # It keeps nobody waiting who reads the output or the errors of the program to their end.
        streams = {os.path.realpath(f"/proc/{server}/fd/{number}") for number in os.listdir(f"/proc/{server}/fd")}
        assert not streams & {str(tmp_path / "output"), str(tmp_path / "errors")}
        cookies = sign_in(new_link(library))
        page = show(address, cookies)
        arm(page)
        page.locator(".cell").first.click()
        leave(page, ".add")
        cancel(show(example.next_address(), cookies))
        cancel(show(example.next_address(), cookies))
        assert "images: 1 picked" in example.end()
    finally:
        # It would end by itself after a minute.
        os.kill(server, signal.SIGTERM)


def test_a_server_that_can_not_start_says_why(fixture_library, tmp_path, pick_photos):
    library = tmp_path / "Fixture.calotype"
    copy_library(fixture_library, library)
    broken = tmp_path / "calotype"
    broken.write_text("#!/bin/sh\necho error: the disk is full >&2\nexit 1\n")
    broken.chmod(0o700)
    example = pick_photos(library, CALOTYPE_PROGRAM=str(broken))
    example.end()
    assert f"{broken} serve could not show pickers of {library}: error: the disk is full\n" in example.errors


# A driven picker: program, server and page.


def marks(page, site, *names):
    return [cell(page, site, name).locator(".mark").text_content() for name in names]


def has_marks(page, site, expected):
    """Waits until cells have these marks."""
    until_equal(page, lambda: marks(page, site, *expected), list(expected.values()))


def test_r_20_r_21_the_program_deselects_and_moves_what_the_page_shows(site, drive, show):
    driver = drive(site.library)
    driver.tell("show", "selection=ordered")
    page = show(driver.next_address(), site.cookies)
    arm(page)
    for name in ("P18", "P20", "P19"):
        cell(page, site, name).click()
    has_marks(page, site, {"P18": "1", "P20": "2", "P19": "3"})
    driver.tell("deselect", f"{site.identifier('P20')},unknown")
    has_marks(page, site, {"P18": "1", "P20": "", "P19": "2"})
    driver.tell("move", site.identifier("P19"))
    has_marks(page, site, {"P19": "1", "P18": "2"})
    driver.tell("move", site.identifier("P19"), site.identifier("P18"))
    has_marks(page, site, {"P18": "1", "P19": "2"})
    driver.tell("move", site.identifier("P20"), site.identifier("P18"))
    assert driver.output == ""
    page.click(".add")
    # The delegate is called once, with everything.
    assert driver.lines(1) == [f"picked {site.identifier('P18')},{site.identifier('P19')}"]
    driver.tell("dismiss")


def test_r_19_an_update_takes_effect_in_the_open_page(site, drive, show):
    driver = drive(site.library)
    driver.tell("show")
    page = show(driver.next_address(), site.cookies)
    arm(page)
    for name in ("P18", "P20", "P19"):
        cell(page, site, name).click()
    until(page, "document.querySelector('.add').textContent === 'Add 3'")
    driver.tell("update", "limit=2")
    until(page, "document.querySelector('.add').disabled")
    driver.tell("update", "limit=0", "search=P01")
    until(page, "document.querySelector('photo-grid').snapshot.total === 1")
    until(page, "!document.querySelector('.add').disabled")
    expect(page.locator(".search")).to_have_value("P01")
    expect(page.locator(".add")).to_have_text("Add 3")


def test_r_22_the_program_zooms_and_scrolls_the_page(site, drive, show):
    driver = drive(site.library)
    driver.tell("show")
    page = show(driver.next_address(), site.cookies)
    width = "document.querySelector('.cell').offsetWidth"
    before = page.evaluate(width)
    driver.tell("zoomIn")
    until(page, f"{width} > {before}")
    driver.tell("zoomOut")
    until(page, f"{width} === {before}")
    page.evaluate("document.querySelector('photo-grid').goTo(100000)")
    until(page, "document.querySelector('photo-grid').y > 0")
    driver.tell("scroll")
    until(page, "document.querySelector('photo-grid').y === 0")


def test_r_08_a_continuous_selection_is_told_at_each_change_and_loads_after_the_end(site, drive, show, tmp_path):
    driver = drive(site.library)
    driver.tell("show", "selection=continuous")
    page = show(driver.next_address(), site.cookies)
    arm(page)
    first, second = site.identifier("P18"), site.identifier("P20")
    cell(page, site, "P18").click()
    assert driver.lines(1) == [f"picked {first}"]
    cell(page, site, "P20").click()
    assert driver.lines(2)[1] == f"picked {first},{second}"
    cell(page, site, "P18").click()
    assert driver.lines(3)[2] == f"picked {second}"
    driver.tell("dismiss")
    wait_for(lambda: page.is_closed() or "You can close this window." in page.text_content(".message"), "the end of the picker")
    driver.tell("save", "0", str(tmp_path / "copy"))
    assert driver.lines(4)[3].startswith("saved public.")
    assert (tmp_path / "copy").stat().st_size > 1000


def test_r_30_a_window_that_goes_cancels_after_three_seconds(site, drive, show):
    driver = drive(site.library)
    driver.tell("show", f"preselected={site.identifier('P18')}")
    page = show(driver.next_address(), site.cookies)
    arm(page)
    cell(page, site, "P20").click()
    page.context.close()
    assert driver.lines(1) == [f"picked {site.identifier('P18')}"]
    assert "The picker ended" not in driver.errors


def test_r_31_without_a_browser_the_address_is_printed(site, drive, show):
    driver = drive(site.library, CALOTYPE_BROWSER=None, DISPLAY=None, WAYLAND_DISPLAY=None)
    driver.tell("show")
    text = "Pick photos in a browser at "
    line = wait_for(lambda: next((line for line in driver.errors.splitlines() if text in line), None), "the picker's address in the errors")
    page = show(line.partition(text)[2], site.cookies)
    cancel(page)
    assert driver.lines(1)[0].strip() == "picked"


def test_r_23_the_place_is_removed_if_the_program_wishes(own_site, drive, show, tmp_path):
    site = own_site  # the server of all tests refuses an eleventh picker in a minute
    driver = drive(site.library)
    tags = {}
    for number, wish in enumerate(("none", "location")):
        driver.tell("show", f"removes={wish}")
        page = show(driver.next_address(), site.cookies)
        page.fill(".search", "P01")
        until(page, "document.querySelector('photo-grid').snapshot.total === 1")
        arm(page)
        cell(page, site, "P01").click()
        page.click(".add")
        driver.lines(2 * number + 1)
        driver.tell("dismiss")
        driver.tell("save", "0", str(tmp_path / wish))
        assert driver.lines(2 * number + 2)[-1].startswith("saved")
        tags[wish] = subprocess.run(["exiftool", "-s", "-G1", str(tmp_path / wish)], capture_output=True, text=True).stdout
    assert "GPSLatitude" in tags["none"]
    assert "GPS" not in tags["location"]
    assert (tmp_path / "none").stat().st_size == (tmp_path / "location").stat().st_size


def test_r_24_the_persons_choice_of_the_place_wins(own_site, drive, show, tmp_path):
    site = own_site
    driver = drive(site.library)
    driver.tell("show")
    page = show(driver.next_address(), site.cookies)
    assert page.is_checked(".location")
    page.uncheck(".location")
    page.fill(".search", "P01")
    until(page, "document.querySelector('photo-grid').snapshot.total === 1")
    arm(page)
    cell(page, site, "P01").click()
    page.click(".add")
    driver.lines(1)
    driver.tell("save", "0", str(tmp_path / "copy"))
    assert driver.lines(2)[1].startswith("saved")
    tags = subprocess.run(["exiftool", "-s", "-G1", str(tmp_path / "copy")], capture_output=True, text=True).stdout
    assert "DateTimeOriginal" in tags
    assert "GPS" not in tags


def test_r_24_the_persons_choice_of_the_format_wins(own_site, drive, show, tmp_path):
    driver = drive(own_site.library)
    cases = [("current", "Most compatible", "public.mpeg-4"), ("compatible", "Current", "com.apple.quicktime-movie")]
    for number, (asked, chosen, type) in enumerate(cases):
        driver.tell("show", f"representation={asked}")
        page = show(driver.next_address(), own_site.cookies)
        expect(page.get_by_label("Format")).to_have_value(asked)
        page.get_by_label("Format").select_option(chosen)
        pick_by_name(driver, page, own_site, "H01", count=2 * number + 1)
        driver.tell("dismiss")
        driver.tell("save", "0", str(tmp_path / "copy"))
        assert driver.lines(2 * number + 2)[-1].startswith(f"saved {type} ")
    original = next(Path(own_site.library).glob("originals/**/H01.MOV"))
    assert (tmp_path / "copy").read_bytes() == original.read_bytes()


def pick_by_name(driver, page, site, *names, count=1):
    """Picks photos, and returns the lines that the program has printed then, which are so many."""
    arm(page)
    for name in names:
        page.fill(".search", name)
        until(page, "document.querySelector('photo-grid').snapshot.total === 1")
        # The result before had one photo, too.
        page.locator(f".cell[data-id='{site.id(name)}']").click()
    page.click(".add")
    return driver.lines(count)


def test_ni_04_the_progress_of_a_load_over_a_server_ends_complete(own_site, drive, show):
    driver = drive(own_site.library)
    driver.tell("show", "selection=ordered")
    pick_by_name(driver, show(driver.next_address(), own_site.cookies), own_site, "P07", "V01")
    driver.tell("dismiss")
    original = next(Path(own_site.library).glob("originals/**/V01.MOV"))
    photo = Owner(own_site).fetch(f"assets/{own_site.id('P07')}")
    size = f"{photo['pixelWidth']}x{photo['pixelHeight']}"
    end = "on the main thread: false, calls: 1, share: 1.0, grew: true"
    for result, kind, expected in ((0, "image", size), (1, "file", f"{original.stat().st_size} bytes")):
        driver.tell("load", str(result), kind)
        begin, outcome = driver.lines(3 + 2 * result)[1 + 2 * result:]
        assert re.fullmatch(r"loading [1-9]\d*", begin)  # 100, or bytes
        assert outcome == f"{expected}, {end}"


def test_ni_07_a_cancelled_load_ends_the_work_of_the_server(own_site, drive, show, tmp_path):
    add_long_movie(own_site, tmp_path)
    driver = drive(own_site.library)
    driver.tell("show", "representation=compatible")
    pick_by_name(driver, show(driver.next_address(), own_site.cookies), own_site, "Long")
    driver.tell("dismiss")
    driver.tell("load", "0", "file")
    wait_for(lambda: encoders(own_site), "the server's encoding")
    driver.tell("cancel")
    until_nothing_is_encoded(own_site)
    outcome = driver.lines(3)[2]
    assert re.fullmatch(r"canceled after \d+ ms, on the main thread: false, calls: 1, share: .*", outcome)
    driver.tell("load", "0", "file")
    assert re.fullmatch(r"\d+ bytes, on the main thread: false, calls: 1, share: 1.0, grew: true", driver.lines(5)[4])


def test_r_30_a_killed_browser_cancels(own_site, drive, browser):
    site = own_site
    own = browser.browser_type.launch(executable_path=CHROMIUM, args=["--no-sandbox", NO_OTHER_HOSTS])
    driver = drive(site.library)
    driver.tell("show", f"preselected={site.identifier('P18')}")
    context = new_context(own, init_script="")
    context.add_cookies(site.cookies)
    page = context.new_page()
    page.goto(driver.next_address())
    until(page, FIRST_PAGE)
    arm(page)
    cell(page, site, "P20").click()
    session = own.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    [main] = [process["id"] for process in processes if process["type"] == "browser"]
    os.kill(main, signal.SIGKILL)
    assert driver.lines(1) == [f"picked {site.identifier('P18')}"]
    assert "The picker ended" not in driver.errors


def test_b_01_the_owner_is_told_that_the_choice_decides_what_the_program_sees(own_site, drive, show):
    site = own_site
    driver = drive(site.library, CALOTYPE_AUTHORIZATION=f"limited:{site.identifier('P18')},{site.identifier('P19')}")
    driver.tell("limited")
    page = show(driver.next_address(), site.cookies)
    has_marks(page, site, {"P18": "✓", "P19": "✓", "P20": ""})
    assert page.text_content(".origin") == "Photos that picker-driver may see"
    assert "copies" not in page.text_content(".asker")
    # Nothing is handed over, so there is nothing to leave out of it.
    assert not page.is_visible(".options")
    arm(page)
    cell(page, site, "P20").click()
    cell(page, site, "P19").click()
    cell(page, site, "P17").click()
    page.click(".add")
    assert driver.lines(1) == [f"added {site.identifier('P20')},{site.identifier('P17')}, sees 3"]


def test_r_15_without_actions_the_windows_end_keeps_the_last_choice(own_site, drive, show):
    site = own_site  # a server opens ten pickers a minute
    driver = drive(site.library)
    driver.tell("show", "selection=continuous", "disabled=selectionActions")
    page = show(driver.next_address(), site.cookies)
    assert not page.is_visible(".add") and not page.is_visible(".cancel")
    arm(page)
    cell(page, site, "P18").click()
    line = f"picked {site.identifier('P18')}"
    assert driver.lines(1) == [line]
    page.context.close()
    assert driver.lines(2) == [line, line]


def test_t_23_another_user_can_not_connect(site):
    place = server_socket(site.library, "picker")
    assert place.stat().st_mode & 0o777 == 0o600
    assert place.parent.stat().st_mode & 0o777 == 0o700


# Connects to a socket in the folder of a descriptor, and asks for a picker.
CONNECT = """
import socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    try:
        connection.connect(f"/proc/self/fd/{sys.argv[1]}/{sys.argv[2]}")
        connection.sendall(b"POST /picker/v1/sessions HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 0\\r\\n\\r\\n")
        print("an answer" if connection.recv(1) else "closed")
    except PermissionError:
        print("not allowed")
    except ConnectionError:
        print("closed")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts programs of other users")
def test_t_23_a_program_of_another_user_is_refused(fixture_library, tmp_path, monkeypatch):
    # Servers of other tests would close their own folder again, as soon as they start.
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    library = tmp_path / "Fixture.calotype"
    copy_library(fixture_library, library)
    site = Site(library)
    server = tmp_path / "settings" / "calotype" / "servers" / server_socket(library, "picker").name
    folder = os.open(server.parent, os.O_DIRECTORY)

    def connect(user):
        return subprocess.run(
            ["/usr/bin/python3", "-c", CONNECT, str(folder), server.name], user=user, group=user, extra_groups=[],
            pass_fds=[folder], check=True, capture_output=True, text=True, cwd="/").stdout.strip()

    try:
        wait_for(server.exists, "the server's socket")
        assert connect(0) == "an answer"
        assert connect(65534) == "not allowed"
        # Neither the mode of the folder alone nor that of the socket keeps other users away.
        server.parent.chmod(0o711)
        assert connect(65534) == "not allowed"
        # The server looks at the user too, if the mode of the socket was changed.
        server.chmod(0o666)
        assert connect(65534) == "closed"
    finally:
        os.close(folder)
        site.stop()


# Changes what a program asks for. Server and program may refuse it before a page would.
ASKS_FOR = """(() => {
  const { fetch } = window;
  window.fetch = async (...request) => {
    const answer = await fetch(...request);
    if (!/[/]windows[/][^/]+$/.test(request[0])) return answer;
    const asked = await answer.json();
    %s;
    return Response.json(asked);
  };
})()"""


@pytest.mark.parametrize("change, reason, keeps", [
    ("asked.configuration.filter = 'unheard'", "unheard", True),
    ("asked.origin = 'http://192.0.2.1'", "its address is not encrypted", False)])
def test_a_picker_that_the_page_refuses_is_cancelled_at_once(own_site, drive, signed_in, change, reason, keeps):
    site = own_site  # a server opens ten pickers a minute
    driver = drive(site.library)
    driver.tell("show", f"preselected={site.identifier('P18')}")
    page = signed_in(site.cookies)
    page.add_init_script(ASKS_FOR % change)
    with page.expect_response("**/answer") as answered:
        page.goto(driver.next_address())
    assert answered.value.status == 204
    # As by Cancel, what was preselected stays. A page gets nothing without a person.
    assert driver.lines(1)[0].strip() == (f"picked {site.identifier('P18')}" if keeps else "picked")
    expect(page.locator(".message")).to_contain_text("This page can’t choose photos: ")
    expect(page.locator(".message")).to_contain_text(reason)
    assert not page.is_visible(".cancel")


def test_a_picker_that_has_ended_says_so(site, browser, complaints):
    complaints.expected.append(FAILED)
    context = new_context(browser, init_script="")
    context.add_cookies(site.cookies)
    page = context.new_page()
    page.goto(f"{site.address}picker#s=AAAAAAAAAAAAAAAAAAAAAA")
    until(page, "document.querySelector('.message').textContent.includes('This picker has ended.')")
    context.close()
