"""Measures the picker that a page of another origin opens."""

import functools
import http.server
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from first_page import WINDOW
from processes import calotype_server
from report import Limit

TITLE = "The picker"
NOTE = """\
Chromium. A page of another origin opens the picker of a library of real photos by a click, and a person
chooses some by Shift and presses Add. The page then asks for all of them at once. The copies have no
places and no texts. “Handed over” are the bytes that arrive in the page in a second. “4 ×” means that
the processor of the page and of the picker is slowed down four times. A page must not see from the time
whether the person is signed in."""

REASONS = {
    "from Add to 24 items in the page, 4 ×": """\
At a quarter of the speed, the picker's scripts take up to 30 ms, and styles and layout 19. The picker also asks the
server which photos are still there.""",
    "time to hand 80 MB over": """\
The server's bytes pass through the browser to the picker. The picker removes places and texts, computes the SHA-256,
and gives the bytes to the browser again, for the page. Of 760 ms for 46 MB, the browser's transfer takes 420, and copying
and hashing in the picker take 190. Reading into one buffer would save 14 %, but some browsers do not offer it. Loading
three or four files at once instead of two saves nothing.""",
}

PHOTOS, PHOTOS_QUICK = 24, 4
ROUNDS = 9
PAIRS = 4  # Of openings signed in and signed out, in each round.
GUARD = 0.9  # Clicks do nothing for 0.8 seconds.
PAGE = """<!doctype html><title>A page</title><button>Choose</button><script>
window.heard = [];
const now = () => performance.timeOrigin + performance.now();
document.querySelector("button").addEventListener("click", () => {
  const picker = open(new URLSearchParams(location.search).get("library") + "/picker", "picker", "popup");
  const pressed = now();
  addEventListener("message", ({ source, origin }) => {
    if (source !== picker || window.port) return;
    const { port1, port2 } = new MessageChannel();
    window.port = port1;
    port1.onmessage = ({ data }) => data.type !== "alive" && heard.push({ ...data, pressed, at: now() });
    picker.postMessage({ calotype: "open", version: 1, configuration: { selectionLimit: 0 } }, origin, [port2]);
  });
});
</script>"""
LOAD_ALL = """async () => {
  const items = heard.find(({ type }) => type === "picked").items;
  const start = performance.now();
  items.forEach(({ item }, request) => port.postMessage({ type: "load", request, item, kind: "main" }));
  const files = () => heard.filter(({ type }) => type === "loaded");
  while (files().length < items.length) {
    if (heard.some(({ type }) => type === "error")) throw new Error("a photo could not be loaded");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return files().reduce((sum, { file }) => sum + file.size, 0) / 1e3 / (performance.now() - start);
}"""


def measure(bench):
    """Opens the picker some times, each in a new profile."""
    count = PHOTOS_QUICK if bench.quick else PHOTOS
    with calotype_server(bench.program, bench.library) as served, _page_server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        rounds, slowed, signed_in, signed_out = [], [], [], []
        # In turns, so that other programs disturb all of them alike.
        for _ in range(bench.rounds(ROUNDS)):
            rounds.append(_pick(browser, served, address, count))
            slowed.append(_pick(browser, served, address, count, slowdown=4))
            for _ in range(PAIRS):
                signed_in.append(_open(browser, served, address, is_signed_in=True))
                signed_out.append(_open(browser, served, address, is_signed_in=False))
        browser.close()
    opened, picked, speed = (median(times) for times in zip(*rounds))
    slowly_opened, slowly_picked, _ = (median(times) for times in zip(*slowed))
    return [
        Limit("from the click to a picker that answers", opened, 400, "ms"),
        Limit("from the click to a picker that answers, 4 ×", slowly_opened, 400, "ms"),
        Limit("the same, signed in or out: the difference", abs(median(signed_in) - median(signed_out)), None, "ms"),
        Limit(f"from Add to {count} items in the page", picked, 50, "ms"),
        Limit(f"from Add to {count} items in the page, 4 ×", slowly_picked, 50, "ms"),
        Limit("time to hand 80 MB over", 80 / speed, 1, "s"),
        Limit("handed over", speed, None, "MB/s"),
    ]


def _pick(browser, served, address, count, slowdown=1):
    """Returns the times to open and to add in milliseconds, and the speed in MB/s."""
    with _opened(browser, served, address, slowdown) as (page, picker):
        opened = _heard(page, "opened", "{ at, pressed }", "at - pressed")
        _choose(picker, count)
        picker.evaluate("""() => document.querySelector(".add").addEventListener("click",
          ({ timeStamp }) => (window.pressed = performance.timeOrigin + timeStamp), { capture: true })""")
        picker.click(".add")
        picked = _heard(page, "picked", "{ at }", "at") - picker.evaluate("window.pressed")
        return opened, picked, page.evaluate(LOAD_ALL)


def _open(browser, served, address, is_signed_in):
    """Returns the time to open in milliseconds."""
    with _opened(browser, served, address, is_signed_in=is_signed_in) as (page, _):
        return _heard(page, "opened", "{ at, pressed }", "at - pressed")


@contextmanager
def _opened(browser, served, address, slowdown=1, is_signed_in=True):
    """Presses the page's button in a new profile. Gives the page and the picker's window."""
    context = browser.new_context(viewport=WINDOW)
    try:
        if is_signed_in:
            name, _, value = served.cookie.partition("=")
            # Chromium takes a secure cookie over HTTP from the server, but not from here.
            context.add_cookies([{"name": name, "value": value, "url": served.address.replace("http:", "https:"), "secure": True}])
        if slowdown > 1:
            context.on("page", lambda page: _slow_down(context, page, slowdown))
        page = context.new_page()
        page.goto(f"{address}?library={served.address}")
        with context.expect_page() as window:
            page.click("button")
        yield page, window.value
    finally:
        context.close()


def _slow_down(context, page, slowdown):
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})


def _choose(picker, count):
    cells = picker.locator(".cell[data-id]")
    cells.nth(count - 1).wait_for()
    picker.bring_to_front()
    time.sleep(GUARD)
    cells.nth(0).click()
    cells.nth(count - 1).click(modifiers=["Shift"])
    picker.get_by_role("button", name=f"Add {count}").wait_for()


def _heard(page, kind, fields, value):
    """Waits for a message of the picker, and returns a number from it."""
    return page.evaluate(f"""async () => {{
      for (;;) {{
        const message = heard.find(({{ type }}) => type === "{kind}");
        if (message) {{
          const {fields} = message;
          return {value};
        }}
        await new Promise((resolve) => setTimeout(resolve, 5));
      }}
    }}""")


@contextmanager
def _page_server():
    """Serves the page from an origin of its own. Returns its address."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "index.html").write_text(PAGE)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
