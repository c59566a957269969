/// The albums that fill themselves. Each is a condition on the columns that `asset` and
/// `asset_tally` share.
public enum SmartAlbum: Int, Sendable, CaseIterable {
  // The raw values are PhotoKit's: `PHAssetCollectionSubtype`.
  case generic = 200
  case panoramas, videos, favorites, timelapses, allHidden, recentlyAdded, bursts, slomoVideos, userLibrary,
    selfPortraits,
    screenshots, depthEffect, livePhotos, animated, longExposures, unableToUpload, raw, cinematic, spatial,
    screenRecordings
  // Calotype's own; PhotoKit has no number for them.
  case recentlyDeleted = 1_000_000_201
  case unreadable = 1_000_000_301
  case damaged = 1_000_000_302

  /// The smart albums of a library, in their order.
  public static let listed: [SmartAlbum] = [
    .userLibrary, .recentlyAdded, .favorites, .videos, .selfPortraits, .livePhotos, .depthEffect, .longExposures,
    .panoramas, .timelapses, .slomoVideos, .cinematic, .bursts, .screenshots, .screenRecordings, .animated, .raw,
    .spatial,
    .unableToUpload, .allHidden, .recentlyDeleted, .unreadable,
    .damaged,
  ]

  public var title: String {
    switch self {
    case .generic: "Smart Album"
    case .panoramas: "Panoramas"
    case .videos: "Videos"
    case .favorites: "Favorites"
    case .timelapses: "Time-lapse"
    case .allHidden: "Hidden"
    case .recentlyAdded: "Recently Added"
    case .bursts: "Bursts"
    case .slomoVideos: "Slo-mo"
    case .userLibrary: "Recents"
    case .selfPortraits: "Selfies"
    case .screenshots: "Screenshots"
    case .depthEffect: "Portrait"
    case .livePhotos: "Live Photos"
    case .animated: "Animated"
    case .longExposures: "Long Exposure"
    case .unableToUpload: "Unable to Upload"
    case .raw: "RAW"
    case .cinematic: "Cinematic"
    case .spatial: "Spatial"
    case .screenRecordings: "Screen Recordings"
    case .recentlyDeleted: "Recently Deleted"
    case .unreadable: "Unable to Read"
    case .damaged: "Damaged"
    }
  }

  /// The number of days in which an asset counts as recently added.
  static let recentDays = 30.0

  /// Returns the condition in SQL that the album contains an asset; `nil` if it contains every
  /// asset. If `client` is not nil, the condition is for that client's selection.
  func condition(limitedToClient client: Int64?) -> String? {
    switch self {
    case .generic, .unableToUpload: "0"
    case .userLibrary, .recentlyDeleted, .recentlyAdded: nil
    case .panoramas: Self.hasSubtype(1 << 0)
    case .videos: "media_type = 2"
    case .favorites: "is_favorite = 1"
    case .timelapses: Self.hasSubtype(1 << 18)
    case .allHidden: Visibility.condition(requiring: .hidden, allowing: .unpickedFrame)
    case .bursts: client.map { SelectedBursts(client: $0).isRepresentative } ?? "represents_burst = 1"
    case .slomoVideos: Self.hasSubtype(1 << 17)
    case .selfPortraits: Self.hasTrait(.selfie)
    case .screenshots: Self.hasSubtype(1 << 2)
    case .depthEffect: Self.hasSubtype(1 << 4)
    case .livePhotos: Self.hasSubtype(1 << 3)
    case .animated: Self.hasSubtype(1 << 6)
    case .longExposures: Self.hasTrait(.longExposure)
    case .raw: Self.hasTrait(.raw)
    case .cinematic: Self.hasSubtype(1 << 21)
    case .spatial: Self.hasSubtype(1 << 10)
    case .screenRecordings: Self.hasSubtype(1 << 19)
    case .unreadable: "is_unreadable = 1"
    case .damaged: Self.hasTrait(.damaged)
    }
  }

  private static func hasSubtype(_ bit: Int) -> String { "media_subtypes & \(bit) != 0" }
  private static func hasTrait(_ trait: AssetTraits) -> String { "traits & \(trait.rawValue) != 0" }
}

/// The traits of an asset that smart albums need and PhotoKit has no property for.
public struct AssetTraits: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// One of its files is a camera's RAW file.
  public static let raw = AssetTraits(rawValue: 1 << 0)
  /// The photo was taken by a phone's front camera.
  public static let selfie = AssetTraits(rawValue: 1 << 1)
  public static let longExposure = AssetTraits(rawValue: 1 << 2)
  /// A Live Photo that is shown as a still.
  public static let stillOnly = AssetTraits(rawValue: 1 << 3)
  /// A Live Photo or an animation whose edit is a still.
  public static let editedToStill = AssetTraits(rawValue: 1 << 4)
  /// A part of the picture is missing or wrong.
  public static let damaged = AssetTraits(rawValue: 1 << 5)
}
