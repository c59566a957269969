import Foundation
internal import GRDB

/// What a decoder found out about the file that an asset shows.
public enum Readability: Hashable, Sendable {
  case whole
  /// A part of the picture is missing or wrong.
  case damaged
  case unreadable(reason: String)
}

extension AssetRecord {
  /// Whether the record says the same, though not for which reason.
  public func agrees(with readability: Readability) -> Bool {
    switch readability {
    case .whole: !isUnreadable && !traits.contains(.damaged)
    case .damaged: !isUnreadable && traits.contains(.damaged)
    case .unreadable: isUnreadable
    }
  }
}

extension LibraryStore {
  /// Writes whether the file that an asset shows can be read.
  ///
  /// Nothing is written where that is known, where the asset shows another file by now, or an edit: that one can be taken back, and the reason
  /// is the original's.
  public func setReadability(_ readability: Readability, ofAsset uuid: String, showing sha256: Data) throws {
    func record(in transaction: StoreTransaction) throws -> AssetRecord? {
      guard let asset = try transaction.asset(uuid: uuid), !asset.agrees(with: readability), !asset.hasAdjustments,
        AssetFiles(try transaction.resources(of: asset)).current?.sha256 == sha256
      else { return nil }
      return asset
    }
    // Whoever has no news need not wait for other transactions.
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

  /// Returns the assets that have the file at a path below the library's folder.
  public func assets(withFileAt path: String) throws -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT uuid FROM asset JOIN resource ON asset_id = asset.id
          JOIN original ON original.id = original_id WHERE path = ?
          """, arguments: [path])
    }
  }
}
