"""Makes a library of a million made-up assets, with the proportions of a large one.

It has videos, screenshots, favorites, panoramas and albums. The tables are those of
Sources/LibraryStore/Schema. All assets share one original, whose file does not exist.
"""

import random
import shutil
import sqlite3
import uuid
from contextlib import closing

from processes import quietly

VERSION = 3
FIRST, YEARS = 1_104_537_600, 21
SCREENSHOT, PANORAMA, LIVE, SLOW_MOTION = 4, 1, 8, 1 << 17
TITLES = ["Summer in", "Weekend in", "With friends in", "Winter in"]
PLACES = ["Norway", "Rome", "Kyoto", "Lisbon", "Bergen", "Ghent", "Porto", "Oslo", "Turin", "Graz"]


def million_library(bench, count, albums, largest):
    """Returns a fresh copy of the library, which is made once and kept."""
    kept = bench.cache / f"million-{VERSION}-{count}-{albums}.calotype"
    if not kept.exists():
        unfinished = kept.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        nothing = bench.folder / "nothing"
        nothing.mkdir(exist_ok=True)
        quietly([bench.program, "--library", unfinished, "import", "--create", nothing])
        with closing(sqlite3.connect(unfinished / "library.sqlite")) as db, db:
            db.execute("PRAGMA synchronous = OFF")
            _write_assets(db, count)
            _write_albums(db, count, albums, largest)
        with closing(sqlite3.connect(unfinished / "library.sqlite")) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        unfinished.rename(kept)
    copy = bench.folder / f"Million-{uuid.uuid4().hex[:8]}.calotype"
    shutil.copytree(kept, copy)
    return copy


def _write_assets(db, count):
    db.execute("INSERT INTO original (id, sha256, path, byte_count) VALUES (1, zeroblob(32), 'originals/2020/01/MADE_UP.JPG', 3000000)")
    db.executemany(
        """INSERT INTO asset (id, uuid, media_type, media_subtypes, creation_date, time_zone_offset, local_date, local_day,
             modification_date, added_date, pixel_width, pixel_height, duration, is_favorite, latitude, longitude, rendition_version)
           VALUES (?, ?, ?, ?, ?, 3600, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '0123456789ab-1')""", _assets(count))
    db.execute(
        """INSERT INTO asset_detail (asset_id, date_source, time_zone_source, camera, notes, original_filename, file_size,
             uniform_type_identifier)
           SELECT id, 'original', 'file', '{"make":"Apple","model":"iPhone 15 Pro"}', '[]', 'IMG_' || (id % 10000) || '.HEIC', 3000000,
             'public.heic' FROM asset""")
    db.execute(
        """INSERT INTO resource (asset_id, type, original_id, original_filename, uniform_type_identifier, pixel_width, pixel_height)
           SELECT id, 1, 1, 'IMG_' || (id % 10000) || '.HEIC', 'public.heic', pixel_width, pixel_height FROM asset""")
    db.execute(
        "INSERT INTO asset_search (rowid, filename, camera) SELECT asset_id, original_filename, 'Apple iPhone 15 Pro' FROM asset_detail")
    db.execute("INSERT INTO history_transaction (id, date) VALUES (1, ?)", (FIRST + YEARS * 31_557_600,))


def _assets(count):
    """Yields assets nearly by date: 12 % videos, 15 % screenshots, 3 % favorites, 1 % panoramas."""
    chance = random.Random(1)
    for number in range(1, count + 1):
        date = FIRST + YEARS * 31_557_600 * number / count + chance.uniform(-86_400, 86_400)
        kind = chance.random()
        media_type, subtypes, width, height, duration = 1, 0, 4032, 3024, 0.0
        if kind < 0.12:
            media_type, width, height, duration = 2, 1920, 1080, chance.uniform(1, 90)
            subtypes = SLOW_MOTION if kind < 0.01 else 0
        elif kind < 0.27:
            subtypes, width, height = SCREENSHOT, 1179, 2556
        elif kind < 0.28:
            subtypes, width, height = PANORAMA, chance.randrange(6000, 16000), 3800
        elif kind < 0.5:
            subtypes = LIVE
        added = FIRST + YEARS * 31_557_600
        yield (number, str(uuid.UUID(bytes=chance.randbytes(16), version=4)).upper(), media_type, subtypes, date, date + 3600,
               (date + 3600) // 86_400, added, added, width, height, duration, int(chance.random() < 0.03),
               chance.uniform(36, 60), chance.uniform(0, 25))


def _write_albums(db, count, albums, largest):
    """Writes albums of 60 assets each, and a last one with `largest` assets."""
    chance = random.Random(2)
    root = db.execute("SELECT id FROM collection WHERE subtype = 101").fetchone()[0]
    date = FIRST + YEARS * 31_557_600
    for number in range(1, albums + 1):
        title = f"{chance.choice(TITLES)} {chance.choice(PLACES)} {number}" if number < albums else "Everything good"
        album = db.execute(
            """INSERT INTO collection (uuid, kind, subtype, title, parent_id, rank, creation_date, modification_date)
               VALUES (?, 1, 2, ?, ?, ?, ?, ?)""",
            (str(uuid.UUID(bytes=chance.randbytes(16), version=4)).upper(), title, root, number, date, date)).lastrowid
        size = 60 if number < albums else largest
        members = chance.sample(range(1, count + 1), min(size, count))
        db.executemany(
            "INSERT INTO collection_asset VALUES (?, ?, ?, 0)",
            [(asset, album, (place + 1) << 20) for place, asset in enumerate(members)])
