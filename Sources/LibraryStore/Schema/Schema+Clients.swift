extension Schema {
  /// Adds the change tokens of clients with a selection, so that reading one needs no search
  /// through the history.
  static let clientTokens = """
    -- The latest transaction that changed the client's access, its selection, or an asset of its selection.
    ALTER TABLE client ADD COLUMN latest_transaction INTEGER NOT NULL DEFAULT 0;
    UPDATE client SET latest_transaction =
      COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'history_transaction'), 0);
    CREATE INDEX history_transaction_without_details ON history_transaction (id) WHERE has_details = 0;
    """
}
