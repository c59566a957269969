"""Opens libraries in Chromium for the benchmarks of the page."""

import time
from contextlib import contextmanager

WINDOW = {"width": 1440, "height": 900}
# The processor of the page as it is, and slowed down four times.
SLOWDOWNS = (1, 4)
PATIENCE = 60
# Reports what the page does, from before its first script.
WATCH = """
window.tasks = [];
new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask" });
"""
COMPLETE = "performance.getEntriesByName('calotype-complete').length > 0"
FRAME = "new Promise(requestAnimationFrame)"


@contextmanager
def new_page(browser, served, slowdown=1):
    """Makes a page of a new profile that is signed in."""
    context = browser.new_context(viewport=WINDOW)
    try:
        name, _, value = served.cookie.partition("=")
        # Chromium takes a secure cookie over HTTP from the server, but not from here.
        context.add_cookies([{"name": name, "value": value, "url": served.address.replace("http:", "https:"), "secure": True}])
        context.add_init_script(WATCH)
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
        yield page
    finally:
        context.close()


@contextmanager
def opened(browser, served, slowdown=1):
    """Opens the library in a new profile, and waits for the whole page."""
    with new_page(browser, served, slowdown) as page:
        page.goto(f"{served.address}/")
        until(page, COMPLETE)
        yield page


def until(page, condition):
    """Waits until a JavaScript expression is true, and returns its value."""
    end = time.monotonic() + PATIENCE
    while not (value := page.evaluate(condition)):
        if time.monotonic() > end:
            raise RuntimeError(f"in vain waited for: {condition}")
        page.evaluate(FRAME)
    return value


def flick(page, seconds, lengths=(400, 900, 3_000, -600, 20_000)):
    """Turns the wheel in flicks of many lengths."""
    page.mouse.move(700, 450)
    end = time.monotonic() + seconds
    step = 0
    while time.monotonic() < end:
        step += 1
        page.mouse.wheel(0, lengths[step % len(lengths)])
        page.evaluate(FRAME)


def named(what, slowdown):
    """Returns the name of a row."""
    return what if slowdown == 1 else f"{what}, {slowdown} ×"
