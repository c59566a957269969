internal import GRDB

/// The columns of one row, in the order in which they are bound.
typealias Columns = [(name: String, value: (any DatabaseValueConvertible)?)]

extension Database {
  /// Inserts one row and returns its id.
  func insert(_ columns: Columns, into table: String) throws -> Int64 {
    let names = columns.map(\.name).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try cachedStatement(sql: "INSERT INTO \(table) (\(names)) VALUES (\(marks))")
      .execute(arguments: StatementArguments(bindable(columns)))
    return lastInsertedRowID
  }

  /// Sets these columns of the row whose `key` column has this value.
  func update(_ columns: Columns, of table: String, where key: String, is value: Int64) throws {
    guard !columns.isEmpty else { return }
    let assignments = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
    try cachedStatement(sql: "UPDATE \(table) SET \(assignments) WHERE \(key) = ?")
      .execute(arguments: StatementArguments(bindable(columns) + [value]))
  }

  /// Removes NUL from texts, because SQLite ends a text there.
  private func bindable(_ columns: Columns) -> [(any DatabaseValueConvertible)?] {
    columns.map { column in
      guard let text = column.value as? String, text.utf8.contains(0) else { return column.value }
      return text.replacing("\0", with: "")
    }
  }
}

/// Returns the columns of a row whose values differ from those before. Unchanged columns are not
/// written, so that their indexes are not touched.
func changedColumns(from before: Columns, to after: Columns) -> Columns {
  zip(before, after).filter { $0.value?.databaseValue != $1.value?.databaseValue }.map(\.1)
}
