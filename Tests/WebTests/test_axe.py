"""axe-core finds nothing serious or critical in any view, in light and dark, on a phone and a
desktop. On a phone, everything that is pressed has the size of a finger. The package
axe-playwright-python contains axe-core; scripts/setup installs it."""

from importlib.resources import files

import pytest
from conftest import FAILED, new_context, until
from organizing import READY
from screens import SIZES, prepare, screens

pytest.importorskip("axe_playwright_python", reason="scripts/setup --tests installs axe-core")
AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
CHECK = """async (options) => {
  const { violations } = await axe.run({ resultTypes: ['violations'], ...options });
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`));
}"""
# The rules that look at colors. Other rules find the same in light and in dark.
COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
# One is enough of views that differ only in their assets.
VIEWS = [
    "timeline", "scrubber", "tree", "recently deleted", "album", "empty album", "adding photos", "folder", "missing album",
    "viewer", "live", "video", "unreadable", "information", "date form", "map", "editor", "search", "nothing found", "selection", "add to album",
    "information of several", "menu", "toast", "keys", "rename", "question", "history", "access", "request", "view as",
    "sessions", "picker", "ordered picker", "picker albums", "picker tray", "limited picker", "picker code", "sign in",
    "stories without access", "stories", "stories menu", "story", "segments", "segments menu", "browse", "browse album",
    "browse photo", "sample selected",
]

# Lists the parts of the window that are pressed and are smaller than a finger. Some have an
# invisible box around them. A link in a sentence is as high as its line, and the strip below a
# photo is swiped.
SMALL_TARGETS = """() => {
  const pressed = "a[href], button, input, select, textarea, [role=menuitem], [role=treeitem], [role=slider]";
  const isInSentence = ({ parentElement, textContent }) => parentElement.matches("p") && parentElement.textContent.trim() !== textContent;
  const isInWindow = ({ left, right, top, bottom }) => right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
  return [...document.querySelectorAll(pressed)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((element) => !element.disabled && !element.closest("[inert], film-strip") && !isInSentence(element))
    .map((element) => [element, (element.closest("label") ?? element).getBoundingClientRect(), getComputedStyle(element, "::after")])
    .filter(([, box]) => box.width > 0 && isInWindow(box))
    .map(([element, box, { position, width, height }]) => {
      const around = position === "absolute" ? [parseFloat(width), parseFloat(height)] : [0, 0];
      return [element, Math.max(box.width, around[0]), Math.max(box.height, around[1])];
    })
    .filter(([, width, height]) => Math.round(width) < 44 || Math.round(height) < 44)
    .map(([element, width, height]) => `${element.outerHTML.slice(0, 120)} has ${width} × ${height} px`);
}"""


@pytest.fixture(scope="module")
def prepared(site, tmp_path_factory):
    prepare(site, tmp_path_factory.mktemp("prepared"))
    yield site
    site.empty.stop()


@pytest.fixture(scope="module")
def browsers(browser):
    """A browser of each size, whose pages take turns. It loads the scripts once."""
    contexts = {}
    for size, options in SIZES.items():
        viewport = options["viewport"]
        others = {name: value for name, value in options.items() if name != "viewport"}
        contexts[size] = new_context(browser, **viewport, **others, reduced_motion="reduce")
    yield contexts
    for context in contexts.values():
        context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", VIEWS)
def test_ax_01_axe_finds_nothing_serious(prepared, browsers, pages, view, size):
    [(address, steps)] = [(address, steps) for name, address, steps in screens(prepared) if name == view]
    page = pages(prepared.cookies, context=browsers[size])
    page.goto(prepared.address + address)
    if page.locator("photo-grid").count() > 0:
        until(page, READY)
    answer = steps(page) if steps.__code__.co_argcount == 1 else steps(prepared, page)
    shown = answer if hasattr(answer, "screenshot") else page
    shown.evaluate(AXE)
    found = []
    for scheme, options in {"light": {}, "dark": COLORS}.items():
        shown.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{scheme}: {one}" for one in shown.evaluate(CHECK, options)]
    small = shown.evaluate(SMALL_TARGETS) if size == "phone" else []
    if callable(answer):
        answer()
    if view == "missing album":
        pages.expected.append(FAILED)  # that it is missing
    page.evaluate("localStorage.clear()")
    for other in browsers[size].pages:
        if other is not page:
            other.close()
    assert found == []
    assert small == []
