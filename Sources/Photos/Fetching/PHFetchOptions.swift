import Foundation
internal import LibraryStore

/// The choice and the order of the objects that a fetch returns.
///
///     let options = PHFetchOptions()
///     options.predicate = NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)
///     options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
///     options.fetchLimit = 50
///     let latest = PHAsset.fetchAssets(with: options)
///
/// Without sort descriptors the order is the one in which the assets were added, and albums keep
/// their own order. If a predicate or a sort descriptor can't be used, the fetch traps, as
/// PhotoKit's raises. `validate(for:)` throws the error instead.
open class PHFetchOptions: NSObject, NSCopying {
  /// The condition for the objects; `nil` finds all. `docs/PREDICATES.md` lists the keys and the
  /// grammar.
  open var predicate: NSPredicate?
  open var sortDescriptors: [NSSortDescriptor]?
  /// Whether hidden assets are found. Fetches by identifier always find them.
  open var includeHiddenAssets = false
  /// Whether all frames of a burst are found. If not, only the representative and the picked frames
  /// are.
  open var includeAllBurstAssets = false
  /// The sources of assets. Empty means the user's library, which is the only source here. Fetches
  /// from other sources alone find nothing.
  open var includeAssetSourceTypes: PHAssetSourceType = []
  /// The most objects that are returned, after sorting; 0 for no limit.
  open var fetchLimit = 0
  /// Whether `PHChange` reports the differences in the result, and not only that it changed.
  open var wantsIncrementalChangeDetails = true
  /// A hint that has no effect, since `PHAsset.extendedMetadata` is read quickly.
  open var prefetchAssetExtendedMetadata = false

  var additions = Additions()

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
    copy.additions = additions
    return copy
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

  /// Returns the fetch as a value.
  func query(_ source: FetchQuery.Source, for entity: PredicateEntity) throws -> FetchQuery {
    var query = FetchQuery(source)
    query.includesHidden = includeHiddenAssets
    query.includesAllBurstAssets = includeAllBurstAssets
    query.limit = fetchLimit
    query.searchText = try searchText.map(Self.searchable)
    query.searchTerms = try searchTerms.map { term in
      FetchQuery.SearchTerm(
        condition: try term.predicate.condition(for: entity), words: try Self.searchable(term.words))
    }
    query.patternSeconds = patternSeconds
    query.condition = try predicate.map { try $0.condition(for: entity) }
    query.sort = try (sortDescriptors ?? []).map { descriptor in
      FetchQuery.Sort(try descriptor.key(for: entity), ascending: descriptor.ascending)
    }
    if !includeAssetSourceTypes.isEmpty, !includeAssetSourceTypes.contains(.typeUserLibrary) {
      query.source = .nothing
    }
    return query
  }

  /// Returns the fetch as a value. Traps with the error that `validate(for:)` would throw, since a
  /// fetch has no way to throw; PhotoKit's raises.
  func validQuery(_ source: FetchQuery.Source, for entity: PredicateEntity) -> FetchQuery {
    do { return try query(source, for: entity) } catch { fatalError(PHPhotosError(error).localizedDescription) }
  }
}
