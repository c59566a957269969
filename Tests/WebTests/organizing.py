"""Steps and checks that tests of selecting and changing share."""

import json
import subprocess
from pathlib import Path

import pytest
from conftest import FIRST_PAGE, box_of, fetched, until, until_equal, wait_for

TALL = 2600  # a window that shows the whole fixture library
CHOSEN = """[...document.querySelectorAll('.cell[aria-selected=true]')].map(cell => cell.dataset.id)"""


# A slow press is no long one: the timers of held fingers and buttons (280 and 450 ms) never act.
QUICK = """(start => {
  window.setTimeout = (act, time, ...rest) => (time === 280 || time === 450 ? 0 : start(act, time, ...rest));
})(window.setTimeout)"""
READY = "document.querySelector('selection-bar') !== null"  # the page takes clicks and keys that select


@pytest.fixture
def own_site(own_sites, request):
    """A server of the fixture library for one test, which changes the library."""
    site = own_sites.take(request)
    yield site
    site.stop()


@pytest.fixture
def own_page(own_site, pages):
    """Opens an address of the test's own site, and waits until it can be used."""

    def make(path="", is_waiting=True, **options):
        page = pages(own_site.cookies, **options)
        page.goto(own_site.address + path)
        if is_waiting:
            until(page, f"{READY} && {FIRST_PAGE}")
        return page

    return make


def cell(page, site, name):
    return page.locator(f".cell[data-id='{site.id(name)}']")


def in_order(page, site, collection="userLibrary", order="newest"):
    """Returns the names of a collection's assets in an order."""
    path = f"/api/v1/collections/{collection}/assets?offset=0&limit=500&order={order}"
    return site.names([asset["id"] for asset in fetched(page, path)["assets"]])


def chosen(page, site):
    """Returns the names of the selected assets that are shown."""
    return sorted(site.names(page.evaluate(CHOSEN)))


def until_these_chosen(page, site, names):
    """Waits until the selected assets that are shown are these."""
    until_equal(page, lambda: chosen(page, site), sorted(names))


def until_chosen(page, count):
    """Waits until the bar says how many are selected."""
    until(page, f"""document.querySelector('selection-bar:not([hidden]) strong')?.textContent === '{count} selected'""")


def until_toast(page, text):
    """Waits for a message that contains a text."""
    until(page, f"document.querySelector('.toast')?.textContent.includes({json.dumps(text)})")


def undo_by_toast(page):
    page.locator(".toast button").click()
    until_toast(page, "Undone")


def total(page, collection="userLibrary"):
    return fetched(page, f"/api/v1/collections/{collection}/days?order=newest")["total"]


def until_total(page, count, collection="userLibrary"):
    until(page, f"fetch('/api/v1/collections/{collection}/days?order=newest').then(a => a.json()).then(d => d.total === {count})")


def asset(page, site, name):
    return fetched(page, f"/api/v1/assets/{site.id(name)}")


def dump(site):
    """Returns the library as the program lists it, without the dates of modification."""
    lines = site.calotype("list", "--json").splitlines() + site.calotype("albums", "--json").splitlines()
    entries = [json.loads(line) for line in lines]
    for entry in entries:
        entry.pop("modificationDate", None)
        entry.pop("version", None)
    return sorted(json.dumps(entry, sort_keys=True) for entry in entries)


def touch(page, kind, *points):
    """Sends a touch to the page: touchStart, touchMove or touchEnd."""
    if not hasattr(page, "touch_session"):
        page.touch_session = page.context.new_cdp_session(page)
    page.touch_session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def middle(locator):
    box = box_of(locator)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end, steps=8, is_dropped=True):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=steps)
    if is_dropped:
        page.mouse.up()


def add_long_movie(site, folder):
    """Imports Long.MOV, whose conversion for browsers takes seconds."""
    short = next(Path(site.library).glob("originals/**/H01.MOV"))
    long = folder / "Long.MOV"
    subprocess.run(["ffmpeg", "-v", "error", "-stream_loop", "60", "-i", short, "-c", "copy", long], check=True)
    site.calotype("import", str(long))
    site.list_again()


def encoders(site):
    """Returns the processes of ffmpeg that the site's server has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, fields = (folder / "comm").read_text().strip(), (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        if name == "ffmpeg" and fields[0] != "Z" and int(fields[1]) == site.process.pid:
            found.append(int(folder.name))
    return found


def until_nothing_is_encoded(site):
    wait_for(lambda: not encoders(site), "the end of the server's encoding")
