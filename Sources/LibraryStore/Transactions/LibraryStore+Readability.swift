import Foundation

extension LibraryStore {
  /// Writes why the file that an asset shows can't be read, or that it can (`nil`).
  ///
  /// Nothing is written where that is known, where the asset shows another file by now, or an edit: that one can be taken back, and the reason
  /// is the original's.
  public func setUnreadableReason(_ reason: String?, ofAsset uuid: String, showing sha256: Data) throws {
    func record(in transaction: StoreTransaction) throws -> AssetRecord? {
      guard let asset = try transaction.asset(uuid: uuid), asset.isUnreadable != (reason != nil), !asset.hasAdjustments,
        AssetFiles(try transaction.resources(of: asset)).current?.sha256 == sha256
      else { return nil }
      return asset
    }
    // Whoever has no news need not wait for other transactions.
    guard try inspect({ try record(in: $0) }) != nil else { return }
    try commit { transaction in
      guard var asset = try record(in: transaction) else { return }
      asset.isUnreadable = reason != nil
      try transaction.update(asset)
      guard var detail = try transaction.detail(of: asset) else { return }
      detail.unreadableReason = reason
      try transaction.update(detail, of: asset)
    }
  }
}
