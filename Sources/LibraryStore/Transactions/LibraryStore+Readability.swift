import Foundation

/// A decoder's finding about the file that an asset shows.
public enum Readability: Hashable, Sendable {
  case whole
  /// A part of the picture is missing or wrong.
  case damaged
  case unreadable(reason: String)
}

extension AssetRecord {
  /// Returns whether the record has the same finding, whatever the reason.
  public func agrees(with readability: Readability) -> Bool {
    switch readability {
    case .whole: !isUnreadable && !traits.contains(.damaged)
    case .damaged: !isUnreadable && traits.contains(.damaged)
    case .unreadable: isUnreadable
    }
  }
}

extension LibraryStore {
  /// Records whether the file that an asset shows can be read.
  ///
  /// Writes nothing if that is known, or if the asset shows another file by now. Also writes
  /// nothing if the asset shows an edit: edits can be reverted, and the recorded reason is about
  /// the original.
  public func setReadability(_ readability: Readability, ofAsset uuid: String, showing sha256: Data) throws {
    func record(in transaction: StoreTransaction) throws -> AssetRecord? {
      guard let asset = try transaction.asset(uuid: uuid), !asset.agrees(with: readability), !asset.hasAdjustments,
        AssetFiles(try transaction.resources(of: asset)).current?.sha256 == sha256
      else { return nil }
      return asset
    }
    // If nothing changes, don't wait for other transactions.
    guard try inspect({ try record(in: $0) }) != nil else { return }
    try commit { transaction in
      guard var asset = try record(in: transaction) else { return }
      var reason: String?
      if case .unreadable(let text) = readability { reason = text }
      asset.isUnreadable = reason != nil
      if readability == .damaged { asset.traits.insert(.damaged) } else { asset.traits.remove(.damaged) }
      try transaction.update(asset)
      guard var detail = try transaction.detail(of: asset) else { return }
      detail.unreadableReason = reason
      try transaction.update(detail, of: asset)
    }
  }

  /// Returns the UUIDs of the assets that have the file at a path relative to the library's folder.
  public func assets(withFileAt path: String) throws -> [String] {
    try read { db in
      try db.values(
        """
        SELECT DISTINCT uuid FROM asset JOIN resource ON asset_id = asset.id
        JOIN original ON original.id = original_id WHERE path = ?
        """, path)
    }
  }
}
