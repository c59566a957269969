extension Schema {
  /// Adds the duration of a file beside its size. A reverted asset gets both back.
  static let third = """
    ALTER TABLE resource ADD COLUMN duration REAL NOT NULL DEFAULT 0 CHECK (duration >= 0);
    -- 2: a video. Nothing has been edited in a library that comes here.
    UPDATE resource SET duration = (SELECT duration FROM asset WHERE asset.id = resource.asset_id) WHERE type = 2;
    """

  /// Adds the edits that were reverted or replaced, so that an import does not bring them back.
  static let revertedEdits = """
    CREATE TABLE reverted_edit (
      asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
      sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
      PRIMARY KEY (asset_id, sha256)
    ) STRICT, WITHOUT ROWID;
    """
}
