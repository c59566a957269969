/// The albums that fill themselves.
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

  /// The smart albums that contain hidden assets.
  public static let withHidden: [SmartAlbum] = [.allHidden, .recentlyDeleted]

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
}
