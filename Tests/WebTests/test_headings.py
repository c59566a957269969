"""Tests of the headings of days."""

import re
import subprocess

import pytest
from conftest import FAILED, PHONE, Site, fetched, on_desk_and_phone, program, until, until_true
from organizing import png
from playwright.sync_api import expect
from views import GRID, SETTLED


@on_desk_and_phone
def test_w_15_a_heading_says_the_places_of_its_day(site, site_page, size):
    page = site_page(**size, **({"has_touch": True, "is_mobile": True} if size == PHONE else {}))
    days = fetched(page, "/api/v1/collections/userLibrary/days?order=newest")["days"]
    names = page.locator(".day-places")
    expect(names).to_have_count(0)
    page.evaluate(f"{GRID}.goTo({GRID}.layout.height)")
    until(page, SETTLED)
    oldest = page.locator(f".day-name[data-day='{len(days) - 1}']")
    expect(oldest).to_have_text(re.compile(r"4 Mar(ch)? 2019 Chicago"))
    assert page.locator(f".cell[data-id='{site.id('P01')}']").count() == 1
    expect(names).to_have_text([" Chicago"])
    assert page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.day-places'))")
    until(page, f"{GRID}.snapshot.pages.at({GRID}.snapshot.total - 1).latitude === 41.88")


@on_desk_and_phone
def test_headings_of_small_pictures_are_not_cut(site_page, size):
    page = site_page(**size, **({"has_touch": True, "is_mobile": True} if size == PHONE else {}))
    columns = page.evaluate(f"{GRID}.layout.columns")
    for _ in range(2):
        page.keyboard.press("-")
    until(page, f"{GRID}.layout.columns > {columns}")
    until(page, SETTLED)
    dates = page.locator(".day-name > span:first-child")
    assert page.evaluate("dates => dates.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)",
        dates.element_handles()) == []
    texts = dates.all_text_contents()
    assert (texts[0], texts[6]) == (("Nov", "5") if size == PHONE else ("19 Nov", "5 Feb"))
    assert page.locator(".day-name").first.get_attribute("aria-label") == "Thursday 19 November"


def test_names_of_places_that_can_not_be_loaded_are_not_asked_for_without_end(site, pages):
    pages.expected.append(FAILED)
    page = pages(site.cookies)
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=503)

    page.route("**/world.json", refuse)
    page.goto(site.address)
    until(page, SETTLED)
    page.evaluate(f"{GRID}.goTo({GRID}.layout.height)")
    until_true(page, lambda: asked)
    for place in ["0", f"{GRID}.layout.height"]:
        page.evaluate(f"{GRID}.goTo({place})")
        until(page, SETTLED)
    assert len(asked) == 1
    expect(page.locator(".day-places")).to_have_count(0)


@pytest.fixture(scope="module")
def scans_site(tmp_path_factory):
    """A server of a library with scans, of which some have no more than a year or a month."""
    folder = tmp_path_factory.mktemp("scans")
    dates = {"A": "1993", "B": "1985-06", "C": "1985-06", "D": "1984-05", "E": "1984-05-01", "F": "1983-04-01"}
    for shade, (name, date) in enumerate(dates.items()):
        (folder / f"{name}.png").write_bytes(png(300, 200, (40 * shade, 90, 90, 255), {"Creation Time": date}))
    library = folder / "Scans.calotype"
    subprocess.run([program(), "--library", str(library), "import", "--create", str(folder)], check=True, timeout=60)
    site = Site(library)
    yield site
    site.stop()


@on_desk_and_phone
def test_days_of_partial_dates_are_headed_by_the_month_or_the_year(scans_site, pages, size):
    page = pages(scans_site.cookies, **size)
    page.goto(scans_site.address)
    dates, headings = page.locator(".day-name > span:first-child"), page.locator(".day-name")
    expect(dates).to_have_text(["1993", "June 1985", "1 May 1984", "1 Apr 1983"])
    labels = [heading.get_attribute("aria-label") for heading in headings.all()]
    assert labels == ["1993", "June 1985", "Tuesday, 1 May 1984", "Friday, 1 April 1983"]


def test_a_heading_of_a_month_has_its_own_row_in_large_pictures(scans_site, pages):
    page = pages(scans_site.cookies, **PHONE)
    page.goto(scans_site.address)
    dates = page.locator(".day-name > span:first-child")
    expect(dates.first).to_have_text("1993")
    page.keyboard.press("+")
    until(page, f"{GRID}.layout.columns === 1")
    expect(dates).to_have_text(["1993", "June 1985", "Tuesday, 1 May 1984"])
