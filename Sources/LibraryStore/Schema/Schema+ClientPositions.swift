extension Schema {
  /// Adds the histories of clients with a selection. The numbers of the library's transactions
  /// would reveal to a client how many transactions it can't see.
  static let clientPositions = """
    -- The number of transactions so far that concern the client: they changed its access, its
    -- selection or an asset in it, or the client made them.
    ALTER TABLE client ADD COLUMN latest_position INTEGER NOT NULL DEFAULT 0;
    -- The transactions of this number that the history still has, each with its position.
    CREATE TABLE client_position (
      client_id INTEGER NOT NULL REFERENCES client (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      transaction_id INTEGER NOT NULL REFERENCES history_transaction (id) ON DELETE CASCADE,
      PRIMARY KEY (client_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX client_position_by_transaction ON client_position (transaction_id, client_id);
    INSERT INTO client_position SELECT id, 1, latest_transaction FROM client
      WHERE latest_transaction IN (SELECT id FROM history_transaction);
    UPDATE client SET latest_position = 1 WHERE id IN (SELECT client_id FROM client_position);
    ALTER TABLE client DROP COLUMN latest_transaction;
    """
}
