"""Draws the screens of the web app, each in light and dark, on a desktop and a phone, into
.build/screens: `make screens`. A page there shows all of them, to look at. `make screens
SCREENS="viewer,video"` draws only these."""

import functools
import html
import http.server
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from urllib.request import Request, urlopen

from apps import Owner
from conftest import CHROMIUM, PATIENCE, ROOT, Site, end, new_link, open_guard, program, sign_in, until, written
from organizing import READY
from playwright.sync_api import sync_playwright
from test_permission import CARD, Client
from test_picker_network import Program
from test_picker_session import PRESENT
from test_program_picker import Driver
from test_proxies import held_port
from views import GRID, SETTLED

SIZES = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2},
}
# In half a second's frames, all pictures are there, and nothing moves that does not do so for ever.
REST = """(async () => {
  const isRunning = ({ playState, effect }) => playState === "running" && effect.getComputedTiming().iterations !== Infinity;
  const isComplete = ({ complete, loading }) => complete || loading === "lazy";
  for (let frame = 0; frame < 30; frame++) {
    if (![...document.images].every(isComplete) || document.getAnimations().some(isRunning)) return false;
    await new Promise(requestAnimationFrame);
  }
  return true;
})()"""


def nothing(page):
    pass


def drawer(page):
    if page.locator(".bottom-bar").is_visible():
        page.locator(".bottom-bar [data-view=albums]").tap()


def middle(page):
    page.evaluate("(grid => grid.goTo(grid.layout.height / 2))(document.querySelector('photo-grid'))")
    until(page, SETTLED)


def expanded(page):
    drawer(page)
    page.locator("side-bar .collection").last.scroll_into_view_if_needed()
    page.locator("side-bar .collection[aria-expanded=false] .twisty").first.click()


def photos(page):
    page.get_by_label("All photos in here").click()


def viewer(page):
    page.locator(".cell .open").first.click()


def zoomed(page):
    viewer(page)
    for _ in range(3):
        page.keyboard.press("+")


def information(page):
    viewer(page)
    page.keyboard.press("i")


def editor(page):
    viewer(page)
    page.keyboard.press("e")
    page.locator("photo-editor [role=radio]").nth(2).click()
    page.locator("canvas.preview").wait_for()


def place_map(page):
    page.locator("asset-viewer:not([hidden])").wait_for()
    page.keyboard.press("i")
    page.locator("place-map > svg").scroll_into_view_if_needed()


def small(steps):
    """Returns steps that are taken in a window of 1440 × 900 at 400 %."""

    def taken(page):
        page.set_viewport_size({"width": 360, "height": 225})
        until(page, REST)
        steps(page)

    return taken


def empty_library(site, page):
    page.context.clear_cookies()
    page.context.add_cookies(site.empty.cookies)
    page.goto(site.empty.address)
    page.locator(".backdrop:not([hidden])").wait_for()


def date_form(page):
    information(page)
    page.get_by_role("button", name="Edit the date").click()


def favorite(page):
    selection(page)
    page.locator("selection-bar [data-command=favorite]").click()
    page.locator(".toast").wait_for()
    return functools.partial(undone, page)


def undone(page):
    """Takes back what a screen has changed."""
    page.keyboard.press("Control+z")
    page.get_by_text("Undone").wait_for()


def peek(page):
    """Presses long with a finger, which a mouse can't."""
    if not page.locator(".bottom-bar").is_visible():
        return
    box = page.locator(".cell").nth(4).bounding_box()
    touch = {"x": box["x"] + 40, "y": box["y"] + 40}
    page.context.new_cdp_session(page).send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [touch]})
    page.locator(".menu.peek").wait_for()


def scrubber(page):
    if page.locator(".bottom-bar").is_visible():
        return middle(page)
    page.mouse.move(1420, 450)


def scrubbing(page):
    """Drags the scrubber, with a finger or with the mouse."""
    scrubber(page)
    box = page.locator("date-scrubber").bounding_box()
    x, y = box["x"] + box["width"] - 12, box["y"] + box["height"] / 2
    if page.locator(".bottom-bar").is_visible():
        handle = page.locator("date-scrubber .handle").bounding_box()
        send = page.context.new_cdp_session(page).send
        touch = {"x": handle["x"] + handle["width"] / 2, "y": handle["y"] + handle["height"] / 2}
        send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [touch]})
        send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{**touch, "y": y}]})
        return
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 60, steps=4)


def small_pictures(page):
    for _ in range(2):
        page.keyboard.press("-")


def large_pictures(page):
    page.keyboard.press("+")


def whole_photos(page):
    page.locator(".layout-mode").click()
    page.locator(".layout-mode[aria-pressed=true]").wait_for()


def whole_photos_selected(page):
    whole_photos(page)
    until(page, REST)
    selection(page)


def adding(page):
    """Adds photos to an empty album."""
    page.get_by_role("button", name="Add photos…").click()
    for place in (1, 2):
        page.locator(".chooser .cell[data-id]").nth(place).click()


def finding(page):
    """Begins to search on a phone, or by a key."""
    if page.locator(".bottom-bar").is_visible():
        page.locator(".bottom-bar [data-view=search]").tap()
    else:
        page.keyboard.press("/")
    page.keyboard.type("live")


def asking(site, page):
    """A page asks for access. It gets an answer after the screen was drawn."""
    # An origin that was refused is not asked about again.
    site.asked = getattr(site, "asked", 0) + 1
    origin = f"https://frame{site.asked}.example"
    Client(site, origin).ask(name="Picture frame")
    page.locator(CARD).wait_for()
    return lambda: site.calotype("access", "revoke", origin)


def new_key(page):
    page.get_by_role("button", name="New key for a script").click()


def shown_key(page):
    new_key(page)
    page.keyboard.type("Backup")
    page.keyboard.press("Enter")
    page.locator("dialog.ask .token").wait_for()


def chooser(page):
    """Selects the photos that a program may see."""
    page.locator(".client-actions").get_by_role("button", name="Select photos…").click()
    page.locator(".chooser .cell[data-id] img").first.wait_for()


def viewing_as(page):
    page.get_by_role("button", name="View as").first.click()
    page.locator(".eyes").wait_for()


def viewer_of_client(page):
    viewing_as(page)
    page.locator("photo-grid .cell[data-id] .open").first.click()
    page.locator("asset-viewer:not([hidden])").wait_for()


def client_without_photos(site, page):
    """Takes the photos of the client that is viewed, and gives them back."""
    viewing_as(page)
    site.calotype("access", "revoke", "https://print.example")
    page.get_by_text("sees no photos").wait_for()
    return lambda: site.calotype("access", "grant", "https://print.example")


def signing_in(site, page):
    """Shows the form for a password, which it sets if there is none."""
    page.goto(site.address + "sessions")
    if page.get_by_role("button", name="Set a password").count() > 0:
        page.locator("[name=newPassword]").fill("a river in the night")
        page.get_by_role("button", name="Set a password").click()
        page.wait_for_load_state()
        site.cookies = sign_in(new_link(site.library))
    page.context.clear_cookies()
    page.goto(site.address + "sign-in")


def first_run(site, page):
    """Shows the page on which the owner of a new library sets the first password. Its address is
    that of a proxy, in whose place this function asks the server."""
    name, folder = "photos.example", Path(tempfile.mkdtemp(dir=site.library.parent))
    with held_port() as port:
        server = subprocess.Popen(
            [program(), "--library", str(folder / "New.calotype"), "serve", "--create", "--port", str(port),
             "--public-url", f"https://{name}", "--proxy", "127.0.0.1"], stdout=subprocess.PIPE, text=True)
        written(server, server.stdout, name)

    def answer(route):
        path = route.request.url.removeprefix(f"https://{name}")
        with urlopen(Request(f"http://127.0.0.1:{port}{path}", headers={"Host": name}), timeout=PATIENCE) as answer:
            route.fulfill(status=answer.status, headers=dict(answer.headers), body=answer.read())

    page.route(f"https://{name}/**", answer)
    page.goto(f"https://{name}/sign-in")
    page.locator("[name=code]").wait_for()
    return lambda: end(server)


def take_clicks(window):
    """Moves the pointer into a new window, which does not take its clicks before."""
    window.mouse.move(300, 300)
    open_guard(window)
    window.mouse.move(310, 310)


def picker_window(page, button):
    """Opens the picker by a button of a page. Returns its window."""
    with page.context.expect_page() as opened:
        button.click()
    window = opened.value
    window.locator(".cell[data-id] img, .choosing .message p").first.wait_for()
    take_clicks(window)
    return window


def gallery(site, page):
    """Opens the example page of another origin."""
    page = page.context.new_page()
    page.goto(f"{site.gallery}?library={site.address}")
    return page


def picker(name, choosing=0):
    """Returns the steps that open the picker by a button of the example page."""

    def steps(site, page):
        page = gallery(site, page)
        window = picker_window(page, page.get_by_text(name))
        for place in range(choosing):
            window.locator(".cell").nth(place).click()
        return window

    return steps


def picker_of(configuration, steps=nothing):
    """Returns the steps that open a picker with a configuration, and go on in its window."""

    def opened(site, page):
        page = page.context.new_page()
        page.goto(site.gallery)
        page.evaluate(PRESENT, [site.address, configuration, None])
        window = picker_window(page, page.locator("#images"))
        steps(window)
        return window

    return opened


def three_chosen(window):
    for place in (0, 1, 4):
        window.locator(".cell").nth(place).click()


def picker_without(capability, **configuration):
    """Returns the steps that choose in a picker without a capability."""
    return picker_of({"selectionLimit": 0, "disabledCapabilities": [capability], **configuration}, three_chosen)


def tray(window):
    three_chosen(window)
    window.locator(".count").click()
    window.locator(".tray img").last.wait_for()


def albums_of_picker(window):
    window.get_by_role("tab", name="Albums").click()
    window.locator(".albums img").first.wait_for()


def automatic(window):
    window.get_by_label("Format").select_option("Automatic")


def nothing_in_picker(window):
    window.locator(".search").fill("zebra")
    window.locator(".message p").wait_for()


def picked(site, page):
    """Shows a page of another origin that has got the photos."""
    page = gallery(site, page)
    window = picker_window(page, page.get_by_text("Choose up to three images"))
    three_chosen(window)
    window.click(".add")
    page.locator(".gallery img").nth(2).wait_for()
    return page


def program_picker(*words, choosing=0):
    """Returns the steps that show the picker of a Swift program, which is told these words."""

    def steps(site, page):
        # The programs need an access that a person may limit.
        chosen = f"limited:{site.identifier('P18')},{site.identifier('P19')}"
        folder = Path(tempfile.mkdtemp(dir=site.library.parent))
        driver = Driver(site.library, folder, CALOTYPE_AUTHORIZATION=chosen)
        driver.tell(*words)
        page.goto(driver.next_address())
        page.locator(".cell[data-id] img").first.wait_for()
        take_clicks(page)
        for place in range(choosing):
            page.locator(".cell").nth(place).click()
        return driver.stop

    return steps


def code_of_picker(site, page):
    """Shows the page that asks for the two digits of a program on another machine."""
    page.goto(Program(site, {}, "Kitchen frame").opened["picker"])
    page.locator(".code").wait_for()


def wrong_code(site, page):
    program = Program(site, {}, "Kitchen frame")
    page.goto(program.opened["picker"])
    page.locator(".code").fill("10" if program.opened["code"] != "10" else "11")
    page.get_by_text("These are other digits.").wait_for()


def serve_pages():
    """Serves this folder from an origin that the library does not know. Returns its address."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=ROOT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def example(folder, steps=nothing, has_access=True):
    """Returns the steps that open a page of Examples, which may have access to the library."""

    def taken(site, page):
        if has_access:
            if site.token is None:
                site.token = Owner(site).allow(site.pages.rstrip("/"))
            page.context.add_init_script(f"if (location.href.startsWith({site.pages!r})) localStorage.setItem('calotype-token', {site.token!r})")
        page = page.context.new_page()  # one that may ask another server than the library's
        page.goto(f"{site.pages}Examples/{folder}/?library={site.address}")
        until(page, REST)
        steps(page)
        return page

    return taken


def sheet(page):
    page.locator(".swipe:not([hidden])").wait_for()
    page.keyboard.press("ArrowUp")
    page.locator(".thumbnails > li").first.wait_for()
    until(page, REST)


def sheet_menu(page):
    sheet(page)
    page.locator(".title").click()
    page.locator(".menu[open] .albums button").first.wait_for()


def story(page):
    sheet(page)
    page.locator(".thumbnails > li").nth(4).click()
    page.locator(".editor:not([hidden])").wait_for()


def segments(page):
    page.get_by_role("button", name="Choose an image").click()
    page.locator(".photo-browser .thumbnails > li").first.wait_for()


def segment_menu(page):
    segments(page)
    until(page, REST)
    page.locator(".photo-browser .thumbnails > li").nth(1).click(button="right")


def selected_in_sample(page):
    window = picker_window(page, page.get_by_role("button", name="Photos", exact=True))
    for place in (2, 3, 4):
        window.locator(".cell").nth(place).click()
    window.click(".add")
    page.locator("dl div").first.wait_for()


def albums_of_example(page):
    page.locator(".albums a").first.wait_for()


def album_of_example(page):
    albums_of_example(page)
    page.locator(".albums a").first.click()
    page.locator(".thumbnails > li").first.wait_for()


def photo_of_example(page):
    album_of_example(page)
    until(page, REST)
    page.locator(".thumbnails > li").nth(4).click()
    page.locator("footer:not([hidden])").wait_for()


def selection(page):
    page.locator(".select-mode").click()
    for place in (0, 1, 3):
        page.locator(".cell .open").nth(place).click()


def part_of_day(page):
    """Selects a part of the day that has the most photos."""
    page.locator(".select-mode").click()
    day = page.evaluate(f"""(grid => {{
      const days = grid.layout.days.map(([, count]) => count);
      const day = days.indexOf(Math.max(...days));
      grid.goTo(grid.layout.boxOf(grid.layout.assetsOfDay(day).first).top - 160);
      return day;
    }})({GRID})""")
    until(page, SETTLED)
    for place in (0, 2):
        id = page.evaluate(f"{GRID}.snapshot.pages.at({GRID}.layout.assetsOfDay({day}).first + {place}).id")
        page.locator(f".cell[data-id='{id}'] .circle").click()
    page.locator(".day-circle[aria-checked=mixed]").wait_for()


def command(name):
    """Returns the steps that select, and run a command of the bar."""

    def steps(page):
        selection(page)
        page.locator(f"selection-bar [data-command={name}]").click()

    return steps


def band(page):
    if page.locator(".bottom-bar").is_visible():
        return
    first, last = page.locator(".cell").nth(0).bounding_box(), page.locator(".cell").nth(9).bounding_box()
    page.mouse.move(first["x"] - 6, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(last["x"] + 40, last["y"] + 60, steps=4)


def press_options(page):
    """Presses the button of the last album, whose row may be below the window."""
    drawer(page)
    page.locator("side-bar .tree").evaluate("tree => (tree.scrollTop = tree.scrollHeight)")
    # With a mouse, the button is shown while the pointer is over its row.
    page.locator("side-bar .row:has(.row-options)").last.hover()
    page.locator("side-bar .row-options").last.evaluate("button => button.click()")


def album_menu(page):
    press_options(page)


def menu(page):
    page.locator(".cell .open").nth(1).click(button="right")


def keys(page):
    page.keyboard.press("?")


def rename(page):
    press_options(page)
    page.get_by_role("menuitem", name="Rename").click()


def question(page):
    press_options(page)
    page.get_by_role("menuitem", name="Delete").click()


def screens(site):
    """Returns each screen's name, its address, and the steps that lead to it. Steps get the page,
    or the site and the page. They may return a function that cleans up, or another window."""
    albums = site.collections
    norway, empty = f"album/{albums['Norway']}", f"album/{albums['Empty']}"
    travels = f"folder/{albums['Travels']}"
    return [
        ("timeline", "", nothing), ("timeline in the middle", "", middle), ("scrubber", "", scrubber), ("scrubbing", "", scrubbing),
        ("small pictures", "", small_pictures), ("large pictures", "", large_pictures),
        ("whole photos", "", whole_photos), ("whole photos selected", "", whole_photos_selected),
        ("sidebar", "", drawer), ("tree", "", expanded),
        ("favorites", "smart/favorites", nothing), ("recently deleted", "smart/recentlyDeleted", nothing),
        ("recently added", "smart/recentlyAdded", nothing), ("album", norway, nothing),
        ("empty album", empty, nothing), ("adding photos", empty, adding), ("folder", travels, nothing),
        ("folder with photos", travels, photos), ("missing album", "album/none", nothing),
        ("viewer", "", viewer), ("zoomed", "", zoomed), ("live", "smart/livePhotos", viewer),
        ("video", "smart/videos", viewer), ("burst", "smart/bursts", viewer), ("unreadable", f"#/asset/{site.id('U01')}", nothing),
        ("information", "", information), ("date form", "", date_form),
        ("editor", "", editor), ("editor of a video", "smart/videos", editor), ("map", f"#/asset/{site.id('P01')}", place_map), ("empty library", "", empty_library),
        ("400 %", "", small(nothing)), ("400 % menu", "", small(menu)), ("400 % viewer", "", small(information)),
        ("search", "search?q=2024", nothing), ("finding", "", finding), ("nothing found", "search?q=zebra", nothing),
        ("selection", "", selection), ("part of a day", "", part_of_day), ("rubber band", "", band),
        ("add to album", "", command("addTo")),
        ("information of several", "", command("information")), ("menu", "", menu), ("peek", "", peek),
        ("toast", "", favorite), ("keys", "", keys),
        ("album menu", "", album_menu), ("rename", "", rename), ("question", "", question),
        ("history", "history", nothing), ("access", "access", nothing), ("request", "", asking),
        ("chooser", "access", chooser), ("view as", "access", viewing_as),
        ("viewer of a client", "access", viewer_of_client), ("client without photos", "access", client_without_photos),
        ("new key", "access", new_key), ("shown key", "access", shown_key),
        ("sessions", "sessions", nothing), ("first run", "", first_run), ("sign in", "sign-in", signing_in),
        ("picker", "", picker("Choose up to three images", 2)), ("ordered picker", "", picker("Choose anything, in order", 3)),
        ("picker albums", "", picker_of({"selectionLimit": 0}, albums_of_picker)),
        ("picker staging", "", picker_of({"selectionLimit": 0}, three_chosen)),
        ("picker limit", "", picker_of({"selectionLimit": 3}, three_chosen)),
        ("picker compact", "", picker_of({"selectionLimit": 0, "mode": "compact"})),
        ("picker without search", "", picker_without("search")),
        ("picker without tray", "", picker_without("stagingArea")),
        ("picker without albums", "", picker_without("collectionNavigation")),
        ("picker without actions", "", picker_without("selectionActions", selection="continuous")),
        ("picker tray", "", picker_of({"selectionLimit": 0, "selection": "ordered"}, tray)),
        ("picker options", "", picker_of({"selectionLimit": 0}, automatic)),
        ("picker without matches", "", picker_of({"selectionLimit": 0, "filter": "cinematicVideos"})),
        ("picker without results", "", picker_of({"selectionLimit": 0}, nothing_in_picker)),
        ("program picker", "", program_picker("show", choosing=2)), ("limited picker", "", program_picker("limited")),
        ("picker code", "", code_of_picker), ("wrong picker code", "", wrong_code),
        ("stories without access", "", example("WebStories", has_access=False)), ("stories", "", example("WebStories", sheet)),
        ("stories menu", "", example("WebStories", sheet_menu)), ("story", "", example("WebStories", story)),
        ("segments", "", example("WebSegments", segments)), ("segments menu", "", example("WebSegments", segment_menu)),
        ("browse", "", example("WebBrowse", albums_of_example)), ("browse album", "", example("WebBrowse", album_of_example)),
        ("browse photo", "", example("WebBrowse", photo_of_example)),
        ("sample", "", example("WebSelecting", has_access=False)),
        ("sample selected", "", example("WebSelecting", selected_in_sample, has_access=False)), ("gallery", "", example("WebPicker", has_access=False)),
        ("gallery with photos", "", picked),
    ]


def prepare(site, folder):
    """Gives the site clients, so that the access page has some, and a second one without photos."""
    site.pages, site.token = serve_pages(), None
    site.gallery = f"{site.pages}Examples/WebPicker/"
    site.empty = Site(folder / "Empty.calotype", "--create")
    site.calotype("access", "limit", "https://slides.example", site.identifier("P01"), site.identifier("P07"))
    site.calotype("access", "grant", "https://print.example")


def draw(site, folder, names):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for size, options in SIZES.items():
            for scheme in ("light", "dark"):
                for name, address, steps in screens(site):
                    if name not in names:
                        continue
                    context = browser.new_context(locale="en-GB", color_scheme=scheme, **options)
                    context.set_default_timeout(30_000)
                    context.add_cookies(site.cookies)
                    page = context.new_page()
                    try:
                        draw_screen(page, site, address, steps, folder / f"{name}-{size}-{scheme}.png")
                    except Exception as error:
                        print(f"{name}, {size}, {scheme}: {error}")
                    context.close()
        browser.close()


def draw_screen(page, site, address, steps, path):
    page.goto(site.address + address)
    if page.locator("photo-grid").count() > 0:
        until(page, READY)
    until(page, REST)
    answer = steps(page) if steps.__code__.co_argcount == 1 else steps(site, page)
    drawn = answer if hasattr(answer, "screenshot") else page
    until(drawn, REST)
    drawn.screenshot(path=path)
    if callable(answer):
        answer()


def write_sheet(names, folder):
    rows = []
    for name in names:
        images = "".join(
            f'<a href="{file}"><img src="{file}" height="380" loading="lazy"></a>'
            for file in (html.escape(f"{name}-{size}-{scheme}.png") for size in SIZES for scheme in ("light", "dark")))
        rows.append(f"<h2>{html.escape(name)}</h2><p>{images}</p>")
    style = "body { font: 15px system-ui; background: #888; } a { margin-right: 8px; }"
    (folder / "index.html").write_text(f"<!doctype html><title>Screens</title><style>{style}</style>{''.join(rows)}")


def main():
    folder = ROOT / ".build" / "screens"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        library = Path(temporary) / "Fixture.calotype"
        subprocess.run([str(Path(program()).parent / "fixture-library"), str(library)], check=True)
        site = Site(library)
        try:
            prepare(site, Path(temporary))
            names = [name for name, _, _ in screens(site)]
            if wanted := os.environ.get("SCREENS"):
                names = [name for name in names if name in wanted.split(",")]
            draw(site, folder, names)
            write_sheet(names, folder)
            site.empty.stop()
        finally:
            site.stop()
    print(f"The screens are in {folder / 'index.html'}")


if __name__ == "__main__":
    main()
