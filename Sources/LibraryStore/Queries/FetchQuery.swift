/// A fetch as a value: which assets, in which order, how many.
///
///     var query = FetchQuery()
///     query.sort = [.init(.creationDate, ascending: false)]
///     query.limit = 50
public struct FetchQuery: Hashable, Sendable {
  public enum Key: String, CaseIterable, Sendable {
    case creationDate = "creation_date"
    case localDate = "local_date"
    case modificationDate = "modification_date"
    case addedDate = "added_date"
    case mediaType = "media_type"
    case mediaSubtypes = "media_subtypes"
    case duration
    case pixelWidth = "pixel_width"
    case pixelHeight = "pixel_height"
    case isFavorite = "is_favorite"
    case isHidden = "is_hidden"
    case burstIdentifier = "burst_identifier"
  }

  public struct Sort: Hashable, Sendable {
    public var key: Key
    public var ascending: Bool
    public init(_ key: Key, ascending: Bool) {
      self.key = key
      self.ascending = ascending
    }
  }

  /// `nil`: of any type.
  public var mediaType: Int?
  /// `nil`: all; an empty list is an empty result.
  public var uuids: [String]?
  public var burstIdentifier: String?
  public var includesHidden = false
  public var includesAllBurstAssets = false
  /// Empty: in the order in which the assets were added. Equal ones stand in that order too, or against it when the last
  /// key descends.
  public var sort: [Sort] = []
  /// 0: all.
  public var limit = 0

  public init() {}
}
