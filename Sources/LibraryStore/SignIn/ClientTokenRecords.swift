import Foundation

/// The tokens of the library's clients. Nothing of this is in the library (`SignInDatabase`).
///
///     let known = try store.clientTokens.token(hash: sha256)
public struct ClientTokenRecords: Sendable {
  let store: LibraryStore

  /// Adds a token to a client, and reads the clock (`SignInClock`). Removes the tokens of clients
  /// that are forgotten.
  public func insert(_ token: ClientTokenRecord) throws {
    let clients = try store.clients()
    guard let client = clients.first(where: { $0.id == token.client }) else {
      throw StoreError(.failed, store.databasePath, reason: "the client \(token.client) does not exist any more")
    }
    try store.signInDatabase.write { db in
      try SignInClock(db: db).read(at: token.creationDate)
      let holders: [Int64] = try db.values("SELECT DISTINCT client_id FROM client_token")
      for gone in Set(holders).subtracting(clients.map(\.id)) {
        try db.execute("DELETE FROM client_token WHERE client_id = ?", gone)
      }
      try db.execute(
        """
        INSERT INTO client_token
          (id, token_sha256, client_id, client_identifier, start, origin, creation_date, expiration_date)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """, token.id, token.tokenHash, client.id, client.identifier, token.start, token.origin,
        token.creationDate.timeIntervalSince1970, token.expirationDate.timeIntervalSince1970)
    }
  }

  /// Returns the token with this SHA-256 and its client, whether or not it has expired.
  public func token(hash: Data) throws -> (token: ClientTokenRecord, client: ClientRecord)? {
    let found = try store.signInDatabase.read { db in
      try db.row("SELECT * FROM client_token WHERE token_sha256 = ?", hash).map(ClientTokenRecord.Holder.init)
    }
    guard let found, let client = try store.client(identifier: found.identifier), client.id == found.token.client else {
      return nil
    }
    return (found.token, client)
  }

  /// Returns the tokens of all clients, the newest first.
  public func all() throws -> [ClientTokenRecord] {
    let found = try store.signInDatabase.read { db in
      try db.rows("SELECT * FROM client_token ORDER BY creation_date DESC, id").map(ClientTokenRecord.Holder.init)
    }
    guard !found.isEmpty else { return [] }
    let identifiers = Dictionary(uniqueKeysWithValues: try store.clients().map { ($0.id, $0.identifier) })
    return found.filter { identifiers[$0.token.client] == $0.identifier }.map(\.token)
  }

  /// Records uses of a token. Does nothing if it was revoked.
  public func noteUses(_ count: Int, of id: String, latest date: Date, from address: String) throws {
    try store.signInDatabase.write { db in
      try db.execute(
        "UPDATE client_token SET use_date = ?, address = ?, use_count = use_count + ? WHERE id = ?",
        date.timeIntervalSince1970, address, count, id)
    }
  }

  /// Sets the date on which a token expires. Does nothing if it was revoked.
  public func setExpirationDate(_ date: Date, of id: String) throws {
    try store.signInDatabase.write { db in
      try db.execute("UPDATE client_token SET expiration_date = ? WHERE id = ?", date.timeIntervalSince1970, id)
    }
  }

  /// Revokes a token. Returns false if there is none.
  public func delete(_ id: String) throws -> Bool {
    try store.signInDatabase.write { try $0.execute("DELETE FROM client_token WHERE id = ?", id) > 0 }
  }
}

extension LibraryStore {
  /// The tokens of the library's clients.
  public var clientTokens: ClientTokenRecords { ClientTokenRecords(store: self) }
}
