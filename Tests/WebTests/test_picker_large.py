"""A movie that is larger than the memory that a page may use for it."""

import struct
import threading
from pathlib import Path

import pytest
from conftest import CHROMIUM, NO_OTHER_HOSTS, until, watched
from soak import soak_alone
from test_picker import arm, gallery  # noqa: F401
from test_picker_protocol import open_picker, picked  # noqa: F401

MIB = 1 << 20
SIZE = 2048 * MIB


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
def profile(browser, tmp_path):
    """A browser with a profile. Without one, it keeps all files in memory, and 2 GB fail."""
    options = {"executable_path": CHROMIUM, "args": ["--no-sandbox", NO_OTHER_HOSTS]}
    context = watched(browser.browser_type.launch_persistent_context(tmp_path / "Profile", **options), init_script="")
    yield context
    context.close()


class Renderers:
    """Measures the memory of the renderer processes of a browser with a profile."""

    def __init__(self, profile):
        found = {int(path.name): command_of(path) for path in Path("/proc").glob("[0-9]*")}
        self._ids = []
        for id, command in found.items():
            ancestors = list(ancestors_of(id))
            if "--type=renderer" in command and any(f"--user-data-dir={profile}" in found.get(one, "") for one in ancestors):
                self._ids.append(id)
        assert self._ids
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


def command_of(process):
    try:
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""  # it has ended


def ancestors_of(id):
    while id > 1:
        yield id
        try:
            id = int(Path(f"/proc/{id}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return  # it has ended


@soak_alone
def test_t_20_a_movie_of_2_gb_is_handed_over_in_little_memory(site, profile, large_movie, open_picker, tmp_path):  # noqa: F811
    profile.add_cookies(site.cookies)
    opener = open_picker({"selectionLimit": 0, "searchText": large_movie}, context=profile)
    until(opener.picker, "document.querySelector('photo-grid').snapshot.total === 1")
    arm(opener.picker)
    opener.picker.locator(".cell[data-id]").first.click()
    [item] = picked(opener)
    session = profile.new_cdp_session(opener.page)

    def heap():
        usage = session.send("Runtime.getHeapUsage")
        return usage["usedSize"] + usage["backingStorageSize"]

    before = heap()
    with Renderers(tmp_path / "Profile") as renderers:
        opener.say({"type": "load", "request": 1, "item": item["item"], "kind": "main"})
        loaded = "window.heard.find(({ type }) => ['loaded', 'error'].includes(type))"
        assert until(opener.page, f"{loaded}?.type", patience=400) == "loaded"
    assert opener.page.evaluate(f"{loaded}.file.size") == SIZE
    # The page can read the file, though it does not hold it.
    assert opener.page.evaluate(f"{loaded}.file.slice(-1).arrayBuffer().then(({{ byteLength }}) => byteLength)") == 1
    assert heap() - before < 20 * MIB
    assert renderers.growth < 800 * MIB
