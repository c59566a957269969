extension Schema {
  /// Adds the tables of permanently deleted originals, and of the clock that expires the trash.
  static let fourth = """
    CREATE TABLE deleted_original (
      sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32),
      byte_count INTEGER NOT NULL CHECK (byte_count >= 0)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deleted_original_by_byte_count ON deleted_original (byte_count);

    -- The time when the trash was last read; NULL: never.
    ALTER TABLE library ADD COLUMN trash_read_date REAL;
    """
}
