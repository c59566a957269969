"""Choices in the page of a picker that a Swift program asks for."""

from conftest import until, until_equal
from playwright.sync_api import expect
from test_picker import arm, cell
from test_program_picker import cancel, drive, has_marks, leave, show, signed_in, start  # noqa: F401

# The tests share a server, which opens at most ten pickers a minute.
TOTAL = "document.querySelector('photo-grid').snapshot.total"


def picked(site, *names):
    """Returns the line that the program prints when it gets these photos."""
    return f"picked {','.join(map(site.identifier, names))}"


def test_r_03_a_program_combines_filters(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", "filter=livePhotos,videos")
    page = show(driver.next_address(), site.cookies)
    until(page, f"{TOTAL} === 17")


def test_r_05_a_programs_picker_for_one_photo_ends_with_the_first_choice(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", "limit=1")
    page = show(driver.next_address(), site.cookies)
    expect(page.locator(".add")).to_be_hidden()
    arm(page)
    cell(page, site, "P20").click()
    assert driver.lines(1) == [picked(site, "P20")]


def test_r_07_a_choice_over_a_programs_limit_is_refused(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", "limit=2")
    page = show(driver.next_address(), site.cookies)
    arm(page)
    for name in ("P20", "P19", "P18"):
        cell(page, site, name).click()
    expect(page.locator(".spoken")).to_have_text("You can choose up to 2.")
    has_marks(page, site, {"P20": "✓", "P19": "✓", "P18": ""})
    page.click(".add")
    assert driver.lines(1) == [picked(site, "P20", "P19")]


def test_r_11_a_person_deselects_all_that_a_program_preselected(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", f"preselected={site.identifier('P20')},{site.identifier('P19')}")
    page = show(driver.next_address(), site.cookies)
    has_marks(page, site, {"P20": "✓", "P19": "✓"})
    arm(page)
    for name in ("P20", "P19"):
        cell(page, site, name).click()
    has_marks(page, site, {"P20": "", "P19": ""})
    expect(page.locator(".add")).to_be_enabled()
    page.click(".add")
    assert driver.lines(1) == [picked(site)]


def test_r_13_unknown_and_deleted_photos_are_not_preselected_for_a_program(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    site.calotype("delete", "--yes", site.identifier("P17"))
    driver.tell("show", f"preselected=unknown,{site.identifier('P17')},{site.identifier('P18')}")
    page = show(driver.next_address(), site.cookies)
    has_marks(page, site, {"P18": "✓"})
    expect(page.locator(".add")).to_have_text("Add 1")
    arm(page)
    page.click(".add")
    assert driver.lines(1) == [picked(site, "P18")]


def test_r_14_a_program_gets_the_compatible_form_that_it_asked_for(site, drive, show, tmp_path):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", "filter=livePhotos", "search=L01", "representation=compatible")
    page = show(driver.next_address(), site.cookies)
    until(page, f"{TOTAL} === 1")
    arm(page)
    cell(page, site, "L01").click()
    page.click(".add")
    assert driver.lines(1) == [picked(site, "L01")]
    driver.tell("save", "0", str(tmp_path / "copy"))
    assert driver.lines(2)[1].startswith("saved public.jpeg ")
    assert (tmp_path / "copy").read_bytes()[:2] == b"\xff\xd8"


def test_r_15_a_program_takes_capabilities_away(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", "disabled=search,collectionNavigation,stagingArea")
    page = show(driver.next_address(), site.cookies)
    expect(page.locator(".search")).to_be_hidden()
    expect(page.locator(".tabs")).to_be_hidden()
    arm(page)
    cell(page, site, "P20").click()
    expect(page.locator(".count")).to_have_text("1 selected")
    expect(page.locator(".count")).to_be_disabled()


def test_r_25_a_program_sets_the_search_and_the_selection_stays_after_it(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", "search=P20")
    page = show(driver.next_address(), site.cookies)
    until(page, f"{TOTAL} === 1")
    expect(page.locator(".search")).to_have_value("P20")
    arm(page)
    cell(page, site, "P20").click()
    page.fill(".search", "")
    until(page, f"{TOTAL} > 40")
    cell(page, site, "P19").click()
    page.click(".add")
    assert driver.lines(1) == [picked(site, "P20", "P19")]


def test_r_27_after_escape_a_program_gets_what_it_preselected(site, drive, show):  # noqa: F811
    driver = drive(site.library)
    driver.tell("show", f"preselected={site.identifier('P20')}")
    page = show(driver.next_address(), site.cookies)
    has_marks(page, site, {"P20": "✓"})
    arm(page)
    cell(page, site, "P19").click()
    has_marks(page, site, {"P19": "✓"})
    page.keyboard.press("Escape")
    assert driver.lines(1) == [picked(site, "P20")]
