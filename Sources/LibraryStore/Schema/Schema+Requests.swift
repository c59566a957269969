extension Schema {
  /// Adds the table of requests that were carried out.
  static let completedRequests = """
    -- Kept for a day. transaction_id: NULL: the request changed nothing.
    CREATE TABLE completed_request (
      sender TEXT NOT NULL,
      key TEXT NOT NULL,
      sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
      answer TEXT NOT NULL,
      transaction_id INTEGER,
      date REAL NOT NULL,
      PRIMARY KEY (sender, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX completed_request_by_date ON completed_request (date);
    """
}
