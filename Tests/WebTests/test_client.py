"""Uses the server through programs that nobody wrote for it: a client that is generated from the
OpenAPI document, and the examples of docs/HTTP.md with curl."""

import base64
import hashlib
import importlib
import io
import json
import os
import re
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import Request, urlopen

import pytest
from conftest import CONFIG_FOLDER, PATIENCE, ROOT, program, wait_for

GENERATOR = ROOT / ".build" / "venv" / "bin" / "openapi-python-client"
# The generator knows one type of bytes.
BYTES = ["*/*", "application/partial-upload", "application/zip", "image/jpeg", "image/svg+xml", "multipart/mixed"]
SETTINGS = {"post_hooks": [], "content_type_overrides": {kind: "application/octet-stream" for kind in BYTES}}
EXAMPLES = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "HTTP.md").read_text(encoding="utf-8"), re.DOTALL)


def photo(red):
    """Returns a small picture in the BMP format. Each color makes another one."""
    width, height = 64, 48
    pixels = bytes([20, 120, red]) * width * height
    head = b"BM" + (54 + len(pixels)).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    sizes = (40).to_bytes(4, "little") + width.to_bytes(4, "little") + height.to_bytes(4, "little")
    return head + sizes + b"\1\0\30\0" + bytes(24) + pixels


def local(site):
    """The address of the site for programs, which don't resolve its name."""
    return f"http://127.0.0.1:{urlparse(site.address).port}"


class Generated:
    """The generated modules, by the names of their operations, and a client with a script's key."""

    def __init__(self, folder, site):
        (folder / "settings.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
        subprocess.run(
            [str(GENERATOR), "generate", "--path", str(ROOT / "Web" / "openapi.json"), "--config", "settings.json",
             "--meta", "none", "--fail-on-warning", "--output-path", "calotype_client"],
            check=True, timeout=300, cwd=folder, stdout=sys.stderr)
        sys.path.insert(0, str(folder))
        self.models = importlib.import_module("calotype_client.models")
        self.file = importlib.import_module("calotype_client.types").File
        key = site.calotype("access", "token", "Generated", "--level", "readWrite").strip()
        client = importlib.import_module("calotype_client.client").AuthenticatedClient
        self.client = client(f"{local(site)}/api/v1", token=key, raise_on_unexpected_status=True)

    def call(self, name, *arguments, status=200, **options):
        """Calls `changes.post_changes`, and returns its answer as the client parses it."""
        module = importlib.import_module(f"calotype_client.api.{name}")
        answer = module.sync_detailed(*arguments, client=self.client, **options)
        assert answer.status_code == status, answer.content
        return answer.parsed

    def change(self, **change):
        kind = change["type"]
        model = getattr(self.models, kind[0].upper() + kind[1:])
        body = self.models.PostChangesBody(changes=[model.from_dict(change)])
        return self.call("changes.post_changes", body=body)

    def upload(self, data, name):
        """Uploads a file in two pieces, and imports it. Returns the id of its asset."""
        half = len(data) // 2
        piece = lambda part: self.file(payload=io.BytesIO(part))
        upload = self.call(
            "uploads.post_uploads", status=201, body=piece(data[:half]), upload_complete="?0", upload_name=name).upload
        digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
        self.call(
            "uploads.patch_uploads_id", upload, body=piece(data[half:]), upload_offset=half, upload_complete="?1",
            repr_digest=f"sha-256=:{digest}:")
        files = self.call("uploads.post_imports", body=self.models.PostImportsBody(uploads=[upload])).files
        assert [(file.name, file.outcome) for file in files] == [(name, "added")]
        return files[0].asset


def decoded(picture):
    """Decodes a picture. Returns its coding, width, height, and the number of images in it."""
    show = ["-count_frames", "-show_entries", "stream=codec_name,width,height,nb_read_frames", "-of", "csv=p=0"]
    command = ["ffprobe", "-v", "error", *show, "pipe:0"]
    done = subprocess.run(command, input=picture.payload.read(), check=True, capture_output=True, timeout=60)
    assert done.stderr == b""
    return done.stdout.decode().strip()


@pytest.fixture(scope="module")
def generated(site, tmp_path_factory):
    if not GENERATOR.exists():
        pytest.skip("openapi-python-client is not installed: make setup")
    return Generated(tmp_path_factory.mktemp("generated"), site)


def test_o_01_a_generated_client_lists(generated, site):
    cells = generated.call("library.get_assets", where="mediaType == 1", sort="-creationDate", limit=50).assets
    dates = [cell.creation_date for cell in cells]
    assert len(cells) > 10 and dates == sorted(dates, reverse=True)
    assert {cell.media_type for cell in cells} == {"image"}
    assert site.id("P01") in [cell.id for cell in cells]
    assert "Favorites" in [found.title for found in generated.call("library.get_collections").collections]


def test_a_generated_client_searches(generated, site):
    answer = generated.call("library.get_search", q="photos june 2024 P02")
    understood = [("kind", "Photos"), ("date", "June 2024"), ("text", "P02")]
    assert [(token.kind.value, token.text) for token in answer.understood] == understood
    assert site.names([cell.id for cell in answer.assets]) == ["P02"]
    assert (answer.total, answer.days) == (1, [["2024-06-14", 1]])


def test_a_generated_client_shows_pictures(generated, site):
    photo = generated.call("library.get_assets_id", site.id("P01"))
    stored = generated.call("pictures.get_renditions_id_version_kind", photo.id, photo.version, "grid")
    assert decoded(stored) == "mjpeg,480,360,1"
    wanted = {"asset": photo.id, "width": 120, "height": 90, "resizeMode": "exact"}
    body = generated.models.PostImagesBody.from_dict(wanted)
    assert decoded(generated.call("pictures.post_images", body=body)) == "mjpeg,120,90,1"


def test_o_03_a_generated_client_changes(generated, site):
    made = generated.change(type="createAlbum", title="Generated", **{"as": "$1"}).created["$1"]
    generated.change(type="addAssets", collection=made, assets=[site.id("P01"), site.id("P02")])
    generated.change(type="setAssets", assets=[site.id("P02")], title="By a generated client")
    listed = generated.call("library.get_collections_id_assets", made).assets
    assert site.names([cell.id for cell in listed]) == ["P01", "P02"]
    assert generated.call("library.get_assets_id", site.id("P02")).title == "By a generated client"


def test_a_generated_client_uploads_and_downloads(generated):
    data = photo(200)
    asset = generated.upload(data, "Generated.bmp")
    assert generated.call("pictures.get_resources_id_index", asset, 0).payload.read() == data
    body = generated.models.PostDownloadsBody.from_dict({"assets": [asset], "kind": "originals"})
    ticket = generated.call("downloads.post_downloads", status=201, body=body).ticket
    archive = zipfile.ZipFile(generated.call("downloads.get_downloads_ticket", ticket).payload)
    assert archive.read("Generated.bmp") == data


def run(example, site, folder):
    """Runs an example of docs/HTTP.md, with the site in place of the server that it names."""
    (folder / "calotype").write_text(f'#!/bin/sh\nexec "{program()}" "$@"\n', encoding="utf-8")
    (folder / "calotype").chmod(0o755)
    (folder / "IMG_1.bmp").write_bytes(photo(90))
    address = local(site)
    text = example.replace("http://127.0.0.1:2839", address).replace("http://calotype.localhost:2839", address)
    environment = {
        "PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "XDG_CONFIG_HOME": str(CONFIG_FOLDER),
        "CALOTYPE_LIBRARY": str(site.library)}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=environment, capture_output=True, text=True,
        timeout=120)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def answer_as_owner(site):
    """Gives the next request for access full access."""
    cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in site.cookies)
    fields = {"Cookie": cookie, "Origin": local(site), "Content-Type": "application/json"}

    def requests():
        with urlopen(Request(f"{local(site)}/api/v1/access", headers=fields), timeout=PATIENCE) as answer:
            return json.load(answer)["requests"]

    request = wait_for(requests, "a request for access")[0]
    path = f"{local(site)}/api/v1/access/requests/{request['id']}/answer"
    urlopen(Request(path, b'{"answer": "full"}', fields, method="POST"), timeout=PATIENCE).close()


def example_with(words):
    """Returns the only example of the document that has some words."""
    found = [example for example in EXAMPLES if words in example]
    assert len(found) == 1, f"docs/HTTP.md has {len(found)} examples with {words}"
    return found[0]


def test_each_example_is_tested():
    tested = ["session/link", "access/requests", "/assets", "/changes", "/uploads"]
    assert len(EXAMPLES) == len(tested)
    for words in tested:
        example_with(words)


def test_the_example_of_signing_in(site, tmp_path):
    output = run(example_with("session/link"), site, tmp_path)
    assert json.loads(output).get("isOwner"), output


def test_the_example_of_asking_for_access(site, tmp_path):
    owner = threading.Thread(target=answer_as_owner, args=[site])
    owner.start()
    output = run(example_with("access/requests"), site, tmp_path)
    owner.join()
    answer = json.loads(output)
    assert answer["status"] == "authorized" and answer["token"].startswith("cal_")


def test_the_example_of_listing(site, tmp_path):
    output = run(example_with("/assets"), site, tmp_path)
    assert 0 < len(output.split()) <= 10


def test_the_example_of_changing(site, tmp_path):
    output = run(example_with("/changes"), site, tmp_path)
    assert list(json.loads(output)["created"]) == ["$1"]


def test_the_example_of_uploading_and_downloading(site, tmp_path):
    output = run(example_with("/uploads"), site, tmp_path)
    assert json.loads(output)["files"][0]["outcome"] == "added"
    assert (tmp_path / "original.bmp").read_bytes() == photo(90)
    assert zipfile.ZipFile(tmp_path / "photos.zip").namelist() == ["IMG_1.bmp"]
