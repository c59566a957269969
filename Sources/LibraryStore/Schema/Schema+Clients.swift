extension Schema {
  /// Adds the change tokens of clients with a selection, so that reading one needs no search
  /// through the history.
  static let clientTokens = """
    -- The latest transaction that changed the client's access, its selection, or an asset in it.
    ALTER TABLE client ADD COLUMN latest_transaction INTEGER NOT NULL DEFAULT 0;
    UPDATE client SET latest_transaction =
      COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'history_transaction'), 0);
    CREATE INDEX history_transaction_without_details ON history_transaction (id) WHERE has_details = 0;
    """

  /// Adds the tokens by which clients use the library over HTTP, and what clients asked for.
  static let clientAccessTokens = """
    -- asked_level: PHAccessLevel's raw value. usage_description: the client's reason.
    ALTER TABLE client ADD COLUMN asked_date REAL;
    ALTER TABLE client ADD COLUMN asked_level INTEGER CHECK (asked_level BETWEEN 1 AND 2);
    ALTER TABLE client ADD COLUMN usage_description TEXT;

    -- start: the first characters, by which a person recognizes the token. origin: the web origin
    -- that alone may use it; NULL: any program. use_date, address: of the latest use.
    CREATE TABLE client_token (
      id TEXT PRIMARY KEY,
      token_sha256 BLOB NOT NULL UNIQUE CHECK (length(token_sha256) = 32),
      client_id INTEGER NOT NULL REFERENCES client (id) ON DELETE CASCADE,
      start TEXT NOT NULL,
      origin TEXT,
      creation_date REAL NOT NULL,
      expiration_date REAL NOT NULL,
      use_date REAL,
      address TEXT,
      use_count INTEGER NOT NULL DEFAULT 0 CHECK (use_count >= 0)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX client_token_by_client ON client_token (client_id);
    """
}
