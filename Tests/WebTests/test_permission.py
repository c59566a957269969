"""Permission: requests of programs, and what each of them may see. Scenarios A and B."""

import json
import os
import plistlib
import pty
import select
import shutil
import subprocess
import threading
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from apps import Owner
from conftest import FAILED, PATIENCE, STOPPED_CLOCK, on_desk_and_phone, open_guard, program, until, until_equal
from made_up import MadeUpLibrary
from organizing import own_page, own_site, until_toast
from playwright.sync_api import expect

ORIGIN = "https://slides.example"
CARD = ".access-card:not([hidden])"


class Client:
    """A page of another origin, or a program, which asks for access over HTTP."""

    def __init__(self, site, origin=ORIGIN):
        self.address = site.address.replace("calotype.localhost", "127.0.0.1")
        self.origin = origin
        self.request = self.secret = self.token = None

    def fetch(self, path, body=None, bearer=None):
        headers = {"Origin": self.origin} if self.origin else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if bearer or self.token:
            headers["Authorization"] = f"Bearer {bearer or self.token}"
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"{self.address}api/v1/{path}", data, headers), timeout=PATIENCE) as answer:
            return json.loads(answer.read() or b"null")

    def ask(self, level="readWrite", name="Slideshow", why="To show your photos in the living room."):
        answer = self.fetch("access/requests", {"name": name, "level": level, "usageDescription": why})
        self.request, self.secret = answer["request"], answer["secret"]

    def poll(self):
        answer = self.fetch(f"access/requests/{self.request}", bearer=self.secret)
        self.token = answer.get("token", self.token)
        return answer["status"]

    def total(self):
        return self.fetch("collections/userLibrary/days?order=newest")["total"]


@pytest.fixture
def page(own_page):
    return own_page()


def press(page, name):
    """Presses a button of a card, once its guard is open."""
    card = page.locator(CARD)
    card.wait_for()
    card.hover()
    open_guard(page)
    page.mouse.move(5, 300)
    card.get_by_role("button", name=name).click()


def test_a_01_reading_the_status_shows_the_owner_nothing(own_site, page):
    silent, asking = Client(own_site, "https://silent.example"), Client(own_site)
    assert silent.fetch("access/status") == {"readWrite": "notDetermined", "addOnly": "notDetermined"}
    assert silent.total() == 0
    asking.ask()  # a card of the first client would be shown before this one
    page.locator(CARD).wait_for()
    expect(page.locator(".access-card")).to_have_count(1)
    expect(page.locator(CARD)).to_contain_text(ORIGIN)


def test_a_02_a_request_appears_in_an_open_page_with_three_answers(own_site, page):
    client = Client(own_site)
    client.ask()
    card = page.locator(CARD)
    card.wait_for()
    for text in ("Slideshow wants to see your photos", ORIGIN, "To show your photos in the living room."):
        expect(card).to_contain_text(text)
    expect(card.locator(".answers button")).to_have_text(["Allow full access", "Select photos…", "Don’t allow"])
    card.get_by_role("button", name="Don’t allow").focus()
    page.keyboard.press("Escape")
    until(page, f"document.querySelector('{CARD}') === null")
    expect(page.get_by_role("button", name="1 request waiting")).to_be_visible()
    assert client.poll() == "waiting"


def gallery(site, folder, **streams):
    """Starts a program that asks for access."""
    asker = folder / "AskForAccess"
    shutil.copy(Path(program()).parent / "AskForAccess", asker)
    why = {"CFBundleIdentifier": "com.example.Gallery", "CFBundleName": "Gallery", "NSPhotoLibraryUsageDescription": "Shows them."}
    (folder / "Info.plist").write_bytes(plistlib.dumps(why))
    environment = {**os.environ, "CALOTYPE_LIBRARY": str(site.library)}
    environment.pop("CALOTYPE_AUTHORIZATION", None)
    return subprocess.Popen([asker], env=environment, stdout=subprocess.PIPE, text=True, **streams)


def test_a_02_a_program_asks_in_an_open_page_and_gets_the_answer(own_site, page, tmp_path):
    asking = gallery(own_site, tmp_path, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    page.locator(CARD).wait_for()
    assert "Gallery wants to see your photos" in page.locator(CARD).inner_text()
    press(page, "Allow full access")
    output, _ = asking.communicate(timeout=60)
    assert "before: not determined\nafter: authorized\nsees 49 assets\n" in output


class Terminal:
    """The person's end of a program's terminal."""

    def __init__(self):
        self.own, self.programs = pty.openpty()
        self.shown = ""

    def until(self, text):
        while text not in self.shown:
            assert select.select([self.own], [], [], PATIENCE)[0], f"expected {text!r}, but {self.shown!r} is shown"
            self.shown += os.read(self.own, 4096).decode()


@pytest.fixture
def terminal():
    terminal = Terminal()
    yield terminal
    os.close(terminal.own)
    os.close(terminal.programs)


def test_a_02_the_page_answers_while_a_program_asks_at_its_terminal(own_site, page, tmp_path, terminal):
    asking = gallery(own_site, tmp_path, stdin=terminal.programs, stderr=terminal.programs)
    terminal.until("Allow it?")
    press(page, "Allow full access")
    terminal.until("The owner has decided elsewhere.")
    output, _ = asking.communicate(timeout=60)
    assert "after: authorized\nsees 49 assets\n" in output


def test_a_02_an_answer_at_the_terminal_removes_the_request_from_the_page(own_site, page, tmp_path, terminal):
    asking = gallery(own_site, tmp_path, stdin=terminal.programs, stderr=terminal.programs)
    terminal.until("Allow it?")
    page.locator(CARD).wait_for()
    os.write(terminal.own, b"no\n")
    until(page, f"document.querySelector('{CARD}') === null")
    output, _ = asking.communicate(timeout=60)
    assert "after: denied\n" in output


def test_a_03_full_access(own_site, page):
    client = Client(own_site)
    client.ask()
    press(page, "Allow full access")
    until(page, f"document.querySelector('{CARD}') === null")
    until_equal(page, client.poll, "authorized")
    assert client.total() == 49


def test_a_13_a_tap_answers_once_the_card_has_been_there_for_a_while(own_site, own_page):
    page = own_page(width=390, height=844, has_touch=True)
    page.evaluate(STOPPED_CLOCK)
    client = Client(own_site)
    client.ask()
    card = page.locator(CARD)
    card.wait_for()
    button = card.get_by_role("button", name="Don’t allow")
    button.tap()
    assert client.poll() == "waiting"
    page.evaluate("window.clock += 850")  # the guard's own time
    button.tap()
    until(page, f"document.querySelector('{CARD}') === null")
    until_equal(page, client.poll, "denied")


@on_desk_and_phone
def test_a_04_selected_photos(own_site, own_page, size):
    page = own_page(**size)
    client = Client(own_site)
    client.ask()
    press(page, "Select photos…")
    chooser = page.locator("dialog.chooser")
    for name in ("P20", "P19"):
        chooser.locator(f".cell[data-id='{own_site.id(name)}']").scroll_into_view_if_needed()
        chooser.locator(f".cell[data-id='{own_site.id(name)}']").click()
    until(page, "document.querySelector('.chooser [role=status]').textContent === '2 photos chosen'")
    chooser.get_by_role("button", name="Done").click()
    until(page, f"document.querySelector('{CARD}') === null")
    until_equal(page, client.poll, "limited")
    assert client.total() == 2


def test_a_05_nothing_selected(own_site, page):
    client = Client(own_site)
    client.ask()
    press(page, "Select photos…")
    page.locator("dialog.chooser").get_by_role("button", name="Done").click()
    until(page, f"document.querySelector('{CARD}') === null")
    until_equal(page, client.poll, "limited")
    assert client.total() == 0


def test_a_06_no_access(own_site, page):
    client = Client(own_site)
    client.ask()
    press(page, "Don’t allow")
    until(page, f"document.querySelector('{CARD}') === null")
    until_equal(page, client.poll, "denied")


def test_a_08_a_request_to_add_only_has_two_answers(own_site, page):
    client = Client(own_site)
    client.ask(level="addOnly")
    card = page.locator(CARD)
    card.wait_for()
    expect(card.locator(".answers button")).to_have_text(["Allow adding", "Don’t allow"])
    expect(card).to_contain_text("Asks to add photos only")


def test_a_09_the_levels_are_independent(own_site, page):
    client = Client(own_site)
    client.ask(level="addOnly")
    press(page, "Allow adding")
    until(page, f"document.querySelector('{CARD}') === null")
    client.poll()
    assert client.fetch("access/status") == {"readWrite": "notDetermined", "addOnly": "authorized"}
    page.goto(own_site.address + "access")
    page.locator(".client select").select_option("authorized")
    until_toast(page, "Access of Slideshow changed")
    assert client.fetch("access/status") == {"readWrite": "authorized", "addOnly": "authorized"}


def refused(client, path, body):
    """Sends a request that the server refuses. Returns the answer's status, headers and JSON."""
    with pytest.raises(HTTPError) as refusal:
        client.fetch(path, body)
    return refusal.value.code, refusal.value.headers, json.loads(refusal.value.read())


def test_a_10_a_request_without_a_usage_description_does_not_reach_the_owner(own_site, page):
    hasty, asking = Client(own_site, "https://hasty.example"), Client(own_site)
    code, _, problem = refused(hasty, "access/requests", {"name": "Hasty", "level": "readWrite"})
    assert code == 422
    assert "usageDescription" in problem["detail"]
    asking.ask()  # a card of the first client would be shown before this one
    page.locator(CARD).wait_for()
    expect(page.locator(".access-card")).to_have_count(1)
    expect(page.locator(CARD)).to_contain_text(ORIGIN)


def test_a_02_the_owner_is_told_that_a_program_of_this_name_has_access(own_site, page):
    known, other = Client(own_site, origin=None), Client(own_site, origin=None)
    known.ask(name="Frame")
    press(page, "Allow full access")
    until(page, f"document.querySelector('{CARD}') === null")
    until_equal(page, known.poll, "authorized")
    other.ask(name="Frame")
    card = page.locator(CARD)
    card.wait_for()
    expect(card).to_contain_text("Another “Frame” has access already. If you allow this one, it is called “Frame 2”.")
    press(page, "Allow full access")
    until(page, f"document.querySelector('{CARD}') === null")
    until_equal(page, other.poll, "authorized")
    page.goto(f"{own_site.address}access")
    expect(page.locator(".client h2")).to_have_text(["Frame", "Frame 2"])


def test_a_11_two_pages_show_a_request_and_one_answers_it(own_site, page, own_page):
    other = own_page()
    Client(own_site).ask()
    other.locator(CARD).wait_for()
    press(page, "Don’t allow")
    until(other, f"document.querySelector('{CARD}') === null")


def test_a_13_only_the_card_whose_cross_was_pressed_is_put_aside(own_site, page):
    for name in ("Slideshow", "Frame"):
        Client(own_site, f"https://{name.lower()}.example").ask(name=name)
        page.locator(CARD, has_text=f"{name} wants to see your photos").wait_for()
    page.locator(CARD, has_text="Slideshow wants").get_by_role("button", name="Later").click()
    expect(page.get_by_role("button", name="1 request waiting")).to_be_visible()
    expect(page.locator(CARD)).to_have_count(1)
    expect(page.locator(CARD)).to_contain_text("Frame wants to see your photos")


def test_a_02_a_request_that_was_put_aside_stays_aside_after_a_reload(own_site, page):
    for name in ("Slideshow", "Frame"):
        Client(own_site, f"https://{name.lower()}.example").ask(name=name)
        page.locator(CARD, has_text=f"{name} wants to see your photos").wait_for()
    page.locator(CARD, has_text="Slideshow wants").get_by_role("button", name="Later").click()
    page.reload()
    page.locator(CARD, has_text="Frame wants").wait_for()
    page.get_by_role("button", name="1 request waiting").click()
    page.locator(CARD, has_text="Slideshow wants").wait_for()


def test_a_13_a_hasty_press_answers_nothing(own_site, page):
    page.evaluate(STOPPED_CLOCK)
    client = Client(own_site)
    client.ask()
    page.locator(CARD).wait_for()
    page.locator(CARD).get_by_role("button", name="Allow full access").click()
    expect(page.locator(CARD)).to_be_visible()
    assert client.poll() == "waiting"


def test_a_13_a_card_that_moves_under_the_pointer_answers_nothing(own_site, page):
    page.evaluate(STOPPED_CLOCK)
    first, second = Client(own_site, "https://slideshow.example"), Client(own_site, "https://frame.example")
    for client, name in ((first, "Slideshow"), (second, "Frame")):
        client.ask(name=name)
        page.locator(CARD, has_text=f"{name} wants to see your photos").wait_for()
    page.locator(CARD).first.hover()
    page.evaluate("window.clock += 900")
    # The second card moves to the first one's place when the first one is answered elsewhere.
    Owner(own_site).fetch(f"access/requests/{first.request}/answer", {"answer": "denied"})
    expect(page.locator(CARD)).to_have_count(1)
    page.locator(CARD).get_by_role("button", name="Allow full access").click()
    assert second.poll() == "waiting"
    page.evaluate("window.clock += 900")
    page.locator(CARD).get_by_role("button", name="Allow full access").click()
    until_equal(page, second.poll, "authorized")


def test_a_13_a_press_that_began_too_early_answers_nothing_however_late_it_ends(own_site, page):
    page.evaluate(STOPPED_CLOCK)
    client = Client(own_site)
    client.ask()
    page.locator(CARD).get_by_role("button", name="Allow full access").hover()
    page.mouse.down()
    page.evaluate("window.clock += 2000")
    page.mouse.up()
    expect(page.locator(CARD)).to_be_visible()
    assert client.poll() == "waiting"
    page.locator(CARD).get_by_role("button", name="Allow full access").click()
    until_equal(page, client.poll, "authorized")


def test_a_13_the_card_below_one_whose_photos_are_chosen_is_guarded(own_site, page):
    page.evaluate(STOPPED_CLOCK)
    first, second = Client(own_site, "https://slideshow.example"), Client(own_site, "https://frame.example")
    for client, name in ((first, "Slideshow"), (second, "Frame")):
        client.ask(name=name)
        page.locator(CARD, has_text=f"{name} wants to see your photos").wait_for()
    held = []
    page.route("**/elements/choose-photos.js", lambda route: held.append(route))
    page.evaluate("window.clock += 900")
    page.locator(CARD, has_text="Slideshow wants").get_by_role("button", name="Select photos…").click()
    expect(page.locator(CARD)).to_have_count(1)
    page.locator(CARD).get_by_role("button", name="Allow full access").click()
    assert second.poll() == "waiting"
    until_equal(page, lambda: len(held), 1)
    held[0].continue_()
    page.locator(".chooser .cell[data-id]").first.wait_for()


def test_a_double_click_answers_once(own_site, page):
    client = Client(own_site)
    client.ask()
    held = []
    page.route("**/access/requests/*/answer", lambda route: held.append(route))
    press(page, "Allow full access")
    page.locator(CARD).get_by_role("button", name="Allow full access").click()
    until_equal(page, lambda: len(held), 1)
    held[0].continue_()
    until_toast(page, "Slideshow has full access")
    assert len(held) == 1
    until_equal(page, client.poll, "authorized")


def test_a_04_done_keeps_the_dialog_if_a_chosen_day_can_not_be_loaded(own_site, page, pages):
    pages.expected.append(FAILED)  # the browser writes the failed requests to its console
    MadeUpLibrary(2_000, each=1_000).serve(page)
    client = Client(own_site)
    client.ask()
    press(page, "Select photos…")
    chooser = page.locator("dialog.chooser")
    circle = chooser.locator(".day-name[data-day='0'] .day-circle")
    circle.wait_for()
    held = []
    page.route("**/collections/userLibrary/assets*limit=500*", lambda route: held.append(route))
    circle.click()
    until_equal(page, lambda: len(held), 1)
    chooser.get_by_role("button", name="Done").click()
    held[0].abort()
    expect(chooser.locator(".message")).to_contain_text("not answer")
    expect(chooser).to_be_visible()
    assert client.poll() == "waiting"
    chooser.get_by_role("button", name="Cancel").click()
    page.locator(CARD).wait_for()


def test_a_02_a_request_can_be_answered_while_a_dialog_is_open(own_site, page):
    page.keyboard.press("?")
    page.locator("dialog.keys").wait_for()
    client = Client(own_site)
    client.ask()
    page.locator(f"dialog.keys {CARD}").wait_for()
    page.keyboard.press("F6")
    expect(page.locator(CARD)).to_be_focused()
    page.locator(CARD).get_by_role("button", name="Later").focus()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="1 request waiting")).to_be_visible()
    expect(page.locator("dialog.keys")).to_be_visible()
    page.get_by_role("button", name="1 request waiting").click()
    press(page, "Don’t allow")
    until_equal(page, client.poll, "denied")
    page.locator("dialog.keys").get_by_role("button", name="Close").focus()
    page.keyboard.press("Escape")
    page.locator("dialog.keys").wait_for(state="detached")
    Client(own_site, "https://other.example").ask(name="Frame")
    page.locator(f"body > access-requests {CARD}").wait_for()


def test_a_11_the_dialog_of_a_request_closes_when_another_page_answers(own_site, page):
    client = Client(own_site)
    client.ask()
    press(page, "Select photos…")
    page.locator(".chooser .cell[data-id]").first.wait_for()
    Owner(own_site).fetch(f"access/requests/{client.request}/answer", {"answer": "denied"})
    page.locator(".chooser").wait_for(state="detached")
    until_toast(page, "This request has ended: it was answered elsewhere, or the program has stopped asking.")


def test_a_request_that_has_ended_says_so(own_site, page, pages):
    pages.expected.append(FAILED)  # the browser writes the refusal to its console
    problem = {"type": "urn:calotype:problem:not-found", "detail": "There is no request abc."}
    page.route("**/access/requests/*/answer", lambda route: route.fulfill(status=404, content_type="application/problem+json", json=problem))
    Client(own_site).ask()
    press(page, "Allow full access")
    until_toast(page, "The program has stopped asking.")


@pytest.mark.parametrize(("answer", "text"), [("Allow full access", "Slideshow has full access"), ("Don’t allow", "Slideshow has no access")])
def test_an_answer_is_confirmed_and_leads_to_the_access_page(own_site, page, answer, text):
    Client(own_site).ask()
    press(page, answer)
    until_toast(page, text)
    page.locator(".toast").get_by_role("button", name="Access").click()
    page.locator(".client").wait_for()


def test_a_02_on_a_phone_many_requests_can_be_scrolled(own_site, own_page):
    page = own_page(width=390, height=844, has_touch=True)
    for number in range(4):
        Client(own_site, f"https://{number}.example").ask(name=f"Frame {number}", why="To show them. " * 20)
        page.locator(CARD, has_text=f"Frame {number} wants").wait_for()
    assert page.locator(CARD).first.bounding_box()["y"] >= 0
    answer = page.locator(CARD).last.get_by_role("button", name="Don’t allow")
    answer.scroll_into_view_if_needed()
    assert answer.bounding_box()["y"] + answer.bounding_box()["height"] <= 844


def test_a_14_a_hostile_description_is_text(own_site, page):
    client = Client(own_site)
    client.ask(name="<i>Slides</i>", why="<img src=x onerror=alert(1)>\u202e" + "x" * 280)
    card = page.locator(CARD)
    card.wait_for()
    expect(card).to_contain_text("<img src=x onerror=alert(1)>")
    assert card.locator("img, i").count() == 0
    assert "\u202e" not in card.inner_text()


def test_a_17_one_of_ten_requests_in_a_minute_is_shown(own_site, page):
    client, other = Client(own_site), Client(own_site, "https://other.example")
    client.ask()
    for _ in range(9):
        code, headers, _ = refused(client, "access/requests", {"name": "Slideshow", "level": "readWrite", "usageDescription": "To show them."})
        assert code == 429
        assert int(headers["Retry-After"]) > 0
    other.ask(name="Frame")  # its card would come after those of the refused requests
    page.locator(CARD, has_text="Frame wants").wait_for()
    expect(page.locator(".access-card")).to_have_count(2)


def allowed(site, page):
    client = Client(site)
    client.ask()
    press(page, "Allow full access")
    until(page, f"document.querySelector('{CARD}') === null")
    until_equal(page, client.poll, "authorized")
    page.goto(site.address + "access")
    page.locator(".client").wait_for()
    return client


def test_a_12_access_is_taken_back_on_the_access_page(own_site, page):
    client = allowed(own_site, page)
    page.locator(".client select").select_option("denied")
    until_toast(page, "Access of Slideshow changed")
    assert client.fetch("access/status")["readWrite"] == "denied"


def test_a_07_a_client_is_blocked_on_the_access_page(own_site, page):
    client = allowed(own_site, page)
    page.locator(".client select").select_option("restricted")
    until_toast(page, "Access of Slideshow changed")
    assert client.fetch("access/status") == {"readWrite": "restricted", "addOnly": "restricted"}
    assert client.total() == 0
    code, _, problem = refused(client, "changes", {"changes": [{"type": "createAlbum", "as": "$1", "title": "Mine"}]})
    assert (code, problem["type"], problem["phPhotosErrorCode"]) == (403, "urn:calotype:problem:access-restricted", 3310)


def test_b_01_the_selection_of_a_client_is_changed_on_the_access_page(own_site, page):
    client = allowed(own_site, page)
    page.locator(".client select").select_option("limited")
    chooser = page.locator("dialog.chooser")
    chooser.locator(".cell[data-id]").first.click()
    chooser.get_by_role("button", name="Done").click()
    until_toast(page, "Access of Slideshow changed")
    until(page, "document.querySelector('.client select').selectedOptions[0].textContent === '1 selected photo'")
    assert client.total() == 1


def test_b_01_the_access_page_shows_that_a_client_asks_for_another_selection(own_site, page):
    client = allowed(own_site, page)
    page.locator(".client select").select_option("limited")
    chooser = page.locator("dialog.chooser")
    chooser.locator(".cell[data-id]").first.click()
    chooser.get_by_role("button", name="Done").click()
    until_toast(page, "Access of Slideshow changed")
    client.fetch("access/selection/request", {})
    wish = page.locator(".client .wish")
    wish.wait_for()
    expect(wish).to_contain_text("It asks which of your photos it may see.")
    wish.get_by_role("button", name="Select photos…").click()
    chooser.locator(".cell[data-id]").nth(1).click()
    chooser.get_by_role("button", name="Done").click()
    wish.wait_for(state="detached")
    assert client.total() == 2


def test_j_05_a_deletion_by_a_client_waits_for_the_owner(own_site, page):
    client = allowed(own_site, page)
    page.goto(own_site.address)
    asset = own_site.id("P03")
    refusal = []

    def delete():
        try:
            client.fetch("changes", {"changes": [{"type": "deleteAssets", "assets": [asset]}]})
        except HTTPError as error:
            refusal.append(json.loads(error.read())["phPhotosErrorCode"])

    asking = threading.Thread(target=delete)
    asking.start()
    card = page.locator(CARD)
    card.wait_for()
    expect(card).to_contain_text("Slideshow wants to delete 1 item")
    expect(card.locator(".thumbnails img")).to_have_count(1)
    press(page, "Don’t delete")
    asking.join(timeout=PATIENCE)
    assert refusal == [3072]
    assert client.total() == 49
    until(page, f"document.querySelector('{CARD}') === null")
    asking = threading.Thread(target=delete)
    asking.start()
    press(page, "Delete 1 item")
    asking.join(timeout=PATIENCE)
    assert refusal == [3072]
    assert client.total() == 48


def test_a_02_a_request_appears_in_a_page_without_photos_which_is_no_view_of_the_bar(own_site, own_page):
    page = own_page(width=390, height=844)
    current = "document.querySelector('.bottom-bar [aria-current]')?.dataset.view ?? null"
    until_equal(page, current, "photos")
    page.goto(own_site.address + "access")
    page.locator("access-page h1").wait_for()
    until_equal(page, current, None)
    Client(own_site).ask()
    page.locator(CARD).wait_for()


def test_view_as_shows_what_a_client_sees(own_site, page):
    client = allowed(own_site, page)
    page.locator(".client select").select_option("limited")
    chooser = page.locator("dialog.chooser")
    chooser.locator(".cell[data-id]").first.click()
    chooser.get_by_role("button", name="Done").click()
    until_toast(page, "Access of Slideshow changed")
    page.get_by_role("button", name="View as").click()
    page.locator(".eyes").wait_for()
    until(page, "document.querySelector('photo-grid').snapshot.total === 1")
    expect(page.locator(".eyes")).to_contain_text("You see what Slideshow sees.")
    until(page, "document.querySelector('photo-grid').snapshot.pages.at(0) !== undefined")
    shown = page.evaluate("document.querySelector('photo-grid').snapshot.pages.at(0).id")
    other = next(name for name in ("P01", "P02") if own_site.id(name) != shown)
    page.locator("search-box input").fill(other)
    until(page, "document.querySelector('photo-grid').snapshot.total === 0")
    page.locator(".eyes button").click()
    page.locator(".client").wait_for()
    assert client.total() == 1


def test_b_03_a_viewer_of_a_photo_that_is_taken_away_shows_it_no_more(own_site, own_page):
    own_site.calotype("access", "limit", ORIGIN, own_site.identifier("P01"), own_site.identifier("P03"))
    owner = own_page("access", is_waiting=False)
    owner.locator(".client").wait_for()
    owner.get_by_role("button", name="View as").click()
    owner.locator(".eyes").wait_for()
    owner.locator(f"photo-grid .cell[data-id='{own_site.id('P01')}'] .open").click()
    owner.locator("asset-viewer:not([hidden])").wait_for()
    own_site.calotype("access", "limit", ORIGIN, own_site.identifier("P03"))
    until(owner, "document.querySelector('photo-grid').snapshot.total === 1")
    until_equal(owner, "document.querySelector('asset-viewer').asset?.id", own_site.id("P03"))
    own_site.calotype("access", "revoke", ORIGIN)
    owner.locator("asset-viewer:not([hidden])").wait_for(state="detached")
    expect(owner.get_by_text("slides.example sees no photos")).to_be_visible()


def test_a_client_that_is_forgotten_is_gone_from_a_search_too(own_site, own_page, pages):
    pages.expected.append(FAILED)  # the browser writes the refused requests to its console
    own_site.calotype("access", "limit", ORIGIN, own_site.identifier("P01"))
    owner = own_page("access", is_waiting=False)
    owner.locator(".client").wait_for()
    owner.get_by_role("button", name="View as").click()
    owner.locator(".eyes").wait_for()
    owner.locator("search-box input").fill("P01")
    until(owner, "document.querySelector('photo-grid').snapshot?.total === 1")
    own_site.calotype("access", "revoke", "--forget", ORIGIN)
    expect(owner.get_by_text("slides.example has no access any more")).to_be_visible()


def test_u_13_a_key_shows_its_last_use_and_is_revoked_after_a_question(own_site, own_page):
    key = own_site.calotype("access", "token", "Backup", "--level", "readWrite").strip().splitlines()[-1]
    owner = own_page("access", is_waiting=False)
    expect(owner.locator(".client")).to_contain_text("Never used")
    Client(own_site, origin=None).fetch("library", bearer=key)
    owner.reload()
    expect(owner.locator(".client")).to_contain_text("Last used")
    owner.get_by_role("button", name="Revoke").click()
    owner.locator("dialog.ask").get_by_role("button", name="Revoke").click()
    until(owner, "[...document.querySelectorAll('button')].every(({ textContent }) => textContent !== 'Revoke')")
    assert refused(Client(own_site, origin=None), "library", None)[0] in (401, 403)


# The number of each row of the sidebar, as it is shown and as it is announced.
COUNTS = """Object.fromEntries([...document.querySelectorAll('side-bar [role=treeitem].collection')]
  .map(row => [row.querySelector('.title').textContent, [row.querySelector('.count').textContent, row.ariaLabel]]))"""


def test_c_08_the_counts_are_those_of_the_client(own_site, own_page):
    own_site.calotype("access", "limit", ORIGIN, own_site.identifier("P01"), own_site.identifier("P03"))
    owner = own_page("access", is_waiting=False)
    until(owner, "document.querySelector('.client') !== null")
    owner.get_by_role("button", name="View as").click()
    owner.locator(".eyes").wait_for()
    until(owner, "document.querySelector('photo-grid').snapshot.total === 2")
    until(owner, f"({COUNTS})['All Photos']?.[0] === '2'")
    counts = owner.evaluate(COUNTS)
    assert counts["All Photos"][1] == "All Photos, 2 items"
    assert all(int(count or 0) <= 2 for count, _ in counts.values()), counts
    expect(owner.locator("photo-grid .view-header")).to_contain_text("2 ")


def test_a_client_is_forgotten(own_site, page):
    client = allowed(own_site, page)
    page.get_by_role("button", name="Forget").click()
    page.locator("dialog.ask").get_by_role("button", name="Forget").click()
    until_toast(page, "Slideshow was forgotten")
    page.get_by_text("No program has asked yet.").wait_for()
    with pytest.raises(HTTPError) as refusal:
        client.total()
    assert refusal.value.code == 401


def test_a_key_for_a_script_is_made_by_keys_and_shown_once(own_site, own_page):
    page = own_page("access", is_waiting=False)
    page.get_by_role("button", name="New key for a script").click()
    page.locator("dialog.ask input:focus").wait_for()
    page.keyboard.type("Backup")
    page.keyboard.press("Enter")
    field = page.locator("dialog.ask .token")
    field.wait_for()
    key = field.input_value()
    assert page.evaluate("getSelection().toString()") == key, "it can be copied at once"
    assert page.locator("dialog.ask .buttons button").all_inner_texts() == ["Done"]
    address = Client(own_site).address
    with urlopen(Request(f"{address}api/v1/library", headers={"Authorization": f"Bearer {key}"}), timeout=PATIENCE) as answer:
        assert json.loads(answer.read())["assetCount"] == 49
    page.get_by_role("button", name="Done").click()
    page.locator(".client", has_text="Backup").wait_for()
    assert key not in page.content()
