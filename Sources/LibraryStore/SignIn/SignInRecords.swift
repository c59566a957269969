import Foundation

/// The people who may sign in at a library's server, their sessions, and their failed attempts.
///
///     let signIn = store.signIn
///     try signIn.insert(BrowserSessionRecord(…))
///
/// Nothing of this is in the library's history. In a library that can't be written, changes are
/// kept in a private folder until the library is closed.
public struct SignInRecords: Sendable {
  let store: LibraryStore

  /// Returns the library's owner.
  public func owner() throws -> PersonRecord {
    let owner = try read { db in
      try db.row("SELECT * FROM person WHERE client_id IS NULL").map(PersonRecord.init)
    }
    guard let owner else {
      throw StoreError(.damaged, store.databasePath, reason: "the database has no row for its owner")
    }
    return owner
  }

  /// Returns a person, or `nil` if there is none with this number.
  public func person(_ id: Int64) throws -> PersonRecord? {
    try read { try $0.row("SELECT * FROM person WHERE id = ?", id).map(PersonRecord.init) }
  }

  /// Replaces a person's password. `nil` removes it. Returns `false`, and changes nothing, if the
  /// stored password is no longer `former`: somebody may have set or reset it meanwhile.
  public func setPasswordHash(_ hash: String?, of person: Int64, replacing former: String?) throws -> Bool {
    try write {
      try $0.execute(
        "UPDATE person SET password_hash = ? WHERE id = ? AND password_hash IS ?", hash, person, former)
    } > 0
  }

  /// Removes a person's password, ends all sessions of the person and all secrets that sign in, and
  /// forgets all known browsers, and all sites that have picked.
  public func resetPassword(of person: Int64) throws {
    try write { db in
      try db.execute("UPDATE person SET password_hash = NULL WHERE id = ?", person)
      try db.execute("DELETE FROM browser_session WHERE person_id = ?", person)
      try db.execute("DELETE FROM single_use_code")
      try db.execute("DELETE FROM device_key")
      try db.execute("DELETE FROM picker_origin")
    }
  }

  func read<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    guard store.writing == nil else { return try store.read(body) }
    return try StoreError.mapping(store.databasePath) { try temporary().read(body) }
  }

  func write<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    guard store.writing == nil else { return try store.commit { try body($0.db) } }
    return try StoreError.mapping(store.databasePath) { try temporary().write(body) }
  }

  /// Returns the database that a read-only library uses, in its private folder. It begins with the
  /// owner's password.
  private func temporary() throws -> SQLiteDatabase {
    try store.temporarySignIn.withLock { opened in
      if let opened { return opened }
      guard let scratch = store.scratch else { throw StoreError(.readOnly, store.path, reason: "it can’t be written") }
      let hash: String? = try store.read { db in
        try db.value("SELECT password_hash FROM person WHERE client_id IS NULL")
      }
      let database = try SQLiteDatabase(path: scratch.folder.absolute("sign-in.sqlite"))
      try database.migrate(Schema.migrations)
      try database.write { db in try db.execute("UPDATE person SET password_hash = ?", hash) }
      opened = database
      return database
    }
  }
}

extension LibraryStore {
  /// The people who may sign in, and their sessions.
  public var signIn: SignInRecords { SignInRecords(store: self) }
}
