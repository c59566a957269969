import Foundation
import PhotosTesting

/// The plan of one asset of the demo, before it is drawn: its kind, its picture and its metadata.
struct DemoItem: Sendable {
  enum Kind: Hashable, Sendable {
    case jpeg, heic, live, movie, screenshot, panorama, rawAndJPEG, motionPhoto, truncated
    case gif, png, webP
    /// A burst. Each frame becomes a file of its own.
    case burst(count: Int)

    /// The number of assets that a library makes of the item.
    var assetCount: Int {
      if case .burst(let count) = self { return count }
      return 1
    }
  }

  var kind: Kind
  var scene: SampleScene
  var seed: UInt64
  var isPortrait: Bool
  var date: Date
  var metadata: SampleMetadata
  /// The path inside the demo's folder, without the extension.
  var path = ""

  private var size: PictureSize { isPortrait ? PictureSize.large.turned : .large }

  /// Draws the files and returns them with their paths.
  func files() throws(SampleError) -> [SampleFile] {
    switch kind {
    case .jpeg:
      return [SampleFile(path + ".JPG", try SampleMedia.jpeg(size: size, seed: seed, scene: scene, metadata: metadata))]
    case .heic:
      return [
        SampleFile(path + ".HEIC", try SampleMedia.heic(size: size, seed: seed, scene: scene, metadata: metadata))
      ]
    case .png: return [SampleFile(path + ".PNG", try SampleMedia.png(size: .medium, seed: seed, scene: scene))]
    case .webP: return [SampleFile(path + ".webp", try SampleMedia.webP(size: .large, seed: seed, scene: scene))]
    case .gif:
      let size = PictureSize(width: 360, height: 270)
      return [SampleFile(path + ".GIF", SampleMedia.animatedGIF(frames: 16, size: size, seed: seed, scene: scene))]
    case .live:
      let pair = try SampleMedia.livePhoto(
        size: size, seed: seed, scene: scene, metadata: metadata, stillType: seed % 4 == 0 ? .jpeg : .heic)
      return [SampleFile("\(path).\(pair.stillType.rawValue)", pair.still), SampleFile(path + ".MOV", pair.video)]
    case .movie:
      let frame = PictureSize(width: 640, height: 360)
      let movie = try SampleMedia.movie(
        duration: Double(2 + seed % 5), size: isPortrait ? frame.turned : frame, seed: seed, scene: scene,
        metadata: metadata, codec: seed % 3 == 0 ? .hevc : .h264, rotation: isPortrait ? 90 : 0)
      return [SampleFile(path + ".MOV", movie)]
    case .screenshot: return [SampleFile(path + ".PNG", try SampleMedia.screenshotPNG(seed: seed, metadata: metadata))]
    case .panorama:
      return [SampleFile(path + ".JPG", try SampleMedia.panorama(seed: seed, scene: scene, metadata: metadata))]
    case .rawAndJPEG:
      let jpeg = try SampleMedia.jpeg(size: size, seed: seed, scene: scene, metadata: metadata, quality: 90)
      let raw = try SampleMedia.dng(size: size, seed: seed, scene: scene, metadata: metadata)
      return [SampleFile(path + ".JPG", jpeg), SampleFile(path + ".DNG", raw)]
    case .motionPhoto:
      let data = try SampleMedia.motionPhoto(size: size, seed: seed, scene: scene, metadata: metadata)
      return [SampleFile(path + ".jpg", data)]
    case .truncated:
      return [
        SampleFile(
          path + ".JPG", try BrokenFiles.truncatedJPEG(size: size, seed: seed, scene: scene, metadata: metadata))
      ]
    case .burst(let count):
      let frames = try SampleMedia.burst(count: count, size: size, seed: seed, scene: scene, metadata: metadata)
      return frames.enumerated().map { SampleFile("\(path)_\(padded($0.offset + 1)).JPG", $0.element) }
    }
  }
}
