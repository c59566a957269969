import Foundation
internal import GRDB
private import GRDBSQLite

/// The result of a fetch, and the transaction that it saw last.
public struct FetchedIDs: Sendable {
  public var ids: [Int64]
  public var transaction: Int64

  public init(ids: [Int64], transaction: Int64) {
    self.ids = ids
    self.transaction = transaction
  }
}

extension LibraryStore {
  /// Returns the ids of the objects that a query finds, in its order: eight bytes each.
  public func fetch(_ query: FetchQuery) throws -> FetchedIDs {
    try read { db in
      FetchedIDs(ids: try Self.ids(query, db), transaction: try Self.latestTransaction(db))
    }
  }

  static func ids(_ query: FetchQuery, _ db: Database) throws -> [Int64] {
    let select = try query.select(fromFavorites: isLargeAlbum(query.isOfFavoritesInAlbum, db))
    let statement = try db.cachedStatement(sql: select.sql)
    try statement.setArguments(select.statementArguments)
    return try integers(statement, db)
  }

  /// Returns the first column of every row. SQLite's own functions read a million rows in two
  /// thirds of the time that GRDB takes.
  private static func integers(_ statement: Statement, _ db: Database) throws -> [Int64] {
    let handle = statement.sqliteStatement
    defer { sqlite3_reset(handle) }
    var ids: [Int64] = []
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: ids.append(sqlite3_column_int64(handle, 0))
      case SQLITE_DONE: return ids
      case let code:
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code),
          message: db.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) },
          sql: statement.sql)
      }
    }
  }

  /// The number of assets from which on an album's favorites are searched for among all favorites.
  private static let largeAlbum = 5000

  private static func isLargeAlbum(_ album: Int64?, _ db: Database) throws -> Bool {
    guard let album else { return false }
    let statement = try db.cachedStatement(
      sql: "SELECT COUNT(*) > ? FROM (SELECT 1 FROM collection_asset WHERE collection_id = ? LIMIT ?)")
    return try Bool.fetchOne(statement, arguments: [largeAlbum, album, largeAlbum + 1]) ?? false
  }

  /// Returns the statement of a query, its arguments, and SQLite's plan for it, one line a step. It
  /// is for a person to read.
  public func explanation(of query: FetchQuery) throws -> String {
    let statement = try query.select()
    let plan: [String] = try read { db in
      let rows = try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN " + statement.sql, arguments: statement.statementArguments)
      return try rows.map { try $0.value("detail") }
    }
    return ([statement.sql, statement.arguments.description] + plan.map { "  " + $0 }).joined(separator: "\n")
  }

  /// Returns the records of these ids in their order, without those deleted since. If `client` is
  /// not nil, returns them as that client's selection shows them.
  public func assets(
    ids: some Collection<Int64>, limitedToClient client: Int64? = nil
  ) throws -> [AssetRecord] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: AssetRecord.selection(limitedToClient: client) + " WHERE id IN (SELECT value FROM json_each(?))")
      var found: [Int64: AssetRecord] = [:]
      let rows = try Row.fetchCursor(statement, arguments: [ids.jsonArray])
      while let row = try rows.next() {
        let record = try AssetRecord(row: row, limitedToClient: client)
        found[record.id] = record
      }
      return ids.compactMap { found[$0] }
    }
  }

  /// Returns the records of these ids in their order. If `client` is not nil, counts only the
  /// assets of its selection.
  public func collections(
    ids: some Collection<Int64>, limitedToClient client: Int64? = nil
  ) throws -> [CollectionRecord] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: CollectionRecord.selection(limitedToClient: client) + " WHERE id IN (SELECT value FROM json_each(?))")
      let records = try Row.fetchAll(statement, arguments: [ids.jsonArray]).map(CollectionRecord.init)
      let found = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      return ids.compactMap { found[$0] }
    }
  }

  /// Returns the folder that contains all others.
  public func rootFolder() throws -> CollectionRecord { try inspect { try $0.root() } }

  /// Returns the first and the last creation date of the assets that a fetch finds.
  public func dates(_ query: FetchQuery) throws -> (start: Date, end: Date)? {
    var query = query
    query.sort = []
    let inner = try query.select()
    return try read { db in
      let row = try Row.fetchOne(
        db,
        sql: "SELECT MIN(creation_date), MAX(creation_date) FROM asset WHERE id IN (\(inner.sql))",
        arguments: inner.statementArguments)
      guard let start = try row?.decode(Double?.self, atIndex: 0), let end = try row?.decode(Double?.self, atIndex: 1)
      else { return nil }
      return (Date(timeIntervalSince1970: start), Date(timeIntervalSince1970: end))
    }
  }

  /// Returns the number of these assets that have a media type.
  public func count(_ ids: [Int64], mediaType: Int) throws -> Int {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT COUNT(*) FROM asset WHERE id IN (SELECT value FROM json_each(?)) AND media_type = ?")
      return try stride(from: 0, to: ids.count, by: Self.idsPerStatement).reduce(0) { count, start in
        let part = ids[start..<min(start + Self.idsPerStatement, ids.count)]
        return count + (try Int.fetchOne(statement, arguments: [part.jsonArray, mediaType]) ?? 0)
      }
    }
  }

  /// The number of ids that make a text of some ten kilobytes.
  private static let idsPerStatement = 2000

  /// Returns the UUIDs of deleted objects by row id, as far as the history still contains them.
  public func deletedUUIDs(ofRows ids: [Int64], isCollection: Bool) throws -> [Int64: String] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT object_id, object_uuid FROM history_change
          WHERE object_id IN (SELECT value FROM json_each(?)) AND object_type \(isCollection ? "IN (2, 3)" : "= 1")
          """, arguments: [ids.jsonArray])
      return Dictionary(
        try rows.map { (try $0.value("object_id"), try $0.value("object_uuid")) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  public func detail(assetID: Int64) throws -> AssetDetailRecord? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM asset_detail WHERE asset_id = ?", arguments: [assetID])
        .map(AssetDetailRecord.init)
    }
  }

  /// Returns the resources of assets, by asset, ordered by type.
  public func resources(assetIDs: some Collection<Int64>) throws -> [Int64: [ResourceRecord]] {
    return try read { db in
      let statement = try db.cachedStatement(
        sql: ResourceRecord.selection
          + " WHERE resource.asset_id IN (SELECT value FROM json_each(?)) ORDER BY resource.asset_id, resource.type")
      let rows = try Row.fetchCursor(statement, arguments: [assetIDs.jsonArray])
      var found: [Int64: [ResourceRecord]] = [:]
      while let row = try rows.next() {
        let record = try ResourceRecord(row: row)
        found[record.assetID, default: []].append(record)
      }
      return found
    }
  }

  /// Returns the number of assets of each day, newest first. Days are counted from 1970 by the
  /// clock of the place.
  public func dayCounts(_ query: FetchQuery) throws -> [(day: Int, count: Int)] {
    let statement = try query.countByDay()
    return try read { db in
      try Row.fetchAll(db, sql: statement.sql, arguments: statement.statementArguments).map {
        (day: try $0.decode(atIndex: 0), count: try $0.decode(atIndex: 1))
      }
    }
  }

  func hasOriginal(byteCount: Int) throws -> Bool {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM original WHERE byte_count = ?)")
      return try Bool.fetchOne(statement, arguments: [byteCount]) ?? false
    }
  }

  /// Returns the original with a hash. `isDamaged` says that the latest verification found the file
  /// damaged or missing.
  func original(sha256: Data) throws -> (path: String, byteCount: Int, isDamaged: Bool)? {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT path, byte_count, is_damaged FROM original WHERE sha256 = ?")
      return try Row.fetchOne(statement, arguments: [sha256]).map {
        (try $0.value("path"), try $0.byteCount("byte_count"), try $0.value("is_damaged"))
      }
    }
  }

  /// Returns the hash of a file that may be an original in the library; `nil` if no original has
  /// its size.
  public func hashIfKnownSize(_ source: ByteSource) throws -> Data? {
    try hasOriginal(byteCount: source.byteCount()) ? source.sha256() : nil
  }

  /// Returns whether a file is known to be damaged: the last verification found it so, or it does
  /// not have the size with which it was imported.
  public func isDamaged(_ resource: ResourceRecord) -> Bool {
    guard !resource.isDamaged, let status = try? folder.status(resource.path) else { return true }
    return Int(status.st_size) != resource.byteCount
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try StoreError.mapping("\(path)/library.sqlite") { try database.read(body) }
  }
}
