internal import GRDB

/// One read transaction that several callers share. It is open only while `hold` runs, so that
/// SQLite can truncate its log at all other times.
///
/// It has a connection of its own.
final class SharedSnapshot: Sendable {
  private let connection: DatabaseQueue

  init(of database: SQLiteDatabase) throws {
    var configuration = database.pool.configuration
    configuration.readonly = true
    // The transaction stays open between two calls.
    configuration.allowsUnsafeTransactions = true
    connection = try DatabaseQueue(path: database.pool.path, configuration: configuration)
  }

  /// Runs `body` while the transaction is open. The transaction sees the database as it was at its
  /// first read.
  func hold<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.inDatabase { try $0.beginTransaction(.deferred) }
    // The transaction has written nothing, so an error at its end loses nothing.
    defer { try? connection.inDatabase { try $0.rollback() } }
    return try body()
  }

  /// Reads inside the transaction; returns `nil` if it is not open. Any thread may call it.
  func read<Result>(_ body: (any Session) throws -> Result) throws -> Result? {
    try connection.inDatabase { db in db.isInsideTransaction ? try body(SQLiteSession(database: db)) : nil }
  }
}
