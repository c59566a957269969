import Foundation
internal import GRDB

/// Lets tests find tasks that use a database on their own thread. Swift has one thread for each
/// processor to run all tasks, so a server's tasks must leave the waiting to other threads.
public enum WaitingTasks {
  /// Called each time that a task of a test uses a database; `nil` on threads without a task.
  @TaskLocal public static var handler: (@Sendable () -> Void)?
}

/// A file that SQLite reads and writes. Any thread may use it, and reads continue during a write.
final class SQLiteDatabase: Sendable {
  let pool: DatabasePool

  /// Opens a database, or creates it.
  ///
  /// Set `isDurable` if committed transactions must survive a power failure. Rows beyond
  /// `byteLimit` fail with `SQLITE_FULL`.
  init(path: String, isReadOnly: Bool = false, isDurable: Bool = false, byteLimit: Int? = nil)
    throws
  {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(Self.busyTimeout)
    configuration.prepareDatabase { db in
      for function in TextFolding.functions { db.add(function: function) }
      try WordFunction.add(to: db)
      guard let byteLimit else { return }
      let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
      try db.execute(sql: "PRAGMA max_page_count = \(byteLimit / pageSize)")
    }
    pool = try DatabasePool(path: path, configuration: configuration)
    // GRDB sets NORMAL when it opens a pool.
    if isDurable {
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }
  }

  /// The time in seconds to wait for another process's transaction.
  private static let busyTimeout = 30.0

  /// Runs `body` with one state of the database.
  func read<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    WaitingTasks.handler?()
    return try pool.read { try body(SQLiteSession(database: $0)) }
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  @discardableResult
  func write<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    WaitingTasks.handler?()
    return try pool.write { try body(SQLiteSession(database: $0)) }
  }

  /// Moves the log into the database's file, so that the file is complete without it, and closes
  /// the database.
  func closeWithoutLog() throws {
    try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try pool.close()
  }

  /// Reads a file of another program, without changing how it is stored.
  static func inspect<Result>(_ path: String, _ body: (any Session) throws -> Result) throws
    -> Result
  {
    try DatabaseQueue(path: path).read { try body(SQLiteSession(database: $0)) }
  }
}
