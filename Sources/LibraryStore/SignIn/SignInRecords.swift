import Foundation

/// The people who may sign in at a library's server, their sessions, and their failed attempts.
///
///     let signIn = store.signIn
///     try signIn.insert(BrowserSessionRecord(…))
///
/// Nothing of this is in the library (`SignInDatabase`), so it also works with a library that can't
/// be written.
public struct SignInRecords: Sendable {
  let store: LibraryStore

  /// The time in seconds by which a session or a code may begin in the future. The clock may have
  /// been corrected by so much since.
  public static let clockTolerance = 300.0

  /// Returns the library's owner.
  public func owner() throws -> PersonRecord {
    let owner = try read { db in
      try db.row("SELECT * FROM person WHERE client_identifier IS NULL").map(PersonRecord.init)
    }
    guard let owner else {
      throw StoreError(.damaged, try store.signInDatabase.path, reason: "the file has no row for the library’s owner")
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

  /// Renames this account's file if SQLite finds it damaged, and makes a new one with its next use.
  /// Deletes nothing. Returns the new path of the damaged file; `nil` if the file is whole.
  public func setAsideDamagedFile() throws -> String? {
    try SignInDatabase.setAsideIfDamaged(SignInFile.make(ofLibrary: store.uuid, at: store.path))
  }

  func read<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    try store.signInDatabase.read(body)
  }

  func write<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    try store.signInDatabase.write(body)
  }
}

extension LibraryStore {
  /// The people who may sign in, and their sessions.
  public var signIn: SignInRecords { SignInRecords(store: self) }

  /// This account's file about signing in, opened with its first use. It is opened anew if another
  /// process has put a new one in its place.
  var signInDatabase: SignInDatabase {
    get throws {
      try openedSignIn.withLock { opened in
        if let opened, opened.isInPlace { return opened }
        let file = try SignInFile.make(ofLibrary: uuid, at: path)
        let database = try SignInDatabase(path: file, SignInSchema.migrations)
        opened = database
        return database
      }
    }
  }
}
