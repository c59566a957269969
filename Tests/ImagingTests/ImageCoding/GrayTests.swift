import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Gray pictures: their profiles and their range.
@Suite struct GrayTests {
  private static let levels: [UInt8] = [0, 64, 128, 192, 255]
  private static let gamma = ProfileBuilder.gray { pow($0, 1.8) }
  private static let linear = ProfileBuilder.gray { $0 }
  /// The levels in sRGB by arithmetic: the light of each, encoded by sRGB's curve.
  private static let ofGamma: [UInt8] = [0, 81, 146, 203, 255]
  private static let ofLinear: [UInt8] = [0, 137, 188, 225, 255]

  /// A gray picture of five vertical stripes of 32 × 32 pixels.
  private static var stripes: [UInt8] {
    let row = levels.flatMap { [UInt8](repeating: $0, count: 32) }
    return [[UInt8]](repeating: row, count: 32).flatMap { $0 }
  }

  private static func shown(_ bytes: [UInt8], kind: RenditionKind) throws -> [[UInt8]] {
    let file = try TemporaryFolder().file(bytes)
    let metadata = try MediaMetadata(of: file)
    let picture = try makeRenditionsInProcess(of: file, metadata: metadata, kinds: [kind]).rendition(kind).decoded()
    return levels.indices.map { picture[$0 * picture.width / 5 + picture.width / 10, picture.height / 2] }
  }

  private static func jpeg(_ profile: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let raw = try folder.file(stripes, named: "gray.raw")
    let path = folder.url.appendingPathComponent("gray.jpg")
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "160x32", "-i", raw.name, "-pix_fmt", "gray",
        "-c:v", "mjpeg", "-qmin", "1", "-q:v", "1", path.path,
      ])
    let jpeg = [UInt8](try Data(contentsOf: path))
    let content = ascii("ICC_PROFILE\0") + [1, 1] + profile
    return Array(jpeg.prefix(2)) + [0xFF, 0xE2] + big(content.count + 2, 2) + content + Array(jpeg.dropFirst(2))
  }

  private static func tiff(_ profile: [UInt8]) -> [UInt8] {
    TIFFBuilder(
      main: [
        (0x100, .long([160])), (0x101, .long([32])), (0x102, .short([8])), (0x103, .short([1])), (0x106, .short([1])),
        (0x111, .long([8])), (0x115, .short([1])), (0x116, .long([32])), (0x117, .long([160 * 32])),
        (0x8773, .bytes(profile)),
      ], preamble: stripes
    ).bytes
  }

  private static func heic(_ profile: [UInt8]) throws -> [UInt8] {
    var sample = try HEVCSample(.init(pixelFormat: "gray", isFullRange: true), columns: 2, rows: 1, color: stripe)
    sample.properties = [box("colr", ascii("prof"), profile)]
    return sample.bytes()
  }

  /// The color of a pixel of five stripes in a picture of 244 pixels.
  private static func stripe(_ x: Int, _ y: Int) -> [UInt8] {
    [UInt8](repeating: levels[min(x * 5 / 244, 4)], count: 3)
  }

  @Test(arguments: [("gamma", gamma, ofGamma), ("linear", linear, ofLinear)], ["jpeg", "tiff", "heic"])
  func `a profile of gray applies in each format`(
    profile: (name: String, bytes: [UInt8], levels: [UInt8]), format: String
  ) throws {
    let bytes =
      switch format {
      case "jpeg": try Self.jpeg(profile.bytes)
      case "tiff": Self.tiff(profile.bytes)
      default: try Self.heic(profile.bytes)
      }
    let shown = try Self.shown(bytes, kind: .grid)
    #expect(close(shown, profile.levels.map { [$0, $0, $0] }, within: 4), "\(shown)")
  }

  @Test func `a profile of gray does not apply to a picture with colors`() {
    var pixels = Sample.quadrants(4, 4)
    let reason = pixels.convertToSRGB(from: .profile(Self.linear))
    #expect(reason == "its color profile is of gray, and the picture is not")
    #expect(pixels == Sample.quadrants(4, 4))
  }

  @Test func `opacity stays as it is`() {
    var pixels = PixelBuffer(width: 1, height: 1, channels: 4, bytes: [64, 64, 64, 64])
    #expect(pixels.convertToSRGB(from: .profile(Self.linear)) == nil)
    #expect(close([pixels.bytes], [[137, 137, 137, 64]], within: 1), "\(pixels.bytes)")
  }

  // MARK: Range

  @Test(arguments: [false, true], ["gray", "gray10le"])
  func `gray of either range and depth is shown alike`(isFullRange: Bool, format: String) throws {
    var sample = try HEVCSample(
      .init(pixelFormat: format, isFullRange: isFullRange), columns: 2, rows: 1, color: Self.stripe)
    sample.properties = [box("colr", ascii("nclx"), big(1, 2), big(13, 2), big(6, 2), [isFullRange ? 0x80 : 0])]
    for kind in [RenditionKind.grid, .full] {
      let shown = try Self.shown(sample.bytes(), kind: kind)
      #expect(close(shown, Self.levels.map { [$0, $0, $0] }, within: 4), "\(kind): \(shown)")
    }
  }

  @Test(arguments: ["null", "extractplanes=y"]) func `an AVIF of limited range is shown alike with and without colors`(
    filter: String
  ) throws {
    let folder = try TemporaryFolder()
    let raw = try folder.file(Self.stripes, named: "gray.raw")
    let path = folder.url.appendingPathComponent("gray.avif")
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "160x32", "-i", raw.name, "-vf",
        "scale=in_range=full:out_range=limited:out_color_matrix=bt709,format=yuv420p,\(filter)", "-color_range",
        "tv", "-colorspace", "bt709", "-c:v", "libaom-av1", "-crf", "4", "-cpu-used", "8", "-still-picture", "1",
        path.path,
      ])
    let shown = try Self.shown([UInt8](Data(contentsOf: path)), kind: .full)
    #expect(close(shown, Self.levels.map { [$0, $0, $0] }, within: 5), "\(shown)")
  }

  /// The planes of this AVIF are green, blue and red, and not brightness and color differences.
  @Test(arguments: ["gbrp", "gbrp10le"], ["tv", "pc"]) func `an AVIF in RGB looks the same in either range`(
    format: String, range: String
  ) throws {
    // The codes of the levels from 16 to 235.
    let limited: [UInt8] = [16, 71, 126, 181, 235]
    let codes = range == "tv" ? limited : Self.levels
    let picture = Sample.picture(160, 32) { x, _ in [UInt8](repeating: codes[x / 32], count: 3) }
    let folder = try TemporaryFolder()
    let raw = try folder.file(picture.bytes, named: "levels.rgb")
    let path = folder.url.appendingPathComponent("levels.avif")
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "160x32", "-i", raw.name, "-vf",
        "format=\(format)", "-color_range", range, "-colorspace", "rgb", "-color_primaries", "bt709", "-color_trc",
        "iec61966-2-1", "-c:v", "libaom-av1", "-crf", "4", "-cpu-used", "8", "-still-picture", "1", path.path,
      ])
    let shown = try Self.shown([UInt8](Data(contentsOf: path)), kind: .full)
    #expect(close(shown, Self.levels.map { [$0, $0, $0] }, within: 4), "\(shown)")
  }
}
