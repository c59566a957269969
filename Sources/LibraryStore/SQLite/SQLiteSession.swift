import Foundation
internal import GRDB
private import GRDBSQLite

/// A session of GRDB's connection. Rows are read with SQLite's own functions, which read a million
/// ids in two thirds of the time that GRDB takes.
struct SQLiteSession: Session {
  let database: Database

  func forEachRow(_ statement: BoundSQL, _ body: (StoreRow) throws -> Void) throws {
    let prepared = try prepare(statement)
    var columns: ColumnNames?
    try step(prepared) { handle in
      // SQLite notices at the first step that another process changed the tables, so the names are
      // read after it.
      let names = columns ?? Self.columnNames(handle)
      columns = names
      try body(Self.row(handle, names))
    }
  }

  func ids(_ statement: BoundSQL) throws -> [Int64] {
    let prepared = try prepare(statement)
    // Writes go through GRDB, which refuses them after a transaction was aborted.
    guard prepared.isReadonly else { return try Int64.fetchAll(prepared) }
    var ids: [Int64] = []
    try step(prepared) { ids.append(sqlite3_column_int64($0, 0)) }
    return ids
  }

  @discardableResult
  func execute(_ statement: BoundSQL) throws -> Int {
    try unbound(statement).execute(arguments: Self.arguments(of: statement))
    return database.changesCount
  }

  func run(script: String) throws { try database.execute(sql: script) }

  private func prepare(_ statement: BoundSQL) throws -> Statement {
    let prepared = try unbound(statement)
    try prepared.setArguments(Self.arguments(of: statement))
    return prepared
  }

  private func unbound(_ statement: BoundSQL) throws -> Statement {
    statement.isReused
      ? try database.cachedStatement(sql: statement.sql) : try database.makeStatement(sql: statement.sql)
  }

  private static func arguments(of statement: BoundSQL) -> StatementArguments {
    StatementArguments(statement.arguments.map(\.databaseValue))
  }

  @inline(__always)
  private func step(_ statement: Statement, _ body: (SQLiteStatement) throws -> Void) throws {
    let handle = statement.sqliteStatement
    defer {
      // A failed statement reports its error again when it is reset, and GRDB would stop there.
      sqlite3_reset(handle)
      // The cache keeps the statement, but not the values.
      statement.setUncheckedArguments(StatementArguments())
    }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: try body(handle)
      case SQLITE_DONE: return
      case let code:
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code),
          message: database.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) },
          sql: statement.sql)
      }
    }
  }

  private static func columnNames(_ handle: SQLiteStatement) -> ColumnNames {
    ColumnNames(
      (0..<sqlite3_column_count(handle)).map {
        sqlite3_column_name(handle, $0).map(String.init(cString:)) ?? ""
      })
  }

  private static func row(_ handle: SQLiteStatement, _ columns: ColumnNames) -> StoreRow {
    StoreRow(values: (0..<sqlite3_column_count(handle)).map { value(handle, $0) }, columns: columns)
  }

  private static func value(_ handle: SQLiteStatement, _ place: Int32) -> Value {
    switch sqlite3_column_type(handle, place) {
    case SQLITE_INTEGER: .integer(Int(sqlite3_column_int64(handle, place)))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, place))
    case SQLITE_TEXT: sqlite3_column_text(handle, place).map { .text(String(cString: $0)) } ?? .null
    case SQLITE_BLOB:
      .blob(
        sqlite3_column_blob(handle, place).map {
          Data(bytes: $0, count: Int(sqlite3_column_bytes(handle, place)))
        }
          ?? Data())
    default: .null
    }
  }
}

extension SQLiteSession {
  func work<Result>(
    until isCancelled: @escaping @Sendable () -> Bool, cancelled: Result,
    _ body: () throws -> Result
  ) throws -> Result {
    nonisolated(unsafe) let connection = database.sqliteConnection
    let queue = DispatchQueue(label: "SQLiteSession.work")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + Self.secondsBetweenLooks, repeating: Self.secondsBetweenLooks)
    timer.setEventHandler { if isCancelled() { sqlite3_interrupt(connection) } }
    timer.resume()
    // On the timer's queue, so that it can't interrupt a later statement of other work.
    defer { queue.sync { timer.cancel() } }
    do { return try body() } catch let error as DatabaseError
      where error.resultCode == .SQLITE_INTERRUPT
    {
      return cancelled
    }
  }

  private static let secondsBetweenLooks = 0.1
}

extension Value {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .blob(let value): value.databaseValue
    case .null: .null
    }
  }
}
