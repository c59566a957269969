"""Fixtures of the browser tests: a library of sample media, the program that serves it, and a
browser.

    CALOTYPE_BIN  the program, by default the one in .build
    CALOTYPE_URL  a link printed by a running server, which is used in place of a new one
    CALOTYPE_CHROMIUM  the browser, by default Debian's Chromium without windows
"""

import base64
import concurrent.futures
import contextlib
import fcntl
import functools
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
# Chromium without its windows, which Debian has in a package of its own, takes a quarter less of
# the processor for each page.
SHELL = "/usr/lib/chromium/chromium-headless-shell"
WHOLE_CHROMIUM = "/usr/bin/chromium"  # It has a process for each site, and the shell has not.
CHROMIUM = os.environ.get("CALOTYPE_CHROMIUM") or (SHELL if os.path.exists(SHELL) else WHOLE_CHROMIUM)
# The features that Playwright switches off, since a second list replaces its own, and the popups of
# Chromium's address bar. Each window would load those in a further process, a sixth of the
# processor time of a page.
FEATURES_OFF = [
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
]
# The seconds in which something must happen that a test waits for. They are many, since a loaded
# machine is slow, and only a failure takes them all.
PATIENCE = 60
# The seconds after which a test that hangs ends the process with its stacks.
LONGEST_TEST = 300
expect.set_options(timeout=PATIENCE * 1000)


def program():
    if "CALOTYPE_BIN" in os.environ:
        return str(Path(os.environ["CALOTYPE_BIN"]).absolute())
    for kind in ("release", "debug"):
        built = ROOT / ".build" / kind / "calotype"
        if built.exists():
            return str(built)
    raise RuntimeError("no program: set CALOTYPE_BIN or build it with `swift build`")


def make_library(path):
    """Makes a library of about 200 sample assets over some years: Live Photos, videos, screenshots
    and a burst. One asset is unreadable."""
    # The files are drawn beside the library, where they count as progress.
    environment = os.environ | {"TMPDIR": str(path.parent)}
    subprocess.run([program(), "--library", str(path), "demo", "--create"], env=environment, check=True, timeout=600)
    broken = path.parent / "broken.jpg"
    broken.write_bytes(bytes([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9]))
    # The date is neither the newest nor the oldest.
    os.utime(broken, (1_600_000_000, 1_600_000_000))
    subprocess.run([program(), "--library", str(path), "import", "--create", str(broken)], check=True, timeout=60)


def start_server(path, *options):
    """Starts a server. Returns it with the link that it prints, which signs one browser in."""
    port = () if "--port" in options else ("--port", "0")
    command = [program(), "--library", str(path), "serve", *port, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    link = written(process, process.stdout, r"http://\S+/start#[\w-]+")
    # The server goes on writing, and a full pipe would stop it.
    threading.Thread(target=process.stdout.read, daemon=True).start()
    return process, link


def written(process, output, pattern):
    """Reads what a program writes until a pattern is in a line. Returns what matches. A program
    that does not write it in time is killed."""
    limit = threading.Timer(PATIENCE, process.kill)
    limit.start()
    lines = []
    try:
        for line in output:
            lines.append(line)
            if found := re.search(pattern, line):
                return found[0]
    except OSError:
        pass  # a terminal at its end
    finally:
        limit.cancel()
    status = process.wait(timeout=PATIENCE)
    raise RuntimeError(f"in vain waited for {pattern}: the program ended with {status} and wrote {''.join(lines)!r}")


def end(process):
    """Ends a program. One that does not end in time is killed, and the test fails."""
    process.terminate()
    try:
        process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=PATIENCE)
        raise


def new_link(path):
    """Returns another link of the server that serves a library."""
    command = [program(), "--library", str(path), "open"]
    return subprocess.run(command, check=True, timeout=60, capture_output=True, text=True).stdout.strip()


def sign_in(link):
    """Uses a link up. Returns the cookies of the new session for `add_cookies`."""
    address, _, secret = link.partition("start#")
    # Only browsers resolve the name.
    local = address.replace("calotype.localhost", "127.0.0.1")
    request = Request(
        f"{local}api/v1/session/link", json.dumps({"link": secret}).encode(),
        {"Content-Type": "application/json", "Origin": local.rstrip("/")})
    with urlopen(request, timeout=PATIENCE) as answer:
        pairs = [field.partition(";")[0].partition("=") for field in answer.headers.get_all("Set-Cookie")]
    # Chromium takes a secure cookie over HTTP from the server, but not from a test.
    secure = address.replace("http:", "https:")
    return [
        {"name": name, "value": value, "url": secure, "secure": True, "httpOnly": True, "sameSite": "Strict"}
        for name, _, value in pairs]


def give_password(library, password):
    """Gives the owner of a library a password. Its hash takes no time, unlike those that the
    program makes."""
    salt = os.urandom(16)
    key = hashlib.scrypt(password.encode(), salt=salt, n=2, r=8, p=1, dklen=32)
    stored = f"$scrypt$ln=1,r=8,p=1${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"
    with contextlib.closing(sqlite3.connect(sign_in_file(library), timeout=PATIENCE)) as database, database:
        change = "UPDATE person SET password_hash = ? WHERE client_identifier IS NULL"
        assert database.execute(change, [stored]).rowcount == 1


# The folder of settings of this account, in which the server has who may sign in.
CONFIG_FOLDER = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def server_socket(library, purpose):
    """Returns the socket of the server of a library: "serve" for `calotype open`, or "picker"."""
    place = os.fsencode(os.path.realpath(library))
    return CONFIG_FOLDER / "calotype" / "servers" / f"{hashlib.sha256(place).hexdigest()[:32]}.{purpose}.socket"


def sign_in_file(library):
    """Returns the file in which this account has who may sign in to a library. It exists since a
    server was started or a password was reset."""
    with contextlib.closing(sqlite3.connect(library / "library.sqlite", timeout=PATIENCE)) as database:
        [(uuid,)] = database.execute("SELECT uuid FROM library")
    place = uuid.encode() + b"\n" + os.fsencode(os.path.realpath(library))
    return CONFIG_FOLDER / "calotype" / "sign-in" / f"{hashlib.sha256(place).hexdigest()[:32]}.sqlite"


class Site:
    """A server with a library of its own, which the tests of a file share."""

    def __init__(self, library, *options):
        self.library = library
        self.process, self.link = start_server(library, *options)
        self.address = self.link.partition("start#")[0]
        self.cookies = sign_in(self.link)

    def stop(self):
        end(self.process)

    def start_again(self):
        """Starts the server at the same port."""
        self.process, _ = start_server(self.library, "--port", re.search(r":(\d+)/", self.address)[1])

    def calotype(self, *arguments):
        """Runs a command on the library in a process of its own. Returns its output."""
        command = [program(), "--library", str(self.library), *arguments]
        return subprocess.run(command, check=True, timeout=60, capture_output=True, text=True).stdout

    @functools.cached_property
    def _ids(self):
        return identifiers(_originals[self.library])[0] if self.library in _originals else listed(self.library)[0]

    def list_again(self):
        """Learns the names of assets that a test has added."""
        self._ids = listed(self.library)[0]

    def identifier(self, name):
        """Returns the local identifier of the asset whose file has a name: P01."""
        return self._ids[name]

    def id(self, name):
        """Returns the id of an asset in the API."""
        return self._ids[name].partition("/")[0]

    def names(self, ids):
        """Returns the names of assets."""
        known = {identifier.partition("/")[0]: name for name, identifier in self._ids.items()}
        return [known.get(id, id) for id in ids]

    @functools.cached_property
    def collections(self):
        """The ids of the albums and folders by their titles."""
        return identifiers(_originals[self.library])[1] if self.library in _originals else listed(self.library)[1]


def listed(library):
    """Returns the identifiers of a library's assets by their names, and the ids of its albums and
    folders by their titles."""

    def run(command):
        arguments = [program(), "--library", str(library), command, "--json"]
        lines = subprocess.run(arguments, check=True, timeout=60, capture_output=True, text=True).stdout.splitlines()
        return [json.loads(line) for line in lines]

    return (
        {asset["originalFilename"].partition(".")[0]: asset["localIdentifier"] for asset in run("list")},
        {album["title"]: album["localIdentifier"].partition("/")[0] for album in run("albums")})


# The library of which each copy was made.
_originals = {}


@functools.cache
def identifiers(original):
    """Returns what `listed` does for a library and all copies of it. No program may open the
    library itself, since others copy it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / original.name
        copy_library(original, copy)
        return listed(copy)


def copy_library(original, copy):
    """Copies a library that no program has open. The originals, which never change, are linked."""

    def link_or_copy(source, target):
        if "/originals/" in source:
            try:
                return os.link(source, target)
            except OSError:
                pass  # another file system
        shutil.copy2(source, target)

    shutil.copytree(original, copy, copy_function=link_or_copy)
    _originals[copy] = original


def made_folder(name):
    """Returns the folder of a library that test processes share."""
    return ROOT / ".build" / "test-libraries" / name


def made_once(name, make):
    """Returns a library that the first test process of a day makes for all of that day. A new build
    makes it anew."""
    programs = [Path(program()).parent / each for each in ("calotype", "calotype-worker", "fixture-library")]
    state = [(each.name, each.stat().st_mtime_ns, each.stat().st_size) for each in programs if each.exists()]
    key = hashlib.sha256(repr((time.strftime("%Y-%m-%d", time.gmtime()), state)).encode()).hexdigest()[:16]
    folder = made_folder(name)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        # The process that has the lock makes a library, which takes minutes on a slow machine.
        wait_for(lambda: is_locked(lock), f"the library {name}, which another process makes", patience=600)
        library = folder / key / f"{name}.calotype"
        done = library.parent / "done"
        if not done.exists():
            for other in folder.iterdir():
                # Other processes may still use one from before midnight.
                if other.is_dir() and time.time() - other.stat().st_mtime > 86_400:
                    shutil.rmtree(other)
            shutil.rmtree(library.parent, ignore_errors=True)
            library.parent.mkdir()
            make(library)
            done.touch()
    return library


def is_locked(file):
    """Locks a file. Returns whether no other process has locked it."""
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True


@pytest.fixture(scope="session")
def fixture_library():
    """The library that Tests/FixtureLibrary makes. Tests serve copies of it."""
    maker = Path(program()).parent / "fixture-library"
    make = lambda library: subprocess.run([str(maker), str(library)], check=True, timeout=600)
    return made_once("Fixture", make)


class OwnSites:
    """Sites for one test each. The next one starts while a test runs."""

    def __init__(self, original, make_folder):
        self.original, self.make_folder = original, make_folder
        self.executor = concurrent.futures.ThreadPoolExecutor(1)
        self.next = None

    def take(self, request):
        """Returns a site for the test of a request."""
        site = (self.next or self.executor.submit(self._make)).result()
        self.next = None
        # All tests of a file run in this process.
        tests = [item for item in request.session.items if item.path == request.node.path]
        if any("own_site" in item.fixturenames for item in tests[tests.index(request.node) + 1:]):
            self.next = self.executor.submit(self._make)
        return site

    def stop(self):
        if self.next is not None:
            self.next.result().stop()
        self.executor.shutdown()

    def _make(self):
        library = self.make_folder("own") / "Fixture.calotype"
        copy_library(self.original, library)
        return Site(library)


@pytest.fixture(scope="session")
def own_sites(fixture_library, tmp_path_factory):
    sites = OwnSites(fixture_library, tmp_path_factory.mktemp)
    yield sites
    sites.stop()


@pytest.fixture(scope="module")
def site(fixture_library, tmp_path_factory):
    """A server of the fixture library, for the tests of a file."""
    library = tmp_path_factory.mktemp("site") / "Fixture.calotype"
    copy_library(fixture_library, library)
    site = Site(library)
    yield site
    site.stop()


@pytest.fixture
def site_page(site, pages):
    """Opens an address of the site, and waits for its first pictures."""

    def make(path="", is_waiting=True, **options):
        page = pages(site.cookies, **options)
        page.goto(site.address + path)
        if is_waiting:
            until(page, FIRST_PAGE)
        return page

    return make


@pytest.fixture(scope="session")
def sample_library():
    """A library that no server has opened. Tests serve copies of it."""
    making, count = _sample or in_thread(make_sample_library), 0
    while not making.done():
        concurrent.futures.wait([making], timeout=1)
        files = sum(len(files) for _, _, files in os.walk(made_folder("Sample")))
        if files != count:
            tell_runner_of_progress()
        count = files
    return making.result()


# The sample library, while it is made beside other tests.
_sample = None


def make_sample_library():
    return made_once("Sample", make_library)


def in_thread(work):
    """Begins work in a thread, and returns its future. The thread ends with the process."""
    future = concurrent.futures.Future()

    def run():
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def tell_runner_of_progress():
    """Begins the time limit of the running test anew. Making the sample library can take longer
    than the limit."""
    events, test = os.environ.get("CALOTYPE_TEST_EVENTS"), os.environ.get("PYTEST_CURRENT_TEST", "")
    if events:
        with open(events, "a", encoding="utf-8") as file:
            file.write(json.dumps({"event": "started", "test": test.rsplit(" (", 1)[0]}) + "\n")


def pytest_runtestloop(session):
    """Begins to make the sample library, which takes most of a minute, if tests need it later."""
    global _sample
    needs = ["sample_library" in item.fixturenames for item in session.items]
    if session.config.option.collectonly or not any(needs) or needs[0]:
        return
    _sample = in_thread(make_sample_library)


@pytest.fixture(scope="session")
def served_library(request, tmp_path_factory):
    """The link printed by the server of a library."""
    if "CALOTYPE_URL" in os.environ:
        yield os.environ["CALOTYPE_URL"]
        return
    library = tmp_path_factory.mktemp("library") / "Sample.calotype"
    copy_library(request.getfixturevalue("sample_library"), library)
    process, link = start_server(library)
    yield link
    end(process)


@pytest.fixture(scope="session")
def calotype_server(served_library):
    """The address of the library for browsers that are signed in."""
    return served_library.partition("start#")[0]


@pytest.fixture(scope="session")
def cookies(served_library):
    """The cookies of a session."""
    return sign_in(served_library)


# The browser finds no host but this machine. A page that asks another one gets an error on its
# console.
NO_OTHER_HOSTS = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1"


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", f"--disable-features={','.join(FEATURES_OFF)}", NO_OTHER_HOSTS]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


# Messages stay, so that a slow test does not miss their buttons. They would go after eight seconds.
# A picker whose library answers late on a slow machine stays too. It would give up after fifteen.
PATIENT = """
const { setTimeout: start } = window;
window.setTimeout = (act, time, ...rest) => start(act, [8_000, 15_000].includes(time) ? 600_000 : time, ...rest);
"""
# Complains on the console if the element that had the focus goes, is hidden or is disabled, and
# nothing else gets the focus. A page may give it to another element later, also after an answer.
WATCH_FOCUS = """(() => {
  const { setTimeout: start, fetch } = window;
  let focused = null, action = "nothing", isChecking = false, asking = 0;
  const isGone = (element) => !element.isConnected || element.disabled || element.closest("[inert]") || !element.checkVisibility();
  const isLost = () => focused !== null && document.activeElement === document.body && isGone(focused);
  const rest = async () => {
    await new Promise((resolve) => start(resolve, 100));
    for (let count = 0; count < 3; count++) await new Promise(requestAnimationFrame);
  };
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    await rest();
    for (let count = 0; isLost() && count < 5; count += asking > 0 ? 0 : 1) await rest();
    if (isLost()) {
      console.warn(`the focus was lost: ${focused.outerHTML.slice(0, 120)} had it, after ${action}`);
      focused = null;
    }
    isChecking = false;
  };
  window.fetch = (...all) => {
    asking += 1;
    return fetch(...all).finally(() => (asking -= 1));
  };
  window.isFocusLost = isLost;
  addEventListener("focusin", ({ target }) => (focused = target), true);
  addEventListener("focusout", check, true);
  for (const type of ["click", "keydown"]) addEventListener(type, ({ target, key }) => {
    action = `${key ?? type} on ${target.outerHTML?.slice(0, 120)}`;
    check();
  }, true);
})();
"""
# Counts the pictures that the page loads by `fetch`, as pages of other origins do. One of them may
# lead to a sharper one, so each counts until its last byte.
WATCH_PICTURES = """(() => {
  const { fetch } = window;
  let loading = 0;
  window.fetch = (address, ...rest) => {
    const asked = fetch(address, ...rest);
    if (/[/]renditions[/].+[/](grid|screen)$/.test(address)) {
      loading += 1;
      asked.then((answer) => answer.clone().arrayBuffer()).catch(() => {}).finally(() => (loading -= 1));
    }
    return asked;
  };
  window.isFetchingPictures = () => loading > 0;
})();
"""
# Complains on the console of each request whose address begins in none of some ways, such as one to
# another port of this machine. Playwright's event of each request would take a tenth of a second of
# the processor's time for a page. `askedElsewhere` returns those of which the page has not
# complained yet.
ELSEWHERE = """((known) => {
  const isOther = (address) => !known.some((begin) => address.startsWith(begin));
  const complain = (address) => console.warn(`another server was asked: ${address}`);
  const others = (entries) => entries.map(({ name }) => name).filter(isOther);
  if (isOther(location.href)) complain(location.href);
  const observer = new PerformanceObserver((list) => others(list.getEntries()).forEach(complain));
  observer.observe({ type: "resource", buffered: true });
  const frames = () => [...document.querySelectorAll("iframe[src]")].map(({ src }) => src).filter(isOther);
  window.askedElsewhere = () => [...others(observer.takeRecords()), ...frames()];
})(%s)"""


# Chromium's warnings when a page closes a picker's window that has forgotten its opener, and when
# the window of a program closes itself.
HARMLESS = ("Unsafe attempt to initiate navigation", "Scripts may close only the windows that were opened by them.")
ENDED_PICKER = re.compile(r"status of 404 .*/picker/v1/windows/[^/]+/commands[?]")
# The addresses of this machine.
LOCAL = re.compile(r"(https?://(127\.0\.0\.1|localhost|[\w.]+\.localhost)[:/]|data:|blob:|about:|file:|chrome-error:|web\+calotype:)")


class Complaints:
    """The complaints of all pages in a test: errors and warnings, such as a CSP violation, requests
    to other servers, and a lost focus."""

    def __init__(self):
        self.contexts = []
        self.begin()

    def begin(self):
        self.all = []
        # The beginnings of expected complaints, for the whole test: Chromium may write one late.
        self.expected = []

    def hear(self, context):
        """Hears what the pages of a browser complain of, also those that pages open."""
        self.contexts.append(context)
        context.on("close", lambda _: self.contexts.remove(context))
        context.on("console", self._hear_message)
        context.on("weberror", lambda error: self.all.append(str(error.error)))
        # Each request to another machine fails.
        context.on("requestfailed", lambda request: LOCAL.match(request.url) or self.all.append(f"another server was asked: {request.url}"))

    def _hear_message(self, message):
        address = message.location["url"]
        # Chromium with windows asks the servers of tests for an icon. The window of a picker that
        # its program ends may be asking for commands.
        is_harmless = address.endswith("/favicon.ico") or ENDED_PICKER.search(f"{message.text} {address}")
        if message.type in ("error", "warning") and not is_harmless:
            self.all.append(f"{message.text} ({address})")

    def hear_of_servers(self, page, *servers):
        """Hears of a page's requests to any server of this machine but the given ones."""
        known = (*servers, "data:", "blob:", "about:", "chrome-error:")
        page.add_init_script(ELSEWHERE % json.dumps(known))
        page.on("worker", lambda worker: self.all.append(f"nothing watches the requests of a worker: {worker.url}"))

    def look(self):
        """Looks at the pages that are still open."""
        for page in [page for context in self.contexts for page in context.pages if not page.is_closed()]:
            with contextlib.suppress(PlaywrightError):  # it closes
                addresses, is_lost = page.evaluate("[window.askedElsewhere?.() ?? [], window.isFocusLost?.()]")
                self.all += [f"another server was asked: {address}" for address in addresses]
                # The page complains itself, or gives the focus to another element.
                if is_lost and not _read_until(page, "!isFocusLost()", bool, patience=20):
                    self.all.append(f"the focus is lost in {page.url}")

    @property
    def unexpected(self):
        return [text for text in self.all if not text.startswith((*HARMLESS, *self.expected))]


heard = Complaints()


def pytest_runtest_setup(item):
    heard.begin()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    outcome = yield
    heard.look()
    return outcome


@pytest.fixture(autouse=True)
def complaints():
    """The complaints of pages. After each test there must be none but those that it expects."""
    yield heard
    if heard.unexpected:
        pytest.fail("\n".join(["the pages complained:", *heard.unexpected]), pytrace=False)


# Streams as they are in Safari.
NO_STREAM_ITERATOR = "delete ReadableStream.prototype[Symbol.asyncIterator]; delete ReadableStream.prototype.values;"


def new_context(browser, width=1440, height=900, locale="en-GB", init_script=PATIENT, **options):
    """Makes a browser whose complaints are checked after the test. All tests use this."""
    return watched(browser.new_context(viewport={"width": width, "height": height}, locale=locale, **options), init_script)


def watched(context, init_script=PATIENT):
    """Hears what the pages of a browser complain of."""
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(WATCH_FOCUS + WATCH_PICTURES + init_script)
    heard.hear(context)
    return context


# The files that look at the first visit of a browser, or at its memory.
FIRST_VISITS = {"test_loading", "test_memory", "test_session", "test_stress", "test_tasks"}
KEPT_DATA = "local_storage,indexeddb,service_workers,cache_storage,file_systems"


class Contexts:
    """Browsers that the tests of a file use one after another. Between two tests a browser forgets
    everything but the files of the server, since its cache saves a sixth of a page's time."""

    def __init__(self, browser, is_shared):
        self.browser, self.is_shared = browser, is_shared
        self.free = defaultdict(list)
        self.options = {}

    def page(self, cookies=(), **options):
        """Returns the first page of a browser that no other page of the test uses."""
        key = json.dumps(options, sort_keys=True)
        context = self.free[key].pop() if self.free[key] else new_context(self.browser, **options)
        self.options[context] = key
        page = context.new_page()
        # A page may store something until it is closed.
        session = context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": KEPT_DATA})
        session.detach()
        context.add_cookies(list(cookies))
        return page

    def give_back(self, context, is_changed=False):
        """Closes the pages of a browser, or the browser itself if a test has changed it."""
        try:
            if not self.is_shared or is_changed:
                return context.close()
            for page in context.pages:
                page.close()
            context.unroute_all()
            context.clear_cookies()
            self.free[self.options[context]].append(context)
        except PlaywrightError:
            context.close()  # the test has closed it

    def close(self):
        """Closes all browsers, also those that a test has not given back."""
        for context in self.options:
            with contextlib.suppress(PlaywrightError):  # it is closed
                context.close()


@pytest.fixture(scope="module")
def contexts(browser, request):
    contexts = Contexts(browser, request.module.__name__ not in FIRST_VISITS)
    yield contexts
    contexts.close()


# The begin of what Chromium writes to its console about a request that failed or was refused.
FAILED = "Failed to load resource"


@pytest.fixture
def pages(contexts, complaints):
    """Makes pages of browsers with given cookies, or of a given browser. They may ask no server but
    that of the cookies."""
    taken, opened = [], []

    def make(cookies, context=None, **options):
        if context is None:
            page = contexts.page(cookies, **options)
            taken.append(page.context)
        else:
            context.add_cookies(cookies)
            page = context.new_page()
        if cookies:
            complaints.hear_of_servers(page, f"http://{cookies[0]['url'].partition('://')[2]}")
        opened.append(page)
        return page

    make.expected = complaints.expected
    # Whether no other test can use the browsers.
    make.has_changed_browsers = False
    yield make
    for page in opened:
        if page.context not in taken and not page.is_closed():
            page.close()
    for context in taken:
        contexts.give_back(context, make.has_changed_browsers)


# The windows of a desk and of a phone, for tests of what both have.
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
on_desk_and_phone = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])


@pytest.fixture
def new_page(pages, cookies):
    """Makes pages of browsers that are signed in to the sample library."""
    return lambda **options: pages(cookies, **options)


@pytest.fixture
def library_page(new_page, calotype_server):
    """Opens the served library and waits for its first page of thumbnails."""

    def make(path="", **options):
        page = new_page(**options)
        page.goto(calotype_server + path)
        if "#/asset" not in path:
            until(page, FIRST_PAGE)
        return page

    return make


def fetched(page, path):
    """Returns the JSON at a path of the page's server. The page asks for it, since Playwright can't
    resolve the server's name."""
    ask = "([path, time]) => fetch(path, { signal: AbortSignal.timeout(time) }).then((answer) => answer.json())"
    return page.evaluate(ask, [path, PATIENCE * 1000])


# The pictures in the window are shown, and so are the parts of the page that are loaded after them.
# The picker has none.
FIRST_PAGE = """performance.getEntriesByName('calotype-first-page').length > 0
  && (performance.getEntriesByName('calotype-complete').length > 0 || !document.querySelector('asset-viewer'))"""


def until(page, condition, patience=PATIENCE):
    """Waits until a JavaScript expression is true, and returns its value. Playwright's
    wait_for_function would violate the page's CSP."""
    value = _read_until(page, LOOK % condition, bool, patience)
    assert value, f"in vain waited for: {condition}"
    return value


# Looks at a condition in some frames, in one message to the browser.
LOOK = """(async () => {
  for (let frame = 0; ; frame++) {
    const value = await (%s);
    if (value || frame === 10) return value;
    await new Promise(requestAnimationFrame);
  }
})()"""


# True if every picture that the page has begun to load is shown. This observer is called after the
# page's own observers, which load the pictures of visible cells.
PICTURES = """(async () => {
  await new Promise((tell) => new IntersectionObserver((_, observer) => tell(observer.disconnect())).observe(document.body));
  return !isFetchingPictures() && [...document.images].every(({ src, complete, naturalWidth }) => !src || (complete && naturalWidth > 0));
})()"""


def until_pictures(page):
    """Waits for the pictures that a page loads. Chromium writes to its console if one of them is
    deleted meanwhile."""
    until(page, PICTURES)


def until_equal(page, read, expected):
    """Waits until a JavaScript expression, or a function of this process, has a value."""
    assert _read_until(page, read, lambda value: value == expected, PATIENCE) == expected


def until_true(page, read, patience=PATIENCE):
    """Waits until a function of this process returns something true, and returns it."""
    value = _read_until(page, read, bool, patience)
    assert value, f"in vain waited; the last value was {value!r}"
    return value


def wait_for(read, what, patience=PATIENCE):
    """Waits without a page until a function returns something true, and returns it."""
    value = _read_until(None, read, bool, patience)
    assert value, f"in vain waited for {what}"
    return value


def _read_until(page, read, is_wanted, patience):
    """Reads a value until it is wanted, in frame after frame of a page, if there is one. Returns
    the last one."""
    end = time.monotonic() + patience
    while True:
        try:
            value = page.evaluate(read) if isinstance(read, str) else read()
            if is_wanted(value) or time.monotonic() > end:
                return value
            if page is not None:
                page.evaluate("new Promise(requestAnimationFrame)")
                continue
        except PlaywrightError:
            # An element is not there yet, or the page goes elsewhere.
            if page is None or page.is_closed() or time.monotonic() > end:
                raise
        time.sleep(0.02)


# The clock that a page reads stands still, whatever time clicks, taps and keys take.
STOPPED_CLOCK = """
  window.clock = performance.now();
  performance.now = () => window.clock;
  Object.defineProperty(Event.prototype, "timeStamp", { get: () => window.clock });
"""
# The clock that a page reads goes forward, and does so again before each press. An event of the
# window, such as a new size, may come late, and closes the guard.
PASS = """(time) => {
  if (window.passedTime === undefined) {
    window.passedTime = 0;
    const now = performance.now.bind(performance);
    performance.now = () => now() + window.passedTime;
    const { get } = Object.getOwnPropertyDescriptor(Event.prototype, "timeStamp");
    Object.defineProperty(Event.prototype, "timeStamp", {
      get() { return get.call(this) + window.passedTime + (this.type === "pointerdown" ? time : 0); },
    });
    addEventListener("pointerdown", () => (window.passedTime += time), true);
  }
  window.passedTime += time;
}"""
# A page has shown by the second frame that an event has come.
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def open_guard(page):
    """Lets the time pass in which clicks on buttons that have just appeared do nothing."""
    page.evaluate(FRAMES)
    page.evaluate(PASS, 900)


# The clock that a page reads shows a minute later, and stands still.
A_MINUTE_LATER = "((now) => { performance.now = () => now + 60_000; })(performance.now())"


# Returns the box of an element once it is the same in two frames, or after five seconds.
BOX = """async (element) => {
  for (let frame = 0, last = ''; ; frame++) {
    if (!element.isConnected) return null;
    const { x, y, width, height } = element.getBoundingClientRect();
    const now = [x, y, width, height].join();
    if (now === last || frame === 300) return { x, y, width, height };
    last = now;
    await new Promise(requestAnimationFrame);
  }
}"""


def box_of(locator):
    """Returns the box of an element that has come to rest. An element that is removed meanwhile has
    an empty box, so the one in its place is asked."""
    for _ in range(100):
        if box := locator.evaluate(BOX):
            return box
    pytest.fail(f"another element takes the place of {locator} again and again")


# The files that take longest, the longest first, so that no process still has one when the others
# are done. The first three don't need the sample library, which is made meanwhile.
LONG = [
    "test_axe", "test_picker_choosing", "test_changing", "test_viewer", "test_proxies", "test_stories", "test_permission",
    "test_views", "test_wrong_targets", "test_program_picker", "test_movies", "test_albums", "test_browse", "test_api",
    "test_collections", "test_selecting", "test_session", "test_hidden_lock", "test_picker_session", "test_segments", "test_tasks",
]


def pytest_collection_modifyitems(config, items):
    places = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path.stem, len(LONG)))
    # The runner of `make test` has limits of its own, and shows more of a test that hangs.
    if not config.pluginmanager.hasplugin("runner.pytest_events"):
        for item in items:
            item.add_marker(pytest.mark.timeout(LONGEST_TEST, method="thread"))
