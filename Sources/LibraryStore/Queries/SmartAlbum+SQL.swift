/// The condition of each smart album, on the columns that `asset` and `asset_tally` share.
extension SmartAlbum {
  /// The number of days in which an asset counts as recently added.
  static let recentDays = 30.0

  /// Returns the condition in SQL that the album contains an asset; `nil` if it contains every
  /// asset. If `client` is not nil, the condition is for that client's selection.
  func condition(limitedToClient client: Int64?) -> String? {
    switch self {
    case .generic, .unableToUpload: "0"
    case .userLibrary, .recentlyDeleted, .recentlyAdded: nil
    case .panoramas: Self.hasSubtype(MediaSubtype.panorama)
    case .videos: "media_type = \(MediaType.video)"
    case .favorites: "is_favorite = 1"
    case .timelapses: Self.hasSubtype(MediaSubtype.timelapse)
    case .allHidden: Visibility.condition(requiring: .hidden, allowing: .unpickedFrame)
    case .bursts: client.map { SelectedBursts(client: $0).isRepresentative } ?? "represents_burst = 1"
    case .slomoVideos: Self.hasSubtype(MediaSubtype.highFrameRate)
    case .selfPortraits: Self.hasTrait(.selfie)
    case .screenshots: Self.hasSubtype(MediaSubtype.screenshot)
    case .depthEffect: Self.hasSubtype(MediaSubtype.depthEffect)
    case .livePhotos: Self.hasSubtype(MediaSubtype.live)
    case .animated: Self.hasSubtype(MediaSubtype.animation)
    case .longExposures: Self.hasTrait(.longExposure)
    case .raw: Self.hasTrait(.raw)
    case .cinematic: Self.hasSubtype(MediaSubtype.cinematic)
    case .spatial: Self.hasSubtype(MediaSubtype.spatial)
    case .screenRecordings: Self.hasSubtype(MediaSubtype.screenRecording)
    case .unreadable: "is_unreadable = 1"
    case .damaged: Self.hasTrait(.damaged)
    }
  }

  private static func hasSubtype(_ bit: Int) -> String { "media_subtypes & \(bit) != 0" }
  private static func hasTrait(_ trait: AssetTraits) -> String { "traits & \(trait.rawValue) != 0" }
}
