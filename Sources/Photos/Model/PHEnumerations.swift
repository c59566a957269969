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

/// Who chose a frame of a burst.
public struct PHAssetBurstSelectionType: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let autoPick = PHAssetBurstSelectionType(rawValue: 1 << 0)
  public static let userPick = PHAssetBurstSelectionType(rawValue: 1 << 1)
}

/// Where an asset comes from; in a Calotype library all are the user's own.
public struct PHAssetSourceType: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let typeUserLibrary = PHAssetSourceType(rawValue: 1 << 0)
  public static let typeCloudShared = PHAssetSourceType(rawValue: 1 << 1)
  public static let typeiTunesSynced = PHAssetSourceType(rawValue: 1 << 2)
}

/// What can be done to an asset.
public enum PHAssetEditOperation: Int, Sendable {
  case delete = 1
  /// Edit the picture or the movie.
  case content = 2
  /// Change the date, the place, whether it is a favourite or hidden.
  case properties = 3
}

extension PHAsset {
  /// How the current version of an asset is to be shown.
  public enum PlaybackStyle: Int, Sendable {
    case unsupported = 0
    case image = 1
    case imageAnimated = 2
    case livePhoto = 3
    case video = 4
    case videoLooping = 5
  }

  /// Whether an asset has been edited.
  public enum AdjustmentsState: Int, Sendable {
    case none = 0
    case userAdjusted = 2
    case cameraAutoAdjusted = 3
  }

  /// Which file of a RAW and JPEG pair counts as the original.
  public enum OriginalResourceChoice: Int, Sendable {
    case compressed = 0
    case raw = 1
  }

  /// Stars.
  public enum Rating: Int, Sendable {
    case unset = 0
    case one = 1
    case two = 2
    case three = 3
    case four = 4
    case five = 5
  }

  /// The effect that a Live Photo is played with.
  public enum PlaybackVariation: Int, Sendable {
    case none = 0
    case autoloop = 1
    case mirror = 2
    case longExposure = 3
  }
}

/// The kinds of objects that changes are told of.
public enum PHObjectType: Int, Sendable {
  case asset = 1
  case assetCollection = 2
  case collectionList = 3
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
