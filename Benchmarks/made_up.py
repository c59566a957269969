"""Makes libraries with any number of made-up assets, written directly into the database.

The tables are those of Sources/LibraryStore/Schema/Schema.swift and Files/RenditionStore.swift.
Each library is the newest part of one long sequence, so that a small and a large library begin
alike. The files of the originals do not exist.
"""

import random
import sqlite3
import uuid
from contextlib import closing
from datetime import datetime, timezone
from itertools import islice

from processes import quietly

NEWEST = datetime(2026, 11, 1, 18, tzinfo=timezone.utc).timestamp()
ADDED = NEWEST + 86_400
# 100,000 assets in about 15 years: one every two minutes in an outing, and days between outings.
SECONDS_WITHIN_AN_OUTING, SECONDS_BETWEEN_OUTINGS = 120, 190_000
# With this, 20,000 assets are of one day.
SECONDS_IN_ONE_DAY = 2
OUTINGS_END = 1 / 42
SIZES = [(4032, 3024), (3024, 4032), (4000, 3000), (5712, 4284)]
LIVE = 8
ASSETS_A_TRANSACTION = 24
ASSETS_WITH_PICTURES = 2_000
# The first and last bytes of a JPEG. The benchmarks serve it but never decode it.
TINY_PICTURE = b"\xff\xd8\xff\xd9"


def make_library(bench, name, count, pictures_from=None, with_pictures=ASSETS_WITH_PICTURES, is_one_day=False):
    """Returns a library of `count` assets.

    The newest `with_pictures` assets, or all if it is None, have the grid pictures of the library
    `pictures_from`. The others have tiny ones.
    """
    library = bench.folder / name
    library_of_nothing = bench.folder / "nothing"
    library_of_nothing.mkdir(exist_ok=True)
    quietly([bench.program, "--library", library, "import", "--create", library_of_nothing])
    assets = list(islice(_assets(is_one_day), count))
    _write_assets(library / "library.sqlite", assets)
    _write_renditions(library / "renditions.sqlite", assets, pictures_from, count if with_pictures is None else with_pictures)
    return library


def _assets(is_one_day):
    """Yields made-up assets without end, newest first. The sequence is always the same."""
    chance = random.Random(1)
    date = NEWEST
    while True:
        mean = SECONDS_BETWEEN_OUTINGS if chance.random() < OUTINGS_END else SECONDS_WITHIN_AN_OUTING
        date -= SECONDS_IN_ONE_DAY if is_one_day else chance.expovariate(1 / mean)
        sha256 = chance.randbytes(32)
        width, height = chance.choice(SIZES)
        yield {
            "uuid": str(uuid.UUID(bytes=chance.randbytes(16), version=4)).upper(), "date": date, "sha256": sha256,
            "version": f"{sha256[:6].hex()}-1", "width": width, "height": height, "bytes": chance.randrange(1_500_000, 5_000_000),
            "subtypes": LIVE if chance.random() < 0.3 else 0, "favorite": int(chance.random() < 0.02),
            "latitude": chance.uniform(36, 60), "longitude": chance.uniform(0, 25),
        }


def _write_assets(file, newest_first):
    """Writes the assets. The oldest gets the lowest number, as after a chronological import."""
    numbered = list(enumerate(reversed(newest_first), start=1))
    with closing(sqlite3.connect(file)) as db, db:
        db.executemany(
            """INSERT INTO asset (id, uuid, media_type, media_subtypes, creation_date, time_zone_offset, local_date, local_day,
                 modification_date, added_date, pixel_width, pixel_height, is_favorite, latitude, longitude, rendition_version)
               VALUES (?, ?, 1, ?, ?, 3600, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            [(number, asset["uuid"], asset["subtypes"], asset["date"], asset["date"] + 3600, (asset["date"] + 3600) // 86_400,
              ADDED, ADDED, asset["width"], asset["height"], asset["favorite"], asset["latitude"], asset["longitude"],
              asset["version"]) for number, asset in numbered])
        db.executemany(
            """INSERT INTO asset_detail (asset_id, date_source, time_zone_source, shot_key, camera, notes, original_filename,
                 file_size, uniform_type_identifier)
               VALUES (?, 'original', 'file', ?, '{"make":"Apple","model":"iPhone 15 Pro","iso":64}', '[]', ?, ?, 'public.heic')""",
            [(number, f"made up {number}", f"MADE_UP_{number}.HEIC", asset["bytes"]) for number, asset in numbered])
        db.executemany(
            "INSERT INTO asset_search (rowid, filename, camera) VALUES (?, ?, 'Apple iPhone 15 Pro')",
            [(number, f"MADE_UP_{number}.HEIC") for number, _ in numbered])
        db.executemany(
            "INSERT INTO original (id, sha256, path, byte_count) VALUES (?, ?, ?, ?)",
            [(number, asset["sha256"], f"{_month(asset)}/MADE_UP_{number}.HEIC", asset["bytes"])
             for number, asset in numbered])
        db.executemany(
            """INSERT INTO resource (asset_id, type, original_id, original_filename, uniform_type_identifier, pixel_width,
                 pixel_height) VALUES (?, 1, ?, ?, 'public.heic', ?, ?)""",
            [(number, number, f"MADE_UP_{number}.HEIC", asset["width"], asset["height"]) for number, asset in numbered])
        _write_history(db, numbered)


def _month(asset):
    return datetime.fromtimestamp(asset["date"], timezone.utc).strftime("originals/%Y/%m")


def _write_history(db, numbered):
    transactions = range(1, len(numbered) // ASSETS_A_TRANSACTION + 2)
    db.executemany("INSERT INTO history_transaction (id, date) VALUES (?, ?)", [(number, ADDED) for number in transactions])
    db.executemany(
        """INSERT INTO history_change (transaction_id, object_type, object_id, object_uuid, kind, is_content)
           VALUES (?, 1, ?, ?, 1, 1)""",
        [(number // ASSETS_A_TRANSACTION + 1, number, asset["uuid"]) for number, asset in numbered])


def _write_renditions(file, assets, pictures_from, with_pictures):
    pictures = _pictures_of(pictures_from) if pictures_from else []
    with closing(sqlite3.connect(file)) as db, db:
        for index, asset in enumerate(assets):
            if pictures and index < with_pictures:
                grid, placeholder = pictures[index % len(pictures)]
            else:
                grid, placeholder = (480, 360, "public.jpeg", TINY_PICTURE), bytes([1, 1, 128, 128, 128])
            db.execute("INSERT INTO picture VALUES (?, 'grid', ?, ?, ?, ?, ?, NULL)", (asset["uuid"], asset["version"], *grid))
            db.execute("INSERT INTO picture VALUES (?, 'screen', ?, 2016, 1512, 'public.jpeg', ?, NULL)",
                       (asset["uuid"], asset["version"], TINY_PICTURE))
            db.execute("INSERT INTO placeholder (asset_uuid, version, pixels) VALUES (?, ?, ?)", (asset["uuid"], asset["version"], placeholder))


def _pictures_of(library):
    """Returns the grid pictures of a library with their placeholders."""
    with closing(sqlite3.connect(f"file:{library / 'renditions.sqlite'}?mode=ro", uri=True)) as db:
        rows = db.execute(
            """SELECT pixel_width, pixel_height, uniform_type_identifier, data, pixels
               FROM picture JOIN placeholder USING (asset_uuid) WHERE kind = 'grid' ORDER BY asset_uuid""").fetchall()
    return [(row[:4], row[4]) for row in rows]
