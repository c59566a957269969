"""Tests of settings for accessibility: less motion, forced colors, a large zoom."""

from conftest import box_of, until, until_equal
from organizing import READY


def opened_menu(site_page, **options):
    """Opens a page and the menu of a cell in it."""
    page = site_page(**options)
    until(page, READY)
    page.locator(".cell .open").nth(1).click(button="right")
    page.locator(".menu [role=menuitem]:focus").wait_for()
    return page


def test_ax_04_with_reduced_motion_nothing_is_animated(site_page):
    page = opened_menu(site_page, reduced_motion="reduce")
    moving = "document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 10).length"
    until_equal(page, moving, 0)
    page.keyboard.press("Escape")
    page.locator(".cell .open").first.click()
    page.locator("asset-viewer").wait_for()
    until_equal(page, moving, 0)


def test_ax_05_forced_colors_show_where_a_menu_is(site_page):
    page = opened_menu(site_page, forced_colors="active")
    style = "(element) => { const { outlineStyle, outlineWidth } = getComputedStyle(element); return [outlineStyle, outlineWidth]; }"
    for element in (".menu :focus", "side-bar .row[aria-current]"):
        until_equal(page, lambda: page.locator(element).evaluate(style), ["solid", "2px"])


def test_a_phone_does_not_zoom_into_a_field(site, site_page):
    page = site_page("access", is_waiting=False, width=390, height=844, has_touch=True, is_mobile=True)
    until(page, READY)
    page.get_by_role("button", name="New key for a script").click()
    # Safari zooms if the text is smaller, and does not zoom back.
    small = """[...document.querySelectorAll('input:not([type=checkbox]), textarea, select')]
      .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16).map((field) => field.outerHTML)"""
    assert page.locator("dialog :is(input, select)").count() > 1
    assert page.evaluate(small) == []
    page.goto(site.address + "sessions")
    assert page.locator("input[type=password]").count() > 0
    assert page.evaluate(small) == []
    # Larger text stays.
    page.goto(site.address)
    until(page, READY)
    page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.code { font-size: 32px }');
      document.adoptedStyleSheets.push(sheet);
      document.body.append(Object.assign(document.createElement('input'), { className: 'code' }));
    }""")
    assert page.locator("input.code").evaluate("(field) => getComputedStyle(field).fontSize") == "32px"


SMALL = {"width": 360, "height": 225}  # a window of 1440 × 900 at 400 %
# Elements that the window cuts off at a side, and texts that their own element cuts off.
CUT_OFF = """[...document.querySelectorAll('main *, asset-viewer *, dialog, dialog *, [popover], [popover] *, .bottom-bar *, .toasts *')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((element) => !element.closest('.cell, svg, zoom-stage, film-strip, .day-track, date-scrubber, .spoken, place-map, [inert]'))
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
    const isCut = width > 0 && (left < -1 || right > innerWidth + 1);
    const hasText = [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
    const isClipped = hasText && [overflowX, overflowY].some((way) => way === 'hidden' || way === 'clip') && textOverflow !== 'ellipsis'
      && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
    return isCut || isClipped;
  }).map(({ localName, className, textContent }) => `${localName}.${className}: ${textContent.slice(0, 40)}`)"""
# The distances that a reader may set: those of WCAG 1.4.12.
SPACING = """const sheet = new CSSStyleSheet();
sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }');
document.adoptedStyleSheets.push(sheet);"""


def test_ax_05_a_zoom_of_400_percent_needs_no_scrolling_sideways(site, site_page):
    page = site_page(**SMALL)
    until(page, READY)
    for address in ("", f"folder/{site.collections['Travels']}", "history", "access", "smart/recentlyDeleted"):
        page.goto(site.address + address)
        until(page, READY)
        wide = """[...document.querySelectorAll('photo-grid, .page, .bottom-bar, .view-header')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ localName, className }) => `${localName}.${className}`)"""
        until_equal(page, wide, [])
        until_equal(page, CUT_OFF, [])


def test_ax_05_menus_the_keys_and_the_viewer_fit_at_400_percent(site_page):
    page = opened_menu(site_page, **SMALL)
    until_equal(page, CUT_OFF, [])
    last = page.locator(".menu [role=menuitem]").last
    last.scroll_into_view_if_needed()
    box = box_of(last)
    assert box["y"] + box["height"] <= SMALL["height"], "the last command can be reached"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keyboard shortcuts").wait_for()
    until_equal(page, CUT_OFF, [])
    page.keyboard.press("Escape")
    page.locator(".cell .open").first.click()
    page.locator("asset-viewer:focus").wait_for()
    until_equal(page, CUT_OFF, [])
    page.keyboard.press("i")
    page.locator("info-panel .resources").wait_for()
    until_equal(page, CUT_OFF, [])


def test_ax_05_wider_text_spacing_cuts_nothing_off(site, site_page):
    page = site_page(width=390, height=844)
    until(page, READY)
    for address in ("", f"folder/{site.collections['Travels']}", "history", "access"):
        page.goto(site.address + address)
        until(page, READY)
        page.evaluate(SPACING)
        until_equal(page, CUT_OFF, [])
    page.goto(site.address)
    until(page, READY)
    page.evaluate(SPACING)
    page.locator(".cell .open").nth(1).click(button="right")
    page.locator(".menu [role=menuitem]:focus").wait_for()
    until_equal(page, CUT_OFF, [])
    page.keyboard.press("Escape")
    page.locator(".cell .open").first.click()
    page.locator("asset-viewer:focus").wait_for()
    page.keyboard.press("i")
    page.locator("info-panel .resources").wait_for()
    until_equal(page, CUT_OFF, [])


def test_ax_07_a_key_shows_the_keys_of_the_view(site_page):
    page = site_page()
    until(page, READY)
    groups = "[...document.querySelectorAll('dialog.keys h3')].map(({ textContent }) => textContent)"
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keyboard shortcuts").wait_for()
    until_equal(page, groups, ["Everywhere", "Photos", "Sidebar"])
    page.keyboard.press("Escape")
    until(page, "document.querySelector('dialog') === null")
    page.locator(".cell .open").first.click()
    page.locator("asset-viewer:focus").wait_for()
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keyboard shortcuts").wait_for()
    until_equal(page, groups, ["Everywhere", "One photo", "One video"])
    assert "undefined" not in page.locator("dialog.keys").inner_text(), "each key has its words"
