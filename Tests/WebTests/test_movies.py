"""Videos in the viewer: scenarios M."""

import subprocess

import pytest
from conftest import A_MINUTE_LATER, FAILED, FRAMES, Site, box_of, copy_library, until, until_equal, until_true
from organizing import own_page, own_site
from playwright.sync_api import expect
from test_viewer import swipe
from views import until_shown

MOVIE = "document.querySelector('asset-viewer video.movie')"


def open_movie(page, site, name):
    page.locator(f".cell[data-id='{site.id(name)}']").click()
    until(page, f"{MOVIE}?.readyState > 0")


@pytest.fixture
def page(site_page):
    page = site_page("smart/videos", height=1400)
    until_shown(page, "Videos", 12)
    return page


def test_m_03_keys_of_videos(site, page):
    open_movie(page, site, "V01")
    page.evaluate(f"{MOVIE}.pause()")
    page.keyboard.press("5")
    until(page, f"Math.abs({MOVIE}.currentTime - {MOVIE}.duration / 2) < 0.1")
    for key, expected in [("l", 20), ("j", 10), ("Shift+ArrowLeft", 5), ("Shift+ArrowRight", 10)]:
        page.keyboard.press(key)
        until(page, f"Math.abs({MOVIE}.currentTime - {expected}) < 0.3")
    before = page.evaluate(f"{MOVIE}.currentTime")
    page.keyboard.press(".")
    until(page, f"Math.abs({MOVIE}.currentTime - {before} - 1 / 30) < 0.01")
    page.keyboard.press(">")
    expect(page.locator(".speed")).to_have_text("1.5×")
    page.keyboard.press("<")
    expect(page.locator(".speed")).to_have_count(0)
    page.keyboard.press("k")
    until(page, f"!{MOVIE}.paused")
    page.keyboard.press("k")
    until(page, f"{MOVIE}.paused")


def test_m_04_short_videos_loop_and_muting_is_remembered(site, page):
    open_movie(page, site, "V02")
    assert page.evaluate(f"{MOVIE}.loop")
    page.keyboard.press("m")
    until(page, "JSON.parse(localStorage.getItem('volume') ?? '{}').isMuted === true")
    page.keyboard.press("Escape")
    until(page, "document.querySelector('asset-viewer').hidden")
    open_movie(page, site, "V01")
    assert not page.evaluate(f"{MOVIE}.loop")
    until(page, f"{MOVIE}.muted")


def test_m_04_a_movie_has_the_remembered_volume_from_its_first_frame(site, page):
    page.evaluate("localStorage.setItem('volume', JSON.stringify({ volume: 0.5, isMuted: true }))")
    page.evaluate("""name => {
        window.made = [];
        new MutationObserver(() => {
          const movie = document.querySelector(name);
          if (movie) made.push([movie.muted, movie.volume]);
        }).observe(document.querySelector(name.split(' ')[0]), { childList: true, subtree: true });
      }""", "asset-viewer video.movie")
    open_movie(page, site, "V01")
    assert page.evaluate("made[0]") == [True, 0.5]


def test_a_page_whose_movie_plays_is_attended(site, page):
    open_movie(page, site, "V01")
    with page.expect_request("**/api/v1/session") as asked:
        page.evaluate(f"{MOVIE}.play(); {A_MINUTE_LATER}")
    assert asked.value.method == "HEAD"


def test_m_03_shift_f_fills_the_screen(site, page):
    open_movie(page, site, "V01")
    page.keyboard.press("Shift+F")
    until(page, f"document.fullscreenElement === {MOVIE}")
    page.keyboard.press("Shift+F")
    until(page, "document.fullscreenElement === null")


def test_m_01_a_video_is_seekable_from_the_start(site, page):
    answers = []
    page.on("response", lambda answer: answer.url.endswith("/video") and answer.request.method == "GET" and answers.append(answer))
    open_movie(page, site, "V01")
    until_true(page, lambda: answers)
    assert answers[0].status == 206
    until(page, f"{MOVIE}.seekable.length > 0 && Math.abs({MOVIE}.seekable.end(0) - {MOVIE}.duration) < 0.01")
    assert abs(page.evaluate(f"{MOVIE}.duration") - 20) < 0.5
    page.evaluate(f"{MOVIE}.pause(), {MOVIE}.currentTime = 15")
    until(page, f"!{MOVIE}.seeking && {MOVIE}.readyState >= 2")


def test_m_02_a_version_for_the_browser_is_announced_and_given_up_on_leaving(site, page):
    ended, held = [], []
    page.on("requestfailed", lambda request: request.url.endswith("/video") and ended.append(request.url))

    def answer(route):
        # A server that has to encode the movie answers late.
        if route.request.method == "HEAD":
            route.fulfill(status=204, headers=progress)
        else:
            held.append(route)

    progress = {}
    page.route("**/video", answer)
    page.locator(f".cell[data-id='{site.id('H01')}']").click()
    expect(page.locator("asset-viewer .making")).to_have_text("Making a version that this browser plays…")
    progress["Calotype-Progress"] = "0.429"
    expect(page.locator("asset-viewer .making .percent")).to_have_text("42 %")
    until_true(page, lambda: held)
    page.keyboard.press("Escape")
    until(page, "document.querySelector('asset-viewer').hidden")
    until(page, "document.querySelector('asset-viewer .making').hidden")
    # The request ends, and so does the encoding.
    until_equal(page, lambda: (len(ended), len(held)), (1, 1))


def test_m_02_the_version_for_the_browser_plays_as_soon_as_it_is_there(site, page):
    open_movie(page, site, "H01")
    expect(page.locator("asset-viewer .making")).to_be_hidden()
    page.evaluate(f"{MOVIE}.muted = true, {MOVIE}.play()")
    until(page, f"{MOVIE}.currentTime > 0.1")


def test_m_07_a_damaged_movie_says_why_and_its_file_can_be_loaded(site, page, pages):
    reason = "V01.MP4: no picture can be read"
    refuse = lambda route: route.fulfill(status=422, content_type="application/problem+json", json={"detail": reason})
    page.route("**/video", refuse)
    page.locator(f".cell[data-id='{site.id('V01')}']").click()
    note = page.locator("asset-viewer .cannot")
    expect(note).to_contain_text(reason)
    assert page.evaluate(f"{MOVIE}.poster.endsWith('/screen')"), "the poster stays"
    link = note.get_by_role("link", name="Download the original")
    assert link.get_attribute("href") == f"/api/v1/resources/{site.id('V01')}/0"
    pages.expected.append(FAILED)  # the browser writes the refusal to its console


def test_m_07_leaving_a_damaged_movie_ends_the_question_why(site, page, pages):
    is_question = lambda request: request.headers.get("range") == "bytes=0-0"
    refuse = lambda route: route.fulfill(status=422, content_type="application/problem+json", json={"detail": "no picture"})
    # The server takes its time to say why.
    page.route("**/video", lambda route: None if is_question(route.request) else refuse(route))
    with page.expect_request(is_question):
        page.locator(f".cell[data-id='{site.id('V01')}']").click()
    with page.expect_event("requestfailed", is_question):
        page.keyboard.press("Escape")
    pages.expected.append(FAILED)  # the browser writes the refusal to its console


HOVERED = "document.querySelector('.hover-movie.playing')"
NOT_HOVERED = "document.querySelector('.hover-movie') === null"


def cell_of(page, site, name):
    return page.locator(f".cell[data-id='{site.id(name)}']")


def test_m_05_a_hovered_video_plays_without_sound(site, page):
    for name in ("V01", "V02"):
        make_movie(page, site, name)
    page.evaluate("""() => {
      document.addEventListener('pointermove', ({ target }) => target.closest('.cell') && (window.moved ??= performance.now()));
      const appeared = () => document.querySelector('.hover-movie') && (window.appeared ??= performance.now());
      new MutationObserver(appeared).observe(document.querySelector('photo-grid'), { childList: true, subtree: true });
    }""")
    cell_of(page, site, "V02").hover()
    until(page, f"{HOVERED}?.currentTime > 0")
    until_equal(page, f"{HOVERED}.muted && {HOVERED}.closest('.cell').dataset.id", site.id("V02"))
    assert page.evaluate("appeared - moved") > 399
    cell_of(page, site, "V01").hover()
    until(page, f"{HOVERED}?.closest('.cell').dataset.id === '{site.id('V01')}'")
    expect(page.locator(".hover-movie")).to_have_count(1)  # at most one plays
    page.mouse.move(20, 400)
    until(page, NOT_HOVERED)


def test_m_05_a_hovered_video_ends_when_it_is_opened(site, page):
    make_movie(page, site, "V02")
    cell_of(page, site, "V02").hover()
    until(page, HOVERED)
    cell_of(page, site, "V02").click()
    until(page, f"{MOVIE}?.readyState > 0")
    until(page, NOT_HOVERED)


def test_m_05_a_cell_that_shows_another_video_does_not_play_on(site, page):
    make_movie(page, site, "V02")
    cell_of(page, site, "V02").hover()
    until(page, HOVERED)
    page.locator(".view-header .order select").select_option("oldest")
    until(page, NOT_HOVERED)


# Notes what the timers that begin will do.
TIMERS = """() => {
  const { setTimeout: start } = window;
  window.timers = [];
  window.setTimeout = (act, ...rest) => (window.timers.push(String(act)), start(act, ...rest));
}"""
WILL_HINT = "timers.some((act) => act.includes('isMovieMade'))"
WILL_PLAY_IN_CELL = "timers.some((act) => act.includes('#play(cell'))"


def test_m_05_no_video_plays_with_reduced_motion(site, site_page):
    page = site_page("smart/videos", height=1400, reduced_motion="reduce")
    until_shown(page, "Videos", 12)
    asked = []
    page.on("request", lambda request: request.url.endswith("/video") and asked.append(request.method))
    page.evaluate(TIMERS)
    cell_of(page, site, "V02").hover()
    page.evaluate(FRAMES)
    assert not page.evaluate(WILL_PLAY_IN_CELL)
    assert asked == []
    # The same movement begins the timer if the person allows motion.
    page.emulate_media(reduced_motion="no-preference")
    page.mouse.move(0, 0)
    cell_of(page, site, "V02").hover()
    until(page, WILL_PLAY_IN_CELL)


def test_m_05_nothing_is_encoded_for_a_hovered_video(site, page):
    asked = []

    def answer(route):
        asked.append(route.request.method)
        route.fulfill(status=204)

    page.route("**/video", answer)
    with page.expect_response("**/video"):
        cell_of(page, site, "H01").hover()
    page.evaluate(FRAMES)
    assert page.evaluate(NOT_HOVERED)
    assert asked == ["HEAD"]


def test_l_01_the_badge_of_a_cell_plays_while_it_is_hovered(site, site_page):
    page = site_page("smart/livePhotos", height=1400)
    until_shown(page, "Live Photos", 5)
    make_movie(page, site, "L01")
    badge = cell_of(page, site, "L01").locator(".badge.live")
    expect(badge).to_have_text("LIVE")
    cell_of(page, site, "L01").hover()  # the badge moves aside for the circle
    badge.hover()
    until(page, f"{HOVERED}?.closest('.cell').dataset.id === '{site.id('L01')}'")
    cell_of(page, site, "L01").hover()
    until(page, NOT_HOVERED)
    badge.click()
    page.locator("asset-viewer:focus").wait_for()


def test_the_bars_go_while_a_video_plays(site, page):
    open_movie(page, site, "V01")
    page.evaluate(f"{MOVIE}.muted = true, {MOVIE}.play()")
    until(page, "document.querySelector('asset-viewer').classList.contains('bare')")
    page.mouse.move(300, 300)
    page.mouse.move(340, 300)
    until(page, "!document.querySelector('asset-viewer').classList.contains('bare')")


LIVE = "document.querySelector('video.live-movie')"


# Movies of Live Photos that play begin again, so that a slow test does not miss them.
ENDLESS = """new MutationObserver(() => document.querySelectorAll('video.live-movie').forEach((movie) => (movie.loop = true)))
  .observe(document.querySelector('zoom-stage'), { childList: true, subtree: true })"""


def open_live(page, site):
    page.evaluate(ENDLESS)
    page.locator(f".cell[data-id='{site.id('L01')}']").click()
    until(page, "document.querySelector('zoom-stage img.screen')?.naturalWidth > 0")


def make_movie(page, site, name):
    """Lets the server make the movie that browsers play, for what does not wait for it."""
    page.evaluate("""async (id) => {
        const { version } = await (await fetch(`/api/v1/assets/${id}`)).json();
        await (await fetch(`/api/v1/renditions/${id}/${version}/video`)).arrayBuffer();
      }""", site.id(name))


def test_l_03_a_live_photo_gives_one_silent_hint(site, site_page):
    page = site_page("smart/livePhotos", height=1400)
    make_movie(page, site, "L01")
    page.evaluate("""() => {
      window.heard = [];
      const look = () => heard.push(...[...document.querySelectorAll('video.live-movie.playing')].map(({ muted }) => !muted));
      new MutationObserver(look).observe(document.querySelector('zoom-stage'), { attributes: true, childList: true, subtree: true });
    }""")
    page.evaluate(TIMERS)
    open_live(page, site)
    until(page, f"heard.length > 0 && {LIVE} === null")
    assert not page.evaluate("heard.includes(true)")
    assert page.evaluate(WILL_HINT)
    made = "window.made = 0; new MutationObserver(() => made += document.querySelectorAll('video.live-movie').length)"
    page.evaluate(f"{made}.observe(document.querySelector('zoom-stage'), {{ childList: true, subtree: true }})")
    page.keyboard.press("Escape")
    until(page, "document.querySelector('asset-viewer').hidden")
    page.evaluate("timers.length = 0")
    open_live(page, site)
    page.evaluate(FRAMES)
    assert not page.evaluate(WILL_HINT)
    assert page.evaluate("made") == 0


def test_l_04_the_movie_appears_with_its_first_frame(site, site_page):
    page = site_page("smart/livePhotos", height=1400, reduced_motion="reduce")
    open_live(page, site)
    page.evaluate("""
        window.early = 0;
        window.presented = 0;
        new MutationObserver(() => {
          const movie = document.querySelector('video.live-movie');
          if (!movie || movie.watched) return;
          movie.watched = true;
          movie.requestVideoFrameCallback(() => (window.presented += 1));
        }).observe(document.querySelector('zoom-stage'), { childList: true, subtree: true });
        const look = () => {
          if (document.querySelector('video.live-movie.playing') && !presented) early += 1;
          requestAnimationFrame(look);
        };
        look();""")
    page.keyboard.press("l")
    until(page, f"{LIVE}?.classList.contains('playing')")
    assert page.evaluate("early") == 0
    page.keyboard.press("l")
    until(page, f"{LIVE} === null")


@pytest.mark.parametrize("is_zoomed", [False, True])
def test_l_05_the_movie_is_where_the_still_is(site, site_page, is_zoomed):
    page = site_page("smart/livePhotos", height=1400, reduced_motion="reduce")
    open_live(page, site)
    if is_zoomed:
        page.keyboard.press("+")
    page.keyboard.press("l")
    until(page, f"{LIVE}?.classList.contains('playing')")
    movie, still = (box_of(page.locator(f"zoom-stage {name}").last) for name in (".live-movie", ".picture img"))
    assert all(abs(movie[side] - still[side]) < 0.5 for side in ("x", "y", "width", "height"))
    page.keyboard.press("l")
    until(page, f"{LIVE} === null")


def test_l_06_the_badge_turns_while_a_movie_is_made(site, site_page):
    page = site_page("smart/livePhotos", height=1400)
    held, released = [], []

    def answer(route):
        if route.request.method == "HEAD":
            route.fulfill(status=204)
        elif released:
            route.continue_()
        else:
            held.append(route)

    page.route("**/video", answer)
    open_live(page, site)
    page.keyboard.press("l")
    page.locator("asset-viewer .live-badge.is-making").wait_for()
    expect(page.locator("zoom-stage img.screen")).to_be_visible()  # the still stays
    until_true(page, lambda: held)
    released.append(True)
    for route in held:
        route.continue_()
    until(page, f"{LIVE}?.classList.contains('playing')")
    expect(page.locator("asset-viewer .is-making")).to_have_count(0)


# The average distance between the colors of a Live Photo's movie: zero for gray.
COLORFULNESS = """() => {
  const canvas = new OffscreenCanvas(32, 24);
  const context = canvas.getContext('2d');
  context.drawImage(document.querySelector('video.live-movie'), 0, 0, 32, 24);
  const { data } = context.getImageData(0, 0, 32, 24);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += Math.abs(data[at] - data[at + 1]) + Math.abs(data[at + 1] - data[at + 2]);
  return sum / (data.length / 4);
}"""


def test_l_07_an_edited_live_photo_plays_its_edited_movie(own_site, own_page):
    def colorfulness():
        page = own_page("smart/livePhotos", height=1400, reduced_motion="reduce")
        open_live(page, own_site)
        page.keyboard.press("l")
        until(page, f"{LIVE}?.classList.contains('playing')", patience=60)
        return page.evaluate(COLORFULNESS)

    assert colorfulness() > 20
    own_site.calotype("edit", "--filter", "noir", own_site.identifier("L01"))
    assert colorfulness() < 6


def test_m_03_keys_act_after_a_click_on_the_controls_of_a_video(site, page):
    open_movie(page, site, "V01")
    page.evaluate(f"{MOVIE}.pause()")
    box = box_of(page.locator("video.movie"))
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 24)
    until(page, f"Math.abs({MOVIE}.currentTime - {MOVIE}.duration / 2) < 2")
    until(page, "document.activeElement.localName === 'asset-viewer'")  # the browser has sought
    page.keyboard.press("k")
    until(page, f"!{MOVIE}.paused")
    page.keyboard.press("Escape")
    page.locator("asset-viewer").wait_for(state="hidden")


# Returns the size of a movie in CSS pixels, and the one it has by itself.
SIZES = f"""(() => {{
  const {{ clientWidth, clientHeight, videoWidth, videoHeight }} = {MOVIE};
  const scale = Math.min(clientWidth / videoWidth, clientHeight / videoHeight);
  return [[videoWidth * scale, videoHeight * scale].map(Math.round), [videoWidth, videoHeight]];
}})()"""


@pytest.mark.parametrize("ratio", [1, 3])
def test_m_08_a_small_movie_is_not_enlarged(site, site_page, ratio):
    page = site_page("smart/videos", width=1600, height=1400, device_scale_factor=ratio)
    until_shown(page, "Videos", 12)
    page.evaluate(f"""() => {{
      window.heights = new Set();
      const look = () => {{
        if ({MOVIE}) window.heights.add({MOVIE}.clientHeight);
        requestAnimationFrame(look);
      }};
      look();
    }}""")
    open_movie(page, site, "V01")
    shown, own = page.evaluate(SIZES)
    assert shown == own
    page.evaluate(FRAMES)
    assert page.evaluate("heights.size") == 1, "its poster has the same place"
    page.keyboard.press("Shift+F")
    until(page, f"document.fullscreenElement === {MOVIE} && {MOVIE}.clientWidth === innerWidth && {MOVIE}.clientHeight === innerHeight")
    page.keyboard.press("Shift+F")
    until(page, "document.fullscreenElement === null")
    # A window that is smaller than the movie has room for all of it.
    page.set_viewport_size({"width": own[0] - 40, "height": 900})
    until(page, f"{MOVIE}.clientWidth === innerWidth && {MOVIE}.clientHeight === {MOVIE}.parentElement.clientHeight")


def test_m_08_a_finger_beside_a_small_movie_goes_to_the_neighbor(site, site_page):
    page = site_page("smart/videos", width=390, height=844, device_scale_factor=3, has_touch=True, is_mobile=True)
    open_movie(page, site, "V01")
    until(page, "!document.querySelector('.older').disabled || !document.querySelector('.newer').disabled")
    before, by = page.url, 1 if page.locator(".older").is_enabled() else -1
    assert box_of(page.locator("video.movie"))["y"] > 200
    swipe(page, (195 + 130 * by, 150), (195 - 130 * by, 155))
    until(page, f"location.href !== {before!r}")


@pytest.fixture(scope="module")
def small_movie_site(fixture_library, tmp_path_factory):
    """A server of a library whose newest movie is not higher than a movie's controls."""
    folder = tmp_path_factory.mktemp("small")
    copy_library(fixture_library, folder / "Fixture.calotype")
    small = folder / "Small.mp4"
    picture = ["-f", "lavfi", "-i", "testsrc=size=160x90:duration=20", "-pix_fmt", "yuv420p"]
    subprocess.run(["ffmpeg", "-v", "error", *picture, small], check=True)
    site = Site(folder / "Fixture.calotype")
    site.calotype("import", str(small))
    site.list_again()
    yield site
    site.stop()


@pytest.fixture
def small_movie(small_movie_site, pages):
    """Opens the small movie on a phone. It stands still, so that its controls stay."""
    page = pages(small_movie_site.cookies, width=390, height=844, device_scale_factor=3, has_touch=True, is_mobile=True)
    page.goto(small_movie_site.address + "smart/videos")
    until_shown(page, "Videos", 13)
    open_movie(page, small_movie_site, "Small")
    page.evaluate(f"{MOVIE}.pause()")
    page.small = box_of(page.locator("video.movie"))
    assert page.small["height"] == 90
    until(page, f"{MOVIE}.readyState === HTMLMediaElement.HAVE_ENOUGH_DATA && !document.querySelector('.older').disabled")
    page.evaluate(FRAMES)
    return page


# The distance from the top of the small movie: above the controls, and on their buttons.
@pytest.mark.parametrize("down", [5, 45])
def test_m_08_a_finger_on_a_small_movie_goes_to_the_neighbor(small_movie, down):
    y = small_movie.small["y"] + down
    before = small_movie.url
    swipe(small_movie, (325, y), (65, y + 5))
    until(small_movie, f"location.href !== {before!r} && document.querySelector('asset-viewer').asset.pixelWidth !== 160")


def test_m_08_a_finger_on_the_time_of_a_small_movie_seeks(small_movie):
    y = small_movie.small["y"] + 67
    before = small_movie.url
    swipe(small_movie, (325, y), (65, y))
    until(small_movie, f"!{MOVIE}.seeking && {MOVIE}.currentTime > 1")
    small_movie.evaluate(FRAMES)
    assert small_movie.url == before


def test_m_08_a_small_movie_keeps_its_size_in_the_editor(small_movie):
    small_movie.locator(".edit-button").click()
    small_movie.locator("photo-editor [data-filter=sepia]").click()
    preview = small_movie.locator("canvas.preview")
    preview.wait_for()
    box = box_of(preview)
    assert box["height"] == 90
    assert preview.evaluate("(canvas) => [canvas.width, canvas.height, getComputedStyle(canvas).objectFit]") == [160, 90, "contain"]
    movie = box_of(small_movie.locator("video.movie"))
    assert movie == box


def test_m_06_arrows_go_to_neighbors_with_a_video_focused(site, page):
    open_movie(page, site, "V01")
    page.evaluate(f"{MOVIE}.focus()")
    before = page.url
    until(page, "!document.querySelector('.older').disabled || !document.querySelector('.newer').disabled")
    page.keyboard.press("ArrowRight" if page.locator(".older").is_enabled() else "ArrowLeft")
    until(page, f"location.href !== {before!r}")
