import Foundation
internal import GRDB

/// The memory of deleted originals. It holds digests and sizes, and nothing else of a file.
extension StoreTransaction {
  /// Remembers that an original was deleted for good.
  func remember(deleted original: ResourceRecord) throws {
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO deleted_original (sha256, byte_count) VALUES (?, ?)")
      .execute(arguments: [original.sha256, original.byteCount])
  }

  /// Forgets that these bytes were deleted: an asset has them again.
  func forgetDeletion(of sha256: Data) throws {
    try db.cachedStatement(sql: "DELETE FROM deleted_original WHERE sha256 = ?").execute(arguments: [sha256])
  }

  /// Returns whether an original of this size is in the trash or was deleted for good: other files need no hash.
  func hasDeletedOriginal(byteCount: Int) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM deleted_original WHERE byte_count = ?)
          OR EXISTS (SELECT 1 FROM original JOIN resource ON resource.original_id = original.id
            JOIN asset ON asset.id = resource.asset_id WHERE byte_count = ? AND trashed_date IS NOT NULL)
        """)
    return try Bool.fetchOne(statement, arguments: [byteCount, byteCount]) ?? false
  }

  /// Returns whether these bytes were an original, and every asset that had them as one is deleted.
  func isDeleted(_ sha256: Data) throws -> Bool {
    let holders = try assets(holdingAnyOf: [sha256]).filter { asset in
      AssetFiles(try resources(of: asset)).originals.contains { $0.sha256 == sha256 }
    }
    guard holders.isEmpty else { return holders.allSatisfy { $0.trashedDate != nil } }
    let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM deleted_original WHERE sha256 = ?)")
    return try Bool.fetchOne(statement, arguments: [sha256]) ?? false
  }
}

extension LibraryStore {
  /// Returns whether a file has the bytes of an original that was deleted, whether it can be restored or not.
  public func isDeleted(_ source: ByteSource) throws -> Bool {
    let byteCount = try source.byteCount()
    guard try inspect({ try $0.hasDeletedOriginal(byteCount: byteCount) }) else { return false }
    let sha256 = try source.sha256()
    return try inspect { try $0.isDeleted(sha256) }
  }
}
