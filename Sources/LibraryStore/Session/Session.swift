/// One connection to a database, inside a read or a transaction.
///
///     let title: String? = try session.value("SELECT title FROM collection WHERE id = ?", 7)
///     try session.execute("DELETE FROM collection WHERE id = ?", 7)
///
/// A session is valid only during the call that provides it. Each statement is prepared once for a
/// connection.
protocol Session {
  /// Calls `body` with each row that a statement returns, in their order. `body` must not run the
  /// same statement.
  func forEachRow(_ statement: BoundSQL, _ body: (StoreRow) throws -> Void) throws

  /// Returns the first column of each row, as fast as the database can.
  func ids(_ statement: BoundSQL) throws -> [Int64]

  /// Executes a statement. Returns how many rows it inserted, updated or deleted.
  @discardableResult
  func execute(_ statement: BoundSQL) throws -> Int

  /// Executes several statements.
  func run(script: String) throws

  /// Runs work that consists of long statements. If the work is canceled, interrupts the current
  /// statement and returns `cancelled`.
  func work<Result>(
    until isCancelled: @escaping @Sendable () -> Bool, cancelled: Result,
    _ body: () throws -> Result
  ) throws -> Result
}

extension Session {
  func rows(_ statement: BoundSQL) throws -> [StoreRow] {
    var rows: [StoreRow] = []
    try forEachRow(statement) { rows.append($0) }
    return rows
  }

  func rows(_ sql: String, _ arguments: any Storable...) throws -> [StoreRow] {
    try rows(BoundSQL(sql: sql, arguments: arguments.map(\.value)))
  }

  /// Returns the first row; `nil` if there is none.
  func row(_ sql: String, _ arguments: any Storable...) throws -> StoreRow? {
    try rows(BoundSQL(sql: sql, arguments: arguments.map(\.value))).first
  }

  /// Returns the first column of each row.
  func values<Result: Storable>(_ sql: String, _ arguments: any Storable...) throws -> [Result] {
    try rows(BoundSQL(sql: sql, arguments: arguments.map(\.value))).map { try $0.value(at: 0) }
  }

  /// Returns the first column of the first row; `nil` if there is none, or if it is NULL.
  func value<Result: Storable>(_ sql: String, _ arguments: any Storable...) throws -> Result? {
    guard let row = try rows(BoundSQL(sql: sql, arguments: arguments.map(\.value))).first else {
      return nil
    }
    return try row.value(at: 0)
  }

  /// Returns the first value as a truth value: false if there is no row, or if it is NULL.
  func isTrue(_ sql: String, _ arguments: any Storable...) throws -> Bool {
    guard let row = try rows(BoundSQL(sql: sql, arguments: arguments.map(\.value))).first else {
      return false
    }
    let isTrue: Bool? = try row.value(at: 0)
    return isTrue ?? false
  }

  func forEachRow(_ sql: String, _ arguments: any Storable..., body: (StoreRow) throws -> Void)
    throws
  {
    try forEachRow(BoundSQL(sql: sql, arguments: arguments.map(\.value)), body)
  }

  func ids(_ sql: String, _ arguments: any Storable...) throws -> [Int64] {
    try ids(BoundSQL(sql: sql, arguments: arguments.map(\.value)))
  }

  @discardableResult
  func execute(_ sql: String, _ arguments: any Storable...) throws -> Int {
    try execute(BoundSQL(sql: sql, arguments: arguments.map(\.value)))
  }
}
