"""Draws the pictures of the README, from a library of sample media: `scripts/readme-pictures`."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from conftest import CHROMIUM, FIRST_PAGE, ROOT, Site, program, until
from organizing import READY
from playwright.sync_api import sync_playwright
from screens import REST, SIZES, example, photo_of_example, segments, selected_in_sample, selection, serve_pages, sheet


def information(page):
    """Opens a photo with a place, which the newest one, a screenshot, has not."""
    page.locator(".cell[aria-label^='Photo'][aria-label*='favorite'] .open").first.click()
    page.keyboard.press("i")
    page.locator("place-map > svg").wait_for()


def app(steps=lambda page: None):
    """Returns the steps that open the web app, and go on in it."""

    def opened(site, page):
        page.goto(site.address)
        until(page, f"{READY} && {FIRST_PAGE}", patience=60)
        until(page, REST)
        steps(page)

    return opened


# The size, the scheme, and the steps of each picture.
PICTURES = {
    "library": ("desktop", "light", app()),
    "information": ("desktop", "dark", app(information)),
    "selection": ("phone", "light", app(selection)),
    "stories": ("phone", "dark", example("WebStories", sheet)),
    "segments": ("phone", "light", example("WebSegments", segments)),
    "browse": ("phone", "light", example("WebBrowse", photo_of_example)),
    "sample": ("phone", "light", example("WebSelecting", selected_in_sample, has_access=False)),
}
QUALITY = 80


def make_albums(site):
    """Puts some of the demo's photos into albums, as a person does."""
    assets = [json.loads(line) for line in site.calotype("list", "--json").splitlines()]
    months = {"Summer": ("06", "07", "08"), "Winter": ("12", "01", "02"), "Autumn walks": ("10", "11")}
    for album, wanted in months.items():
        site.calotype("album", "create", album)
        found = [asset["localIdentifier"] for asset in assets if (asset.get("creationDate") or "")[5:7] in wanted]
        site.calotype("album", "add", album, *found)


def draw(site, folder):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, (size, scheme, steps) in PICTURES.items():
            context = browser.new_context(locale="en-GB", color_scheme=scheme, **{**SIZES[size], "device_scale_factor": 1})
            context.set_default_timeout(60_000)
            context.add_cookies(site.cookies)
            page = context.new_page()
            page = steps(site, page) or page
            until(page, REST)
            page.screenshot(path=folder / f"{name}.jpg", type="jpeg", quality=QUALITY)
            context.close()
        browser.close()


def main():
    with tempfile.TemporaryDirectory() as temporary:
        library = Path(os.environ.get("LIBRARY", Path(temporary) / "Photos Library.calotype"))
        if not library.exists():
            subprocess.run([program(), "--library", str(library), "demo", "--create"], check=True)
        site = Site(library)
        try:
            site.pages, site.token = serve_pages(), None
            make_albums(site)
            draw(site, ROOT / "docs")
        finally:
            site.stop()


if __name__ == "__main__":
    main()
