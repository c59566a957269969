"""A movie that is larger than the memory that a page may use for it."""

import struct
import threading
from pathlib import Path

import pytest
from conftest import CHROMIUM, NO_OTHER_HOSTS, new_context, until
from soak import soak_alone
from test_picker import arm, gallery  # noqa: F401
from test_picker_protocol import open_picker, picked  # noqa: F401

MIB = 1 << 20
SIZE = 512 * MIB


@pytest.fixture
def large_movie(site, tmp_path):
    """Adds a movie to the library, with a large empty box that players skip. Returns its name."""
    movie = tmp_path / "Large.MOV"
    original = next(Path(site.library).glob("originals/**/V01.MOV")).read_bytes()
    with movie.open("wb") as file:
        file.write(original + struct.pack(">I4s", SIZE - len(original), b"free"))
        file.truncate(SIZE)
    site.calotype("import", str(movie))
    return "Large"


@pytest.fixture
def own_browser(browser):
    own = browser.browser_type.launch(executable_path=CHROMIUM, args=["--no-sandbox", NO_OTHER_HOSTS])
    yield own
    own.close()


class Renderers:
    """Measures the memory of a browser's renderer processes."""

    def __init__(self, browser):
        processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        self._ids = [process["id"] for process in processes if process["type"] == "renderer"]
        self._is_over = threading.Event()

    def bytes(self):
        """Returns the size in bytes of the anonymous memory of all renderers."""
        return sum(self._bytes(id) for id in self._ids)

    @staticmethod
    def _bytes(id):
        try:
            lines = Path(f"/proc/{id}/status").read_text().splitlines()
        except OSError:
            return 0  # it has ended
        return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon"))

    def __enter__(self):
        self.growth, before = 0, self.bytes()

        def watch():
            while not self._is_over.wait(0.01):
                self.growth = max(self.growth, self.bytes() - before)

        self._thread = threading.Thread(target=watch)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()


@soak_alone
def test_t_20_a_movie_of_512_mb_is_handed_over_in_less_memory(site, own_browser, large_movie, open_picker):  # noqa: F811
    context = new_context(own_browser, init_script="")
    context.add_cookies(site.cookies)
    opener = open_picker({"selectionLimit": 0, "searchText": large_movie}, context=context)
    until(opener.picker, "document.querySelector('photo-grid').snapshot.total === 1")
    arm(opener.picker)
    opener.picker.locator(".cell[data-id]").first.click()
    [item] = picked(opener)
    with Renderers(own_browser) as renderers:
        opener.say({"type": "load", "request": 1, "item": item["item"], "kind": "main"})
        loaded = "window.heard.find(({ type }) => ['loaded', 'error'].includes(type))"
        assert until(opener.page, f"{loaded}?.type", patience=120) == "loaded"
    assert opener.page.evaluate(f"{loaded}.file.size") == SIZE
    assert renderers.growth < SIZE * 3 / 4
