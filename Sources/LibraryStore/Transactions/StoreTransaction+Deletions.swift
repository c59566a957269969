import Foundation

/// Records deleted originals, by digest and size only.
extension StoreTransaction {
  /// Records that an original was permanently deleted.
  func remember(deleted original: ResourceRecord) throws {
    try db.execute(
      "INSERT OR IGNORE INTO deleted_original (sha256, byte_count) VALUES (?, ?)", original.sha256, original.byteCount)
  }

  /// Removes the record that these bytes were deleted, since an asset has them again.
  func forgetDeletion(of sha256: Data) throws {
    try db.execute("DELETE FROM deleted_original WHERE sha256 = ?", sha256)
  }

  /// Returns whether an original of this size is in the trash or was permanently deleted. Files of
  /// other sizes need not be hashed.
  func hasDeletedOriginal(byteCount: Int) throws -> Bool {
    return try db.isTrue(
      """
      SELECT EXISTS (SELECT 1 FROM deleted_original WHERE byte_count = ?)
        OR EXISTS (SELECT 1 FROM original JOIN resource ON resource.original_id = original.id
          JOIN asset ON asset.id = resource.asset_id WHERE byte_count = ? AND trashed_date IS NOT NULL)
      """, byteCount, byteCount)
  }

  /// Returns whether these bytes were an original and every asset with that original is deleted.
  func isDeleted(_ sha256: Data) throws -> Bool {
    let holders = try assets(holdingAnyOf: [sha256]).filter { asset in
      AssetFiles(try resources(of: asset)).originals.contains { $0.sha256 == sha256 }
    }
    guard holders.isEmpty else { return holders.allSatisfy { $0.trashedDate != nil } }
    return try db.isTrue("SELECT EXISTS (SELECT 1 FROM deleted_original WHERE sha256 = ?)", sha256)
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
