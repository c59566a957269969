internal import GRDB

/// The columns of one row, in the order in which they are bound.
typealias Columns = [(name: String, value: (any DatabaseValueConvertible)?)]

extension Database {
  /// Inserts one row and answers its id.
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

  /// A text ends for SQLite where it holds a NUL: it goes in without.
  private func bindable(_ columns: Columns) -> [(any DatabaseValueConvertible)?] {
    columns.map { column in
      guard let text = column.value as? String, text.utf8.contains(0) else { return column.value }
      return text.replacing("\0", with: "")
    }
  }
}

/// Of a row's columns, those whose value is another one than before: an index is only touched when what it names changes.
func changedColumns(from before: Columns, to after: Columns) -> Columns {
  zip(before, after).filter { $0.value?.databaseValue != $1.value?.databaseValue }.map(\.1)
}
