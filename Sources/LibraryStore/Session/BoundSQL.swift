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

  /// The text for a list of any length, whose one argument is `jsonArray`. The number of arguments
  /// of a statement is limited.
  ///
  ///     try session.ids("SELECT id FROM asset WHERE id IN \(BoundSQL.list)", ids.jsonArray)
  static let list = "(SELECT value FROM json_each(?))"

  mutating func append(_ sql: String, _ arguments: any Storable...) {
    self.sql += sql
    self.arguments += arguments.map(\.value)
  }

  mutating func append(_ other: BoundSQL) {
    sql += other.sql
    arguments += other.arguments
  }
}
