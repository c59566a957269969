import Foundation

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

  static func ids(_ query: FetchQuery, _ db: any Session) throws -> [Int64] {
    let fromFavorites = try isLargeAlbum(query.isOfFavoritesInAlbum, db)
    guard let found = try manyFound(query, db) else { return try db.ids(query.select(fromFavorites: fromFavorites)) }
    // SQLite would copy all found ids into one temporary table and look up each asset there. A set
    // in memory is faster.
    var unsearched = query
    (unsearched.searchText, unsearched.limit) = (nil, 0)
    let ids = try db.ids(unsearched.select(fromFavorites: fromFavorites)).filter(found.contains)
    return query.limit > 0 ? Array(ids.prefix(query.limit)) : ids
  }

  /// If a search finds more than one asset in this many, it reads all assets in their order.
  /// Otherwise, it looks up each asset that it finds, and sorts them.
  private static let fewOfMany: Int64 = 16

  /// Returns the assets with the words of a search; `nil` if they are few, and without a search.
  private static func manyFound(_ query: FetchQuery, _ db: any Session) throws -> RowSet? {
    guard !query.isOfCollections, query.limitedToClient == nil,
      let listing = query.searchText.flatMap({ SearchWords($0).found() })
    else { return nil }
    // Row ids have few gaps, so the last one is about the number of assets.
    let last: Int64 = try db.value("SELECT MAX(id) FROM asset") ?? 0
    let found = try db.ids(listing)
    guard found.count > last / fewOfMany, var rows = RowSet(upTo: last) else { return nil }
    for id in found { rows.insert(id) }
    return rows
  }

  /// The number of an album's assets above which its favorites are searched for among all
  /// favorites.
  private static let largeAlbum = 5000

  private static func isLargeAlbum(_ album: Int64?, _ db: any Session) throws -> Bool {
    guard let album else { return false }
    return try db.isTrue(
      "SELECT COUNT(*) > ? FROM (SELECT 1 FROM collection_asset WHERE collection_id = ? LIMIT ?)",
      largeAlbum, album, largeAlbum + 1)
  }

  /// Returns the statement of a query, its arguments, and SQLite's plan for it, one line a step. It
  /// is for a person to read.
  public func explanation(of query: FetchQuery) throws -> String {
    let statement = try query.select()
    let explained = BoundSQL(
      sql: "EXPLAIN QUERY PLAN " + statement.sql, arguments: statement.arguments, isReused: false)
    let plan: [String] = try read { try $0.rows(explained).map { try $0.value("detail") } }
    return ([statement.sql, statement.arguments.description] + plan.map { "  " + $0 }).joined(separator: "\n")
  }

  /// Returns the records of these ids in their order, without those deleted since. If `client` is
  /// not nil, returns them as that client's selection shows them.
  public func assets(
    ids: some Collection<Int64>, limitedToClient client: Int64? = nil
  ) throws -> [AssetRecord] {
    try read { db in
      var found: [Int64: AssetRecord] = [:]
      let sql =
        AssetRecord.selection(limitedToClient: client) + " WHERE id IN \(BoundSQL.list)"
      try db.forEachRow(sql, ids.jsonArray) { row in
        let record = try AssetRecord(row: row, limitedToClient: client)
        found[record.id] = record
      }
      return ids.compactMap { found[$0] }
    }
  }

  /// Returns the records of these ids in their order. If `client` is not nil, counts only the
  /// assets of its selection. If `concealsHidden` is true, the number of hidden assets is unknown.
  public func collections(
    ids: some Collection<Int64>, limitedToClient client: Int64? = nil, concealsHidden: Bool = false
  ) throws -> [CollectionRecord] {
    try read { db in
      let sql =
        CollectionRecord.selection(limitedToClient: client) + " WHERE id IN \(BoundSQL.list)"
      let records = try db.rows(sql, ids.jsonArray).map { row in
        var record = try CollectionRecord(row: row)
        if concealsHidden, record.smartAlbum.map(SmartAlbum.withHidden.contains) == true { record.assetCount = nil }
        return record
      }
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
      let statement = BoundSQL(
        sql: "SELECT MIN(creation_date), MAX(creation_date) FROM asset WHERE id IN (\(inner.sql))",
        arguments: inner.arguments, isReused: inner.isReused)
      guard let row = try db.rows(statement).first, let start: Double = try row.value(at: 0),
        let end: Double = try row.value(at: 1)
      else { return nil }
      return (Date(timeIntervalSince1970: start), Date(timeIntervalSince1970: end))
    }
  }

  /// Returns the number of these assets that have a media type.
  public func count(_ ids: [Int64], mediaType: Int) throws -> Int {
    try read { db in
      try stride(from: 0, to: ids.count, by: Self.idsPerStatement).reduce(0) { count, start in
        let part = ids[start..<min(start + Self.idsPerStatement, ids.count)]
        let counted: Int? = try db.value(
          "SELECT COUNT(*) FROM asset WHERE id IN \(BoundSQL.list) AND media_type = ?",
          part.jsonArray, mediaType)
        return count + (counted ?? 0)
      }
    }
  }

  /// The number of ids that make a text of some ten kilobytes.
  private static let idsPerStatement = 2000

  /// Returns the UUIDs of deleted objects by row id, as far as the history still contains them.
  public func deletedUUIDs(ofRows ids: [Int64], isCollection: Bool) throws -> [Int64: String] {
    try read { db in
      let rows = try db.rows(
        """
        SELECT object_id, object_uuid FROM history_change
        WHERE object_id IN \(BoundSQL.list) AND object_type \(isCollection ? "IN (2, 3)" : "= 1")
        """, ids.jsonArray)
      return Dictionary(
        try rows.map { (try $0.value("object_id"), try $0.value("object_uuid")) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  public func detail(assetID: Int64) throws -> AssetDetailRecord? {
    try read { db in
      try db.row("SELECT * FROM asset_detail WHERE asset_id = ?", assetID)
        .map(AssetDetailRecord.init)
    }
  }

  /// Returns the resources of assets, by asset, ordered by type.
  public func resources(assetIDs: some Collection<Int64>) throws -> [Int64: [ResourceRecord]] {
    try read { db in
      var found: [Int64: [ResourceRecord]] = [:]
      let sql =
        ResourceRecord.selection
        + " WHERE resource.asset_id IN \(BoundSQL.list) ORDER BY resource.asset_id, resource.type"
      try db.forEachRow(sql, assetIDs.jsonArray) { row in
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
      try db.rows(statement).map { (day: try $0.value(at: 0), count: try $0.value(at: 1)) }
    }
  }

  /// Returns the number of these assets of each day, newest first.
  public func dayCounts(of ids: [Int64]) throws -> [(day: Int, count: Int)] {
    // One index has the days of all assets. It is read in less time than many are looked up.
    let all = "SELECT (local_day << 32) | id FROM asset"
    var wanted = ids.count > Self.idsPerStatement ? RowSet(upTo: ids.max() ?? 0) : nil
    for id in ids { wanted?.insert(id) }
    let packed = try read { db in
      guard let wanted else { return try db.ids(all + " WHERE id IN (SELECT value FROM json_each(?))", ids.jsonArray) }
      return try db.ids(all).filter { wanted.contains($0 & 0xFFFF_FFFF) }
    }
    var counts: [Int: Int] = [:]
    for number in packed { counts[Int(number >> 32), default: 0] += 1 }
    return counts.sorted { $0.key > $1.key }.map { (day: $0.key, count: $0.value) }
  }

  func hasOriginal(byteCount: Int) throws -> Bool {
    try read { try $0.isTrue("SELECT EXISTS (SELECT 1 FROM original WHERE byte_count = ?)", byteCount) }
  }

  /// Returns the original with a hash. `isDamaged` says that the latest verification found the file
  /// damaged.
  func original(sha256: Data) throws -> (path: String, byteCount: Int, isDamaged: Bool)? {
    try read { db in
      try db.row("SELECT path, byte_count, is_damaged FROM original WHERE sha256 = ?", sha256).map {
        (try $0.value("path"), try $0.byteCount("byte_count"), try $0.value("is_damaged"))
      }
    }
  }

  /// Returns the hash of a file that may be an original in the library; `nil` if no original has
  /// its size.
  public func hashIfKnownSize(_ source: ByteSource) throws -> Data? {
    try hasOriginal(byteCount: source.byteCount()) ? source.sha256() : nil
  }

  func read<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    try StoreError.mapping(databasePath) { try database.read(body) }
  }
}
