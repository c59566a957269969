/// A fetch as a value: which objects, in which order, how many.
///
///     var query = FetchQuery(.assets)
///     query.sort = [.init(.creationDate, ascending: false)]
///     query.limit = 50
public struct FetchQuery: Hashable, Sendable {
  /// Where the objects are looked for.
  public enum Source: Hashable, Sendable {
    case assets
    case assetsInAlbum(Int64)
    case assetsInSmartAlbum(SmartAlbum)
    /// These assets in this order, as far as they are there.
    case assetsListed([Int64])
    /// `subtype` is `PHAssetCollectionSubtype`'s or `PHCollectionListSubtype`'s raw value; `nil`: any.
    case collections(CollectionKind, subtype: Int?)
    /// Collections of these kinds: for fetches by identifier.
    case collectionsOfKinds(Set<CollectionKind>)
    case children(of: Int64)
    case albumsContaining(asset: Int64)
    case parent(of: Int64)
    case collectionsListed([Int64])
    /// What a fetch finds that can find nothing.
    case nothing
  }

  public struct Sort: Hashable, Sendable {
    public var key: FetchKey
    public var ascending: Bool
    public init(_ key: FetchKey, ascending: Bool) {
      self.key = key
      self.ascending = ascending
    }
  }

  public var source: Source
  public var condition: Condition?
  /// `nil`: of any type.
  public var mediaType: Int?
  /// `nil`: all; an empty list is an empty result.
  public var uuids: [String]?
  public var burstIdentifier: String?
  public var includesHidden = false
  public var includesAllBurstAssets = false
  /// The deleted assets that can still be restored, and no others.
  public var isOfTrash = false
  /// Words that an asset's texts begin with, or an album of it.
  public var searchText: String?
  /// The client that sees its own selection of assets alone.
  public var limitedToClient: Int64?
  /// Empty: in the source's own order. Equal ones stand in the order in which they were added, or against it when the last key
  /// descends.
  public var sort: [Sort] = []
  /// 0: all.
  public var limit = 0
  /// The time of the fetch, in seconds since 1970; it decides what was added recently.
  public var now: Double = 0

  public init(_ source: Source) { self.source = source }

  public var isOfCollections: Bool {
    switch source {
    case .assets, .assetsInAlbum, .assetsInSmartAlbum, .assetsListed, .nothing: false
    case .collections, .collectionsOfKinds, .children, .albumsContaining, .parent, .collectionsListed: true
    }
  }
}

/// What a row of `collection` is: an album or a folder of the user, or one of the albums that fill themselves.
public enum CollectionKind: Int, Sendable, CaseIterable {
  case album = 1
  case smartAlbum, folder
}
