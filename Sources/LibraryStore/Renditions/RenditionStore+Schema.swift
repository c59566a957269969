// The tables of `renditions.sqlite`.

extension RenditionStore {
  /// The columns that this version uses. SQLite reports an error if one of them is missing.
  static let columns = [
    """
    asset_uuid, kind, version, pixel_width, pixel_height, uniform_type_identifier, data, checksum
    FROM picture
    """,
    "asset_uuid, version, pixels, checksum FROM placeholder",
    "sha256, task, date, reason FROM failure",
    "name, byte_count, sha256 FROM file",
  ]

  static let migrations = [
    Migration("1: pictures and placeholders") { db in
      try db.run(
        script: """
          CREATE TABLE picture (
            asset_uuid TEXT NOT NULL,
            kind TEXT NOT NULL,
            version TEXT NOT NULL,
            pixel_width INTEGER NOT NULL,
            pixel_height INTEGER NOT NULL,
            uniform_type_identifier TEXT NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (asset_uuid, kind)
          ) STRICT;
          CREATE TABLE placeholder (
            asset_uuid TEXT PRIMARY KEY,
            version TEXT NOT NULL,
            pixels BLOB NOT NULL
          ) STRICT, WITHOUT ROWID;
          """)
    },
    Migration("2: what decoders did not survive") { db in
      try db.run(
        script: """
          CREATE TABLE failure (
            sha256 BLOB NOT NULL,
            task TEXT NOT NULL,
            date REAL NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (sha256, task)
          ) STRICT, WITHOUT ROWID;
          """)
    },
    Migration("3: checksums") { db in
      // NULL for earlier pictures, which are not checked.
      try db.run(script: "ALTER TABLE picture ADD COLUMN checksum INTEGER")
    },
    Migration("4: files") { db in
      // Files of earlier versions have no row.
      try db.run(
        script: """
          CREATE TABLE file (
            name TEXT PRIMARY KEY,
            byte_count INTEGER NOT NULL,
            sha256 BLOB NOT NULL
          ) STRICT, WITHOUT ROWID;
          """)
    },
    Migration("5: checksums of placeholders") { db in
      // NULL for earlier placeholders, which are not checked.
      try db.run(script: "ALTER TABLE placeholder ADD COLUMN checksum INTEGER")
    },
  ]
}
