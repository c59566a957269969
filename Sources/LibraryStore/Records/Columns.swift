/// The columns of one row, in the order in which they are bound.
typealias Columns = [(name: String, value: any Storable)]

extension Session {
  /// Inserts one row and returns its key.
  @discardableResult
  func insert(_ columns: Columns, into table: String, key: String = "id") throws -> Int64 {
    let names = columns.map(\.name).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let statement = BoundSQL(
      sql: "INSERT INTO \(table) (\(names)) VALUES (\(marks)) RETURNING \(key)",
      arguments: bindable(columns))
    guard let id = try ids(statement).first else { throw StoreError.damagedValue(of: key) }
    return id
  }

  /// Sets these columns of the row whose `key` column has this value.
  func update(_ columns: Columns, of table: String, where key: String, is value: Int64) throws {
    guard !columns.isEmpty else { return }
    let assignments = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
    try execute(
      BoundSQL(
        sql: "UPDATE \(table) SET \(assignments) WHERE \(key) = ?",
        arguments: bindable(columns) + [value.value]))
  }

  /// Removes NUL from texts, because SQLite ends a text there.
  private func bindable(_ columns: Columns) -> [Value] {
    columns.map { column in
      guard case .text(let text) = column.value.value, text.utf8.contains(0) else { return column.value.value }
      return .text(text.replacing("\0", with: ""))
    }
  }
}

/// Returns the columns of a row whose values differ from those before. Unchanged columns are not
/// written, so that their indexes are not touched.
func changedColumns(from before: Columns, to after: Columns) -> Columns {
  zip(before, after).filter { $0.value.value != $1.value.value }.map(\.1)
}
