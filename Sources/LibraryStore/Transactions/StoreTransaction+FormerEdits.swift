import Foundation

extension StoreTransaction {
  /// Returns the names of the files of former edits in the folder of each asset whose edit changed.
  func formerEdits() throws -> [(uuid: String, names: [String])] {
    try assetsWithChangedEdits.sorted().compactMap { asset in
      guard let uuid: String = try db.value("SELECT uuid FROM asset WHERE id = ?", asset) else { return nil }
      let paths: [String] = try db.values(
        """
        SELECT DISTINCT path FROM history_original JOIN original ON original.id = original_id
        WHERE asset_id = ? AND original_id NOT IN (SELECT original_id FROM resource) ORDER BY path
        """, asset)
      let folder = "adjustments/\(uuid)/"
      return (uuid, paths.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) })
    }
  }
}
