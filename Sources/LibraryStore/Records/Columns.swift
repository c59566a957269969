/// The columns of one row, in the order in which they are bound.
typealias Columns = [(name: String, value: Value)]

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

  /// Sets these columns of all rows whose `key` column has one of these values.
  func update(_ columns: Columns, of table: String, where key: String, isAmong values: [Int64]) throws {
    guard !columns.isEmpty else { return }
    let assignments = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
    try execute(
      BoundSQL(
        sql: "UPDATE \(table) SET \(assignments) WHERE \(key) IN \(BoundSQL.list)",
        arguments: bindable(columns) + [values.jsonArray.value]))
  }

  /// Removes NUL from texts, because SQLite ends a text there.
  private func bindable(_ columns: Columns) -> [Value] {
    columns.map { column in
      guard case .text(let text) = column.value, text.utf8.contains(0) else { return column.value }
      return .text(text.replacing("\0", with: ""))
    }
  }
}

/// Returns the columns of a row whose values differ from those before. Unchanged columns are not
/// written, so that their indexes are not touched.
func changedColumns(from before: Columns, to after: Columns) -> Columns {
  zip(before, after).filter { $0.value != $1.value }.map(\.1)
}

/// A column that has changed.
struct ColumnChange: Hashable {
  var name: String
  /// The value before, in a column that an undo restores. It does not matter in others.
  var before: Value?
  var after: Value
}

/// Changes of rows of one table, each with all rows that it is equal for.
struct ColumnChanges {
  private(set) var groups: [(changes: [ColumnChange], rows: [Int64])] = []
  private var indexes: [[ColumnChange]: Int] = [:]
  private let undoable: Set<String>

  /// `undoable` are the columns that an undo restores.
  init(undoable: Set<String>) { self.undoable = undoable }

  mutating func add(_ row: Int64, from before: Columns, to after: Columns) {
    var changes: [ColumnChange] = []
    for (old, new) in zip(before, after) where old.value != new.value {
      let formerValue = undoable.contains(old.name) ? old.value : nil
      changes.append(ColumnChange(name: old.name, before: formerValue, after: new.value))
    }
    if let index = indexes[changes] {
      groups[index].rows.append(row)
    } else {
      indexes[changes] = groups.count
      groups.append((changes, [row]))
    }
  }
}
