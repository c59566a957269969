internal import GRDB

/// The columns of one row, in the order in which they are bound.
typealias Columns = [(name: String, value: (any DatabaseValueConvertible)?)]

extension Database {
  /// Inserts one row and answers its id.
  func insert(_ columns: Columns, into table: String) throws -> Int64 {
    let names = columns.map(\.name).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try cachedStatement(sql: "INSERT INTO \(table) (\(names)) VALUES (\(marks))")
      .execute(arguments: StatementArguments(columns.map(\.value)))
    return lastInsertedRowID
  }

  /// Rewrites the row whose `key` column has this value.
  func update(_ columns: Columns, of table: String, where key: String, is value: Int64) throws {
    let assignments = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
    try cachedStatement(sql: "UPDATE \(table) SET \(assignments) WHERE \(key) = ?")
      .execute(arguments: StatementArguments(columns.map(\.value) + [value]))
  }
}
