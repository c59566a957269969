"""Sends generated requests by the OpenAPI document to a running server."""

import re
import subprocess
from pathlib import Path
from urllib.parse import urlparse

import pytest
from organizing import own_site  # noqa: F401
from soak import cases, seeded

ROOT = Path(__file__).resolve().parents[2]
SCHEMATHESIS = ROOT / ".build" / "venv" / "bin" / "schemathesis"
CASES = cases(few=5, many=100)  # of each operation and phase
PHASES = cases(few="fuzzing", many="examples,coverage,fuzzing")
# The operations of the suite. The long tests send requests for all.
FEW = cases(few=["GET /search", "POST /changes"], many=[])
CHECKS = "not_a_server_error,content_type_conformance,response_schema_conformance"
# The most seconds that requests are sent. The few of the suite are sent however long it takes.
SECONDS = cases(few=None, many=120)
# This endpoint answers only after a change.
WAITING = r"/stream$"
# They end the session of their sender.
ENDING = ["DELETE /session", "POST /password"]
# Its body is of a type that no generator writes.
UNWRITABLE = "PATCH /uploads/{id}"
# A method that the server does not know is answered with 501, which would count as a failure.
SETTINGS = '[phases.coverage]\nunexpected-methods = ["PUT", "PATCH", "TRACE"]\n'


def owner(site):
    """The header of the owner's session."""
    return "Cookie: " + "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in site.cookies)


def client(site):
    """The header of a script that sees two photos."""
    key = site.calotype(
        "access", "token", "Frame", "--level", "readWrite", "--select", site.identifier("P01"), site.identifier("L01"))
    return f"Authorization: Bearer {key.strip()}"


def send_generated_requests(site, header, folder, *options):
    """Sends requests to a server, and fails if an answer is not what the document says. Returns
    the number of requests."""
    command = [
        str(SCHEMATHESIS), "run", str(ROOT / "Web" / "openapi.json"), "--url", f"{origin(site)}/api/v1",
        "--checks", CHECKS, "--max-examples", str(CASES), "--seed", str(seeded(1)), "--phases", PHASES,
        "--header", header, *options, "--suppress-health-check", "all", "--no-color",
    ]
    if SECONDS is not None:
        command += ["--max-time", str(SECONDS)]
    (folder / "schemathesis.toml").write_text(SETTINGS, encoding="utf-8")
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=(SECONDS or 0) + 120)
    assert run.returncode == 0, run.stdout[-20_000:]
    generated = re.search(r"([\d,]+) generated", run.stdout)
    assert generated, run.stdout[-20_000:]
    return int(generated[1].replace(",", ""))


def origin(site):
    return f"http://127.0.0.1:{urlparse(site.address).port}"


@pytest.mark.parametrize("who", [client, owner])
@pytest.mark.skipif(not SCHEMATHESIS.exists(), reason="schemathesis is not installed: make setup")
def test_u16_generated_requests_never_fail_the_server(site, who, tmp_path):
    """U-16: no answer is a 500, and every problem is a valid document."""
    # The token belongs to a script, which has no origin.
    sender = ["--header", f"Origin: {origin(site)}"] if who is owner else []
    left_out = [option for name in [*ENDING, UNWRITABLE] for option in ("--exclude-name", name)]
    chosen = [option for name in FEW for option in ("--include-name", name)]
    count = send_generated_requests(site, who(site), tmp_path, *sender, "--exclude-path-regex", WAITING, *left_out, *chosen)
    assert count >= 10, f"only {count} requests were sent"


@pytest.mark.skipif(not SCHEMATHESIS.exists(), reason="schemathesis is not installed: make setup")
@pytest.mark.parametrize("name", ENDING)
def test_u16_generated_requests_that_end_a_session_never_fail_the_server(own_site, name, tmp_path):  # noqa: F811
    """U-16 for requests after which the sender is a stranger."""
    sender = ["--header", f"Origin: {origin(own_site)}"]
    send_generated_requests(own_site, owner(own_site), tmp_path, *sender, "--include-name", name)
