import Foundation
internal import GRDB

/// The writes of one transaction, valid inside the body that it was handed to; it writes the history by itself.
public final class StoreTransaction {
  public enum ChangeKind: Int, Sendable {
    case inserted = 1
    case updated, deleted
  }

  let db: Database
  private var changes: [String: ChangeKind] = [:]

  init(db: Database) { self.db = db }

  /// Inserts an asset with its resources, whose bytes the library holds or is taking in.
  public func insert(
    _ asset: AssetRecord, _ detail: AssetDetailRecord, resources: [(record: ResourceRecord, sha256: Data)]
  ) throws -> AssetRecord {
    var asset = asset
    if let burst = asset.burstIdentifier { asset.representsBurst = try !hasBurst(burst) }
    asset.id = try db.insert(asset.columns, into: AssetRecord.table)
    var detail = detail
    detail.assetID = asset.id
    _ = try db.insert(detail.columns(), into: AssetDetailRecord.table)
    for resource in resources { try insert(resource.record, sha256: resource.sha256, into: asset) }
    note(.inserted, asset.uuid)
    return asset
  }

  /// Adds a file to an asset.
  public func insert(_ resource: ResourceRecord, sha256: Data, into asset: AssetRecord) throws {
    var resource = resource
    resource.assetID = asset.id
    let id = try Int64.fetchOne(db, sql: "SELECT id FROM original WHERE sha256 = ?", arguments: [sha256])
    guard let id else {
      throw StoreError(.damaged, resource.originalFilename, reason: "the original's bytes are not in the library")
    }
    resource.originalID = id
    _ = try db.insert(resource.columns, into: ResourceRecord.table)
    note(.updated, asset.uuid)
  }

  public func update(_ asset: AssetRecord) throws {
    try db.update(asset.columns, of: AssetRecord.table, where: "id", is: asset.id)
    note(.updated, asset.uuid)
  }

  public func update(_ detail: AssetDetailRecord, of asset: AssetRecord) throws {
    var detail = detail
    detail.assetID = asset.id
    try db.update(detail.columns(), of: AssetDetailRecord.table, where: "asset_id", is: asset.id)
    note(.updated, asset.uuid)
  }

  /// Gives a resource another type: a video that turns out to be a Live Photo's.
  public func setType(_ type: Int, of resource: ResourceRecord, in asset: AssetRecord) throws {
    try db.execute(sql: "UPDATE resource SET type = ? WHERE id = ?", arguments: [type, resource.id])
    note(.updated, asset.uuid)
  }

  /// Deletes an asset and its resources' rows; the originals' bytes stay for whoever else has them.
  public func delete(_ asset: AssetRecord) throws {
    try db.execute(sql: "DELETE FROM asset WHERE id = ?", arguments: [asset.id])
    note(.deleted, asset.uuid)
  }

  public func asset(uuid: String) throws -> AssetRecord? {
    try asset(where: "uuid = ?", [uuid])
  }

  public func detail(of asset: AssetRecord) throws -> AssetDetailRecord? {
    try Row.fetchOne(db, sql: "SELECT * FROM asset_detail WHERE asset_id = ?", arguments: [asset.id])
      .map(AssetDetailRecord.init)
  }

  public func resources(of asset: AssetRecord) throws -> [ResourceRecord] {
    try Row.fetchAll(
      db, sql: ResourceRecord.selection + " WHERE resource.asset_id = ? ORDER BY resource.type", arguments: [asset.id]
    ).map(ResourceRecord.init)
  }

  /// The assets that have any of these bytes as a resource, oldest first.
  public func assets(holdingAnyOf hashes: Set<Data>) throws -> [AssetRecord] {
    var found: [Int64: AssetRecord] = [:]
    for sha256 in hashes {
      let holders = try assets(
        where: """
          id IN (SELECT resource.asset_id FROM resource JOIN original ON original.id = resource.original_id
          WHERE original.sha256 = ?)
          """, [sha256])
      for asset in holders { found[asset.id] = asset }
    }
    return found.values.sorted { $0.id < $1.id }
  }

  /// The assets whose files carry this content identifier, oldest first.
  public func assets(contentIdentifier: String) throws -> [AssetRecord] {
    try assets(
      where: "id IN (SELECT asset_id FROM asset_detail WHERE content_identifier = ?) ORDER BY id", [contentIdentifier])
  }

  /// The assets of one shot, oldest first.
  public func assets(shotKey: String) throws -> [AssetRecord] {
    try assets(where: "id IN (SELECT asset_id FROM asset_detail WHERE shot_key = ?) ORDER BY id", [shotKey])
  }

  private func hasBurst(_ identifier: String) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM asset WHERE burst_identifier = ?)", arguments: [identifier]) ?? false
  }

  private func asset(where clause: String, _ arguments: StatementArguments) throws -> AssetRecord? {
    try assets(where: clause, arguments).first
  }

  private func assets(where clause: String, _ arguments: StatementArguments) throws -> [AssetRecord] {
    let statement = try db.cachedStatement(sql: "SELECT * FROM asset WHERE " + clause)
    return try Row.fetchAll(statement, arguments: arguments).map(AssetRecord.init)
  }

  private func note(_ kind: ChangeKind, _ uuid: String) {
    if changes[uuid] != .inserted { changes[uuid] = kind }
  }

  func insert(originals: [PlacedOriginal]) throws {
    for original in originals {
      // Another process may have brought the same bytes since they were staged: then its file stays, and ours goes.
      try db.cachedStatement(
        sql: "INSERT INTO original (sha256, path, byte_count) VALUES (?, ?, ?) ON CONFLICT (sha256) DO NOTHING"
      ).execute(arguments: [original.sha256, original.path, original.byteCount])
    }
  }

  /// Which of the new files a row names now; an original without a resource loses its row.
  func named(_ originals: [PlacedOriginal]) throws -> Set<String> {
    var named: Set<String> = []
    for original in originals {
      try db.cachedStatement(
        sql: """
          DELETE FROM original WHERE sha256 = ?
          AND NOT EXISTS (SELECT 1 FROM resource WHERE resource.original_id = original.id)
          """
      ).execute(arguments: [original.sha256])
      let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM original WHERE path = ?)")
      if try Bool.fetchOne(statement, arguments: [original.path]) == true { named.insert(original.path) }
    }
    return named
  }

  /// Writes the history of what was changed.
  func finish() throws {
    guard !changes.isEmpty else { return }
    let id = try db.insert([("date", Date().timeIntervalSince1970)], into: "history_transaction")
    for (uuid, kind) in changes {
      _ = try db.insert(
        [
          ("transaction_id", id), ("object_type", Self.assetObjectType), ("object_uuid", uuid), ("kind", kind.rawValue),
        ], into: "history_change")
    }
  }

  /// `PHObjectType.asset`.
  private static let assetObjectType = 1
}
