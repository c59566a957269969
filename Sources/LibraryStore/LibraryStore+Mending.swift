import Foundation

/// Columns that contain JSON. SQLite does not check most of them, so a database that it finds
/// intact may have values that can't be read.
extension LibraryStore {
  private static let listColumns = ["notes", "keywords", "place_names"]
  private static let jsonColumns = listColumns + ["camera"]

  /// Returns the assets with a value that can't be read in a column of `asset_detail`.
  private static func assetsWithDamaged(_ column: String, _ db: any Session) throws -> [(id: Int64, uuid: String)] {
    let isOther =
      listColumns.contains(column)
      ? "json_type(\(column)) <> 'array' OR EXISTS (SELECT 1 FROM json_each(\(column)) WHERE type <> 'text')"
      : "json_type(\(column)) <> 'object'"
    let sql = """
      SELECT asset.id, uuid FROM asset_detail JOIN asset ON asset.id = asset_id
      WHERE CASE WHEN json_valid(\(column)) THEN \(isOther) ELSE 1 END
      """
    return try db.rows(sql).map { (try $0.value("id"), try $0.value("uuid")) }
  }

  static func damagedValues(_ db: any Session) throws -> [(column: String, uuid: String)] {
    try jsonColumns.flatMap { column in try assetsWithDamaged(column, db).map { (column, $0.uuid) } }
  }

  /// Replaces the values that can't be read: keywords and names of places by those in the search
  /// index, and others by none. Returns the number of assets.
  public func mendValues() throws -> Int {
    guard try !read(Self.damagedValues).isEmpty else { return 0 }
    return try commit { transaction in
      var mended: Set<Int64> = []
      for column in Self.jsonColumns {
        for asset in try Self.assetsWithDamaged(column, transaction.db) {
          let value = try Self.replacement(of: column, asset.id, transaction.db)
          try transaction.db.execute("UPDATE asset_detail SET \(column) = ? WHERE asset_id = ?", value, asset.id)
          transaction.note(.updated, .asset, id: asset.id, uuid: asset.uuid)
          mended.insert(asset.id)
        }
      }
      return mended.count
    }
  }

  private static func replacement(of column: String, _ asset: Int64, _ db: any Session) throws -> String {
    guard let searched = ["keywords": "keywords", "place_names": "place"][column] else {
      return column == "camera" ? "{}" : "[]"
    }
    let text: String? = try db.value("SELECT \(searched) FROM asset_search WHERE rowid = ?", asset)
    return try AssetDetailRecord.json((text ?? "").split(separator: "\n").map(String.init))
  }
}
