import Foundation

extension SignInRecords {
  /// Begins a session, and reads the clock (`SignInClock`).
  public func insert(_ session: BrowserSessionRecord) throws {
    try write { db in
      try SignInClock(db: db).read(at: session.creationDate)
      let columns = session.columns
      let names = columns.map(\.name).joined(separator: ", ")
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      try db.execute(
        BoundSQL(
          sql: "INSERT INTO browser_session (\(names)) VALUES (\(marks))", arguments: columns.map(\.value)))
    }
  }

  /// Replaces the session that has a token by one with the same name. Returns false if it has
  /// ended, or has another token by now.
  public func replaceSession(ofTokenHash old: Data, with session: BrowserSessionRecord) throws -> Bool {
    try write { db in
      let columns = session.columns.filter { $0.name != "id" }
      let names = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
      return try db.execute(
        BoundSQL(
          sql: "UPDATE browser_session SET \(names) WHERE id = ? AND token_sha256 = ?",
          arguments: columns.map(\.value) + [session.id.value, old.value])) > 0
    }
  }

  /// A session of anybody but the owner is refused: it would see all that the owner sees.
  private static let ownersSessions =
    "SELECT * FROM browser_session WHERE person_id = (SELECT id FROM person WHERE client_identifier IS NULL)"

  /// Returns the owner's session with a name.
  public func session(_ id: String) throws -> BrowserSessionRecord? {
    try read { db in
      try db.row("\(Self.ownersSessions) AND id = ?", id).map(BrowserSessionRecord.init)
    }
  }

  /// Returns the owner's session whose token has this SHA-256.
  public func session(tokenHash: Data) throws -> BrowserSessionRecord? {
    try read { db in
      try db.row("\(Self.ownersSessions) AND token_sha256 = ?", tokenHash)
        .map(BrowserSessionRecord.init)
    }
  }

  /// Returns a person's sessions, the one that was seen last first.
  public func sessions(of person: Int64) throws -> [BrowserSessionRecord] {
    try read { db in
      try db.rows("SELECT * FROM browser_session WHERE person_id = ? ORDER BY seen_date DESC, id", person)
        .map(BrowserSessionRecord.init)
    }
  }

  /// Records when and from where a session was seen last. Does nothing if the session has ended.
  public func setSeen(_ date: Date, from address: String, session id: String) throws {
    try write { db in
      try db.execute(
        "UPDATE browser_session SET seen_date = ?, address = ? WHERE id = ?", date.timeIntervalSince1970, address, id)
      // A server whose browsers stay signed in reads the clock at no other time.
      try SignInClock(db: db).read(at: date)
    }
  }

  /// Ends a session of a person. Returns false if the person has no such session.
  @discardableResult
  public func deleteSession(_ id: String, of person: Int64) throws -> Bool {
    try write { db in
      try db.execute("DELETE FROM browser_session WHERE id = ? AND person_id = ?", id, person) > 0
    }
  }

  /// Ends all sessions of a person but one.
  public func deleteSessions(of person: Int64, except id: String) throws {
    _ = try write { db in
      try db.execute("DELETE FROM browser_session WHERE person_id = ? AND id <> ?", person, id)
    }
  }
}
