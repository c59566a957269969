internal import GRDB

/// One read transaction for the questions of several callers. It is open only while `hold` runs, so
/// that SQLite can truncate its log at all other times.
///
/// It has a connection of its own.
final class SharedRead: Sendable {
  private let connection: DatabaseQueue

  init(of database: DatabasePool) throws {
    var configuration = database.configuration
    configuration.readonly = true
    // The transaction stays open between two calls.
    configuration.allowsUnsafeTransactions = true
    connection = try DatabaseQueue(path: database.path, configuration: configuration)
  }

  /// Runs `body` while the transaction is open. It sees the database as it was at the first read.
  func hold<Value>(_ body: () throws -> Value) throws -> Value {
    try connection.inDatabase { try $0.beginTransaction(.deferred) }
    // The transaction has written nothing, so a failure to end it loses nothing.
    defer { try? connection.inDatabase { if $0.isInsideTransaction { try $0.commit() } } }
    return try body()
  }

  /// Reads inside the transaction; returns `nil` if it is not open. Any thread may call it.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
    try connection.inDatabase { db in db.isInsideTransaction ? try body(db) : nil }
  }
}
