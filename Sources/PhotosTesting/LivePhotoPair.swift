import Foundation

/// The two files of a Live Photo, which share an identifier.
///
///     let live = try SampleMedia.livePhoto(seed: 4)
///     try live.still.write(to: folder.appendingPathComponent("IMG_0004.HEIC"))
///     try live.video.write(to: folder.appendingPathComponent("IMG_0004.MOV"))
public struct LivePhotoPair: Sendable {
  public enum StillType: String, Sendable {
    case heic = "HEIC"
    case jpeg = "JPG"
  }

  public var still: Data
  public var stillType: StillType
  /// The movie, in a QuickTime container.
  public var video: Data
  public var contentIdentifier: String
}

extension SampleMedia {
  /// Makes a Live Photo. If `metadata.contentIdentifier` is `nil`, the seed determines the
  /// identifier.
  public static func livePhoto(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata(), stillType: LivePhotoPair.StillType = .heic
  ) throws(SampleError) -> LivePhotoPair {
    let metadata = livePhotoMetadata(metadata, seed: seed)
    let scene = scene ?? SampleScene(seed: seed)
    let movieSize = PictureSize(width: max(64, size.width / 4), height: max(64, size.height / 4))
    let video = try movie(duration: 1.5, size: movieSize, seed: seed, scene: scene, metadata: metadata)
    return try livePhoto(size: size, seed: seed, scene: scene, metadata: metadata, stillType: stillType, video: video)
  }

  static func livePhotoMetadata(_ metadata: SampleMetadata, seed: UInt64) -> SampleMetadata {
    var random = SeededGenerator(seed: seed ^ 0x11FE)
    var metadata = metadata
    metadata.camera = metadata.camera ?? .iPhone
    metadata.contentIdentifier = metadata.contentIdentifier ?? random.uuid().uuidString
    return metadata
  }

  /// Makes a Live Photo of a movie that has the metadata already.
  static func livePhoto(
    size: PictureSize, seed: UInt64, scene: SampleScene, metadata: SampleMetadata,
    stillType: LivePhotoPair.StillType, video: Data
  ) throws(SampleError) -> LivePhotoPair {
    let still =
      switch stillType {
      case .heic: try heic(size: size, seed: seed, scene: scene, metadata: metadata)
      case .jpeg: try jpeg(size: size, seed: seed, scene: scene, metadata: metadata)
      }
    return LivePhotoPair(
      still: still, stillType: stillType, video: video, contentIdentifier: metadata.contentIdentifier ?? "")
  }
}
