import Foundation

extension Schema {
  /// Adds collections, the trash, search, clients, and a history that identifies objects by row.
  static let second = """
    ALTER TABLE library ADD COLUMN latest_expired_transaction INTEGER NOT NULL DEFAULT 0;

    ALTER TABLE asset ADD COLUMN trashed_date REAL;
    ALTER TABLE asset ADD COLUMN burst_selection_types INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE asset ADD COLUMN has_adjustments INTEGER NOT NULL DEFAULT 0 CHECK (has_adjustments IN (0, 1));
    ALTER TABLE asset ADD COLUMN rating INTEGER NOT NULL DEFAULT 0 CHECK (rating BETWEEN 0 AND 5);
    -- Facts for smart albums that PhotoKit has no property for: the bits of AssetTraits.
    ALTER TABLE asset ADD COLUMN traits INTEGER NOT NULL DEFAULT 0;
    UPDATE asset SET burst_selection_types = 1 WHERE represents_burst = 1;
    -- The sum of 1 for a frame of a burst that nobody picked, 2 if hidden, and 4 if in the trash.
    -- It is not a generated column, for which SQLite reads the row even if an index contains it.
    ALTER TABLE asset ADD COLUMN visibility INTEGER NOT NULL DEFAULT 0;
    UPDATE asset SET visibility = \(visibility("asset"));
    CREATE TRIGGER asset_visibility_insert BEFORE INSERT ON asset WHEN NEW.visibility <> \(visibility("NEW")) BEGIN
      SELECT RAISE(ABORT, 'asset.visibility is not what its other columns say');
    END;
    CREATE TRIGGER asset_visibility_update BEFORE UPDATE OF visibility, \(visibilityColumns) ON asset
      WHEN NEW.visibility <> \(visibility("NEW")) BEGIN
      SELECT RAISE(ABORT, 'asset.visibility is not what its other columns say');
    END;

    DROP INDEX asset_by_local_date;
    DROP INDEX asset_by_local_day;
    DROP INDEX asset_by_creation_date;
    -- These indexes contain the id because it is part of the order.
    CREATE INDEX asset_by_local_date ON asset (local_date, id, visibility);
    CREATE INDEX asset_by_local_day ON asset (local_day, visibility);
    -- This index is smaller than the table. Fetches without conditions read it.
    CREATE INDEX asset_by_id ON asset (id, visibility);
    CREATE INDEX asset_by_added_date ON asset (added_date, visibility);
    -- The most frequent fetches read only this index, and no row of the table.
    CREATE INDEX asset_by_creation_date ON asset (creation_date, id, visibility, media_type, media_subtypes, is_favorite,
      pixel_width, pixel_height, duration, traits);
    CREATE INDEX asset_by_favorite ON asset (creation_date, id, visibility) WHERE is_favorite = 1;
    CREATE INDEX asset_by_trashed_date ON asset (trashed_date) WHERE trashed_date IS NOT NULL;
    CREATE INDEX asset_unreadable ON asset (visibility) WHERE is_unreadable = 1;

    ALTER TABLE asset_detail ADD COLUMN original_filename TEXT NOT NULL DEFAULT '';
    ALTER TABLE asset_detail ADD COLUMN file_size INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE asset_detail ADD COLUMN uniform_type_identifier TEXT NOT NULL DEFAULT '';
    ALTER TABLE asset_detail ADD COLUMN camera_model TEXT GENERATED ALWAYS AS (json_extract(camera, '$.model')) VIRTUAL;
    ALTER TABLE asset_detail ADD COLUMN title TEXT;
    ALTER TABLE asset_detail ADD COLUMN caption TEXT;
    ALTER TABLE asset_detail ADD COLUMN keywords TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE asset_detail ADD COLUMN place_names TEXT NOT NULL DEFAULT '[]';

    -- The number of assets of each kind, so that smart albums are counted without reading assets.
    CREATE TABLE asset_tally (
      visibility INTEGER NOT NULL,
      media_type INTEGER NOT NULL,
      media_subtypes INTEGER NOT NULL,
      is_favorite INTEGER NOT NULL,
      is_unreadable INTEGER NOT NULL,
      represents_burst INTEGER NOT NULL,
      traits INTEGER NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (visibility, media_type, media_subtypes, is_favorite, is_unreadable, represents_burst, traits)
    ) STRICT, WITHOUT ROWID;
    \(countAssets)
    CREATE TRIGGER asset_tally_insert AFTER INSERT ON asset BEGIN
      \(countUp("NEW"))
    END;
    CREATE TRIGGER asset_tally_delete AFTER DELETE ON asset BEGIN
      \(countDown("OLD"))
    END;
    CREATE TRIGGER asset_tally_update AFTER UPDATE OF \(tallyKey) ON asset BEGIN
      \(countDown("OLD"))
      \(countUp("NEW"))
    END;

    -- kind: 1 album, 2 smart album, 3 folder. Only the root folder has no parent.
    CREATE TABLE collection (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uuid TEXT NOT NULL UNIQUE,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
      subtype INTEGER NOT NULL,
      title TEXT NOT NULL,
      parent_id INTEGER REFERENCES collection (id) ON DELETE CASCADE,
      rank INTEGER NOT NULL,
      creation_date REAL NOT NULL,
      modification_date REAL NOT NULL,
      key_asset_id INTEGER REFERENCES asset (id) ON DELETE SET NULL,
      CHECK (parent_id IS NOT id)
    ) STRICT;
    CREATE INDEX collection_by_parent ON collection (parent_id, rank);
    CREATE INDEX collection_by_kind ON collection (kind, subtype);
    CREATE INDEX collection_by_key_asset ON collection (key_asset_id) WHERE key_asset_id IS NOT NULL;

    -- visibility is the asset's, so that albums are listed and counted without reading assets.
    CREATE TABLE collection_asset (
      asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
      collection_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
      rank INTEGER NOT NULL,
      visibility INTEGER NOT NULL,
      PRIMARY KEY (asset_id, collection_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX collection_asset_by_rank ON collection_asset (collection_id, visibility, rank, asset_id);
    CREATE INDEX collection_asset_by_place ON collection_asset (collection_id, rank, asset_id);
    CREATE TRIGGER collection_asset_visibility AFTER UPDATE OF visibility ON asset
      WHEN OLD.visibility <> NEW.visibility BEGIN
      UPDATE collection_asset SET visibility = NEW.visibility WHERE asset_id = NEW.id;
    END;

    CREATE VIRTUAL TABLE asset_search USING fts5 (
      filename, title, caption, keywords, camera, place, tokenize = "unicode61 remove_diacritics 2");
    CREATE VIRTUAL TABLE collection_search USING fts5 (title, tokenize = "unicode61 remove_diacritics 2");
    CREATE TRIGGER asset_search_delete AFTER DELETE ON asset BEGIN
      DELETE FROM asset_search WHERE rowid = OLD.id;
    END;
    CREATE TRIGGER collection_search_insert AFTER INSERT ON collection WHEN NEW.kind = 1 BEGIN
      INSERT INTO collection_search (rowid, title) VALUES (NEW.id, NEW.title);
    END;
    CREATE TRIGGER collection_search_update AFTER UPDATE OF title ON collection WHEN NEW.kind = 1 BEGIN
      UPDATE collection_search SET title = NEW.title WHERE rowid = NEW.id;
    END;
    CREATE TRIGGER collection_search_delete AFTER DELETE ON collection BEGIN
      DELETE FROM collection_search WHERE rowid = OLD.id;
    END;

    -- read_write and add_only are PHAuthorizationStatus's raw values.
    CREATE TABLE client (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      identifier TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      read_write INTEGER NOT NULL DEFAULT 0 CHECK (read_write BETWEEN 0 AND 4),
      add_only INTEGER NOT NULL DEFAULT 0 CHECK (add_only BETWEEN 0 AND 3),
      creation_date REAL NOT NULL
    ) STRICT;
    CREATE TABLE client_asset (
      client_id INTEGER NOT NULL REFERENCES client (id) ON DELETE CASCADE,
      asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
      PRIMARY KEY (client_id, asset_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX client_asset_by_asset ON client_asset (asset_id);

    ALTER TABLE history_transaction ADD COLUMN has_details INTEGER NOT NULL DEFAULT 1 CHECK (has_details IN (0, 1));
    ALTER TABLE history_change RENAME TO old_history_change;
    -- object_type: PHObjectType's raw value, or 4: a client, whose access or selection changed.
    -- kind: 1 inserted, 2 updated, 3 deleted.
    -- is_content: 1 if an asset's picture changed, or the assets of an album or their order.
    CREATE TABLE history_change (
      transaction_id INTEGER NOT NULL REFERENCES history_transaction (id) ON DELETE CASCADE,
      object_type INTEGER NOT NULL CHECK (object_type BETWEEN 1 AND 4),
      object_id INTEGER NOT NULL,
      object_uuid TEXT NOT NULL,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
      is_content INTEGER NOT NULL CHECK (is_content IN (0, 1)),
      PRIMARY KEY (transaction_id, object_type, object_id)
    ) STRICT, WITHOUT ROWID;
    INSERT OR IGNORE INTO history_change
      SELECT transaction_id, object_type, asset.id, object_uuid, kind, kind = 1
      FROM old_history_change JOIN asset ON asset.uuid = object_uuid;
    DROP TABLE old_history_change;
    """

  private static let visibilityColumns =
    "burst_identifier, represents_burst, burst_selection_types, is_hidden, trashed_date"

  private static func visibility(_ row: String) -> String {
    """
    ((\(row).burst_identifier IS NOT NULL AND \(row).represents_burst = 0 AND \(row).burst_selection_types = 0)
        + 2 * \(row).is_hidden + 4 * (\(row).trashed_date IS NOT NULL))
    """
  }

  static let tallyKey =
    "visibility, media_type, media_subtypes, is_favorite, is_unreadable, represents_burst, traits"

  /// Fills `asset_tally`, which must be empty.
  static let countAssets =
    "INSERT INTO asset_tally SELECT \(tallyKey), COUNT(*) FROM asset GROUP BY \(tallyKey);"

  private static func countUp(_ row: String) -> String {
    """
    INSERT INTO asset_tally VALUES (\(row).visibility, \(row).media_type, \(row).media_subtypes, \(row).is_favorite,
        \(row).is_unreadable, \(row).represents_burst, \(row).traits, 1)
        ON CONFLICT (\(tallyKey)) DO UPDATE SET count = count + 1;
    """
  }

  private static func countDown(_ row: String) -> String {
    """
    UPDATE asset_tally SET count = count - 1 WHERE visibility = \(row).visibility AND media_type = \(row).media_type
        AND media_subtypes = \(row).media_subtypes AND is_favorite = \(row).is_favorite
        AND is_unreadable = \(row).is_unreadable AND represents_burst = \(row).represents_burst
        AND traits = \(row).traits;
    """
  }

  /// Inserts the root folder, and the smart albums that libraries had at this version.
  ///
  /// Like every migration, it names tables, columns and numbers itself. A type of the program that
  /// changes later must not change what it does.
  static func insertFirstCollections(_ db: any Session) throws {
    let albums = [
      (209, "Recents"), (206, "Recently Added"), (203, "Favorites"), (202, "Videos"), (210, "Selfies"),
      (213, "Live Photos"), (212, "Portrait"), (215, "Long Exposure"), (201, "Panoramas"), (204, "Time-lapse"),
      (208, "Slo-mo"), (218, "Cinematic"), (207, "Bursts"), (211, "Screenshots"), (220, "Screen Recordings"),
      (214, "Animated"), (217, "RAW"), (219, "Spatial"), (216, "Unable to Upload"), (205, "Hidden"),
      (1_000_000_201, "Recently Deleted"), (1_000_000_301, "Unable to Read"), (1_000_000_302, "Damaged"),
    ]
    let date = Date().timeIntervalSince1970
    let all =
      [(kind: 3, subtype: 101, title: "", rank: 0)]
      + albums.enumerated().map { (kind: 2, subtype: $1.0, title: $1.1, rank: $0) }
    for item in all {
      try db.execute(
        """
        INSERT INTO collection (uuid, kind, subtype, title, rank, creation_date, modification_date)
          SELECT ?, ?, ?, ?, ?, ?, ?
          WHERE NOT EXISTS (SELECT 1 FROM collection WHERE kind = ? AND subtype = ?)
        """, UUID().uuidString, item.kind, item.subtype, item.title, item.rank, date, date, item.kind, item.subtype)
    }
  }

  /// Inserts the root folder and the smart albums that are missing.
  static func insertOwnCollections(_ db: any Session) throws {
    let date = Date().timeIntervalSince1970
    let root = CollectionRecord(
      uuid: UUID().uuidString, kind: .folder, subtype: CollectionRecord.rootSubtype, title: "", date: date)
    let smartAlbums = SmartAlbum.listed.enumerated().map { rank, album in
      var record = CollectionRecord(
        uuid: UUID().uuidString, kind: .smartAlbum, subtype: album.rawValue, title: album.title, date: date)
      record.rank = rank
      return record
    }
    for record in [root] + smartAlbums where try !hasCollection(record.kind, subtype: record.subtype, db) {
      try db.insert(record.columns, into: CollectionRecord.table)
    }
  }

  /// Returns the titles of the library's own collections that are missing.
  static func missingCollections(_ db: any Session) throws -> [String] {
    let own =
      [(CollectionKind.folder, CollectionRecord.rootSubtype, "the root folder")]
      + SmartAlbum.listed.map { (CollectionKind.smartAlbum, $0.rawValue, "the album \($0.title)") }
    return try own.filter { try !hasCollection($0.0, subtype: $0.1, db) }.map(\.2)
  }

  private static func hasCollection(_ kind: CollectionKind, subtype: Int, _ db: any Session) throws -> Bool {
    try db.isTrue(
      "SELECT EXISTS (SELECT 1 FROM collection WHERE kind = ? AND subtype = ?)", kind.rawValue, subtype)
  }

  /// Fills the columns that the first version of the tables did not have.
  static func fillDetails(_ db: any Session) throws {
    try db.run(
      script: """
        UPDATE asset_detail SET (original_filename, file_size, uniform_type_identifier) = (
          SELECT original_filename, byte_count, uniform_type_identifier
          FROM resource JOIN original ON original.id = resource.original_id
          WHERE resource.asset_id = asset_detail.asset_id ORDER BY type LIMIT 1)
        WHERE EXISTS (SELECT 1 FROM resource WHERE resource.asset_id = asset_detail.asset_id);
        UPDATE asset SET traits = traits | 1 WHERE EXISTS (SELECT 1 FROM resource
          WHERE resource.asset_id = asset.id AND uniform_type_identifier LIKE '%raw-image');
        UPDATE asset SET traits = traits | 2 WHERE EXISTS (SELECT 1 FROM asset_detail
          WHERE asset_detail.asset_id = asset.id AND json_extract(camera, '$.lens') LIKE '%front%');
        INSERT INTO asset_search (rowid, filename, camera)
          SELECT asset_id, original_filename,
            COALESCE(json_extract(camera, '$.make'), '') || ' ' || COALESCE(json_extract(camera, '$.model'), '')
          FROM asset_detail;
        """)
  }
}
