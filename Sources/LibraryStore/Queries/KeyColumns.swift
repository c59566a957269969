/// One term of an order. SQL sorts by it, and a merge compares by it.
struct OrderTerm {
  /// The expression that is compared.
  var column: String
  var ascending = true

  var sql: String { "\(column) \(ascending ? "ASC" : "DESC")" }
}

/// The names of a query's keys in SQL, and what else its condition needs.
struct KeyColumns {
  /// The client whose selection collections are counted by; `nil` counts all assets.
  var client: Int64?
  /// Whether the number and the dates of hidden assets are unknown.
  var concealsHidden = false
  /// The time until which patterns are matched; `nil` for no limit.
  var deadline: Int?

  subscript(key: FetchKey) -> String {
    let column = key.column(limitedToClient: client)
    guard concealsHidden, [.assetCount, .startDate, .endDate].contains(key) else { return column }
    let albums = SmartAlbum.withHidden.map { String($0.rawValue) }.joined(separator: ", ")
    return "(CASE WHEN subtype IN (\(albums)) THEN NULL ELSE \(column) END)"
  }
}
