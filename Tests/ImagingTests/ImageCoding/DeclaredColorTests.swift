import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Colors that a file declares by numbers, without a profile.
@Suite struct DeclaredColorTests {
  private static let color: [UInt8] = [200, 100, 50]

  private static func shown(_ bytes: [UInt8]) throws -> [UInt8] {
    let file = try TemporaryFolder().file(bytes, named: "sample")
    return try decodePicture(of: file, metadata: MediaMetadata(of: file))[4, 4]
  }

  // MARK: PNG

  private static func png(_ chunks: [UInt8], profile: [UInt8]? = nil) throws -> [UInt8] {
    let picture = Sample.picture(16, 16) { _, _ in color }
    let png = try encode(picture, as: "public.png", quality: 100, carrying: CarriedMetadata(profile: profile))
    return [UInt8](png.prefix(33)) + chunks + [UInt8](png.dropFirst(33))
  }

  private static func gamma(_ value: Int) -> [UInt8] { PNGChunks.chunk("gAMA", big(value, 4)) }

  /// White, red, green and blue.
  private static func chromaticities(_ values: [Int]) -> [UInt8] {
    PNGChunks.chunk("cHRM", values.flatMap { big($0, 4) })
  }

  private static let sRGB = chromaticities([31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000])
  private static let adobeRGB = chromaticities([31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000])
  private static let ntsc = chromaticities([31000, 31600, 67000, 33000, 21000, 71000, 14000, 8000])
  private static let proPhoto = chromaticities([34570, 35850, 73470, 26530, 15960, 84040, 3660, 10])

  /// The expected colors are computed from powers, and from matrices of the chromaticities with
  /// Bradford's adaptation of white.
  private static let declarations: [(name: String, chunks: [UInt8], shown: [UInt8])] = [
    ("sRGB's gamma and chromaticities", gamma(45455) + sRGB, color),
    ("sRGB's gamma", gamma(45455), color),
    ("a rounded gamma", gamma(45000), color),
    ("light", gamma(100_000), [229, 168, 122]),
    ("a gamma of 1/1.8", gamma(55556) + sRGB, [210, 119, 65]),
    ("a gamma of 0.35", gamma(35000), [187, 74, 25]),
    ("Adobe RGB", gamma(45455) + adobeRGB, [227, 100, 42]),
    ("chromaticities first", adobeRGB + gamma(45455), [227, 100, 42]),
    ("light in Adobe RGB", gamma(100_000) + adobeRGB, [248, 168, 120]),
    ("another white", gamma(45455) + ntsc, [233, 93, 22]),
    ("ProPhoto RGB", gamma(55556) + proPhoto, [255, 80, 47]),
    ("chromaticities alone", adobeRGB, color),
    ("sRGB's own chunk", PNGChunks.chunk("sRGB", [0]) + gamma(100_000) + adobeRGB, color),
    ("sRGB's own chunk last", gamma(100_000) + PNGChunks.chunk("sRGB", [0]), color),
    ("code points", gamma(55556) + PNGChunks.chunk("cICP", [1, 8, 0, 1]), [229, 168, 122]),
    ("unspecified code points", gamma(55556) + PNGChunks.chunk("cICP", [2, 2, 0, 1]), [210, 119, 65]),
    ("a gamma of 0", gamma(0), color),
    ("the largest gamma", gamma(0xFFFF_FFFF), color),
    ("the smallest gamma", gamma(1), color),
    ("chromaticities of 0", gamma(100_000) + chromaticities([Int](repeating: 0, count: 8)), [229, 168, 122]),
    ("chromaticities on one line", gamma(100_000) + chromaticities([1, 1, 2, 2, 3, 3, 4, 4]), [229, 168, 122]),
    (
      "the largest chromaticities", gamma(100_000) + chromaticities([Int](repeating: 0xFFFF_FFFF, count: 8)),
      [229, 168, 122]
    ),
    ("truncated chromaticities", gamma(100_000) + PNGChunks.chunk("cHRM", big(31270, 4)), [229, 168, 122]),
    ("a truncated gamma", PNGChunks.chunk("gAMA", [1]), color),
  ]

  @Test(arguments: declarations.indices) func `the gamma and the chromaticities of a PNG apply`(index: Int) throws {
    let (name, chunks, expected) = Self.declarations[index]
    let found = try Self.shown(Self.png(chunks))
    #expect(close([found], [expected], within: 1), "\(name): \(found)")
  }

  @Test func `the profile of a PNG takes precedence over its gamma`() throws {
    let profile = ProfileBuilder.rgb { pow($0, 2.2) }
    let found = try Self.shown(Self.png(Self.gamma(100_000), profile: profile))
    #expect(found == (try Self.shown(Self.png([], profile: profile))))
  }

  @Test(arguments: ["cICP", "gAMA"]) func `colors of a PNG may follow many chunks`(type: String) throws {
    let text = PNGChunks.chunk("tEXt", ascii("Comment\0a"))
    let chunks = [[UInt8]](repeating: text, count: 200).flatMap { $0 }
    let colors = PNGChunks.chunk(type, type == "cICP" ? [1, 8, 0, 1] : big(100_000, 4))
    let found = try Self.shown(Self.png(chunks + colors))
    #expect(close([found], [[229, 168, 122]], within: 1), "\(found)")
  }

  @Test func `the gamma of a gray PNG applies`() throws {
    // 8 × 8 pixels of 8 bits. Each row begins with its filter.
    let rows = [[UInt8]](repeating: [0] + [UInt8](repeating: 100, count: 8), count: 8).flatMap { $0 }
    var png: [UInt8] = [0x89] + ascii("PNG\r\n") + [0x1A, 0x0A]
    png += PNGChunks.chunk("IHDR", big(8, 4) + big(8, 4) + [8, 0, 0, 0, 0]) + Self.gamma(100_000)
    png += PNGChunks.chunk("IDAT", zlibStored(rows)) + PNGChunks.chunk("IEND", [])
    let found = try Self.shown(png)
    #expect(close([found], [[168, 168, 168]], within: 1), "\(found)")
  }

  // MARK: Bitmaps

  /// A bitmap of 8 × 8 pixels with a header of version 4.
  private static func bitmap(_ primaries: [Double], gammas: [Double], space: Int = 0) -> [UInt8] {
    var bytes = ascii("BM") + little(0, 4) + little(0, 4) + little(14 + 108, 4) + little(108, 4) + little(8, 4)
    bytes += little(8, 4) + little(1, 2) + little(24, 2) + little(0, 4) + little(0, 4) + little(0, 16)
    bytes += little(0, 16) + little(space, 4) + primaries.flatMap { little(Int($0 * Double(1 << 30)), 4) }
    bytes += gammas.flatMap { little(Int($0 * 65536), 4) }
    let pixel = [color[2], color[1], color[0]]
    return bytes + [[UInt8]](repeating: pixel, count: 64).flatMap { $0 }
  }

  /// Red, green and blue.
  private static let corners = [0.64, 0.33, 0.03, 0.21, 0.71, 0.08, 0.15, 0.06, 0.79]
  private static let cornersOfSRGB = [0.64, 0.33, 0.03, 0.30, 0.60, 0.10, 0.15, 0.06, 0.79]
  private static let bitmaps: [(name: String, bytes: [UInt8], shown: [UInt8])] = [
    ("sRGB", bitmap(cornersOfSRGB, gammas: [2.2, 2.2, 2.2]), color),
    ("light", bitmap(cornersOfSRGB, gammas: [1, 1, 1]), [229, 168, 122]),
    ("three gammas", bitmap(cornersOfSRGB, gammas: [1, 1.8, 2.2]), [229, 119, 46]),
    ("Adobe RGB", bitmap(corners, gammas: [2.2, 2.2, 2.2]), [227, 100, 42]),
    ("X, Y and Z of any sum", bitmap(corners.map { $0 * 1.5 }, gammas: [2.2, 2.2, 2.2]), [227, 100, 42]),
    ("no numbers", bitmap([Double](repeating: 0, count: 9), gammas: [0, 0, 0]), color),
    ("no gammas", bitmap(corners, gammas: [0, 0, 0]), color),
    ("the largest gammas", bitmap(corners, gammas: [65535, 65535, 65535]), color),
    ("sRGB by name", bitmap(corners, gammas: [1, 1, 1], space: 0x7352_4742), color),
  ]

  @Test(arguments: bitmaps.indices) func `the calibrated colors of a bitmap apply`(index: Int) throws {
    let (name, bytes, expected) = Self.bitmaps[index]
    let found = try Self.shown(bytes)
    #expect(close([found], [expected], within: 1), "\(name): \(found)")
  }
}
