import Foundation
internal import LibraryStore

extension PHAsset {
  /// Returns the number of assets of each day, the newest day first. A day is counted in the local
  /// time of the place where an asset was taken.
  ///
  ///     for day in PHAsset.fetchDays(with: options) { print(day.date, day.count) }
  ///
  /// The order is that of a fetch sorted by `localCreationDate`, descending.
  public class func fetchDays(with options: PHFetchOptions?) throws -> [AssetDay] {
    let options = options ?? PHFetchOptions()
    return try withPhotosErrors {
      let library = options.library
      let query = try library.restricted(options.query(.assets, for: .asset), to: library.accessForFetching())
      return try library.engine.available().dayCounts(query).map { AssetDay(daysSince1970: $0.day, count: $0.count) }
    }
  }

  /// Returns the assets whose identifiers begin with a text, including hidden ones.
  package class func fetchAssets(
    withIdentifierPrefix prefix: String, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    let prefix = prefix.uppercased()
    return PHFetchOptions.fetch(options, .assets, for: .asset) {
      // A range, because the index of the identifiers serves it. G follows a UUID's characters.
      $0.condition = .all([
        $0.condition ?? .always, .comparison(.key(.uuid), .greaterOrEqual, .value(.text(prefix))),
        .comparison(.key(.uuid), .less, .value(.text(prefix + "G"))),
      ])
      $0.includesHidden = true
      $0.includesAllBurstAssets = true
    }
  }

  /// Returns the deleted assets that can still be restored, the latest deletion first. An asset can
  /// be restored for thirty days. Only the owner finds them, by `PHPhotoLibrary(url:)`.
  public class func fetchRecentlyDeletedAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    PHFetchOptions.fetch(options, .assets, for: .asset) { $0.isOfTrash = true }
  }

  /// Returns those of the assets that are in Recently Deleted. A client finds assets that it knows.
  package class func fetchRecentlyDeletedAssets(
    withUUIDs uuids: [String], options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    PHFetchOptions.fetch(options, .assets, for: .asset) {
      $0.isOfTrash = true
      $0.uuids = uuids.map(uuid(localIdentifier:))
    }
  }
}

/// A day on which assets were taken.
public struct AssetDay: Hashable, Sendable {
  /// The day in the local time of the place.
  public var daysSince1970: Int
  public var count: Int

  /// The day as text, like `2019-03-04`.
  public var date: String {
    String(Date(timeIntervalSince1970: Double(daysSince1970) * 86_400).formatted(.iso8601.year().month().day()))
  }
}
