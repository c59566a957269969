extension Schema {
  /// Adds the makers of transactions, and what undoing them needs.
  static let undo = """
    -- The transactions that a person or a program requested. The library's own have no row here.
    CREATE TABLE history_inverse (
      transaction_id INTEGER PRIMARY KEY REFERENCES history_transaction (id) ON DELETE CASCADE,
      -- The identifier of the client; NULL: the owner.
      client TEXT,
      -- The transaction that this one undid. At most one undoes another directly: a redo
      -- undoes the undo.
      reverses INTEGER UNIQUE,
      is_undo INTEGER NOT NULL DEFAULT 0 CHECK (is_undo IN (0, 1)),
      -- JSON of Inverse; NULL: it can't be undone.
      steps TEXT,
      -- The reason that it can't be undone, a raw value of UndoObstacle; NULL: none, or no details.
      obstacle INTEGER
    ) STRICT;

    -- The files of former edits, which are kept as long as an undo can bring them back.
    CREATE TABLE history_original (
      transaction_id INTEGER NOT NULL REFERENCES history_transaction (id) ON DELETE CASCADE,
      asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
      original_id INTEGER NOT NULL REFERENCES original (id),
      PRIMARY KEY (transaction_id, asset_id, original_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX history_original_by_original ON history_original (original_id);
    CREATE INDEX history_original_by_asset ON history_original (asset_id);
    """
}
