import Foundation
internal import LibraryStore

/// Which objects a fetch finds, and in which order.
///
///     let options = PHFetchOptions()
///     options.predicate = NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)
///     options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
///     options.fetchLimit = 50
///     let latest = PHAsset.fetchAssets(with: options)
///
/// Without sort descriptors the oldest added comes first, and albums keep their own order. A predicate or a sort descriptor that
/// can't be used makes the fetch trap, as PhotoKit's raises; `validate(for:)` throws it instead.
open class PHFetchOptions: NSObject, NSCopying {
  /// `docs/PREDICATES.md` tells the keys and the grammar; `nil` finds all.
  open var predicate: NSPredicate?
  open var sortDescriptors: [NSSortDescriptor]?
  /// Fetches by identifier include hidden assets whatever it says.
  open var includeHiddenAssets = false
  /// Otherwise only the representative and the picked frames of a burst are found.
  open var includeAllBurstAssets = false
  /// Empty: the user's library, which is all that there is here. Other sources alone find nothing.
  open var includeAssetSourceTypes: PHAssetSourceType = []
  /// 0: no limit. Applied after sorting.
  open var fetchLimit = 0
  /// Whether `PHChange` is to tell what changed in the result, and not only that it did.
  open var wantsIncrementalChangeDetails = true
  /// Nothing has to be said here: what `PHAsset.extendedMetadata` holds is read quickly.
  open var prefetchAssetExtendedMetadata = false

  /// Extension: the library to fetch from; `nil` is `PHPhotoLibrary.shared()`.
  open var photoLibrary: PHPhotoLibrary?
  /// Extension: words that begin a word of an asset's file name, title, caption, keywords, camera or place, or of the title of an album
  /// that it is in. Each of them has to be found; case and accents don't matter.
  open var searchText: String?

  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHFetchOptions()
    copy.predicate = predicate
    copy.sortDescriptors = sortDescriptors
    copy.includeHiddenAssets = includeHiddenAssets
    copy.includeAllBurstAssets = includeAllBurstAssets
    copy.includeAssetSourceTypes = includeAssetSourceTypes
    copy.fetchLimit = fetchLimit
    copy.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
    copy.prefetchAssetExtendedMetadata = prefetchAssetExtendedMetadata
    copy.photoLibrary = photoLibrary
    copy.searchText = searchText
    return copy
  }

  /// Extension: throws an error that names what a fetch of these objects can't use, and says what it can.
  ///
  ///     try options.validate(for: PHAsset.self)
  public func validate(for objects: PHObject.Type) throws {
    _ = try query(.nothing, for: PredicateEntity(objects))
  }
}

extension PHFetchOptions {
  private static func searchable(_ text: String) throws -> String {
    guard SearchWords(text).words.count <= SearchWords.most else {
      throw PHPhotosError(
        .internalError, "Unsupported search text in fetch options: more than \(SearchWords.most) words")
    }
    return text
  }

  /// The library to fetch from.
  var library: PHPhotoLibrary { photoLibrary ?? .shared() }

  /// The fetch as a value.
  func query(_ source: FetchQuery.Source, for entity: PredicateEntity) throws -> FetchQuery {
    var query = FetchQuery(source)
    query.includesHidden = includeHiddenAssets
    query.includesAllBurstAssets = includeAllBurstAssets
    query.limit = fetchLimit
    query.searchText = try searchText.map(Self.searchable)
    query.condition = try predicate.map { try $0.condition(for: entity) }
    query.sort = try (sortDescriptors ?? []).map { descriptor in
      FetchQuery.Sort(try descriptor.key(for: entity), ascending: descriptor.ascending)
    }
    if !includeAssetSourceTypes.isEmpty, !includeAssetSourceTypes.contains(.typeUserLibrary) {
      query.source = .nothing
    }
    return query
  }

  /// A fetch has no way to throw: what `validate(for:)` would have thrown traps, as PhotoKit's raises.
  func validQuery(_ source: FetchQuery.Source, for entity: PredicateEntity) -> FetchQuery {
    do { return try query(source, for: entity) } catch { fatalError(PHPhotosError(error).localizedDescription) }
  }
}
