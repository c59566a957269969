"""Steps and checks that tests of selecting and changing share."""

import json
import secrets
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from apps import Owner
from conftest import FIRST_PAGE, Site, box_of, copy_library, fetched, until, until_equal, wait_for

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


class UndoneSites:
    """A site whose changes are undone after each test. If something remains, the next test gets
    another one, as it does once the history is long."""

    LONGEST = 100  # transactions

    def __init__(self, make):
        self.make = make
        self.site = None

    def take(self):
        # A request of the previous test may have come late.
        if self.site and self._transactions(1) != self.latest:
            self.stop()
        if not self.site:
            self.site = self.make()
            self.owner = Owner(self.site)
            self.before, self.latest = self._state(), self._transactions(1)
            self.first = self._number()
        return self.site

    def undo(self):
        """Undoes what a test has changed."""
        start = self._number()
        try:
            newer = [each for each in self._transactions(self.LONGEST) if each["transaction"] > start]
            for each in newer:
                if not each["undoes"] and not each["isUndone"]:
                    self.owner.fetch("undo", {"transaction": each["transaction"]})
            self.latest = self._transactions(1)
            is_as_before = self._state() == self.before and self._number() - self.first < self.LONGEST
        except OSError:  # such as the refusal to undo, or the end of the server
            is_as_before = False
        if not is_as_before:
            self.stop()

    def stop(self):
        if self.site:
            site, self.site = self.site, None
            site.stop()

    def _transactions(self, limit):
        return self.owner.fetch(f"changes?limit={limit}")["transactions"]

    def _number(self):
        return self.latest[0]["transaction"] if self.latest else 0

    def _state(self):
        """Returns what tests can change, without the dates and the versions of the changes."""
        collections = self.owner.collections()
        orders = {"album": "custom", "smartAlbum": "newest"}
        assets = [self.owner.assets(each["id"], orders[each["kind"]]) for each in collections if each["kind"] in orders]
        access = self.owner.fetch("access")
        return without_changes([collections, assets, access["clients"], access["requests"]])


def without_changes(value):
    """Returns a value of the API without what each change alters."""
    if isinstance(value, dict):
        return {key: without_changes(each) for key, each in value.items() if key not in ("version", "modificationDate", "revision")}
    return [without_changes(each) for each in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def undone_sites(fixture_library, tmp_path_factory):
    def make():
        library = tmp_path_factory.mktemp("undone") / "Fixture.calotype"
        copy_library(fixture_library, library)
        return Site(library)

    sites = UndoneSites(make)
    yield sites
    sites.stop()


@pytest.fixture
def undone_site(undone_sites):
    """A server of the fixture library which a test may change, and whose library is as before for
    the next test. Files use it in place of `own_site`."""
    yield undone_sites.take()
    undone_sites.undo()


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


def bitmap():
    """Returns a small picture that no library has, as a BMP, which contains no date."""
    rows = secrets.token_bytes(32 * 32 * 3)
    return b"BM" + struct.pack("<IIIIiiHHIIiiII", 54 + len(rows), 0, 54, 40, 32, 32, 1, 24, 0, len(rows), 2835, 2835, 0, 0) + rows


def png(width, height, color, texts=None):
    """Returns a PNG of which the left half has a color, and the right half is transparent. Its text
    chunks have the texts by their keywords."""
    row = b"\0" + bytes(color) * (width // 2) + bytes(4) * (width - width // 2)
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)),
        *((b"tEXt", f"{keyword}\0{text}".encode("latin-1")) for keyword, text in (texts or {}).items()),
        (b"IDAT", zlib.compress(row * height)), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def add_long_movie(site, folder, repeats=60):
    """Imports Long.MOV, the two seconds of H01.MOV repeated. Its conversion takes seconds."""
    short = next(Path(site.library).glob("originals/**/H01.MOV"))
    long = folder / "Long.MOV"
    subprocess.run(["ffmpeg", "-v", "error", "-stream_loop", str(repeats), "-i", short, "-c", "copy", long], check=True)
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
