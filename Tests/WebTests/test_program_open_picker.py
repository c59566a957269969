"""An open picker that its Swift program changes, and the browser that shows it."""

import re

from conftest import FIRST_PAGE, until, until_equal, wait_for
from organizing import own_site  # noqa: F401
from playwright.sync_api import expect
from test_picker import arm, cell
from test_picker_choosing import until_tray
from test_program_choosing import picked
from test_program_picker import cancel, drive, has_marks, show, signed_in, start  # noqa: F401

# The tests share a server, which opens at most ten pickers a minute.
GRID = "document.querySelector('photo-grid')"
COLUMNS = f"[...new Set([...{GRID}.querySelectorAll('.cell')].map(({{ offsetLeft }}) => offsetLeft))].length"


def is_in_window(site, name):
    return f"""(() => {{
      const cell = document.querySelector('.cell[data-id="{site.id(name)}"]')?.getBoundingClientRect();
      const grid = {GRID}.getBoundingClientRect();
      return cell !== undefined && cell.bottom > grid.top && cell.top < grid.bottom;
    }})()"""


def test_r_20_the_delegate_of_a_continuous_picker_does_not_hear_of_what_the_program_deselects(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", "selection=continuousAndOrdered")
    page = show(driver.next_address(), site.cookies)
    arm(page)
    for count, name in enumerate(("P18", "P20", "P19"), 1):
        cell(page, site, name).click()
        driver.lines(count)
    page.click(".count")
    until_tray(page, site, "P18", "P20", "P19")
    driver.tell("deselect", f"{site.identifier('P20')},unknown")
    until_tray(page, site, "P18", "P19")
    has_marks(page, site, {"P18": "1", "P20": "", "P19": "2"})
    # The window reports changes in their order, so that one of the program would come first.
    cell(page, site, "P17").click()
    assert driver.lines(4)[3:] == [picked(site, "P18", "P19", "P17")]
    page.click(".add")
    assert driver.lines(5)[4:] == [picked(site, "P18", "P19", "P17")]


def test_r_12_r_20_a_picker_without_a_library_has_no_identifiers(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", "library=none", f"preselected={site.identifier('P20')}")
    called, problem = driver.lines(2)
    assert called == "picked "
    assert "preselectedAssetIdentifiers" in problem
    driver.tell("dismiss")
    driver.tell("show", "library=none", "selection=ordered")
    page = show(driver.next_address(), site.cookies)
    arm(page)
    for name in ("P18", "P20"):
        cell(page, site, name).click()
    driver.tell("deselect", site.identifier("P18"))
    driver.tell("move", site.identifier("P20"))
    # The page obeys in order.
    driver.tell("update", "search=P20")
    until(page, f"{GRID}.snapshot.total === 1")
    has_marks(page, site, {"P20": "2"})
    page.click(".add")
    assert driver.lines(3)[2] == "picked ?,?"


def test_r_21_the_tray_follows_the_program(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", "selection=ordered")
    page = show(driver.next_address(), site.cookies)
    arm(page)
    for name in ("P18", "P20", "P19"):
        cell(page, site, name).click()
    page.click(".count")
    until_tray(page, site, "P18", "P20", "P19")
    driver.tell("move", site.identifier("P18"), site.identifier("P20"))
    until_tray(page, site, "P20", "P18", "P19")
    # A photo that is not selected is not moved.
    driver.tell("move", site.identifier("P17"))
    driver.tell("move", site.identifier("P19"))
    until_tray(page, site, "P19", "P20", "P18")
    has_marks(page, site, {"P19": "1", "P20": "2", "P18": "3", "P17": ""})
    page.click(".add")
    assert driver.lines(1) == [picked(site, "P19", "P20", "P18")]


def test_r_22_the_beginning_is_the_first_preselected_photo(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", f"preselected={site.identifier('P01')},{site.identifier('P20')}")
    page = show(driver.next_address(), site.cookies)
    until(page, is_in_window(site, "P01"))
    page.evaluate(f"{GRID}.goTo(0)")
    until(page, f"!{is_in_window(site, 'P01')} && {is_in_window(site, 'P20')}")
    driver.tell("scroll")
    until(page, is_in_window(site, "P01"))


# Returns the cell in the middle of the grid, or else the first one below, and its place.
MIDDLE = f"""(() => {{
  const {{ left, top, width, height }} = {GRID}.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const cells = [...{GRID}.querySelectorAll('.cell[data-id]')].map((cell) => ({{ cell, box: cell.getBoundingClientRect() }}));
  const {{ cell, box }} = cells.sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left)
    .find(({{ box }}) => box.top >= y || (box.bottom > y && box.left <= x && box.right > x));
  return [cell.dataset.id, Math.round(box.top)];
}})()"""


# A cell that the grid uses again has its new place at once, and its new photo in the next frame.
IS_DRAWN = f"""(() => {{
  const cells = [...{GRID}.querySelectorAll('.cell')];
  return cells.length > 0 && cells.every((cell) => {GRID}.snapshot.pages?.at({GRID}.indexOf(cell))?.id === cell.dataset.id);
}})()"""


def test_r_22_the_photo_in_the_middle_keeps_its_place(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show")
    page = show(driver.next_address(), site.cookies)
    page.evaluate(f"{GRID}.goTo({GRID}.layout.height / 2)")
    until(page, f"{GRID}.y > 0 && {IS_DRAWN}")
    columns = page.evaluate(COLUMNS)
    id, place = page.evaluate(MIDDLE)
    top = f"Math.round(document.querySelector('.cell[data-id=\"{id}\"]')?.getBoundingClientRect().top)"
    # One look reads both, since the glide may begin between two looks.
    place_at_rest = f"{GRID}.getAnimations({{ subtree: true }}).length === 0 && [{top}]"
    driver.tell("zoomIn")
    assert until(page, f"{COLUMNS} < {columns} && {place_at_rest}") == [place]
    driver.tell("zoomOut")
    assert until(page, f"{COLUMNS} === {columns} && {place_at_rest}") == [place]


def test_r_22_zooming_ends_at_the_smallest_and_the_largest_photos(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    names = ("P20", "P19", "P18", "P17")
    driver.tell("show", f"preselected={','.join(map(site.identifier, names))}")
    page = show(driver.next_address(), site.cookies)
    for there, back, ends in (("zoomIn", "zoomOut", names[:2]), ("zoomOut", "zoomIn", names[2:])):
        found = []
        for name in ends:
            for _ in range(12):
                driver.tell(there)
            # The page obeys in order.
            driver.tell("deselect", site.identifier(name))
            count = 3 - names.index(name)
            expect(page.locator(".add")).to_have_text(f"Add {count}" if count else "Add")
            found.append(page.evaluate(COLUMNS))
        assert found[0] == found[1]
        # Steps beyond the end do not count.
        driver.tell(back)
        until(page, f"{COLUMNS} {'>' if there == 'zoomIn' else '<'} {found[0]}")


def test_r_26_a_denied_program_stays_denied_and_can_not_fetch_what_was_picked(site, drive, show, tmp_path):  # noqa: F811
    driver = drive(site.library, CALOTYPE_AUTHORIZATION="denied")
    driver.tell("ask")
    assert driver.lines(1) == ["answer: denied"]
    driver.tell("show")
    page = show(driver.next_address(), site.cookies)
    arm(page)
    cell(page, site, "P20").click()
    page.click(".add")
    assert driver.lines(2)[1] == picked(site, "P20")
    driver.tell("access")
    assert driver.lines(3)[2] == "access: denied, fetches 0 of 1"
    driver.tell("save", "0", str(tmp_path / "copy"))
    assert driver.lines(4)[3].startswith("saved public.jpeg ")


ADDRESS = "Pick photos in a browser at "


def printed_address(driver):
    line = wait_for(lambda: re.search(f"{ADDRESS}(.*)\n", driver.errors), "the picker's address in the errors")
    return line[1]


def test_r_31_the_address_is_printed_if_the_browser_fails(site, drive, show):  # noqa: F811
    driver = drive(site.library, CALOTYPE_BROWSER="/bin/false")
    driver.tell("show")
    cancel(show(printed_address(driver), site.cookies))
    assert driver.lines(1) == ["picked "]


def test_r_31_the_command_of_the_browser_has_words_and_the_address_is_the_last(site, drive, tmp_path):  # noqa: F811
    script = tmp_path / "words"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/part && mv {tmp_path}/part {tmp_path}/words-given\n')
    script.chmod(0o700)
    driver = drive(site.library, CALOTYPE_BROWSER=f"{script} --new-window  --name=picker")
    driver.tell("show")
    given = tmp_path / "words-given"
    wait_for(given.exists, "the words that the browser gets")
    first, second, address = given.read_text().splitlines()
    assert (first, second) == ("--new-window", "--name=picker")
    assert re.fullmatch(rf"{re.escape(site.address)}picker#s=[\w-]+", address)
    assert ADDRESS not in driver.errors


def test_windows_left_open_do_not_keep_the_library_from_loading(own_site, drive, signed_in):  # noqa: F811
    """A browser lets six requests to a server wait at once."""
    page = signed_in(own_site.cookies)
    for count in range(7):
        driver = drive(own_site.library)
        driver.seen = count
        driver.tell("show")
        page.goto(driver.next_address())
        until(page, FIRST_PAGE)
        arm(page)
        page.locator(".cell").first.click()
        page.click(".add")
        expect(page.locator(".message")).to_contain_text("1 item chosen")
        # A program that ends does not close its picker.
        driver.stop()
        page = page.context.new_page()
    assert len(page.context.pages) == 8
