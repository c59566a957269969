"""Sends generated requests by the OpenAPI document to a running server."""

import json
import re
import subprocess
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import Request, urlopen

import pytest
from conftest import PATIENCE
from organizing import own_site  # noqa: F401
from soak import cases, seeded

ROOT = Path(__file__).resolve().parents[2]
SCHEMATHESIS = ROOT / ".build" / "venv" / "bin" / "schemathesis"
# The least number of requests with one session or token, and that of each operation in a round.
LEAST = cases(few=10, many=10_000)
CASES = cases(few=5, many=20)
# The phases of the first round. The others generate further requests only.
PHASES = cases(few="fuzzing", many="examples,coverage,fuzzing")
# The operations of the suite. The long tests send requests for all.
FEW = cases(few=["GET /search", "POST /changes"], many=[])
CHECKS = "not_a_server_error,content_type_conformance,response_schema_conformance"
# This endpoint answers only after a change.
WAITING = r"/stream$"
# They end the session of their sender.
ENDING = ["DELETE /session", "DELETE /sessions/{id}", "POST /password"]
# Its body is of a type that no generator writes.
UNWRITABLE = "PATCH /uploads/{id}"
# A method that the server does not know is answered with 501, which would count as a failure.
SETTINGS = '[phases.coverage]\nunexpected-methods = ["PUT", "PATCH", "TRACE"]\n'
SEEN = ["P01", "L01"]  # the photos that the script sees


def owner(site):
    """The headers of the owner's session."""
    cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in site.cookies)
    return {"Cookie": cookie, "Origin": origin(site)}


def client(site):
    """The header of a script that sees two photos. Its token needs no origin."""
    photos = map(site.identifier, SEEN)
    key = site.calotype("access", "token", "Frame", "--level", "readWrite", "--select", *photos)
    return {"Authorization": f"Bearer {key.strip()}"}


def origin(site):
    return f"http://127.0.0.1:{urlparse(site.address).port}"


def asked(site, path, headers=None):
    """Returns the JSON at a path for a sender, by default the owner."""
    with urlopen(Request(f"{origin(site)}/api/v1/{path}", headers=headers or owner(site)), timeout=PATIENCE) as answer:
        return json.load(answer)


def document(site):
    """Returns the OpenAPI document. Its identifiers are often of things that exist, since the
    server refuses others before it does much."""
    found = json.loads((ROOT / "Web" / "openapi.json").read_text(encoding="utf-8"))
    parameters, schemas = found["components"]["parameters"], found["components"]["schemas"]
    assets = [site.id(name) for name in SEEN]
    versions = [asked(site, f"assets/{id}")["version"] for id in assets]
    collections = [site.collections[title] for title in ("Receipts", "Japan", "Europe")]
    clients = [client["id"] for client in asked(site, "access")["clients"]]

    def suggest(holder, name, values):
        holder[name] = {"anyOf": [{"enum": values}, holder[name]]}

    suggest(schemas, "UUID", assets)
    suggest(schemas, "CollectionName", collections)
    suggest(parameters["version"], "schema", versions)
    suggest(parameters["idCollection"], "schema", ["userLibrary", "favorites", *collections])
    for name in ("at", "around"):
        suggest(parameters[name], "schema", assets)
    parameters["as"]["schema"]["enum"] = [*clients, 0]
    return found


def send_generated_requests(site, headers, folder, *options, number=1, phases=PHASES):
    """Sends requests to a server, and fails if an answer is not what the document says. Returns
    the number of requests."""
    command = [
        str(SCHEMATHESIS), "run", "openapi.json", "--url", f"{origin(site)}/api/v1", "--checks", CHECKS,
        "--max-examples", str(CASES), "--seed", str(seeded(number)), "--phases", phases, *options,
        "--suppress-health-check", "all", "--no-color",
    ]
    for name, value in headers.items():
        command += ["--header", f"{name}: {value}"]
    (folder / "schemathesis.toml").write_text(SETTINGS, encoding="utf-8")
    (folder / "openapi.json").write_text(json.dumps(document(site)), encoding="utf-8")
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=600)
    assert run.returncode == 0, run.stdout[-20_000:]
    generated = re.search(r"([\d,]+) generated", run.stdout)
    assert generated, run.stdout[-20_000:]
    return int(generated[1].replace(",", ""))


@pytest.mark.parametrize("who", [client, owner])
@pytest.mark.skipif(not SCHEMATHESIS.exists(), reason="schemathesis is not installed: make setup")
def test_u16_generated_requests_never_fail_the_server(site, who, tmp_path, capsys):
    """U-16: no answer is a 500, and every problem is a valid document. Each round has a seed."""
    headers = who(site)
    left_out = [option for name in [*ENDING, UNWRITABLE] for option in ("--exclude-name", name)]
    chosen = [option for name in FEW for option in ("--include-name", name)]
    options = ["--exclude-path-regex", WAITING, *left_out, *chosen]
    count, number = 0, 1
    while count < LEAST:
        sent = send_generated_requests(
            site, headers, tmp_path, *options, number=number, phases=PHASES if number == 1 else "fuzzing")
        assert sent > 0
        # The sender is still signed in, so that the server has not just refused strangers.
        asked(site, "library", headers)
        count += sent
        with capsys.disabled():
            print(f"{count:,} of {LEAST:,} requests as {who.__name__}, seed {seeded(number)}", flush=True)
        number += 1


@pytest.mark.skipif(not SCHEMATHESIS.exists(), reason="schemathesis is not installed: make setup")
@pytest.mark.parametrize("name", ENDING)
def test_u16_generated_requests_that_end_a_session_never_fail_the_server(own_site, name, tmp_path):  # noqa: F811
    """U-16 for requests after which the sender is a stranger."""
    assert send_generated_requests(own_site, owner(own_site), tmp_path, "--include-name", name) > 0
