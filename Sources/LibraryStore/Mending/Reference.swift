/// A reference of a table to another one, in which rows may refer to a row that does not exist.
///
/// SQLite refuses such rows, but other programs may write them: `sqlite3` checks no references.
struct Reference {
  var table: String
  var column: String
  var parent: String

  /// SQL that is true for a row whose reference is dangling. NULL is not in an empty table either.
  var isDangling: String { "\(column) IS NOT NULL AND \(column) NOT IN (SELECT id FROM \(parent))" }

  /// SQL that makes such rows whole again: an album or a folder moves to the root folder, and loses
  /// its key photo. Any other row has no meaning without the row that it refers to.
  var mending: String {
    switch (table, column) {
    case ("collection", "parent_id"): "UPDATE collection SET parent_id = NULLIF(\(Self.root), id) WHERE \(isDangling)"
    case ("collection", "key_asset_id"): "UPDATE collection SET key_asset_id = NULL WHERE \(isDangling)"
    default: "DELETE FROM \(table) WHERE \(isDangling)"
    }
  }

  static let root = "(SELECT id FROM collection WHERE \(CollectionRecord.rootCondition))"

  static func all(_ db: any Session) throws -> [Reference] {
    try db.rows(
      """
      SELECT list.name AS name, reference."from" AS column, reference."table" AS parent
      FROM pragma_table_list AS list JOIN pragma_foreign_key_list(list.name) AS reference
      WHERE list.schema = 'main' AND list.type = 'table' ORDER BY list.name, reference.id
      """
    ).map {
      Reference(table: try $0.value("name"), column: try $0.value("column"), parent: try $0.value("parent"))
    }
  }
}
