"""`make examples`, which serves a library and the pages of Examples."""

import contextlib
import functools
import http.server
import re
import signal
import subprocess
import threading
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from conftest import FIRST_PAGE, PATIENCE, ROOT, end, program, sign_in, until, written
from playwright.sync_api import expect
from test_picker import arm


@pytest.fixture
def start(tmp_path):
    """Starts the script with a library that has no photos."""
    library = tmp_path / "Photos.calotype"
    subprocess.run([program(), "--library", str(library), "import", "--create", str(ROOT / "docs/library.jpg")], check=True)
    with contextlib.ExitStack() as started:

        def start(pages_port="0"):
            command = [ROOT / "scripts/examples", program(), library, "0", pages_port]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            started.callback(lambda: process.poll() is None and end(process))
            return process

        yield start


@pytest.fixture
def pages(start):
    """Returns the addresses of the pages, and the link that signs a browser in."""
    process = start()
    addresses = [written(process, process.stdout, r"http://127\S+") for _ in range(5)]
    link = written(process, process.stdout, r"http://\S+/start#[\w-]+")
    threading.Thread(target=process.stdout.read, daemon=True).start()
    library = link.partition("start#")[0]
    return [address.replace("http://calotype.localhost:0/", library) for address in addresses], link


BEGINNINGS = ["Enable photo access", "Choose an image", "Enable photo access", "Live Photos", "Choose for the form"]


def test_each_page_of_the_examples_opens(pages, contexts, complaints):
    addresses, link = pages
    page = contexts.page(sign_in(link), init_script="")
    for address, words in zip(addresses, BEGINNINGS, strict=True):
        page.goto(address)
        expect(page.get_by_role("button", name=words, exact=False).first).to_be_visible()
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Choose for the form").click()
    assert opened.value.url.startswith(link.partition("start#")[0])
    contexts.give_back(page.context)


@pytest.mark.parametrize("path", ["", "README.md", ".git/config", "Examples/../README.md", "Examples/%2e%2e/README.md", "Web%2f..%2fREADME.md"])
def test_the_examples_serve_nothing_else_of_the_folder(pages, path):
    base = pages[0][0].partition("Examples/")[0]
    with pytest.raises(HTTPError, match="404"):
        urlopen(base + path, timeout=PATIENCE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_examples_end_with_their_server(start, number):
    process = start()
    written(process, process.stdout, r"http://\S+/start#[\w-]+")
    threading.Thread(target=process.stdout.read, daemon=True).start()
    process.send_signal(number)
    if number == signal.SIGINT:  # the terminal sends it to the server too
        [server] = subprocess.check_output(["pgrep", "-P", str(process.pid)], text=True).split()
        subprocess.run(["kill", "-INT", server], check=True)
    assert process.wait(timeout=PATIENCE) == 0


def test_a_port_of_the_pages_that_is_in_use_is_named(start, pages):
    taken = re.search(r":(\d+)/", pages[0][0])[1]
    process = start(taken)
    assert process.communicate(timeout=PATIENCE)[0] == f"examples: port {taken}: Address already in use. PAGES_PORT=… names another one.\n"
    assert process.returncode == 1


def test_the_page_of_the_readme_gets_a_photo(site, contexts, tmp_path):
    [page_of_readme] = re.findall(r"```html\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(page_of_readme.splitlines()) <= 8
    (tmp_path / "index.html").write_text(page_of_readme.replace("http://calotype.localhost:2839/", site.address))
    (tmp_path / "picker.js").write_text((ROOT / "Web/picker.js").read_text())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = contexts.page(site.cookies, init_script="")
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    with page.context.expect_page() as opened:
        page.get_by_role("button").click()
    until(opened.value, FIRST_PAGE)
    arm(opened.value)
    opened.value.locator(".cell").first.click()
    opened.value.click(".add")
    until(page, r"/\.JPG: \d+ bytes/.test(document.body.textContent)")
    contexts.give_back(page.context)
    server.shutdown()
