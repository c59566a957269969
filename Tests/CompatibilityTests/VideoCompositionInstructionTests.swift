import AVFoundation
import Imaging
import PhotosTesting
import TestSupport
import Testing

/// A layer's placing, and the colors of the exported frame's corners.
struct Placing: Sendable, CustomTestStringConvertible {
  var name: String
  /// The clockwise rotation of the movie in degrees: 0 or 90.
  var rotation = 0
  var size = CGSize(width: 64, height: 48)
  /// `nil` for the track's own transform.
  var transform: CGAffineTransform? = .identity
  var crop: CGRect?
  var opacity: Float?
  /// Top left, top right, bottom left, bottom right.
  var corners: [String]
  var testDescription: String { name }

  static let upright = CGSize(width: 48, height: 64)
  static let stored = ["red", "lime", "blue", "white"]
  static let turned = ["blue", "red", "white", "lime"]
  static let nothing = ["black", "black", "black", "black"]

  static let all: [Placing] = [
    Placing(name: "no transform", corners: stored),
    Placing(name: "no transform of a turned movie", rotation: 90, corners: stored),
    Placing(name: "the own transform", transform: nil, corners: stored),
    Placing(name: "the own transform of a turned movie", rotation: 90, size: upright, transform: nil, corners: turned),
    Placing(
      name: "a rotation by radians", size: upright,
      transform: CGAffineTransform(rotationAngle: .pi / 2)
        .concatenating(CGAffineTransform(translationX: 48, y: 0)),
      corners: turned),
    Placing(
      name: "a mirroring", transform: CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 64, ty: 0),
      corners: ["lime", "red", "white", "blue"]),
    Placing(
      name: "a move to the left", size: CGSize(width: 32, height: 48),
      transform: CGAffineTransform(translationX: -32, y: 0), corners: ["lime", "lime", "white", "white"]),
    Placing(
      name: "a move up", size: CGSize(width: 64, height: 24), transform: CGAffineTransform(translationX: 0, y: -24),
      corners: ["blue", "white", "blue", "white"]),
    Placing(
      name: "a move to the right and down", transform: CGAffineTransform(translationX: 32, y: 24),
      corners: ["black", "black", "black", "red"]),
    Placing(
      name: "a half in the corner", transform: CGAffineTransform(scaleX: 0.5, y: 0.5),
      corners: ["red", "black", "black", "black"]),
    Placing(
      name: "a half", size: CGSize(width: 32, height: 24), transform: CGAffineTransform(scaleX: 0.5, y: 0.5),
      corners: stored),
    Placing(
      name: "a crop", crop: CGRect(x: 32, y: 0, width: 32, height: 24), corners: ["black", "lime", "black", "black"]),
    Placing(
      name: "a crop of a turned movie", rotation: 90, size: upright, transform: nil,
      crop: CGRect(x: 0, y: 0, width: 32, height: 24), corners: ["black", "red", "black", "black"]),
    Placing(name: "a crop beside the picture", crop: CGRect(x: 100, y: 0, width: 9, height: 9), corners: nothing),
    Placing(name: "a crop without bounds", crop: .infinite, corners: stored),
    Placing(name: "no opacity", opacity: 0, corners: nothing),
    // Four tenths of the light would be 169 of 255.
    Placing(name: "an opacity of four tenths, which is 102 of 255", opacity: 0.4, corners: nothing),
    Placing(name: "an opacity of six tenths, which is 153 of 255", opacity: 0.6, corners: stored),
    Placing(name: "a transform without an inverse", transform: CGAffineTransform(scaleX: 0, y: 1), corners: nothing),
    Placing(
      name: "a transform that is no number", transform: CGAffineTransform(translationX: .nan, y: 0), corners: nothing),
    Placing(
      name: "an endless transform", transform: CGAffineTransform(scaleX: .infinity, y: 1), corners: nothing),
  ]
}

@Suite(.serialized) struct VideoCompositionInstructionTests {
  private let folder: URL

  /// A movie of half a second, with ten frames a second. The quarters of its stored picture are
  /// red, lime, blue and white.
  private static let sample = Result {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mov")
    defer { try? FileManager.default.removeItem(at: url) }
    let boxes = [("lime", 32, 0), ("blue", 0, 24), ("white", 32, 24)]
      .map { ",drawbox=x=\($0.1):y=\($0.2):w=32:h=24:color=\($0.0):t=fill" }
    try Child.check(
      "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=c=red:s=64x48:r=10:d=0.5" + boxes.joined(), "-c:v",
      "libx264", "-crf", "4", "-pix_fmt", "yuv420p", url.path)
    return try Data(contentsOf: url)
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("layers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Returns the movie, whose header says that it is turned.
  private func movie(rotation: Int = 0) throws -> AVURLAsset {
    var data = try Self.sample.get()
    if rotation == 90 {
      let (zero, one): ([UInt8], [UInt8]) = ([0, 0, 0, 0], [0, 1, 0, 0])
      let unit: [UInt8] = [0x40, 0, 0, 0]
      let header = try #require(data.range(of: Data("tkhd".utf8)))
      let upright = Data(one + zero + zero + zero + one + zero + zero + zero + unit)
      let matrix = try #require(data.range(of: upright, in: header.upperBound..<data.endIndex))
      let minusOne: [UInt8] = [0xFF, 0xFF, 0, 0]
      data.replaceSubrange(
        matrix, with: Data(zero + one + zero + minusOne + zero + zero + [0, 48, 0, 0] + zero + unit))
    }
    let url = folder.appendingPathComponent("movie.mov")
    try data.write(to: url)
    return AVURLAsset(url: url)
  }

  private func layer(of asset: AVAsset) throws -> AVMutableVideoCompositionLayerInstruction {
    AVMutableVideoCompositionLayerInstruction(
      assetTrack: try #require(asset.tracks(withMediaType: .video).first))
  }

  /// Returns a composition with one instruction for the whole movie.
  private func composition(
    _ asset: AVAsset, _ layers: [AVVideoCompositionLayerInstruction], size: CGSize = CGSize(width: 64, height: 48)
  ) -> AVMutableVideoComposition {
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = CMTimeRange(start: .zero, duration: asset.duration)
    instruction.layerInstructions = layers
    let composition = AVMutableVideoComposition()
    composition.instructions = [instruction]
    composition.frameDuration = CMTime(value: 1, timescale: 10)
    composition.renderSize = size
    return composition
  }

  private func exported(
    _ asset: AVAsset, _ composition: AVVideoComposition, _ preset: String = AVAssetExportPresetHighestQuality,
    timeRange: CMTimeRange? = nil
  ) async throws -> AVURLAsset {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
    session.videoComposition = composition
    if let timeRange { session.timeRange = timeRange }
    let url = folder.appendingPathComponent("\(UUID().uuidString).mov")
    try await session.export(to: url, as: .mov)
    return AVURLAsset(url: url)
  }

  /// Returns the size of a frame and the colors of its corners.
  private func corners(_ asset: AVURLAsset, at time: CMTime = .zero) throws -> (size: CGSize, colors: [String]) {
    let image = try AVAssetImageGenerator(asset: asset).copyCGImage(at: time, actualTime: nil)
    let bytes = try #require(image.dataProvider?.data)
    let points = [(4, 4), (image.width - 5, 4), (4, image.height - 5), (image.width - 5, image.height - 5)]
    let colors = points.map { column, row in
      let start = row * image.bytesPerRow + column * 4
      return switch bytes[start..<start + 3].map({ $0 > 127 }) {
      case [true, false, false]: "red"
      case [false, true, false]: "lime"
      case [false, false, true]: "blue"
      case [true, true, true]: "white"
      case [false, false, false]: "black"
      default: "another color"
      }
    }
    return (CGSize(width: image.width, height: image.height), colors)
  }

  @Test(arguments: Placing.all) func `an export places the picture as its layer says`(placing: Placing) async throws {
    let asset = try movie(rotation: placing.rotation)
    let layer = try layer(of: asset)
    if let transform = placing.transform {
      layer.setTransform(transform, at: .zero)
    } else {
      let track = try #require(asset.tracks(withMediaType: .video).first)
      layer.setTransform(track.preferredTransform, at: .zero)
    }
    if let crop = placing.crop { layer.setCropRectangle(crop, at: .zero) }
    if let opacity = placing.opacity { layer.setOpacity(opacity, at: .zero) }
    let made = try await exported(asset, composition(asset, [layer], size: placing.size))
    let found = try corners(made)
    #expect(found.size == placing.size)
    #expect(found.colors == placing.corners)
    #expect(abs(made.duration.seconds - 0.5) < 0.05)
    remove()
  }

  @Test func `a value holds from its time, which is the asset's`() async throws {
    let asset = try movie()
    let layer = try layer(of: asset)
    layer.setOpacity(0, at: CMTime(value: 25, timescale: 100))
    let composition = composition(asset, [layer])
    let whole = try await exported(asset, composition)
    #expect(try corners(whole, at: CMTime(value: 2, timescale: 10)).colors == Placing.stored)
    #expect(try corners(whole, at: CMTime(value: 3, timescale: 10)).colors == Placing.nothing)
    let start = CMTime(value: 2, timescale: 10)
    let part = try await exported(asset, composition, timeRange: CMTimeRange(start: start, end: asset.duration))
    #expect(try corners(part).colors == Placing.stored)
    #expect(try corners(part, at: CMTime(value: 1, timescale: 10)).colors == Placing.nothing)
    remove()
  }

  @Test func `a ramp moves the picture`() async throws {
    let asset = try movie()
    let layer = try layer(of: asset)
    layer.setTransformRamp(
      fromStart: .identity, toEnd: CGAffineTransform(translationX: -64, y: 0),
      timeRange: CMTimeRange(start: .zero, duration: CMTime(value: 4, timescale: 10)))
    let made = try await exported(asset, composition(asset, [layer]))
    #expect(try corners(made).colors == Placing.stored)
    #expect(
      try corners(made, at: CMTime(value: 2, timescale: 10)).colors == ["lime", "black", "white", "black"])
    #expect(try corners(made, at: CMTime(value: 4, timescale: 10)).colors == Placing.nothing)
    remove()
  }

  @Test func `each instruction is shown in its time`() async throws {
    let asset = try movie()
    let composition = composition(asset, [try layer(of: asset)])
    let half = CMTime(value: 15, timescale: 100)
    let (first, second) = (AVMutableVideoCompositionInstruction(), AVMutableVideoCompositionInstruction())
    first.timeRange = CMTimeRange(start: .zero, duration: half)
    second.timeRange = CMTimeRange(start: half, end: asset.duration)
    second.layerInstructions = [try layer(of: asset)]
    composition.instructions = [first, second]
    let made = try await exported(asset, composition)
    #expect(try corners(made, at: CMTime(value: 1, timescale: 10)).colors == Placing.nothing)
    #expect(try corners(made, at: CMTime(value: 2, timescale: 10)).colors == Placing.stored)
    remove()
  }

  @Test func `a preset makes the placed picture smaller`() async throws {
    let asset = try movie()
    let layer = try layer(of: asset)
    layer.setTransform(CGAffineTransform(scaleX: 20, y: 20), at: .zero)
    let large = composition(asset, [layer], size: CGSize(width: 1280, height: 960))
    let found = try corners(try await exported(asset, large, AVAssetExportPreset640x480))
    #expect(found.size == CGSize(width: 640, height: 480) && found.colors == Placing.stored)
    remove()
  }

  @Test(arguments: [(0, CGSize(width: 64, height: 48), Placing.stored), (90, Placing.upright, Placing.turned)])
  func `a composition of a movie's properties shows it upright`(rotation: Int, size: CGSize, colors: [String])
    async throws
  {
    let asset = try movie(rotation: rotation)
    let composition = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: asset)
    #expect(composition.renderSize == size && composition.renderScale == 1)
    #expect(composition.frameDuration == CMTime(value: 1, timescale: 10))
    #expect(composition.instructions.map(\.timeRange) == [CMTimeRange(start: .zero, duration: asset.duration)])
    let found = try corners(try await exported(asset, composition))
    #expect(found.size == size && found.colors == colors)
    remove()
  }

  @Test func `a part of a movie in a composition is placed as its stored picture`() async throws {
    let asset = try movie(rotation: 90)
    let part = AVMutableComposition()
    try part.insertTimeRange(CMTimeRange(start: .zero, duration: asset.duration), of: asset, at: .zero)
    let layer = try layer(of: part)
    let transform = try #require(asset.tracks(withMediaType: .video).first).preferredTransform
    layer.setTransform(transform, at: .zero)
    let found = try corners(try await exported(part, composition(part, [layer], size: Placing.upright)))
    #expect(found.size == Placing.upright && found.colors == Placing.turned)
    remove()
  }

  @Test(arguments: [false, true]) func `instructions end with the picture, though the sound is longer`(
    isComposed: Bool
  ) async throws {
    let silent = try movie()
    let url = folder.appendingPathComponent("sound.mov")
    try Child.check(
      "ffmpeg", "-loglevel", "error", "-i", silent.url.path, "-f", "lavfi", "-i", "sine=d=2", "-map", "0:v", "-map",
      "1:a", "-c:v", "copy", "-c:a", "aac", url.path)
    let file = AVURLAsset(url: url)
    let asset = isComposed ? try composed(of: file) : file
    let composition = composition(asset, [])
    let picture = try #require(asset.tracks(withMediaType: .video).first)
    #expect(abs(picture.timeRange.duration.seconds - 0.5) < 0.05 && abs(asset.duration.seconds - 2) < 0.1)
    if isComposed { #expect(picture.segments.map(\.timeMapping.target) == [picture.timeRange]) }
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = picture.timeRange
    instruction.layerInstructions = [try layer(of: asset)]
    composition.instructions = [instruction]
    #expect(try corners(try await exported(asset, composition)).colors == Placing.stored)
    remove()
  }

  /// Returns a composition into which each track was inserted alone.
  private func composed(of file: AVURLAsset) throws -> AVAsset {
    let composition = AVMutableComposition()
    for mediaType in [AVMediaType.video, .audio] {
      let track = try #require(file.tracks(withMediaType: mediaType).first)
      let target = composition.addMutableTrack(withMediaType: mediaType, preferredTrackID: kCMPersistentTrackID_Invalid)
      let range = CMTimeRange(start: .zero, duration: track.timeRange.duration)
      try target?.insertTimeRange(range, of: track, at: .zero)
    }
    return composition
  }

  /// A composition that can't be drawn, and its name.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var make: @Sendable (AVMutableVideoComposition, AVMutableVideoCompositionInstruction) -> Void
  }

  private static let mistakes: [Mistake] = [
    Mistake(testDescription: "no instruction") { composition, _ in composition.instructions = [] },
    Mistake(testDescription: "no time range") { $1.timeRange = .invalid },
    Mistake(testDescription: "an empty time range") { $1.timeRange = .zero },
    Mistake(testDescription: "an endless start") {
      $1.timeRange = CMTimeRange(start: .negativeInfinity, duration: .positiveInfinity)
    },
    Mistake(testDescription: "an indefinite length") { $1.timeRange.duration = .indefinite },
    Mistake(testDescription: "a late start") { $1.timeRange.start = CMTime(value: 1, timescale: 10) },
    Mistake(testDescription: "an early end") { $1.timeRange.duration = CMTime(value: 1, timescale: 10) },
    Mistake(testDescription: "overlapping ranges") { $0.instructions = [$1, $1] },
    Mistake(testDescription: "another track") {
      let layer = AVMutableVideoCompositionLayerInstruction()
      layer.trackID = 9
      $1.layerInstructions = [layer]
    },
    Mistake(testDescription: "two layers") { $1.layerInstructions += $1.layerInstructions },
    Mistake(testDescription: "no size") { composition, _ in composition.renderSize = .zero },
    Mistake(testDescription: "an endless size") { composition, _ in composition.renderSize.width = .infinity },
    Mistake(testDescription: "a size that is no number") { composition, _ in composition.renderSize.height = .nan },
    Mistake(testDescription: "no frame duration") { composition, _ in composition.frameDuration = .invalid },
    Mistake(testDescription: "another scale") { composition, _ in composition.renderScale = 2 },
  ]

  @Test(arguments: mistakes) func `a composition that can't be drawn fails the export`(mistake: Mistake) async throws {
    let asset = try movie()
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = CMTimeRange(start: .zero, duration: asset.duration)
    instruction.layerInstructions = [try layer(of: asset)]
    let composition = composition(asset, [])
    composition.instructions = [instruction]
    mistake.make(composition, instruction)
    await #expect { try await exported(asset, composition) } throws: {
      ($0 as NSError).domain == AVFoundationErrorDomain && ($0 as NSError).code == -11841
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["movie.mov"])
    remove()
  }

  @Test func `an instruction allows post-processing at first`() {
    let instruction = AVMutableVideoCompositionInstruction()
    #expect(instruction.enablePostProcessing)
    instruction.enablePostProcessing = false
    #expect(!instruction.enablePostProcessing)
    remove()
  }

  @Test func `a handler and instructions exclude each other`() async throws {
    let asset = try movie()
    let filtering = AVMutableVideoComposition(asset: asset) { $0.finish(with: $0.sourceImage, context: nil) }
    #expect(filtering.instructions.isEmpty)
    filtering.instructions = composition(asset, [try layer(of: asset)]).instructions
    await #expect { try await exported(asset, filtering) } throws: { ($0 as NSError).code == -11841 }
    remove()
  }
}
