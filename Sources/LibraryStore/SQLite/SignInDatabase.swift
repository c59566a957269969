import Foundation
internal import GRDB

/// The database of this account about signing in to one library (`SignInFile`).
///
///     let database = try SignInDatabase(path: path, SignInSchema.migrations)
///     let key: Data? = try database.read { try $0.value("SELECT key FROM device_key") }
///
/// It is in the account's folder of settings and not in the library. Nobody can sign in who is
/// written into a library that is handed over, and a copy that is given away tells no password.
/// After a library was moved or copied, its database is empty.
///
/// Signing in waits for no commit of the library. It also works on a full disk: the file and its
/// journal begin with free pages, and never get smaller.
final class SignInDatabase: Sendable {
  let path: String
  private let queue: DatabaseQueue
  private let identity: FileIdentity?

  /// Opens a file, or creates it.
  init(path: String, _ migrations: [Migration]) throws {
    self.path = path
    // If another file takes the path before SQLite opens it, the next use opens that file again.
    identity = FileIdentity(path: path)
    queue = try Self.mapping(path) {
      let queue = try Self.open(path)
      let migrator = SQLiteDatabase.migrator(migrations)
      if try queue.read({ try migrator.hasBeenSuperseded($0) }) {
        throw StoreError(.madeByNewerVersion, path, reason: "the file was made by a newer version of Calotype")
      }
      try migrator.migrate(queue)
      return queue
    }
  }

  private static func open(_ path: String, patience: TimeInterval = busyTimeout) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.prepareDatabase { db in
      // This journal keeps its pages when it is not in use. What is deleted is overwritten.
      try db.execute(sql: "PRAGMA journal_mode = PERSIST; PRAGMA secure_delete = ON")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private static func mapping<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    try StoreError.mapping(
      path, damageRemedy: "`calotype password reset` puts the file aside and makes a new one", body)
  }

  /// Whether the open file still has its path.
  var isInPlace: Bool { identity != nil && identity == FileIdentity(path: path) }

  /// The time in seconds to wait for another process's transaction, which takes milliseconds.
  private static let busyTimeout = 10.0

  func read<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    try Self.mapping(path) { try queue.read { try body(SQLiteSession(database: $0)) } }
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  @discardableResult
  func write<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    try Self.mapping(path) { try queue.write { try body(SQLiteSession(database: $0)) } }
  }
}

// MARK: Damage

extension SignInDatabase {
  /// Renames a file that SQLite finds damaged, and deletes nothing. Returns its new path; `nil` if
  /// the file is whole. Waits for other processes for the seconds of `patience`.
  static func setAsideIfDamaged(_ path: String, patience: TimeInterval = busyTimeout) throws -> String? {
    try SignInFile.withLock(onFolderOf: path, patience: patience) {
      var kept: String?
      try mapping(path) {
        do {
          // Otherwise another process's journal could end up beside the new file.
          try open(path, patience: patience).inTransaction(.exclusive) { db in
            if try !isWhole(db) { kept = try SignInFile.setAside(path) }
            return .rollback
          }
        } catch let error as DatabaseError where isDamage(error) && kept == nil {
          // Other processes can't begin a transaction in this file either.
          kept = try SignInFile.setAside(path)
        }
      }
      return kept
    }
  }

  private static func isWhole(_ db: Database) throws -> Bool {
    do { return try String.fetchAll(db, sql: "PRAGMA integrity_check(1)") == ["ok"] } catch let error as DatabaseError
      where isDamage(error)
    { return false }
  }

  private static func isDamage(_ error: DatabaseError) -> Bool {
    [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
  }
}
