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

  /// Opens a file, or creates it.
  init(path: String, _ migrations: [Migration]) throws {
    self.path = path
    queue = try StoreError.mapping(path) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(Self.busyTimeout)
      configuration.prepareDatabase { db in
        // This journal keeps its pages when it is not in use. What is deleted is overwritten.
        try db.execute(sql: "PRAGMA journal_mode = PERSIST; PRAGMA secure_delete = ON")
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let migrator = SQLiteDatabase.migrator(migrations)
      if try queue.read({ try migrator.hasBeenSuperseded($0) }) {
        throw StoreError(.madeByNewerVersion, path, reason: "the file was made by a newer version of Calotype")
      }
      try migrator.migrate(queue)
      return queue
    }
  }

  /// The time in seconds to wait for another process's transaction, which takes milliseconds.
  private static let busyTimeout = 10.0

  func read<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    try StoreError.mapping(path) { try queue.read { try body(SQLiteSession(database: $0)) } }
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  @discardableResult
  func write<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    try StoreError.mapping(path) { try queue.write { try body(SQLiteSession(database: $0)) } }
  }
}
