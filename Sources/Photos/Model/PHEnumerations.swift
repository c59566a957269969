// PhotoKit's enumerations, with its names and raw values.

/// Whether an asset is a photo, a video or a sound.
public enum PHAssetMediaType: Int, Sendable {
  case unknown = 0
  case image = 1
  case video = 2
  case audio = 3
}

/// What kind of photo or video an asset is; unknown bits are kept.
public struct PHAssetMediaSubtype: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let photoPanorama = PHAssetMediaSubtype(rawValue: 1 << 0)
  public static let photoHDR = PHAssetMediaSubtype(rawValue: 1 << 1)
  public static let photoScreenshot = PHAssetMediaSubtype(rawValue: 1 << 2)
  public static let photoLive = PHAssetMediaSubtype(rawValue: 1 << 3)
  public static let photoDepthEffect = PHAssetMediaSubtype(rawValue: 1 << 4)
  public static let photoAnimation = PHAssetMediaSubtype(rawValue: 1 << 6)
  public static let spatialMedia = PHAssetMediaSubtype(rawValue: 1 << 10)
  public static let videoStreamed = PHAssetMediaSubtype(rawValue: 1 << 16)
  public static let videoHighFrameRate = PHAssetMediaSubtype(rawValue: 1 << 17)
  public static let videoTimelapse = PHAssetMediaSubtype(rawValue: 1 << 18)
  public static let videoScreenRecording = PHAssetMediaSubtype(rawValue: 1 << 19)
  public static let videoCinematic = PHAssetMediaSubtype(rawValue: 1 << 21)

  /// PhotoKit's names of the bits that are set, in the order of their values.
  public var names: [String] { Self.named.filter { contains($0.0) }.map(\.1) }

  private static let named: [(PHAssetMediaSubtype, String)] = [
    (.photoPanorama, "photoPanorama"), (.photoHDR, "photoHDR"), (.photoScreenshot, "photoScreenshot"),
    (.photoLive, "photoLive"), (.photoDepthEffect, "photoDepthEffect"), (.photoAnimation, "photoAnimation"),
    (.spatialMedia, "spatialMedia"), (.videoStreamed, "videoStreamed"), (.videoHighFrameRate, "videoHighFrameRate"),
    (.videoTimelapse, "videoTimelapse"), (.videoScreenRecording, "videoScreenRecording"),
    (.videoCinematic, "videoCinematic"),
  ]
}

/// What one file of an asset is to it.
public enum PHAssetResourceType: Int, Sendable, CaseIterable {
  case photo = 1
  case video = 2
  case audio = 3
  case alternatePhoto = 4
  case fullSizePhoto = 5
  case fullSizeVideo = 6
  case adjustmentData = 7
  case adjustmentBasePhoto = 8
  case pairedVideo = 9
  case fullSizePairedVideo = 10
  case adjustmentBasePairedVideo = 11
  case adjustmentBaseVideo = 12
  case photoProxy = 19
}
