import Foundation
internal import LibraryStore

/// Which objects a fetch finds, and in which order.
///
///     let options = PHFetchOptions()
///     options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
///     options.fetchLimit = 50
///     let latest = PHAsset.fetchAssets(with: options)
///
/// Without sort descriptors the oldest added comes first.
open class PHFetchOptions: NSObject, NSCopying {
  open var sortDescriptors: [NSSortDescriptor]?
  open var includeHiddenAssets = false
  open var includeAllBurstAssets = false
  /// 0: no limit. Applied after sorting.
  open var fetchLimit = 0
  /// Extension: the library to fetch from; `nil` is `PHPhotoLibrary.shared()`.
  open var photoLibrary: PHPhotoLibrary?

  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHFetchOptions()
    copy.sortDescriptors = sortDescriptors
    copy.includeHiddenAssets = includeHiddenAssets
    copy.includeAllBurstAssets = includeAllBurstAssets
    copy.fetchLimit = fetchLimit
    copy.photoLibrary = photoLibrary
    return copy
  }

  /// Throws an error that names what a fetch of assets can't use.
  public func validate() throws { _ = try assetQuery() }

  /// The fetch of assets as a value.
  func assetQuery() throws -> FetchQuery {
    var query = FetchQuery()
    query.includesHidden = includeHiddenAssets
    query.includesAllBurstAssets = includeAllBurstAssets
    query.limit = fetchLimit
    query.sort = try (sortDescriptors ?? []).map { descriptor in
      guard let key = Self.sortKeys.first(where: { $0.name == descriptor.fetchKey }) else {
        let names = Self.sortKeys.map(\.name).joined(separator: ", ")
        throw PHPhotosError(
          .internalError,
          "Unsupported sort descriptor in fetch options: “\(descriptor.fetchKey ?? "a comparator")”; the keys are \(names)"
        )
      }
      return FetchQuery.Sort(key.key, ascending: descriptor.ascending)
    }
    return query
  }

  /// PhotoKit's keys with their aliases, and as an extension `localCreationDate`: the clock of the place.
  private static let sortKeys: [(name: String, key: FetchQuery.Key)] = [
    ("creationDate", .creationDate), ("modificationDate", .modificationDate), ("addedDate", .addedDate),
    ("localCreationDate", .localDate), ("mediaType", .mediaType), ("mediaSubtypes", .mediaSubtypes),
    ("mediaSubtype", .mediaSubtypes), ("duration", .duration), ("pixelWidth", .pixelWidth),
    ("pixelHeight", .pixelHeight), ("favorite", .isFavorite), ("isFavorite", .isFavorite), ("hidden", .isHidden),
    ("isHidden", .isHidden), ("burstIdentifier", .burstIdentifier),
  ]
}
