import Foundation
internal import LibraryStore

/// Assets near each other on a map.
package struct AssetPlace: Sendable {
  /// The middle of the assets' places.
  package var latitude: Double
  package var longitude: Double
  package var count: Int
  /// One of the assets.
  package var asset: PHAsset
}

/// Readings of all assets of a result that load none of them.
extension PHFetchResult where ObjectType == PHAsset {
  /// Returns the number of assets of each day, the newest day first.
  package func days() throws -> [AssetDay] {
    try read { store, query in
      // A second search would take as long as the first one.
      let counts = try !query.isSearch ? store.dayCounts(query) : store.dayCounts(of: fetched.ids)
      return counts.map { AssetDay(daysSince1970: $0.day, count: $0.count) }
    } ?? []
  }

  /// Returns the width divided by the height of each asset's picture, or 1 if it is unknown.
  package func aspectRatios() throws -> [Double] {
    try read { store, query in
      try store.sizes(query).map { size in
        size.pixelWidth > 0 && size.pixelHeight > 0 ? Double(size.pixelWidth) / Double(size.pixelHeight) : 1
      }
    } ?? []
  }

  /// Returns the places of the assets in about `limit` clusters.
  package func places(limit: Int) throws -> [AssetPlace] {
    try read { store, query in
      let clusters = try store.clusters(query, limit: limit)
      let records = try store.assets(ids: clusters.map(\.first), limitedToClient: query.limitedToClient)
      let assets = Dictionary(records.map { ($0.id, PHAsset(record: $0, photoLibrary: fetched.library)) }) { first, _ in
        first
      }
      return clusters.compactMap { cluster in
        assets[cluster.first].map {
          AssetPlace(latitude: cluster.latitude, longitude: cluster.longitude, count: cluster.count, asset: $0)
        }
      }
    } ?? []
  }

  /// Returns `nil` for a result without a library.
  private func read<Value>(_ body: (LibraryStore, FetchQuery) throws -> Value) throws -> Value? {
    try fetched.library.map { library in
      try withPhotosErrors { try body(library.engine.available(), fetched.query) }
    }
  }

  /// Returns the index of the asset with a UUID; `nil` if the result does not contain it.
  package func index(ofAssetWithUUID uuid: String) throws -> Int? {
    guard let library = fetched.library else { return nil }
    return try PHAsset.fetchAsset(withUUID: uuid, in: library).flatMap { fetched.ids.firstIndex(of: $0.rowID) }
  }
}

extension PHPhotoLibrary {
  /// The time, by the library's clock.
  package var now: Date { engine.clock() }
}

extension PHAsset {
  /// Returns the assets of all albums in a folder, at any depth.
  package class func fetchAssets(in folder: PHCollectionList, options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    PHFetchOptions.fetch(options, about: folder, .assetsInFolder(folder.rowID), for: .asset)
  }

  /// Returns the asset with a UUID, even if it is hidden; `nil` if there is none. The owner finds
  /// it in Recently Deleted, too.
  package class func fetchAsset(withUUID uuid: String, in library: PHPhotoLibrary) throws -> PHAsset? {
    for isOfTrash in library.client == nil ? [false, true] : [false] {
      if let asset = try fetchAssets(withUUIDs: [uuid], isOfTrash: isOfTrash, in: library).firstObject { return asset }
    }
    return nil
  }

  /// Returns the number of assets that `fetchAsset(withUUID:in:)` finds by these UUIDs.
  package class func count(withUUIDs uuids: Set<String>, in library: PHPhotoLibrary) throws -> Int {
    // An asset may move to the trash between the two fetches, and is found by both then.
    var found: Set<Int64> = []
    for isOfTrash in library.client == nil ? [false, true] : [false] {
      found.formUnion(try fetchAssets(withUUIDs: uuids, isOfTrash: isOfTrash, in: library).fetched.ids)
    }
    return found.count
  }

  private class func fetchAssets(
    withUUIDs uuids: Set<String>, isOfTrash: Bool, in library: PHPhotoLibrary
  ) throws -> PHFetchResult<PHAsset> {
    let found: PHFetchResult<PHAsset> = PHFetchOptions.fetch(nil, in: library, .assets, for: .asset) {
      $0.uuids = uuids.map(uuid(localIdentifier:))
      $0.includesHidden = true
      $0.includesAllBurstAssets = true
      $0.isOfTrash = isOfTrash
    }
    if let error = found.error { throw error }
    return found
  }

  /// The number of days until a deleted asset can't be restored any more; `nil` if it is not
  /// deleted.
  package var daysLeftInTrash: Int? {
    guard let date = record.trashedDate else { return nil }
    let days = (photoLibrary.now.timeIntervalSince(date) / 86_400).rounded(.down)
    // A date in a damaged library may be any number.
    return Self.daysInTrash - Int(min(max(days, 0), Double(Self.daysInTrash)))
  }

  /// Whether one of the originals is a RAW file.
  package var hasRaw: Bool { record.traits.contains(.raw) }

  /// Returns the number of frames of the burst that the asset represents; `nil` for other assets,
  /// and for the only frame that is left.
  package func countOfBurstFrames() throws -> Int? {
    guard representsBurst, let count = try burstFrames()?.count, count > 1 else { return nil }
    return count
  }

  /// Returns the frames of the asset's burst, or the first `limit` of them, in the order in which
  /// they were taken; `nil` for an asset that is of no burst.
  package func burstFrames(limit: Int = 0) throws -> PHFetchResult<PHAsset>? {
    guard let burstIdentifier else { return nil }
    let options = PHFetchOptions()
    options.sortDescriptors = ["creationDate", "originalFilename"].map { NSSortDescriptor(key: $0, ascending: true) }
    options.fetchLimit = limit
    let frames: PHFetchResult<PHAsset> = PHFetchOptions.fetch(options, in: photoLibrary, .assets, for: .asset) {
      $0.burstIdentifier = burstIdentifier
      $0.includesAllBurstAssets = true
      $0.includesHidden = isHidden
      $0.isOfTrash = record.trashedDate != nil
    }
    if let error = frames.error { throw error }
    return frames
  }
}
