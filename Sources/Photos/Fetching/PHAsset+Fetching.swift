import Foundation
internal import LibraryStore

extension PHAsset {
  /// All assets that are not hidden; of a burst its representative, unless the options include all.
  public class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    fetch(options) { _ in }
  }

  public class func fetchAssets(with mediaType: PHAssetMediaType, options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    fetch(options) { $0.mediaType = mediaType.rawValue }
  }

  /// The assets with these identifiers, hidden ones too; unknown identifiers are left out, and the order is not the list's.
  public class func fetchAssets(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    fetch(options) {
      $0.uuids = identifiers.map(uuid(localIdentifier:))
      $0.includesHidden = true
      $0.includesAllBurstAssets = true
    }
  }

  /// The frames of one burst.
  public class func fetchAssets(
    withBurstIdentifier identifier: String, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    fetch(options) { $0.burstIdentifier = identifier }
  }

  /// Extension: how many assets each day has, newest first, by the clock of the place where they were taken.
  ///
  ///     for day in PHAsset.fetchDays(with: options) { print(day.date, day.count) }
  ///
  /// In the order of a fetch that is sorted by `localCreationDate`, descending.
  public class func fetchDays(with options: PHFetchOptions?) throws -> [PHAssetDay] {
    let options = options ?? PHFetchOptions()
    do {
      let library = options.photoLibrary ?? .shared()
      return try library.store.dayCounts(options.assetQuery()).map {
        PHAssetDay(daysSince1970: $0.day, count: $0.count)
      }
    } catch { throw PHPhotosError(error) }
  }

  private class func fetch(
    _ options: PHFetchOptions?, _ refine: (inout FetchQuery) -> Void
  ) -> PHFetchResult<PHAsset> {
    let options = options ?? PHFetchOptions()
    let library = options.photoLibrary ?? .shared()
    var query = options.validatedAssetQuery
    refine(&query)
    var ids: [Int64] = []
    var failure: PHPhotosError?
    do { ids = try library.store.assetIDs(query) } catch { failure = PHPhotosError(error) }
    return PHFetchResult(
      ids: ids, failure: failure, missing: { PHAsset(record: .deleted, photoLibrary: library) },
      load: { ids in try library.assets(ids: ids) })
  }
}

extension PHFetchOptions {
  /// A fetch has no way to throw: what `validate` would have thrown traps, as PhotoKit's raises.
  fileprivate var validatedAssetQuery: FetchQuery {
    do { return try assetQuery() } catch { fatalError(PHPhotosError(error).localizedDescription) }
  }
}

/// A day on which assets were taken.
public struct PHAssetDay: Hashable, Sendable {
  /// On the clock of the place.
  public var daysSince1970: Int
  public var count: Int

  /// `2019-03-04`.
  public var date: String {
    String(Date(timeIntervalSince1970: Double(daysSince1970) * 86_400).formatted(.iso8601.year().month().day()))
  }
}

extension PHPhotoLibrary {
  /// The assets of these ids in their order; one that was deleted since is left as a bare one, so that the places still agree.
  func assets(ids: [Int64]) throws -> [PHAsset] {
    let records = try store.assets(ids: ids)
    guard records.count < ids.count else { return records.map { PHAsset(record: $0, photoLibrary: self) } }
    let byID = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return ids.map { PHAsset(record: byID[$0] ?? .deleted, photoLibrary: self) }
  }
}
