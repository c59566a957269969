"""The editor in the viewer: filters, progress, canceling and reverting. Scenarios K."""

import re

import pytest
from conftest import FAILED, on_desk_and_phone, until, until_equal
from organizing import TALL, add_long_movie, asset, cell, own_page, undone_sites, until_chosen, until_toast
from organizing import undone_site as own_site
from playwright.sync_api import expect

PREVIEW = "document.querySelector('canvas.preview')"
# Returns how much a picture of the server differs from the preview: the mean of all channels, and
# the share of channels with more than eight steps.
DIFFERENCE = """async (path) => {
  const preview = document.querySelector("canvas.preview") ?? window.keptPreview;
  const picture = await createImageBitmap(await (await fetch(path)).blob());
  const [width, height] = [preview.width, preview.height];
  const read = (source) => {
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(source, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  };
  const [one, other] = [read(preview), read(picture)];
  let sum = 0, many = 0;
  one.forEach((value, index) => {
    const difference = Math.abs(value - other[index]);
    sum += difference;
    if (difference > 8) many += 1;
  });
  return [sum / one.length, many / one.length];
}"""
# Returns the mean red, green and blue of a movie's first frame.
FRAME_COLOR = """async (path) => {
  const movie = Object.assign(document.createElement("video"), { muted: true, src: URL.createObjectURL(await (await fetch(path)).blob()) });
  await new Promise((resolve, reject) => {
    movie.requestVideoFrameCallback(resolve);
    movie.onerror = reject;
    movie.play();
  });
  const context = new OffscreenCanvas(16, 16).getContext("2d");
  context.drawImage(movie, 0, 0, 16, 16);
  const { data } = context.getImageData(0, 0, 16, 16);
  const sums = [0, 0, 0];
  data.forEach((value, index) => index % 4 < 3 && (sums[index % 4] += value));
  return sums.map((sum) => sum / 256);
}"""


def open_asset(page, site, name):
    page.evaluate(f"location.hash = '#/asset/{site.id(name)}'")
    until(page, f"document.querySelector('asset-viewer').asset?.id === '{site.id(name)}'")


def edit(page):
    """Opens the editor of the open asset, once the preview of an edit before it has gone."""
    until(page, f"{PREVIEW} === null")
    page.keyboard.press("e")
    page.locator("photo-editor [aria-checked=true]").wait_for()


def choose(page, name):
    """Chooses a filter, and waits for its preview."""
    page.get_by_role("radio", name=name, exact=True).click()
    expect(page.get_by_role("radio", name=name, exact=True)).to_have_attribute("aria-checked", "true")
    until(page, f"{PREVIEW}?.isConnected")


def done(page):
    page.get_by_role("button", name="Done").click()


def until_asset(page, site, name, condition):
    until(page, f"fetch('/api/v1/assets/{site.id(name)}').then(a => a.json()).then(asset => {condition})")


def assert_shown(page, site, name):
    """Asserts that the server's picture is the preview that was kept. Both were compressed once."""
    version = asset(page, site, name)["version"]
    mean, share = page.evaluate(DIFFERENCE, f"/api/v1/renditions/{site.id(name)}/{version}/screen")
    assert mean < 2 and share < 0.02, (mean, share)


def keep_preview(page):
    page.evaluate(f"window.keptPreview = {PREVIEW}")


@on_desk_and_phone
def test_k_01_a_filter_is_shown_before_it_is_saved_and_then_everywhere(own_site, own_page, size):
    page = own_page(**size)
    before = asset(page, own_site, "P05")
    open_asset(page, own_site, "P05")
    edit(page)
    expect(page.get_by_role("button", name="Revert to original")).to_be_hidden()
    choose(page, "Sepia Tone")
    keep_preview(page)
    mean, _ = page.evaluate(DIFFERENCE, f"/api/v1/renditions/{before['id']}/{before['version']}/screen")
    assert mean > 8, "the preview has other colors than the photo"
    assert asset(page, own_site, "P05")["edit"] is None
    done(page)
    until_toast(page, "Edit saved")
    after = asset(page, own_site, "P05")
    assert after["edit"]["steps"] == {"filter": "sepia"}
    assert after["version"] != before["version"]
    assert after["resources"][0]["sha256"] == before["resources"][0]["sha256"]
    # The viewer and the grid show the new version, and the preview has gone.
    until(page, f"document.querySelector('zoom-stage img.screen')?.src.includes('{after['version']}')")
    until(page, f"{PREVIEW} === null")
    page.keyboard.press("Escape")
    until(page, f"document.querySelector(`.cell[data-id='{after['id']}'] img`)?.currentSrc.includes('{after['version']}')")
    assert_shown(page, own_site, "P05")


def test_k_02_another_filter_replaces_the_first_one(own_site, own_page):
    page = own_page()
    open_asset(page, own_site, "P05")
    edit(page)
    choose(page, "Sepia Tone")
    done(page)
    until_asset(page, own_site, "P05", "asset.edit?.steps.filter === 'sepia'")
    edit(page)
    expect(page.get_by_role("radio", name="Sepia Tone")).to_have_attribute("aria-checked", "true")
    choose(page, "Chrome")
    keep_preview(page)
    done(page)
    until_asset(page, own_site, "P05", "asset.edit?.steps.filter === 'chrome'")
    # It begins with the original, and not with the sepia picture.
    assert_shown(page, own_site, "P05")


def test_k_03_an_edit_is_taken_back_and_undo_brings_it_back(own_site, own_page):
    own_site.calotype("edit", own_site.identifier("P05"), "--filter", "chrome")
    page = own_page()
    open_asset(page, own_site, "P05")
    edit(page)
    page.get_by_role("button", name="Revert to original").click()
    until_asset(page, own_site, "P05", "asset.edit === null")
    until_toast(page, "Reverted to the original")
    page.locator(".toast button").click()
    until_asset(page, own_site, "P05", "asset.edit?.steps.filter === 'chrome'")


def test_k_03_a_photo_without_an_edit_offers_no_revert(own_site, own_page):
    page = own_page()
    open_asset(page, own_site, "P05")
    edit(page)
    expect(page.get_by_role("button", name="Revert to original")).to_have_count(0)


@pytest.mark.parametrize("is_chosen", [False, True])
def test_e_opens_a_photo_of_the_grid_to_edit_it(own_site, own_page, is_chosen):
    page = own_page(height=TALL)
    cell(page, own_site, "P01").focus()
    if is_chosen:
        page.locator(".select-mode").click()
        cell(page, own_site, "P01").click()
        until_chosen(page, 1)
    page.keyboard.press("e")
    page.locator("photo-editor [aria-checked=true]").wait_for()
    until(page, f"document.querySelector('asset-viewer').asset?.id === '{own_site.id('P01')}'")


def test_an_edit_that_is_not_saved_changes_nothing(own_site, own_page):
    page = own_page()
    before = asset(page, own_site, "P05")
    open_asset(page, own_site, "P05")
    edit(page)
    page.keyboard.press("ArrowRight")
    until(page, f"{PREVIEW}?.isConnected")
    assert page.evaluate("document.activeElement.dataset.filter") == "sepia"
    page.keyboard.press("Escape")
    until(page, "document.querySelector('photo-editor, canvas.preview') === null")
    assert page.evaluate("document.activeElement.className") == "edit-button"
    # Keys of the viewer and of the page work again.
    page.keyboard.press("ArrowRight")
    until(page, f"document.querySelector('asset-viewer').asset.id !== '{before['id']}'")
    assert asset(page, own_site, "P05") == before


def test_done_without_another_filter_saves_no_edit(own_site, own_page):
    page = own_page()
    open_asset(page, own_site, "P05")
    edit(page)
    done(page)
    until(page, "document.querySelector('photo-editor') === null")
    assert asset(page, own_site, "P05")["edit"] is None


def test_the_other_steps_of_an_edit_stay(own_site, own_page):
    own_site.calotype("edit", own_site.identifier("P05"), "--exposure", "0.5")
    page = own_page()
    open_asset(page, own_site, "P05")
    edit(page)
    expect(page.get_by_role("radio", name="Original")).to_have_attribute("aria-checked", "true")
    choose(page, "Noir")
    done(page)
    until_asset(page, own_site, "P05", "asset.edit?.steps.filter === 'noir'")
    assert asset(page, own_site, "P05")["edit"]["steps"] == {"exposure": 0.5, "filter": "noir"}
    edit(page)
    choose(page, "Original")
    done(page)
    until_asset(page, own_site, "P05", "asset.edit?.steps.filter === undefined")
    assert asset(page, own_site, "P05")["edit"]["steps"] == {"exposure": 0.5}


def test_the_way_back_leads_out_of_the_editor_and_not_out_of_the_viewer(own_site, own_page):
    page = own_page()
    open_asset(page, own_site, "P05")
    edit(page)
    choose(page, "Fade")
    page.get_by_role("button", name="Back").click()
    until(page, "document.querySelector('photo-editor, canvas.preview') === null")
    assert page.evaluate("document.querySelector('asset-viewer').hidden") is False


def test_k_07_the_still_and_the_movie_of_a_live_photo_get_the_filter(own_site, own_page):
    page = own_page()
    open_asset(page, own_site, "L02")
    edit(page)
    choose(page, "Sepia Tone")
    keep_preview(page)
    done(page)
    until_asset(page, own_site, "L02", "asset.edit?.steps.filter === 'sepia'")
    after = asset(page, own_site, "L02")
    assert_shown(page, own_site, "L02")
    red, green, blue = page.evaluate(FRAME_COLOR, f"/api/v1/renditions/{after['id']}/{after['version']}/video")
    assert red > green > blue
    page.keyboard.press("l")
    until(page, "document.querySelector('zoom-stage video')?.readyState >= 2")


def test_k_07_the_preview_of_a_video_stays_when_the_movie_comes(own_site, own_page):
    page = own_page()
    held = []
    page.route("**/video", lambda route: held.append(route) if route.request.method == "GET" else route.continue_())
    open_asset(page, own_site, "V01")
    edit(page)
    choose(page, "Mono")
    until_equal(page, lambda: len(held), 1)
    held[0].continue_()
    page.unroute("**/video")
    until(page, "document.querySelector('video.movie').readyState >= 1")
    # The events of the movie have been heard by then.
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.evaluate(f"{PREVIEW} !== null")


def test_the_controls_of_a_video_are_not_shown_below_the_editor(own_site, own_page):
    page = own_page()
    open_asset(page, own_site, "V01")
    until(page, "document.querySelector('video.movie')?.controls")
    edit(page)
    assert not page.evaluate("document.querySelector('video.movie').controls")
    page.keyboard.press("Escape")
    until(page, "document.querySelector('video.movie').controls")


def test_k_07_a_canceled_edit_of_a_video_leaves_nothing(own_site, own_page, pages, tmp_path):
    add_long_movie(own_site, tmp_path)
    page = own_page()
    before = asset(page, own_site, "Long")
    open_asset(page, own_site, "Long")
    edit(page)
    choose(page, "Mono")
    done(page)
    # Its line becomes visible after a second.
    cancel = page.locator(".running-edit button")
    cancel.wait_for(state="attached")
    assert cancel.get_attribute("aria-label") == "Cancel the edit"
    expect(page.locator(".running-edit .percent")).to_have_text(re.compile(r"^\d+ %$"))
    pages.expected.append(FAILED)  # the answer to the canceled change
    cancel.evaluate("button => button.click()")
    until_toast(page, "The edit was canceled. Nothing was changed.")
    until(page, "document.querySelector('.running-edit, canvas.preview') === null")
    assert asset(page, own_site, "Long") == before


def test_k_07_an_edit_goes_on_without_its_page_and_another_page_shows_how_far(own_site, own_page, tmp_path):
    add_long_movie(own_site, tmp_path)
    first, second = own_page(), own_page()
    open_asset(first, own_site, "Long")
    edit(first)
    choose(first, "Mono")
    done(first)
    second.locator(".running-edit").wait_for(state="attached")
    first.close()
    until(second, "document.querySelector('.running-edit progress').value > 0")
    until_asset(second, own_site, "Long", "asset.edit?.steps.filter === 'mono'")
    until(second, "document.querySelector('.running-edit') === null")


def test_k_11_a_photo_that_can_not_be_read_can_not_be_edited(own_site, own_page, pages):
    page = own_page()
    open_asset(page, own_site, "U01")
    button = page.locator("asset-viewer .edit-button")
    expect(button).to_be_disabled()
    assert button.get_attribute("title") == "This file can’t be read, so it can’t be edited."
    page.keyboard.press("e")
    until_toast(page, "This file can’t be read, so it can’t be edited.")
    page.keyboard.press("i")
    page.locator("info-panel").wait_for()
    assert page.locator("photo-editor").count() == 0
    pages.expected.append(FAILED)


def test_an_edit_by_another_program_takes_the_place_of_a_chosen_filter(own_site, own_page):
    page = own_page()
    open_asset(page, own_site, "P05")
    edit(page)
    choose(page, "Sepia Tone")
    own_site.calotype("edit", own_site.identifier("P05"), "--filter", "noir")
    until_toast(page, "It was edited elsewhere meanwhile, and is shown as it is now.")
    expect(page.get_by_role("radio", name="Noir")).to_be_focused()
    until(page, f"{PREVIEW} === null")
    done(page)
    until(page, "document.querySelector('photo-editor') === null")
    assert asset(page, own_site, "P05")["edit"]["steps"] == {"filter": "noir"}


def test_keys_of_the_page_leave_the_editor_alone(own_site, own_page):
    page = own_page()
    own_site.calotype("favorite", own_site.identifier("P05"))
    open_asset(page, own_site, "P05")
    edit(page)
    for key in ["Control+z", "/", "f", "Delete"]:
        page.keyboard.press(key)
    page.mouse.click(600, 300)
    page.keyboard.press("Escape")
    until(page, "document.querySelector('photo-editor') === null")
    assert page.evaluate("document.querySelector('asset-viewer').hidden") is False
    assert asset(page, own_site, "P05")["isFavorite"]


@pytest.mark.parametrize("button", ["Done", "Revert to original"])
def test_an_edit_by_another_program_meanwhile_is_kept(own_site, own_page, pages, button):
    own_site.calotype("edit", own_site.identifier("P05"), "--filter", "fade")
    page = own_page()
    open_asset(page, own_site, "P05")
    edit(page)
    choose(page, "Sepia Tone")
    # The page's request, with the old version, is held until another program has edited the photo.
    held = []
    page.route("**/api/v1/changes", lambda route: held.append(route))
    page.get_by_role("button", name=button).click()
    until_equal(page, lambda: len(held), 1)
    own_site.calotype("edit", own_site.identifier("P05"), "--filter", "noir")
    held[0].continue_()
    page.unroute("**/api/v1/changes")
    until(page, "document.querySelector('.toast')?.textContent.startsWith('Nothing was changed')")
    assert asset(page, own_site, "P05")["edit"]["steps"] == {"filter": "noir"}
    pages.expected.append(FAILED)  # the refusal
