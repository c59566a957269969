/// A fetch as a value: the objects, their order and their number.
///
///     var query = FetchQuery(.assets)
///     query.sort = [.init(.creationDate, ascending: false)]
///     query.limit = 50
public struct FetchQuery: Hashable, Sendable {
  /// The set of objects in which the query searches.
  public enum Source: Hashable, Sendable {
    case assets
    case assetsInAlbum(Int64)
    case assetsInSmartAlbum(SmartAlbum)
    /// The assets of all albums in a folder, at any depth.
    case assetsInFolder(Int64)
    /// These assets in this order, except for missing ones.
    case assetsListed([Int64])
    /// Collections of a kind. `subtype` is the raw value of `PHAssetCollectionSubtype` or
    /// `PHCollectionListSubtype`; `nil` means any.
    case collections(CollectionKind, subtype: Int?)
    /// Collections of these kinds, for fetches by identifier.
    case collectionsOfKinds(Set<CollectionKind>)
    case children(of: Int64)
    /// The collections in no folder other than the root.
    case topLevel
    case albumsContaining(asset: Int64)
    case parent(of: Int64)
    case collectionsListed([Int64])
    /// The source of a fetch that can find nothing.
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

  /// A term of a search, like “live”, that is a kind or a date, or plain words. An asset matches if
  /// it fulfills the condition or has the words.
  public struct SearchTerm: Hashable, Sendable {
    public var condition: Condition
    public var words: String
    public init(condition: Condition, words: String) {
      self.condition = condition
      self.words = words
    }
  }

  public var source: Source
  public var condition: Condition?
  /// The seconds that a reading may take to match the condition's patterns. Then it fails with
  /// `tookTooLong`. `nil` means no limit.
  public var patternSeconds: Double?
  /// The media type; `nil` means any.
  public var mediaType: Int?
  /// The identifiers; `nil` means all, and an empty list finds nothing.
  public var uuids: [String]?
  public var burstIdentifier: String?
  public var includesHidden = false
  /// Whether hidden assets are not found at all: by no identifier, and not in Recently Deleted.
  public var concealsHidden = false
  /// Whether to leave out Recently Deleted, and the assets in it unless they are named by `uuids`.
  public var concealsTrash = false
  public var includesAllBurstAssets = false
  /// Whether to find only the deleted assets that can still be restored.
  public var isOfTrash = false
  /// Whether `now` hides deleted assets after thirty days. A single reading of a computer's clock
  /// does not: they are found until they are expunged.
  public var expiresTrash = false
  /// Words that begin words in an asset's texts, or in the title of an album that contains it. In a
  /// fetch of collections, they begin words of the title.
  public var searchText: String?
  /// Terms of a search that name a kind or a date. An asset must match all of them.
  public var searchTerms: [SearchTerm] = []
  /// The client to whose selection of assets the fetch is limited.
  public var limitedToClient: Int64?
  /// The order; empty for the source's own order. Equal objects are ordered by insertion, or in
  /// reverse if the last key descends.
  public var sort: [Sort] = []
  /// The largest number of objects; 0 means all.
  public var limit = 0
  /// The time of the fetch in seconds since 1970. It determines which assets were added
  /// recently.
  public var now: Double = 0

  public init(_ source: Source) { self.source = source }

  /// Whether the fetch reads texts. Its result changes with the titles of albums.
  public var isSearch: Bool { searchText != nil || !searchTerms.isEmpty }

  public var isOfCollections: Bool {
    switch source {
    case .assets, .assetsInAlbum, .assetsInSmartAlbum, .assetsInFolder, .assetsListed, .nothing: false
    case .collections, .collectionsOfKinds, .children, .topLevel, .albumsContaining, .parent, .collectionsListed: true
    }
  }
}
