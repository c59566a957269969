// PhotoKit's enumerations, with its names and raw values.

/// The type of an asset.
public enum PHAssetMediaType: Int, Sendable {
  case unknown = 0
  case image = 1
  case video = 2
  case audio = 3
}

/// The kinds of a photo or a video. Unknown bits are kept.
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
}

/// The reasons that a frame of a burst was picked.
public struct PHAssetBurstSelectionType: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let autoPick = PHAssetBurstSelectionType(rawValue: 1 << 0)
  public static let userPick = PHAssetBurstSelectionType(rawValue: 1 << 1)
}

/// The source of an asset. In a Calotype library it is always the user's library.
public struct PHAssetSourceType: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let typeUserLibrary = PHAssetSourceType(rawValue: 1 << 0)
  public static let typeCloudShared = PHAssetSourceType(rawValue: 1 << 1)
  public static let typeiTunesSynced = PHAssetSourceType(rawValue: 1 << 2)
}

/// An operation on an asset.
public enum PHAssetEditOperation: Int, Sendable {
  case delete = 1
  /// Edit the picture or the movie.
  case content = 2
  /// Change the date, the place, or whether the asset is a favorite or hidden.
  case properties = 3
}

extension PHAsset {
  /// The way in which the current version of an asset is displayed.
  public enum PlaybackStyle: Int, Sendable {
    case unsupported = 0
    case image = 1
    case imageAnimated = 2
    case livePhoto = 3
    case video = 4
    case videoLooping = 5
  }

  /// The origin of an asset's edit.
  public enum AdjustmentsState: Int, Sendable {
    case none = 0
    case userAdjusted = 2
    case cameraAutoAdjusted = 3
  }

  /// The file of a RAW and JPEG pair that counts as the original.
  public enum OriginalResourceChoice: Int, Sendable {
    case compressed = 0
    case raw = 1
  }

  /// The number of stars.
  public enum Rating: Int, Sendable {
    case unset = 0
    case one = 1
    case two = 2
    case three = 3
    case four = 4
    case five = 5
  }

  /// The effect with which a Live Photo is played.
  public enum PlaybackVariation: Int, Sendable {
    case none = 0
    case autoloop = 1
    case mirror = 2
    case longExposure = 3
  }
}

/// The kinds of objects whose changes are reported.
public enum PHObjectType: Int, Sendable {
  case asset = 1
  case assetCollection = 2
  case collectionList = 3
}

/// The role of a file in its asset.
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
