extension Schema {
  /// Adds the table of the web origins that know assets by identifiers of their own.
  static let pickerOrigins = """
    -- sha256: that of the origin. origin: NULL since the owner has forgotten it.
    -- salt: what the origin's identifiers are made with; NULL until the owner forgets it once.
    CREATE TABLE picker_origin (
      sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32),
      origin TEXT,
      salt BLOB
    ) STRICT, WITHOUT ROWID;
    """
}
