import Foundation
internal import GRDB

extension LibraryStore {
  /// The ids of the assets that a query asks for, in its order: eight bytes each.
  public func assetIDs(_ query: FetchQuery) throws -> [Int64] {
    let (sql, arguments) = try query.select()
    return try read { db in try Int64.fetchAll(db, sql: sql, arguments: arguments) }
  }

  /// The records of these ids, in their order; those deleted since are left out.
  public func assets(ids: some Collection<Int64>) throws -> [AssetRecord] {
    let list = "[" + ids.map(String.init).joined(separator: ",") + "]"
    return try read { db in
      let statement = try db.cachedStatement(sql: "SELECT * FROM asset WHERE id IN (SELECT value FROM json_each(?))")
      var found: [Int64: AssetRecord] = [:]
      let rows = try Row.fetchCursor(statement, arguments: [list])
      while let row = try rows.next() {
        let record = AssetRecord(row: row)
        found[record.id] = record
      }
      return ids.compactMap { found[$0] }
    }
  }

  public func detail(assetID: Int64) throws -> AssetDetailRecord? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM asset_detail WHERE asset_id = ?", arguments: [assetID])
        .map(AssetDetailRecord.init)
    }
  }

  /// The resources of assets, by asset, in the order of their types.
  public func resources(assetIDs: some Collection<Int64>) throws -> [Int64: [ResourceRecord]] {
    let list = "[" + assetIDs.map(String.init).joined(separator: ",") + "]"
    return try read { db in
      let statement = try db.cachedStatement(
        sql: ResourceRecord.selection
          + " WHERE resource.asset_id IN (SELECT value FROM json_each(?)) ORDER BY resource.asset_id, resource.type")
      let rows = try Row.fetchCursor(statement, arguments: [list])
      var found: [Int64: [ResourceRecord]] = [:]
      while let row = try rows.next() {
        let record = ResourceRecord(row: row)
        found[record.assetID, default: []].append(record)
      }
      return found
    }
  }

  /// How many assets each day has, newest first; a day is counted from 1970 on the clock of the place.
  public func dayCounts(_ query: FetchQuery) throws -> [(day: Int, count: Int)] {
    let (sql, arguments) = try query.countByDay()
    return try read { db in
      try Row.fetchAll(db, sql: sql, arguments: arguments).map { (day: $0[0] as Int, count: $0[1] as Int) }
    }
  }

  /// The number of the latest transaction: 0 in a new library.
  public func latestTransaction() throws -> Int64 {
    try read { db in try Int64.fetchOne(db, sql: "SELECT MAX(id) FROM history_transaction") ?? 0 }
  }

  func hasOriginal(byteCount: Int) throws -> Bool {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM original WHERE byte_count = ?)")
      return try Bool.fetchOne(statement, arguments: [byteCount]) ?? false
    }
  }

  func original(sha256: Data) throws -> (path: String, byteCount: Int)? {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT path, byte_count FROM original WHERE sha256 = ?")
      return try Row.fetchOne(statement, arguments: [sha256]).map { ($0[0] as String, $0[1] as Int) }
    }
  }

  /// The hash of what could be an original here; `nil` where no original has its size.
  public func hashIfKnownSize(_ source: ByteSource) throws -> Data? {
    try hasOriginal(byteCount: source.byteCount()) ? source.sha256() : nil
  }

  /// Where an original can be opened for reading now.
  public func url(of resource: ResourceRecord) -> URL { URL(fileURLWithPath: absolute(resource.path)) }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try StoreError.mapping("\(path)/library.sqlite") { try database.read(body) }
  }
}
