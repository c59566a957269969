"""A page of a public address and a library of this machine, which browsers keep apart."""

import functools
import http.server
import shutil
import ssl
import subprocess
import threading

import pytest
from conftest import CHROMIUM, FIRST_PAGE, NO_OTHER_HOSTS, ROOT, new_context, until
from test_picker import arm, cell
from test_picker_session import PRESENT

HOST = "gallery.example"
ADDRESS = """window.photos[0].address().then(async ({ address }) => {
  const image = Object.assign(new Image(), { src: address });
  await image.decode();
  window.outcome = 'shown';
}).catch(({ name }) => (window.outcome = name))"""


@pytest.fixture
def gallery_server(tmp_path):
    """Serves the example page over TLS. Returns the port."""
    shutil.copytree(ROOT / "Examples/WebPicker", tmp_path / "page")
    (tmp_path / "page/Web").mkdir()
    shutil.copy(ROOT / "Web/picker.js", tmp_path / "page/Web")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={HOST}", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=tmp_path / "page"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


@pytest.fixture
def public_page(site, browser, gallery_server):
    """Picks a photo in a page that the browser takes for a public one. Returns the page."""
    public = browser.browser_type.launch(executable_path=CHROMIUM, args=[
        "--no-sandbox", NO_OTHER_HOSTS.replace("MAP *", f"MAP {HOST} 127.0.0.1, MAP *"),
        f"--ip-address-space-overrides=127.0.0.1:{gallery_server}=public"])

    def make(permissions=()):
        context = new_context(public, init_script="", ignore_https_errors=True)
        context.add_cookies(site.cookies)
        address = f"https://{HOST}:{gallery_server}"
        context.grant_permissions(list(permissions), origin=address)
        page = context.new_page()
        page.goto(f"{address}/")
        page.evaluate(PRESENT, [site.address, {"selectionLimit": 0}])
        with context.expect_page() as opened:
            page.click("#images")
        picker = opened.value
        until(picker, FIRST_PAGE)
        arm(picker)
        cell(picker, site, "P20").click()
        picker.click(".add")
        until(page, "window.photos?.length === 1")
        return page

    yield make
    public.close()


def test_a_public_page_gets_files_but_no_addresses(site, public_page):
    page = public_page()
    page.evaluate(f"() => void {ADDRESS}")
    assert until(page, "window.outcome") == "NotAllowedError"
    assert page.evaluate("window.photos[0].file().then(({ size }) => size)") > 0


def test_a_public_page_with_the_permission_of_its_person_shows_addresses(site, public_page, complaints):
    complaints.expected.append("Mixed Content")
    page = public_page(["local-network-access"])
    page.evaluate(f"() => void {ADDRESS}")
    assert until(page, "window.outcome") == "shown"
