import Foundation

/// The tables of `library.sqlite`. Dates are seconds since 1970 (UTC); a `local_date` is the same
/// by the clock of the place.
enum Schema {
  static let migrations = [
    Migration("1: assets, originals, history") { db in
      try db.run(script: first)
      try db.execute(
        "INSERT INTO library (id, uuid, creation_date) VALUES (1, ?, ?)", UUID().uuidString,
        Date().timeIntervalSince1970)
    },
    Migration("2: collections, trash, search, clients") { db in
      try db.run(script: second)
      try insertFirstCollections(db)
      try fillDetails(db)
    },
    Migration("3: edits") { try $0.run(script: third) },
    Migration("4: deletions") { try $0.run(script: fourth) },
    Migration("5: damaged photos") { try insertFirstCollections($0) },
    Migration("6: damaged files") { try $0.run(script: sixth) },
    Migration("7: damage by its notes") { try markDamaged($0) },
    Migration("8: reverted edits") { try $0.run(script: revertedEdits) },
    Migration("9: change tokens of clients") { try $0.run(script: clientTokens) },
    Migration("10: indexes of kinds") { try $0.run(script: kinds) },
    Migration("11: signing in") { try $0.run(script: signIn) },
    Migration("12: tokens of clients") { try $0.run(script: clientAccessTokens) },
    Migration("13: undo") { try $0.run(script: undo) },
    Migration("14: completed requests") { try $0.run(script: completedRequests) },
    Migration("15: origins that pick") { try $0.run(script: pickerOrigins) },
    Migration("16: lock of hidden assets") { try $0.run(script: hiddenLock) },
    Migration("17: signing in is of the account") { try $0.run(script: signInOfTheAccount) },
    Migration("18: positions of clients") { try $0.run(script: clientPositions) },
    Migration("19: keys of RAW shots") { try shortenShotKeys($0) },
  ]

  private static let first = """
    CREATE TABLE library (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      uuid TEXT NOT NULL,
      creation_date REAL NOT NULL
    ) STRICT;

    -- Columns that predicates and sort descriptors use. All others are in asset_detail.
    CREATE TABLE asset (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uuid TEXT NOT NULL UNIQUE,
      media_type INTEGER NOT NULL CHECK (media_type BETWEEN 0 AND 3),
      media_subtypes INTEGER NOT NULL DEFAULT 0,
      creation_date REAL NOT NULL,
      time_zone_offset INTEGER NOT NULL CHECK (abs(time_zone_offset) <= 64800),
      local_date REAL NOT NULL,
      local_day INTEGER NOT NULL,
      modification_date REAL NOT NULL,
      added_date REAL NOT NULL,
      pixel_width INTEGER NOT NULL CHECK (pixel_width >= 0),
      pixel_height INTEGER NOT NULL CHECK (pixel_height >= 0),
      duration REAL NOT NULL DEFAULT 0 CHECK (duration >= 0),
      is_favorite INTEGER NOT NULL DEFAULT 0 CHECK (is_favorite IN (0, 1)),
      is_hidden INTEGER NOT NULL DEFAULT 0 CHECK (is_hidden IN (0, 1)),
      is_unreadable INTEGER NOT NULL DEFAULT 0 CHECK (is_unreadable IN (0, 1)),
      burst_identifier TEXT,
      represents_burst INTEGER NOT NULL DEFAULT 0 CHECK (represents_burst IN (0, 1)),
      latitude REAL CHECK (latitude BETWEEN -90 AND 90),
      longitude REAL CHECK (longitude BETWEEN -180 AND 180),
      altitude REAL,
      rendition_version TEXT NOT NULL,
      CHECK ((latitude IS NULL) = (longitude IS NULL))
    ) STRICT;
    CREATE INDEX asset_by_local_date ON asset (is_hidden, local_date);
    CREATE INDEX asset_by_local_day ON asset (is_hidden, local_day);
    CREATE INDEX asset_by_creation_date ON asset (creation_date);
    CREATE INDEX asset_by_burst ON asset (burst_identifier) WHERE burst_identifier IS NOT NULL;

    CREATE TABLE asset_detail (
      asset_id INTEGER PRIMARY KEY REFERENCES asset (id) ON DELETE CASCADE,
      date_source TEXT NOT NULL,
      time_zone_source TEXT NOT NULL,
      content_identifier TEXT,
      shot_key TEXT,
      camera TEXT NOT NULL,
      notes TEXT NOT NULL,
      unreadable_reason TEXT
    ) STRICT;
    CREATE INDEX asset_detail_by_content_identifier ON asset_detail (content_identifier) WHERE content_identifier IS NOT NULL;
    CREATE INDEX asset_detail_by_shot_key ON asset_detail (shot_key) WHERE shot_key IS NOT NULL;

    CREATE TABLE original (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
      path TEXT NOT NULL UNIQUE,
      byte_count INTEGER NOT NULL CHECK (byte_count >= 0)
    ) STRICT;
    CREATE INDEX original_by_byte_count ON original (byte_count);

    CREATE TABLE resource (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
      type INTEGER NOT NULL,
      original_id INTEGER NOT NULL REFERENCES original (id),
      original_filename TEXT NOT NULL,
      uniform_type_identifier TEXT NOT NULL,
      pixel_width INTEGER NOT NULL,
      pixel_height INTEGER NOT NULL,
      motion_offset INTEGER,
      motion_byte_count INTEGER,
      UNIQUE (asset_id, type)
    ) STRICT;
    CREATE INDEX resource_by_original ON resource (original_id);

    CREATE TABLE history_transaction (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      date REAL NOT NULL
    ) STRICT;
    -- kind: 1 inserted, 2 updated, 3 deleted; object_type: PHObjectType's raw value.
    CREATE TABLE history_change (
      transaction_id INTEGER NOT NULL REFERENCES history_transaction (id) ON DELETE CASCADE,
      object_type INTEGER NOT NULL CHECK (object_type BETWEEN 1 AND 3),
      object_uuid TEXT NOT NULL,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
      PRIMARY KEY (transaction_id, object_type, object_uuid)
    ) STRICT, WITHOUT ROWID;
    """
}
