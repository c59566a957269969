/// SQL and the arguments that are bound to it, in the order of its text.
///
///     BoundSQL("SELECT uuid FROM asset WHERE id = ? AND is_hidden = ?", 7, false)
struct BoundSQL {
  var sql: String
  var arguments: [Value]
  /// Whether the connection keeps the prepared statement. It keeps it for ever, so the program may
  /// use only a limited number of such texts.
  var isReused: Bool

  init(sql: String, arguments: [Value], isReused: Bool = true) {
    self.sql = sql
    self.arguments = arguments
    self.isReused = isReused
  }

  init(_ sql: String, _ arguments: any Storable...) {
    self.init(sql: sql, arguments: arguments.map(\.value))
  }

  mutating func append(_ sql: String, _ arguments: any Storable...) {
    self.sql += sql
    self.arguments += arguments.map(\.value)
  }

  mutating func append(_ other: BoundSQL) {
    sql += other.sql
    arguments += other.arguments
  }
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
