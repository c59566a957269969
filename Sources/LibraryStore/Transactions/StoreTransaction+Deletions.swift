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

  /// Returns those of these sizes that an original has that is in the trash or was permanently
  /// deleted.
  func sizesOfDeletedOriginals(among byteCounts: Set<Int>) throws -> Set<Int> {
    let sizes = try db.ids(
      """
      SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM deleted_original WHERE byte_count = value)
        OR EXISTS (SELECT 1 FROM original JOIN resource ON resource.original_id = original.id
          JOIN asset ON asset.id = resource.asset_id WHERE byte_count = value AND trashed_date IS NOT NULL)
      """, byteCounts.map(Int64.init).jsonArray)
    return Set(sizes.map(Int.init))
  }

  /// Returns whether these bytes were an original and every asset with that original is deleted.
  /// If `concealsHidden` is true, hidden assets don't count.
  func isDeleted(_ sha256: Data, concealsHidden: Bool) throws -> Bool {
    let holders = try assets(holdingAnyOf: [sha256]).filter { asset in
      guard !(concealsHidden && asset.isHidden) else { return false }
      return AssetFiles(try resources(of: asset)).originals.contains { $0.sha256 == sha256 }
    }
    guard holders.isEmpty else { return holders.allSatisfy { $0.trashedDate != nil } }
    return try db.isTrue("SELECT EXISTS (SELECT 1 FROM deleted_original WHERE sha256 = ?)", sha256)
  }
}

extension LibraryStore {
  /// Returns those of these sizes that a deleted original has, whether that can be restored or not.
  /// Files of other sizes need not be hashed.
  public func sizesOfDeletedOriginals(among byteCounts: Set<Int>) throws -> Set<Int> {
    try inspect { try $0.sizesOfDeletedOriginals(among: byteCounts) }
  }

  /// Returns whether a file has the bytes of a deleted original, whether that can be restored or
  /// not. If `concealsHidden` is true, those of hidden assets in the trash don't count.
  public func isDeleted(_ source: ByteSource, concealsHidden: Bool = false) throws -> Bool {
    let byteCount = try source.byteCount()
    guard try !sizesOfDeletedOriginals(among: [byteCount]).isEmpty else { return false }
    let sha256 = try source.sha256()
    return try inspect { try $0.isDeleted(sha256, concealsHidden: concealsHidden) }
  }
}
