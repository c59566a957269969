"""Measures how one photo is opened, stepped from, zoomed and filtered, and a video sought in."""

from statistics import median

from playwright.sync_api import sync_playwright

from browser import FRAME, SLOWDOWNS, named, opened, until
from edits import pan_movie
from processes import calotype_server, quietly
from report import Limit

TITLE = "One photo, close"
NOTE = """\
The same browser as above, with a library of real photos and one video. A photo is sharp when the
picture in the size of the window is shown. That picture is already stored, except in the row “the first
time”, where the server makes it from the original. A step goes to a neighbor whose picture has been
loaded ahead. A step's time is in frames: 1 is the next one. Zooming turns the wheel ten times while the
whole picture loads; its row is the longest task. The video has 10 seconds of 1080p, and the seek goes
to its middle. A filter's time runs from the click until its preview is on the page."""

ROUNDS = 9
STAGE = "document.querySelector('zoom-stage')"
# Follows the viewer frame by frame from the next key or click, until its sharp picture is shown.
FOLLOW = """() => {
  window.followed = null;
  const viewer = document.querySelector("asset-viewer");
  const before = viewer.asset?.id;
  const begin = ({ timeStamp }) => {
    for (const type of ["keydown", "click"]) removeEventListener(type, begin, true);
    let frames = 0, empty = 0;
    const look = () => {
      frames += 1;
      if (!viewer.hidden && viewer.asset.id !== before) {
        const box = viewer.querySelector(".picture");
        const images = [...box.querySelectorAll("img")];
        const isShown = (image) => image.complete && image.naturalWidth > 0 && Number(getComputedStyle(image).opacity) > 0;
        if (!box.style.backgroundImage && !images.some(isShown)) empty += 1;
        const screen = box.querySelector("img.screen");
        if (screen && isShown(screen)) return (window.followed = { frames, empty, time: performance.now() - timeStamp });
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };
  for (const type of ["keydown", "click"]) addEventListener(type, begin, true);
}"""
FOLLOWED = "window.followed"
# Waits for the next frame of a video, and returns the time from a click or a seek.
FIRST_FRAME = """() => new Promise((resolve) => {
  const movie = document.querySelector("video.movie");
  movie.requestVideoFrameCallback((now) => resolve(now - window.startedAt));
})"""


def measure(bench):
    """Measures a library natively and slowed down."""
    library = bench.folder / "Viewer.calotype"
    folder = bench.folder / "viewer"
    bench.link(bench.photos(40), folder)
    quietly(["cp", pan_movie(bench), folder / "pan.mov"])
    quietly([bench.program, "--library", library, "import", "--create", folder])
    with sync_playwright() as playwright, calotype_server(bench.program, library) as served:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        results = [*_first_opening(bench, browser, served)]
        for slowdown in SLOWDOWNS:
            results += _photos(bench, browser, served, slowdown)
            results += _video(bench, browser, served, slowdown)
            results += _filter(bench, browser, served, slowdown)
        browser.close()
    return results


def _open(page, cell):
    page.evaluate(FOLLOW)
    cell.locator(".open").click()
    return until(page, FOLLOWED)


def _photo(page, number):
    return page.locator(".cell:visible:not(:has(.badge.video))").nth(number)


def _first_opening(bench, browser, served):
    """Opens photos whose larger pictures were never made. Neighbors, loaded ahead, are left out."""
    times = []
    with opened(browser, served) as page:
        for number in range(bench.rounds(ROUNDS)):
            times.append(_open(page, _photo(page, 4 * number + 2))["time"])
            page.keyboard.press("Escape")
            until(page, "document.querySelector('asset-viewer').hidden")
    yield Limit("a photo is opened the first time, sharp after", median(times), None, "ms")


def _photos(bench, browser, served, slowdown):
    goal = lambda limit: limit if slowdown == 1 else None
    openings, steps, tasks = [], [], []
    for _ in range(bench.rounds(ROUNDS)):
        with opened(browser, served, slowdown) as page:
            openings.append(_open(page, _photo(page, 2)))
            # The neighbors are loaded once the page rests.
            page.wait_for_load_state("networkidle")
            page.evaluate(FOLLOW)
            page.keyboard.press("ArrowRight")
            steps.append(until(page, FOLLOWED)["frames"])
            tasks.append(_zoom(page))
    return [
        Limit(named("a photo is opened, sharp after", slowdown), median(o["time"] for o in openings), goal(150), "ms"),
        Limit(named("frames without a picture while it opens", slowdown), max(o["empty"] for o in openings), goal(0), "frames"),
        Limit(named("a step to the neighbor, sharp after", slowdown), median(steps), goal(1), "frames"),
        Limit(named("zooming by the wheel, longest task", slowdown), median(tasks), goal(50), "ms"),
    ]


def _zoom(page):
    page.evaluate("window.tasks.length = 0")
    page.mouse.move(600, 400)
    page.keyboard.down("Control")
    for _ in range(10):
        page.mouse.wheel(0, -60)
        page.evaluate(FRAME)
    page.keyboard.up("Control")
    until(page, f"{STAGE}.isZoomed && {STAGE}.querySelector('img.full')?.complete")
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
    return max(page.evaluate("window.tasks"), default=0)


def _video(bench, browser, served, slowdown):
    first, sought = [], []
    for _ in range(bench.rounds(ROUNDS)):
        with opened(browser, served, slowdown) as page:
            page.evaluate("""() => addEventListener("click", ({ timeStamp }) => (window.startedAt = timeStamp), { capture: true, once: true })""")
            page.locator(".cell:visible:has(.badge.video) .open").click()
            until(page, "document.querySelector('video.movie') !== null")
            first.append(page.evaluate(FIRST_FRAME))
            page.evaluate("""() => {
              const movie = document.querySelector("video.movie");
              movie.pause();
              window.startedAt = performance.now();
              movie.currentTime = movie.duration / 2;
            }""")
            sought.append(page.evaluate(FIRST_FRAME))
    return [
        Limit(named("a video is opened, first frame after", slowdown), median(first), 300 if slowdown == 1 else None, "ms"),
        Limit(named("sought in to its middle, frame after", slowdown), median(sought), 500 if slowdown == 1 else None, "ms"),
    ]


def _filter(bench, browser, served, slowdown):
    times = []
    for _ in range(bench.rounds(ROUNDS)):
        with opened(browser, served, slowdown) as page:
            _open(page, _photo(page, 2))
            page.keyboard.press("e")
            page.locator("photo-editor [aria-checked=true]").wait_for()
            page.wait_for_load_state("networkidle")
            page.evaluate("""() => addEventListener("click", ({ timeStamp }) => {
              const look = () => (document.querySelector("canvas.preview") ? (window.shownAfter = performance.now() - timeStamp) : requestAnimationFrame(look));
              requestAnimationFrame(look);
            }, { capture: true, once: true })""")
            page.locator("photo-editor [data-filter=sepia]").click()
            times.append(until(page, "window.shownAfter"))
    return [Limit(named("a filter is shown after", slowdown), median(times), 100 if slowdown == 1 else None, "ms")]
