import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// PQ and HLG, wherever a file declares them.
@Suite struct HighDynamicRangeTests {
  private static let levels: [UInt8] = [0, 64, 128, 160, 255]
  /// The levels as ordinary screens show them, by arithmetic: light over that of white paper
  /// (203 cd/m²), encoded by sRGB's curve up to the knee at 0.6.
  private static let shown: [String: [UInt8]] = ["pq": [0, 45, 181], "hlg": [0, 62, 137]]

  private static var picture: PixelBuffer {
    Sample.picture(160, 32) { x, _ in [UInt8](repeating: levels[x / 32], count: 3) }
  }

  private static func profile(_ curve: String) -> [UInt8] {
    ProfileBuilder.rgb(curve == "pq" ? ProfileBuilder.pq : ProfileBuilder.hlg)
  }

  private static func levels(of data: Data) throws -> [[UInt8]] {
    let file = try TemporaryFolder().file(data)
    let picture = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    return levels.indices.map { picture[($0 * 2 + 1) * picture.width / 10, 16] }
  }

  /// Returns what is wrong; nil if the levels are as expected.
  private static func fault(_ found: [[UInt8]], _ curve: String, within tolerance: Int) -> String? {
    let expected = shown[curve, default: []].map { [$0, $0, $0] }
    let isRight =
      close(Array(found.prefix(3)), expected, within: tolerance) && found[3][1] > found[2][1] && found[4][1] > 245
    return isRight ? nil : "\(found)"
  }

  @Test(
    arguments: ["pq", "hlg"],
    ["public.jpeg", "public.png", "org.webmproject.webp", "public.heic", "public.avif"])
  func `a profile with the curve is tone mapped`(curve: String, type: String) throws {
    let carried = CarriedMetadata(profile: Self.profile(curve))
    let data = try encode(Self.picture, as: type, quality: 100, carrying: carried)
    #expect(try Self.fault(Self.levels(of: data), curve, within: 4) == nil)
  }

  @Test(arguments: ["pq", "hlg"]) func `a gray profile with the curve is tone mapped`(curve: String) {
    var pixels = Self.picture
    let profile = ProfileBuilder.gray(curve == "pq" ? ProfileBuilder.pq : ProfileBuilder.hlg)
    #expect(pixels.convertToSRGB(from: .profile(profile)) == nil)
    #expect(Self.fault(Self.levels.indices.map { pixels[$0 * 32, 0] }, curve, within: 2) == nil)
  }

  /// The curve is a straight line, which no code point means.
  @Test(arguments: [("pq", 16), ("hlg", 18)]) func `a profile's code points tell its curve`(
    curve: String, transfer: UInt8
  ) {
    var pixels = Self.picture
    let profile = ProfileBuilder.rgb({ $0 }, [("cicp", ascii("cicp") + big(0, 4) + [9, transfer, 0, 1])])
    #expect(pixels.convertToSRGB(from: .profile(profile)) == nil)
    #expect(Self.fault(Self.levels.indices.map { pixels[$0 * 32, 0] }, curve, within: 2) == nil)
  }

  @Test(arguments: [("pq", 16), ("hlg", 18)]) func `a PNG's code points take precedence over its profile`(
    curve: String, transfer: UInt8
  ) throws {
    let profile = ProfileBuilder.rgb { $0 }
    let png = try encode(Self.picture, as: "public.png", quality: 100, carrying: CarriedMetadata(profile: profile))
    let tagged = png.prefix(33) + PNGChunks.chunk("cICP", [9, transfer, 0, 1]) + png.dropFirst(33)
    #expect(try Self.fault(Self.levels(of: tagged), curve, within: 2) == nil)
  }

  @Test func `code points of a wide gamut are converted`() throws {
    let picture = Sample.picture(32, 32) { _, _ in [200, 100, 50] }
    let png = try encode(picture, as: "public.png", quality: 100)
    let tagged = png.prefix(33) + PNGChunks.chunk("cICP", [12, 13, 0, 1]) + png.dropFirst(33)
    let file = try TemporaryFolder().file(tagged)
    let shown = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    #expect(close([shown[16, 16]], [[215, 93, 31]], within: 2), "\(shown[16, 16])")
  }

  /// Code points, and the computed color of 50 in a picture with a linear profile.
  @Test(
    arguments: [
      ("linear", [1, 8, 0, 1], 122), ("gamma 2.2", [1, 4, 0, 1], 46), ("gamma 2.8", [1, 5, 0, 1], 26),
      ("SMPTE 428-1", [1, 17, 0, 1], 34), ("BT.709", [1, 1, 0, 1], 50), ("limited range", [1, 13, 0, 0], 40),
      ("unspecified, so the profile", [2, 2, 0, 1], 122),
    ] as [(String, [UInt8], UInt8)])
  func `a PNG's other code points apply`(name: String, codePoints: [UInt8], shown: UInt8) throws {
    let carried = CarriedMetadata(profile: ProfileBuilder.rgb { $0 })
    let picture = Sample.picture(32, 32) { _, _ in [50, 50, 50] }
    let png = try encode(picture, as: "public.png", quality: 100, carrying: carried)
    let file = try TemporaryFolder().file(png.prefix(33) + PNGChunks.chunk("cICP", codePoints) + png.dropFirst(33))
    let found = try decodePicture(of: file, metadata: MediaMetadata(of: file))[16, 16]
    #expect(close([found], [[shown, shown, shown]], within: 1), "\(found)")
  }

  // MARK: Coded data

  /// A HEIC of the levels, of one coded picture or two. Only the coded data states the curve.
  private static func heic(_ transfer: String, _ pixelFormat: String = "yuv420p", columns: Int = 1) throws -> HEVCSample
  {
    let width = columns * HEVCSample.side - 12
    return try HEVCSample(.init(pixelFormat: pixelFormat, transfer: transfer), columns: columns, rows: 1) { x, _ in
      [UInt8](repeating: levels[min(x * 5 / width, 4)], count: 3)
    }
  }

  @Test(
    arguments: [(name: "pq", of: "smpte2084"), (name: "hlg", of: "arib-std-b67")], ["yuv420p", "yuv420p10le", "gray"])
  func `HEVC's own curve is tone mapped`(curve: (name: String, of: String), pixelFormat: String) throws {
    let data = try Data(Self.heic(curve.of, pixelFormat).bytes())
    #expect(try Self.fault(Self.levels(of: data), curve.name, within: 4) == nil)
  }

  @Test func `a grid has the curve of its tiles`() throws {
    let data = try Data(Self.heic("smpte2084", columns: 2).bytes())
    #expect(try Self.fault(Self.levels(of: data), "pq", within: 4) == nil)
  }

  @Test func `an identity item has the curve of its picture`() throws {
    var sample = try Self.heic("smpte2084")
    sample.identityProperties = []
    #expect(try Self.fault(Self.levels(of: Data(sample.bytes())), "pq", within: 4) == nil)
  }

  @Test(arguments: [(name: "pq", of: "smpte2084"), (name: "hlg", of: "arib-std-b67")])
  func `AV1's own curve is tone mapped`(curve: (name: String, of: String)) throws {
    let folder = try TemporaryFolder()
    let raw = try folder.file(Self.picture.bytes, named: "levels.rgb")
    let path = folder.url.appendingPathComponent("levels.avif")
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "160x32", "-i", raw.name, "-vf",
        "scale=out_range=limited:out_color_matrix=bt2020,format=yuv420p10le", "-color_range", "tv", "-colorspace",
        "bt2020nc", "-color_primaries", "bt2020", "-color_trc", curve.of, "-c:v", "libaom-av1", "-crf", "4",
        "-cpu-used", "8", "-still-picture", "1", path.path,
      ])
    var data = try Data(contentsOf: path)
    let declared = try #require(data.range(of: Data("colr".utf8)))
    data.replaceSubrange(declared, with: Data("free".utf8))
    #expect(try Self.fault(Self.levels(of: data), curve.name, within: 4) == nil)
  }

  @Test func `a file's code points take precedence over those of its coded data`() throws {
    var sample = try Self.heic("smpte2084")
    sample.properties = [box("colr", ascii("nclx") + big(1, 2) + big(13, 2) + big(6, 2) + [0])]
    let found = try Self.levels(of: Data(sample.bytes()))
    #expect(close(found, Self.levels.map { [$0, $0, $0] }, within: 4), "\(found)")
  }

  @Test func `coded data without code points has the colors of sRGB`() throws {
    let sample = try HEVCSample(.init(isTold: false), columns: 1, rows: 1) { _, _ in [200, 200, 200] }
    let file = MediaBytes(sample.bytes()).all
    #expect(HEIFItems(of: file)?.colors(in: file) == nil)
    #expect(try Self.levels(of: Data(sample.bytes())).allSatisfy { close([$0], [[200, 200, 200]], within: 4) })
  }

  @Test func `edits of high dynamic range are made in sRGB`() throws {
    let carried = CarriedMetadata(profile: Self.profile("hlg"))
    let data = try encode(Self.picture, as: "public.png", quality: 100, carrying: carried)
    let own = try EncodedPicture(data, named: "hlg.png").inOwnColors()
    #expect(own.profile == nil)
    #expect(Self.fault(Self.levels.indices.map { own.pixels[$0 * 32, 0] }, "hlg", within: 2) == nil)
  }

  @Test(arguments: [1.0, 1.8, 2.2, 2.6]) func `an ordinary curve is not mapped`(gamma: Double) throws {
    let profile = try #require(ColorProfile(ProfileBuilder.rgb { pow($0, gamma) }))
    #expect(!profile.isToneMapped)
  }

  @Test func `a bitmap's profile applies`() throws {
    let profile = try #require(ColoredPicture.displayP3)
    var header = ascii("BM") + little(0, 4) + little(0, 4) + little(14 + 124, 4) + little(124, 4) + little(1, 4)
    header += little(1, 4) + little(1, 2) + little(24, 2) + little(0, 4) + little(4, 4) + little(0, 16)
    header += little(0, 16) + ascii("DEBM") + little(0, 48) + little(4, 4) + little(124 + 4, 4)
    header += little(profile.count, 4) + little(0, 4)
    try #require(header.count == 14 + 124)
    let file = try TemporaryFolder().file(header + [50, 100, 200, 0] + profile, named: "wide.bmp")
    let shown = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    #expect(close([shown[0, 0]], [[215, 93, 31]], within: 2), "\(shown[0, 0])")
  }
}
