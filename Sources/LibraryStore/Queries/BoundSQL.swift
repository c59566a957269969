internal import GRDB

/// SQL and the arguments that are bound to it, in the order of its text.
struct BoundSQL {
  var sql: String
  var arguments = StatementArguments()

  mutating func append(_ sql: String, _ arguments: StatementArguments = []) {
    self.sql += sql
    self.arguments += arguments
  }

  mutating func append(_ other: BoundSQL) { append(other.sql, other.arguments) }
}

/// One term of an order. SQL sorts by it, and a merge compares by it.
struct OrderTerm {
  /// The expression that is compared.
  var column: String
  var ascending = true

  var sql: String { "\(column) \(ascending ? "ASC" : "DESC")" }
}

/// The names of a query's keys in SQL.
struct KeyColumns {
  /// The client whose selection collections are counted by; `nil` counts all assets.
  var client: Int64?

  subscript(key: FetchKey) -> String { key.column(limitedToClient: client) }
}
