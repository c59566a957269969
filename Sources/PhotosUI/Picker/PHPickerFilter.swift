/// The kinds of assets that a picker shows.
///
///     configuration.filter = .all(of: [.images, .not(.screenshots)])
public struct PHPickerFilter: Hashable, Sendable {
  let condition: Condition

  /// The kinds are named as in the picker's protocol.
  indirect enum Condition: Hashable, Sendable {
    case kind(Kind)
    case playbackStyle(Int)
    case any([Condition])
    case all([Condition])
    case not(Condition)
  }

  enum Kind: String, CaseIterable, Sendable {
    case images, videos, livePhotos, depthEffectPhotos, bursts, panoramas, screenshots, screenRecordings,
      cinematicVideos, slomoVideos, timelapseVideos, spatialMedia
  }

  /// Returns whether the picker's protocol has a kind of this name.
  package static func isKind(_ name: String) -> Bool { Kind(rawValue: name) != nil }

  private init(_ kind: Kind) { condition = .kind(kind) }
  private init(_ condition: Condition) { self.condition = condition }

  /// Photos, including Live Photos.
  public static let images = PHPickerFilter(.images)
  public static let videos = PHPickerFilter(.videos)
  public static let livePhotos = PHPickerFilter(.livePhotos)
  /// Portraits.
  public static let depthEffectPhotos = PHPickerFilter(.depthEffectPhotos)
  public static let bursts = PHPickerFilter(.bursts)
  public static let panoramas = PHPickerFilter(.panoramas)
  public static let screenshots = PHPickerFilter(.screenshots)
  public static let screenRecordings = PHPickerFilter(.screenRecordings)
  public static let cinematicVideos = PHPickerFilter(.cinematicVideos)
  public static let slomoVideos = PHPickerFilter(.slomoVideos)
  public static let timelapseVideos = PHPickerFilter(.timelapseVideos)
  public static let spatialMedia = PHPickerFilter(.spatialMedia)

  /// Assets that are played in this way. An edit that makes a still of a Live Photo or of an
  /// animation does not count.
  public static func playbackStyle(_ playbackStyle: PHAsset.PlaybackStyle) -> PHPickerFilter {
    PHPickerFilter(.playbackStyle(playbackStyle.rawValue))
  }

  /// Assets that at least one of the filters shows. Without filters there are none.
  public static func any(of subfilters: [PHPickerFilter]) -> PHPickerFilter {
    PHPickerFilter(.any(subfilters.map(\.condition)))
  }

  /// Assets that all filters show. Without filters these are all assets.
  public static func all(of subfilters: [PHPickerFilter]) -> PHPickerFilter {
    PHPickerFilter(.all(subfilters.map(\.condition)))
  }

  /// Assets that the filter does not show.
  public static func not(_ filter: PHPickerFilter) -> PHPickerFilter { PHPickerFilter(.not(filter.condition)) }
}
