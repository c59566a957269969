import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// Returns the identifiers of the assets that this library's client was allowed to see, as far as
  /// a picker shows them, in the order in which they were added. Returns `nil` if its access is not
  /// limited.
  package func limitedSelection() throws -> [String]? {
    try withPhotosErrors {
      guard case .limited(let record) = try access() else { return nil }
      let query = FetchQuery(.assetsListed(try engine.available().selection(of: record)))
      let found: PHFetchResult<PHAsset> = photoLibrary(for: nil).fetch(query)
      return (0..<found.count).map { found.object(at: $0).localIdentifier }
    }
  }

  /// Replaces the `limitedSelection` of this library's client, and returns the newly chosen assets.
  /// Identifiers without an asset are skipped. Does nothing if the access is not limited.
  ///
  /// Only the owner decides this, so only a picker that the owner operates calls it.
  package func setLimitedSelection(_ identifiers: [String]) throws -> [String] {
    try withPhotosErrors {
      guard let before = try limitedSelection() else { return [] }
      // No other process can commit while this one does, so lists are compared before.
      let difference = SelectionDifference(from: before, to: identifiers)
      return try engine.available().commit { transaction in
        guard case .limited(let record) = try access(in: transaction) else { return [] }
        func row(_ identifier: String) throws -> Int64? {
          try transaction.asset(uuid: PHObject.uuid(localIdentifier: identifier))?.id
        }
        let dropped = try difference.dropped.compactMap(row)
        let added = try difference.added.compactMap { identifier in try row(identifier).map { (identifier, $0) } }
        if !dropped.isEmpty { try transaction.deselect(dropped, for: record) }
        if !added.isEmpty { try transaction.select(added.map(\.1), for: record) }
        return added.map(\.0)
      }
    }
  }
}
