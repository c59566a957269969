import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

/// Tests that pictures stored turned or mirrored come out upright, for each way in which a format
/// states the orientation.
@Suite struct RenditionOrientationTests {
  private static let colors = [Sample.red, Sample.green, Sample.blue, Sample.white]

  private func check(_ bytes: some DataProtocol, _ note: String, within tolerance: Int = 12) throws {
    let file = try TemporaryFolder().file(bytes)
    let metadata = try MediaMetadata(parsing: file, machineTimeZone: .current)
    #expect(PixelSize(width: metadata.pixelWidth, height: metadata.pixelHeight) == PixelSize(width: 900, height: 600))
    // Each format has its fast decoder for the grid rendition. The screen rendition decodes every
    // pixel.
    let set = try makeRenditionsInProcess(of: file, metadata: metadata, kinds: [.grid])
    let whole = try makePictureInProcess(of: file, metadata: metadata, PictureRequest(.whole), limits: .standard)
    let cut = try makePictureInProcess(
      of: file, metadata: metadata, PictureRequest(.filling(width: 100, height: 100), isExact: true),
      limits: .standard)
    for (picture, size) in [
      (try set.rendition(.grid).decoded(), PixelSize(width: 540, height: 360)),
      (whole, PixelSize(width: 900, height: 600)), (cut, PixelSize(width: 100, height: 100)),
    ] {
      #expect(picture.size == size)
      #expect(close(picture.corners, Self.colors, within: tolerance), "\(note): \(picture.corners)")
    }
  }

  /// Returns a picture that `orientation` turns upright.
  private static func stored(_ orientation: Int) -> PixelBuffer {
    // Orientations 6 and 8 are inverse to each other. Each other one is its own inverse.
    Sample.quadrants(900, 600).oriented([6: 8, 8: 6][orientation] ?? orientation)
  }

  @Test(arguments: 1...8, ["public.jpeg", "public.png", "org.webmproject.webp"])
  func `a rendition is upright by its EXIF orientation`(orientation: Int, type: String) throws {
    let exif = EXIFBuilder(orientation: orientation).bytes
    try check(encode(Self.stored(orientation), as: type, quality: 95, exif: exif), "\(type) \(orientation)")
  }

  @Test(arguments: 1...8) func `a rendition is upright by its TIFF orientation`(orientation: Int) throws {
    let pixels = Self.stored(orientation)
    let tiff = TIFFBuilder(
      main: [
        (0x100, .long([pixels.width])), (0x101, .long([pixels.height])), (0x102, .short([8, 8, 8])),
        (0x103, .short([1])), (0x106, .short([2])), (0x111, .long([8])), (0x112, .short([orientation])),
        (0x115, .short([3])), (0x116, .long([pixels.height])), (0x117, .long([pixels.bytes.count])),
      ], preamble: pixels.bytes)
    try check(tiff.bytes, "\(orientation)")
  }

  /// EXIF's orientations as counterclockwise turns, each followed by a mirror: left to right (1) or
  /// top to bottom (0).
  @Test(
    arguments: [
      (1, []), (2, [box("imir", [1])]), (3, [box("irot", [2])]), (4, [box("imir", [0])]),
      (5, [box("irot", [1]), box("imir", [0])]), (6, [box("irot", [3])]), (7, [box("irot", [3]), box("imir", [0])]),
      (8, [box("irot", [1])]),
    ] as [(Int, [[UInt8]])])
  func `a rendition is upright by its HEIF properties`(orientation: Int, properties: [[UInt8]]) throws {
    let pixels = Self.stored(orientation)
    var sample = try HEVCSample(
      columns: (pixels.width + 127) / 128, rows: (pixels.height + 127) / 128,
      color: { x, y in pixels[min(x, pixels.width - 1), min(y, pixels.height - 1)] })
    sample.size = pixels.size
    sample.properties = properties
    try check(sample.bytes(), "\(orientation)", within: 14)
  }

  @Test(
    .enabled(if: corpus != nil),
    arguments: [
      ["heic/orientation3.heic", "heic/orientation6.heic", "heic/orientation8.heic", "jxl/orientation6.jxl"],
      (1...8).filter { $0 != 2 }.map { "jpeg/orientation/landscape_\($0).jpg" },
    ])
  func `real files of the same scene have similar renditions`(_ paths: [String]) throws {
    let pictures = try paths.map { path in
      let file = try MediaFile(path: "\(try #require(corpus))/\(path)")
      let metadata = try MediaMetadata(parsing: file, machineTimeZone: .current)
      return try makeRenditionsInProcess(of: file, metadata: metadata, kinds: [.grid]).rendition(.grid).decoded()
    }
    for (path, picture) in zip(paths, pictures) {
      #expect(picture.likeness(to: pictures[0]) > 22, "\(path): \(picture.likeness(to: pictures[0]))")
    }
  }

  // MARK: Colors and alpha

  /// iPhones state Display P3 by a profile for the whole picture and for each tile.
  @Test(arguments: [[RenditionKind.grid], [.screen]]) func aPhoneshotsWideColorsBecomeSRGB(kinds: [RenditionKind])
    throws
  {
    var sample = try HEVCSample(color: { _, _ in [200, 100, 50] })
    let profile = box("colr", ascii("prof") + (try #require(ColorProfile(primaries: 12, transfer: 13)).bytes))
    sample.properties = [profile]
    sample.tileProperties = [profile]
    let file = try TemporaryFolder().file(sample.bytes())
    let metadata = try MediaMetadata(parsing: file, machineTimeZone: .current)
    let set = try makeRenditionsInProcess(of: file, metadata: metadata, kinds: Set(kinds))
    let color = try set.rendition(kinds[0]).decoded()[100, 100]
    #expect(close([color], [[215, 93, 31]], within: 6), "\(color)")
    for side in [100, 500] {
      let picture = try makePictureInProcess(
        of: file, metadata: metadata, PictureRequest(.fitting(width: side, height: side)), limits: .standard)
      #expect(close([picture[30, 30]], [[215, 93, 31]], within: 6), "\(picture[30, 30])")
    }
  }

  @Test(arguments: ["public.tiff", "public.jpeg-xl", "com.compuserve.gif", "public.png", "public.heic", "public.avif"])
  func transparencyIsKeptInAnySize(type: String) throws {
    let half = Sample.picture(800, 600, channels: 4) { x, _ in Sample.red + [x < 400 ? 0 : 255] }
    let file = try TemporaryFolder().file(encode(half, as: type, quality: 95))
    let metadata = try MediaMetadata(parsing: file, machineTimeZone: .current)
    let requests = [
      PictureRequest(.whole), PictureRequest(.fitting(width: 200, height: 200)),
      PictureRequest(.filling(width: 64, height: 64), isExact: true),
    ]
    for request in requests {
      let picture = try makePictureInProcess(of: file, metadata: metadata, request, limits: .standard)
      #expect(picture.channels == 4)
      #expect(picture[2, 2].last == 0)
      #expect(close([picture[picture.width - 3, 2]], [Sample.red + [255]], within: 14))
    }
  }
}
