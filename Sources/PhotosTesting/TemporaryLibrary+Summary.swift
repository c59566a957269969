import Foundation
import Photos

extension TemporaryLibrary {
  /// The library's contents without identifiers, for comparisons in tests: one line for each asset,
  /// album and folder.
  ///
  ///     #expect(temporary.summary == """
  ///       IMG_0001.JPG: photo, 160 × 120, 2020-09-13T12:26:40Z, favorite
  ///       album The best: IMG_0001.JPG
  ///       """)
  ///
  /// Assets are in the order of their dates, albums and folders in the user's order, and deleted
  /// assets at the end.
  public var summary: String {
    let assets = PHAsset.fetchAssets(with: everything)
    let deleted = PHAsset.fetchRecentlyDeletedAssets(with: everything)
    let topLevel = PHCollection.fetchTopLevelUserCollections(with: everything)
    return
      (sorted(assets).map(line) + lines(topLevel, in: "") + sorted(deleted).map { "deleted \(name($0))" })
      .joined(separator: "\n")
  }

  private func sorted(_ assets: PHFetchResult<PHAsset>) -> [PHAsset] {
    (0..<assets.count).map(assets.object(at:)).sorted {
      ($0.creationDate ?? .distantPast, name($0)) < ($1.creationDate ?? .distantPast, name($1))
    }
  }

  private func name(_ asset: PHAsset) -> String { asset.extendedMetadata.originalFilename ?? "without a name" }

  private func line(_ asset: PHAsset) -> String {
    let kind =
      switch (asset.mediaType, asset.mediaSubtypes.contains(.photoLive)) {
      case (.video, _): "video of \(String(format: "%.1f", asset.duration)) s"
      case (_, true): "Live Photo"
      default: "photo"
      }
    var parts = [kind, "\(asset.pixelWidth) × \(asset.pixelHeight)"]
    if let date = asset.creationDate { parts.append(date.formatted(.iso8601)) }
    if let place = asset.location?.coordinate { parts.append("at \(place.latitude) \(place.longitude)") }
    if asset.isFavorite { parts.append("favorite") }
    if asset.isHidden { parts.append("hidden") }
    if asset.hasAdjustments { parts.append("edited") }
    return "\(name(asset)): \(parts.joined(separator: ", "))"
  }

  private func lines(_ collections: PHFetchResult<PHCollection>, in folder: String) -> [String] {
    (0..<collections.count).map(collections.object(at:)).flatMap { collection in
      let path = folder + (collection.localizedTitle ?? "")
      if let list = collection as? PHCollectionList {
        let children = PHCollection.fetchCollections(in: list, options: everything)
        return ["folder \(path)"] + lines(children, in: path + "/")
      }
      guard let album = collection as? PHAssetCollection else { return [] }
      let assets = PHAsset.fetchAssets(in: album, options: everything)
      let names = (0..<assets.count).map { name(assets.object(at: $0)) }
      return ["album \(path): \(names.isEmpty ? "empty" : names.joined(separator: ", "))"]
    }
  }
}
