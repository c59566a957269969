import Foundation

/// The tokens of the library's clients. Nothing of this is in the library's history.
///
///     let known = try store.clientTokens.token(hash: sha256)
public struct ClientTokenRecords: Sendable {
  let store: LibraryStore

  /// Adds a token to a client. Removes expired ones.
  public func insert(_ token: ClientTokenRecord) throws {
    try store.commit { transaction in
      let db = transaction.db
      try db.execute("DELETE FROM client_token WHERE expiration_date <= ?", token.creationDate.timeIntervalSince1970)
      try db.execute(
        """
        INSERT INTO client_token (id, token_sha256, client_id, start, origin, creation_date, expiration_date)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """, token.id, token.tokenHash, token.client, token.start, token.origin,
        token.creationDate.timeIntervalSince1970, token.expirationDate.timeIntervalSince1970)
    }
  }

  /// Returns the token with this SHA-256 and its client, whether or not it has expired.
  public func token(hash: Data) throws -> (token: ClientTokenRecord, client: ClientRecord)? {
    try store.read { db in
      guard
        let token = try db.row("SELECT * FROM client_token WHERE token_sha256 = ?", hash).map(ClientTokenRecord.init),
        let client = try db.row("SELECT * FROM client WHERE id = ?", token.client).map(ClientRecord.init)
      else { return nil }
      return (token, client)
    }
  }

  /// Returns the tokens of all clients, the newest first.
  public func all() throws -> [ClientTokenRecord] {
    try store.read { db in
      try db.rows("SELECT * FROM client_token ORDER BY creation_date DESC, id").map(ClientTokenRecord.init)
    }
  }

  /// Records uses of a token. Does nothing if it was revoked.
  public func noteUses(_ count: Int, of id: String, latest date: Date, from address: String) throws {
    _ = try store.commit { transaction in
      try transaction.db.execute(
        "UPDATE client_token SET use_date = ?, address = ?, use_count = use_count + ? WHERE id = ?",
        date.timeIntervalSince1970, address, count, id)
    }
  }

  /// Sets the date on which a token expires. Does nothing if it was revoked.
  public func setExpirationDate(_ date: Date, of id: String) throws {
    _ = try store.commit { transaction in
      try transaction.db.execute(
        "UPDATE client_token SET expiration_date = ? WHERE id = ?", date.timeIntervalSince1970, id)
    }
  }

  /// Revokes a token. Returns false if there is none.
  public func delete(_ id: String) throws -> Bool {
    try store.commit { try $0.db.execute("DELETE FROM client_token WHERE id = ?", id) > 0 }
  }
}

extension LibraryStore {
  /// The tokens of the library's clients.
  public var clientTokens: ClientTokenRecords { ClientTokenRecords(store: self) }
}
