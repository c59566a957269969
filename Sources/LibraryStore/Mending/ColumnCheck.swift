/// The values that SQLite accepts in a column although they can't be read, and what replaces them.
struct ColumnCheck {
  var table: String
  var column: String
  /// SQL that is true for a row with such a value.
  var isUnreadable: String
  /// SQL for the value in its place.
  var replacement: String
}

extension ColumnCheck {
  /// Returns the checks of all columns, in the order in which their values are replaced.
  static func all(_ db: any Session) throws -> [ColumnCheck] {
    try columns(db).flatMap { column in
      let own = checks["\(column.table).\(column.name)"].map { [column.check($0.isUnreadable, $0.replacement)] } ?? []
      return own.isEmpty ? column.generalChecks : own
    }
  }

  private struct Column {
    var table: String
    var name: String
    var type: String
    var isRequired: Bool

    func check(_ isUnreadable: String, _ replacement: String) -> ColumnCheck {
      ColumnCheck(table: table, column: name, isUnreadable: isUnreadable, replacement: replacement)
    }

    /// A number has to be finite. SQLite stores a text beyond NUL, and Calotype reads up to it.
    var generalChecks: [ColumnCheck] {
      switch type {
      case "REAL": [check(isInfinite(name), isRequired ? "0" : "NULL")]
      case "TEXT":
        [
          check(
            "instr(CAST(\(name) AS BLOB), x'00') > 0",
            "CAST(substr(CAST(\(name) AS BLOB), 1, instr(CAST(\(name) AS BLOB), x'00') - 1) AS TEXT)")
        ]
      default: []
      }
    }
  }

  private static func columns(_ db: any Session) throws -> [Column] {
    try db.rows(
      """
      SELECT list.name AS name, info.name AS column, info.type AS type, info."notnull" AS is_required
      FROM pragma_table_list AS list JOIN pragma_table_info(list.name) AS info
      WHERE list.schema = 'main' AND list.type = 'table'
        AND list.name NOT GLOB 'sqlite_*' AND list.name NOT GLOB 'grdb_*'
      ORDER BY list.name, info.cid
      """
    ).map {
      Column(
        table: try $0.value("name"), name: try $0.value("column"), type: try $0.value("type"),
        isRequired: try $0.value("is_required"))
    }
  }

  /// The checks of columns that not every value of their type suits, by table and column.
  private static let checks: [String: (isUnreadable: String, replacement: String)] = [
    "asset.creation_date": (
      isInfinite("creation_date"),
      "CASE WHEN \(isInfinite("local_date")) THEN 0 ELSE local_date - time_zone_offset END"
    ),
    "asset.local_date": (
      """
      NOT \(isInfinite("creation_date"))
        AND local_date NOT BETWEEN creation_date + time_zone_offset - 1 AND creation_date + time_zone_offset + 1
      """,
      "creation_date + time_zone_offset"
    ),
    "asset.local_day": (
      """
      local_date BETWEEN -1e15 AND 1e15
        AND local_date NOT BETWEEN local_day * 86400.0 - 1 AND local_day * 86400.0 + 86401
      """,
      "CAST(local_date / 86400 AS INTEGER) - (local_date / 86400 < CAST(local_date / 86400 AS INTEGER))"
    ),
    // An early date would expire at once.
    "asset.trashed_date": (isInfinite("trashed_date"), "CAST(strftime('%s', 'now') AS REAL)"),
    "asset.pixel_width": (isOutside("pixel_width", pixels), ofResource("pixel_width")),
    "asset.pixel_height": (isOutside("pixel_height", pixels), ofResource("pixel_height")),
    "asset_detail.camera": (isNotJSON("camera", "json_type(camera) <> 'object'"), "'{}'"),
    "asset_detail.notes": (isNotList("notes"), "'[]'"),
    "asset_detail.keywords": (isNotList("keywords"), searched("keywords")),
    "asset_detail.place_names": (isNotList("place_names"), searched("place")),
    "asset_detail.file_size": (
      isOutside("file_size", byteCounts),
      """
      COALESCE((SELECT byte_count FROM resource JOIN original ON original.id = original_id
        WHERE resource.asset_id = asset_detail.asset_id AND byte_count BETWEEN \(byteCounts) ORDER BY type), 0)
      """
    ),
    // `LibraryStore.mendValues` replaces it by the size of the file.
    "original.byte_count": (isOutside("byte_count", byteCounts), "0"),
    "resource.pixel_width": (isOutside("pixel_width", pixels), "0"),
    "resource.pixel_height": (isOutside("pixel_height", pixels), "0"),
    "resource.motion_offset": (isOutside("motion_offset", byteCounts), "NULL"),
    "resource.motion_byte_count": (isOutside("motion_byte_count", byteCounts), "NULL"),
    "collection.rank": (isOutside("rank", "0 AND \(Int32.max)"), "0"),
    "collection_asset.rank": (
      isOutside("rank", "\(AlbumOrder.ranks.lowerBound) AND \(AlbumOrder.ranks.upperBound)"), "0"
    ),
    "collection_asset.visibility": (
      "visibility <> (SELECT visibility FROM asset WHERE asset.id = asset_id)",
      "(SELECT visibility FROM asset WHERE asset.id = asset_id)"
    ),
    // An early date would expire the transactions before it.
    "history_transaction.date": (
      isInfinite("date"),
      """
      COALESCE((SELECT MAX(date) FROM history_transaction AS other
        WHERE other.id < history_transaction.id AND NOT \(isInfinite("other.date"))), 0)
      """
    ),
    // A count that is too low gives a position twice. One that is too high overflows.
    "client.latest_position": (
      isOutside("latest_position", "\(latestKnownPosition) AND \(1 << 53)"), latestKnownPosition
    ),
    "history_inverse.steps": (isNotJSON("steps", "json_type(steps) <> 'object'"), "NULL"),
  ]

  private static let latestKnownPosition =
    "COALESCE((SELECT MAX(position) FROM client_position WHERE client_id = client.id), 0)"
  private static let pixels = "0 AND \(UInt32.max)"
  private static let byteCounts = "0 AND \(StoreRow.byteCounts.upperBound)"

  private static func isOutside(_ column: String, _ range: String) -> String { "\(column) NOT BETWEEN \(range)" }

  private static func isNotJSON(_ column: String, _ isOther: String) -> String {
    "CASE WHEN \(column) IS NULL THEN 0 WHEN json_valid(\(column)) THEN \(isOther) ELSE 1 END"
  }

  private static func isNotList(_ column: String) -> String {
    isNotJSON(
      column,
      "json_type(\(column)) <> 'array' OR EXISTS (SELECT 1 FROM json_each(\(column)) WHERE type <> 'text')")
  }

  /// Returns the size in pixels of an asset's first file.
  private static func ofResource(_ column: String) -> String {
    """
    COALESCE((SELECT resource.\(column) FROM resource
      WHERE asset_id = asset.id AND resource.\(column) BETWEEN \(pixels) ORDER BY type), 0)
    """
  }

  /// Returns the texts of a list from the search index, where each has a line of its own.
  private static func searched(_ column: String) -> String {
    let separated = "json_quote(replace(\(column), char(10), char(31)))"
    return """
      COALESCE((SELECT CASE WHEN \(column) = '' THEN '[]' ELSE
        '[' || replace(\(separated), '\\u001f', '","') || ']' END
        FROM asset_search WHERE asset_search.rowid = asset_id), '[]')
      """
  }
}

/// Returns SQL that is true for an infinite number.
private func isInfinite(_ column: String) -> String {
  let greatest = Double.greatestFiniteMagnitude
  return "(\(column) NOT BETWEEN -\(greatest) AND \(greatest))"
}
