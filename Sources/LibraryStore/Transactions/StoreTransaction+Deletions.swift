import Foundation
internal import GRDB

/// Records deleted originals, by digest and size only.
extension StoreTransaction {
  /// Records that an original was permanently deleted.
  func remember(deleted original: ResourceRecord) throws {
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO deleted_original (sha256, byte_count) VALUES (?, ?)")
      .execute(arguments: [original.sha256, original.byteCount])
  }

  /// Removes the record that these bytes were deleted, since an asset has them again.
  func forgetDeletion(of sha256: Data) throws {
    try db.cachedStatement(sql: "DELETE FROM deleted_original WHERE sha256 = ?").execute(arguments: [sha256])
  }

  /// Returns whether an original of this size is in the trash or was permanently deleted. Files of
  /// other sizes need not be hashed.
  func hasDeletedOriginal(byteCount: Int) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM deleted_original WHERE byte_count = ?)
          OR EXISTS (SELECT 1 FROM original JOIN resource ON resource.original_id = original.id
            JOIN asset ON asset.id = resource.asset_id WHERE byte_count = ? AND trashed_date IS NOT NULL)
        """)
    return try Bool.fetchOne(statement, arguments: [byteCount, byteCount]) ?? false
  }

  /// Returns whether these bytes were an original and every asset with that original is deleted.
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
  /// Returns whether a file has the bytes of a deleted original, whether that can be restored or
  /// not.
  public func isDeleted(_ source: ByteSource) throws -> Bool {
    let byteCount = try source.byteCount()
    guard try inspect({ try $0.hasDeletedOriginal(byteCount: byteCount) }) else { return false }
    let sha256 = try source.sha256()
    return try inspect { try $0.isDeleted(sha256) }
  }
}
