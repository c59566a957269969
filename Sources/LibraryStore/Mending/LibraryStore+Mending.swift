import Foundation

/// Rows that SQLite finds intact and that can't be read or shown: values that no column of theirs
/// may have, references to missing rows, folders that contain each other, and wrong counts.
extension LibraryStore {
  /// Returns a sentence about each damaged row.
  static func damagedRows(_ db: any Session) throws -> [String] {
    try unreadableValues(db) + danglingReferences(db)
      + Schema.missingCollections(db).map { mendable("\($0) is missing") }
      + unreachableCollections(db).map(\.message) + wrongCounts(db)
  }

  private static func mendable(_ sentence: String) -> String { "\(sentence); `calotype repair` mends it" }

  /// Returns a sentence about each value that can't be read. SQLite's own check of integrity fails
  /// at some of them.
  static func unreadableValues(_ db: any Session) throws -> [String] {
    // One pass over each table, since a library may have a million rows in some.
    let tables = Dictionary(grouping: try ColumnCheck.all(db), by: \.table).sorted { $0.key < $1.key }
    return try tables.flatMap { table, checks in
      let flags = checks.map(\.isUnreadable).joined(separator: ", ")
      let sql = """
        SELECT \(try name(of: table, db)), \(flags) FROM \(table)
        WHERE \(checks.map { "(\($0.isUnreadable))" }.joined(separator: " OR "))
        """
      return try db.rows(BoundSQL(sql: sql, arguments: [], isReused: false)).flatMap { row in
        let name: String = try row.value(at: 0)
        return try checks.enumerated().filter { try row.value(at: $0.offset + 1) ?? false }
          .map { mendable("the \($0.element.column) of \(name) can't be read") }
      }
    }
  }

  private static func danglingReferences(_ db: any Session) throws -> [String] {
    try Reference.all(db).flatMap { reference in
      let sql = "SELECT \(try name(of: reference.table, db)) FROM \(reference.table) WHERE \(reference.isDangling)"
      return try (db.rows(BoundSQL(sql: sql, arguments: [], isReused: false))).map { row in
        let name: String = try row.value(at: 0)
        return mendable("the \(reference.column) of \(name) refers to a missing row of \(reference.parent)")
      }
    }
  }

  /// Returns SQL for the name of a row's object.
  private static func name(of table: String, _ db: any Session) throws -> String {
    let columns: [String] = try db.values("SELECT name FROM pragma_table_info(?)", table)
    let asset = "'asset ' || (SELECT uuid FROM asset WHERE asset.id = \(table).asset_id)"
    let names: [String] =
      switch table {
      case "original": ["'the file ' || path"]
      case "resource": [asset, "'the file ' || (SELECT path FROM original WHERE original.id = original_id)"]
      case "client": ["'client ' || identifier"]
      case "collection": ["CASE kind WHEN \(CollectionKind.folder.rawValue) THEN 'folder ' ELSE 'album ' END || uuid"]
      case _ where columns.contains("uuid"): ["'\(table) ' || uuid"]
      case _ where columns.contains("asset_id"): [asset]
      case _ where columns.contains("transaction_id"): ["'transaction ' || transaction_id"]
      case _ where columns.contains("id"): ["'row ' || id || ' of \(table)'"]
      default: []
      }
    return "COALESCE(\((names + ["'a row of \(table)'", "NULL"]).joined(separator: ", ")))"
  }

  /// Returns the folders and albums that are not below the root folder, since folders contain each
  /// other.
  private static func unreachableCollections(_ db: any Session) throws -> [(id: Int64, message: String)] {
    let sql = """
      WITH RECURSIVE reachable (id) AS (
        SELECT id FROM collection WHERE parent_id IS NULL OR parent_id NOT IN (SELECT id FROM collection)
        UNION SELECT collection.id FROM collection JOIN reachable ON parent_id = reachable.id)
      SELECT id, \(try name(of: "collection", db)) AS name FROM collection
      WHERE id NOT IN (SELECT id FROM reachable) ORDER BY kind = \(CollectionKind.folder.rawValue) DESC, id
      """
    return try db.rows(sql).map {
      (try $0.value("id"), mendable("\(try $0.value("name") as String) is in a folder that contains itself"))
    }
  }

  private static func wrongCounts(_ db: any Session) throws -> [String] {
    let counted = "SELECT \(Schema.tallyKey), COUNT(*) FROM asset GROUP BY \(Schema.tallyKey)"
    let stored = "SELECT \(Schema.tallyKey), count FROM asset_tally WHERE count <> 0"
    let isWrong = try db.isTrue(
      "SELECT EXISTS (\(counted) EXCEPT \(stored)) OR EXISTS (\(stored) EXCEPT \(counted))")
    return isWrong ? [mendable("the numbers of assets of each kind are wrong")] : []
  }

  /// Mends the rows that can't be read or shown, and returns the number of problems.
  ///
  /// Keywords and names of places come from the search index, and sizes of files from the files. A
  /// row that refers to a missing one is deleted, except albums and folders. A file that no asset
  /// has then has no row, so that a repair makes an asset of it.
  public func mendRows() throws -> Int {
    let count = try read { try Self.damagedRows($0).count + $0.rows("SELECT 1 FROM \(Self.unusedOriginals)").count }
    guard count > 0 else { return 0 }
    try commit { transaction in
      let db = transaction.db
      try Schema.insertOwnCollections(db)
      try mendValues(transaction)
      for reference in try Reference.all(db) {
        try Self.note(reference.table, where: reference.isDangling, transaction)
        try db.execute(BoundSQL(sql: reference.mending, arguments: [], isReused: false))
      }
      // Each time one of the folders in a ring moves out of it.
      while let lost = try Self.unreachableCollections(db).first {
        try Self.note("collection", where: "id = \(lost.id)", transaction)
        try db.execute("UPDATE collection SET parent_id = \(Reference.root) WHERE id = ?", lost.id)
      }
      try db.execute("DELETE FROM \(Self.unusedOriginals)")
      try db.run(script: "DELETE FROM asset_tally; \(Schema.countAssets)")
    }
    return count
  }

  static let unusedOriginals = """
    original WHERE NOT EXISTS (SELECT 1 FROM resource WHERE original_id = original.id)
      AND NOT EXISTS (SELECT 1 FROM history_original WHERE original_id = original.id)
    """

  private func mendValues(_ transaction: StoreTransaction) throws {
    let db = transaction.db
    for row in try db.rows("SELECT id, path FROM original WHERE byte_count > ?", StoreRow.byteCounts.upperBound) {
      let status = try? folder.status(row.value("path"))
      let size = status.map { Int($0.st_size) } ?? 0
      try db.execute("UPDATE original SET byte_count = ? WHERE id = ?", size, row.value("id") as Int64)
    }
    for check in try ColumnCheck.all(db) {
      try Self.note(check.table, where: check.isUnreadable, transaction)
      // A text up to its NUL may be another row's.
      let sql = """
        UPDATE OR IGNORE \(check.table) SET \(check.column) = \(check.replacement) WHERE \(check.isUnreadable)
        """
      try db.execute(BoundSQL(sql: sql, arguments: [], isReused: false))
    }
  }

  /// Records in the history that the assets and collections of these rows change.
  private static func note(_ table: String, where condition: String, _ transaction: StoreTransaction) throws {
    let (key, parent): (String, String)
    switch table {
    case "asset", "collection": (key, parent) = ("id", table)
    case "asset_detail", "resource": (key, parent) = ("asset_id", "asset")
    case "collection_asset": (key, parent) = ("collection_id", "collection")
    default: return
    }
    let kind = parent == "asset" ? "0" : "kind"
    let sql = """
      SELECT id, uuid, \(kind) AS kind FROM \(parent)
      WHERE id IN (SELECT \(key) FROM \(table) WHERE \(condition))
      """
    try transaction.db.forEachRow(BoundSQL(sql: sql, arguments: [], isReused: false)) { row in
      let kind = CollectionKind(rawValue: try row.value("kind"))
      transaction.note(
        .updated, kind.map { HistoryObjectType($0) } ?? .asset, id: try row.value("id"), uuid: try row.value("uuid"),
        isContent: table == "collection_asset")
    }
  }
}
