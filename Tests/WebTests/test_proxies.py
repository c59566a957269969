"""Tests the examples of proxies: a browser uses the library through nginx and through Caddy.

The tests change in the examples only the names of the ports and the certificate."""

import re
import shutil
import socket
import subprocess
import time

import pytest
from conftest import FIRST_PAGE, PATIENCE, ROOT, new_link, program, until

EXAMPLES = ROOT / "Examples" / "Proxies"
NAME = "photos.localhost"


@pytest.fixture(scope="module")
def library(sample_library, tmp_path_factory):
    library = tmp_path_factory.mktemp("proxies") / "Proxied.calotype"
    shutil.copytree(sample_library, library)
    return library


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "key.pem",
         "-out", folder / "certificate.pem"], check=True, capture_output=True)
    return folder


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def nginx(folder, certificate, port, upstream):
    text = (EXAMPLES / "nginx.conf").read_text()
    text = text.replace("listen 443", f"listen 127.0.0.1:{port}").replace("photos.example;", f"{NAME};", 1)
    text = text.replace("127.0.0.1:2839", f"127.0.0.1:{upstream}")
    text = re.sub(r"ssl_certificate \S+;", f"ssl_certificate {certificate}/certificate.pem;", text)
    text = re.sub(r"ssl_certificate_key \S+;", f"ssl_certificate_key {certificate}/key.pem;", text)
    paths = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}\n{text}\n}}\n")
    return ["nginx", "-p", folder, "-e", folder / "errors", "-c", folder / "nginx.conf"]


def caddy(folder, certificate, port, upstream):
    text = (EXAMPLES / "Caddyfile").read_text().replace("127.0.0.1:2839", f"127.0.0.1:{upstream}")
    text = text.replace(
        "photos.example {", f"https://{NAME}:{port} {{\n  tls {certificate}/certificate.pem {certificate}/key.pem", 1)
    options = "{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n"
    (folder / "Caddyfile").write_text(options + text)
    return ["caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]


@pytest.fixture(params=[nginx, caddy], ids=lambda proxy: proxy.__name__)
def proxied(request, library, certificate, tmp_path):
    """The public address of a server behind a proxy."""
    name = request.param.__name__
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    port, upstream = free_port(), free_port()
    public = f"https://{NAME}:{port}"
    server = subprocess.Popen(
        [program(), "--library", str(library), "serve", "--port", str(upstream), "--public-url", public, "--proxy", "127.0.0.1"],
        stdout=subprocess.PIPE, text=True)
    assert public in server.stdout.readline()
    command = request.param(tmp_path, certificate, port, upstream)
    with (tmp_path / "output").open("w") as output:
        proxy = subprocess.Popen(command, stdout=output, stderr=output, env={"HOME": str(tmp_path), "PATH": "/usr/sbin:/usr/bin:/bin"})
    wait_until_listening(port)
    yield public
    for process in (proxy, server):
        process.terminate()
        process.wait(timeout=10)


def wait_until_listening(port):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")


def test_u_12_a_browser_uses_the_library_through_a_proxy(proxied, browser, library):
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    assert page.goto(f"{proxied}/").status == 401
    page.goto(new_link(library))
    page.wait_for_url(f"{proxied}/")
    until(page, FIRST_PAGE)
    assert page.url == f"{proxied}/"
    names = [cookie["name"] for cookie in page.context.cookies()]
    assert any(name.startswith("__Host-calotype") for name in names)
    answers = page.evaluate("""async () => {
      const { assets } = await (await fetch("/api/assets?limit=3")).json();
      const answers = [];
      for (const { id, version } of assets) {
        for (const path of [`/renditions/${id}/${version}/grid`, `/renditions/${id}/${version}/screen`, `/resources/${id}/0`]) {
          const answer = await fetch(path, { headers: { Range: "bytes=0-9" } });
          await answer.arrayBuffer();
          answers.push(answer.status);
        }
      }
      return answers;
    }""")
    assert set(answers) <= {200, 206}
    page.goto(f"{proxied}/sessions")
    # Caddy listens on both kinds of addresses.
    sessions = page.locator(".sessions").text_content()
    assert "127.0.0.1" in sessions or "::1" in sessions
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    context.close()


def test_u_12_a_forged_address_does_not_evade_the_limit(proxied, browser):
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    page.goto(f"{proxied}/sign-in")
    # The waiting times double, so that a slow machine reaches the limit, too.
    statuses = page.evaluate("""async () => {
      const statuses = [];
      while (statuses.length < 12 && !statuses.includes(429)) {
        const headers = { "Content-Type": "application/json", "X-Forwarded-For": `6.6.6.${statuses.length}` };
        const body = JSON.stringify({ password: "wrong" });
        statuses.push((await fetch("/api/v1/session/password", { method: "POST", headers, body })).status);
      }
      return statuses;
    }""")
    assert statuses[:5] == [401] * 5
    assert statuses[-1] == 429
    context.close()
