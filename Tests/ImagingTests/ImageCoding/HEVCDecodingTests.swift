import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Compares the fast decoder for a HEIC file's tiles with libheif.
@Suite struct HEVCDecodingTests {
  private typealias Coding = HEVCSample.Coding

  /// Decodes a file with the fast decoder (`short`) and with libheif (`long`), both upright.
  /// `short` is `nil` if the fast decoder leaves the file to libheif.
  private func decode(_ bytes: [UInt8], scale: Double) throws -> (short: PixelBuffer?, long: PixelBuffer) {
    let file = try TemporaryFolder().file(bytes)
    let long = try decodeHEIF(file, DecodingRequest(kinds: [.full], limits: .standard)).pixels
    let picture = HEVCPicture(bytes)
    let request = DecodingRequest(scale: scale, of: picture?.size ?? long.size, limits: .standard)
    let short = try picture.flatMap { try Imaging.decode($0, named: file, request) }
    let upright = short.map { $0.oriented(picture?.orientation ?? 1) }
    return (upright, long.resized(to: request.size(of: long.size)))
  }

  /// The least likeness in decibels. libheif repeats chroma samples, which are stored at half the
  /// size; the fast decoder scales them with the rest.
  private static let likeness = 36.0

  @Test(arguments: [
    Coding(), Coding(isFullRange: true), Coding(matrix: "bt709"), Coding(matrix: "bt709", isFullRange: true),
    Coding(matrix: "bt2020nc"), Coding(isTold: false),
  ])
  fileprivate func aSmallerGridIsWhatLibheifGives(_ coding: HEVCSample.Coding) throws {
    let bytes = try HEVCSample(coding).bytes()
    // The scales are decoded with and without the filters at the edges of blocks.
    for scale in [0.5, 0.25, 0.13] {
      let (short, long) = try decode(bytes, scale: scale)
      let likeness = try #require(short).likeness(to: long)
      #expect(likeness > Self.likeness, "\(scale): \(likeness)")
    }
  }

  @Test func `full and limited range give different pictures`() throws {
    // Shows that the previous test would notice a wrong range.
    let limited = try decode(HEVCSample(Coding(matrix: "bt709")).bytes(), scale: 0.25).short
    var sample = try HEVCSample(Coding(matrix: "bt709"))
    sample.tileProperties = [Self.nclx(matrix: 1, isFullRange: true)]
    let full = try #require(try decode(sample.bytes(), scale: 0.25).short)
    #expect(try #require(limited).likeness(to: full) < Self.likeness - 2)
  }

  @Test func aPictureInOnePieceIsWhatLibheifGives() throws {
    let chart = Sample.picture(1200, 900) { x, y in
      [UInt8(x * 255 / 1200), UInt8(y * 255 / 900), UInt8((x / 8 + y / 8) % 2 * 120 + 60)]
    }
    let (short, long) = try decode(Array(encode(chart, as: "public.heic", quality: 90)), scale: 0.4)
    #expect(try #require(short).size == PixelSize(width: 480, height: 360))
    #expect(try #require(short).likeness(to: long) > Self.likeness)
  }

  @Test(arguments: 0...3) func aTurnedGridIsWhatLibheifGives(quarters: Int) throws {
    var sample = try HEVCSample()
    sample.properties = [box("irot", [UInt8(quarters)])]
    let (short, long) = try decode(sample.bytes(), scale: 0.5)
    #expect(try #require(short).likeness(to: long) > Self.likeness)
  }

  @Test func theColorsThatTheTilesDeclareAreUsed() throws {
    var sample = try HEVCSample(Coding(matrix: "bt709", isFullRange: true, isTold: false))
    sample.tileProperties = [Self.nclx(matrix: 1, isFullRange: true)]
    let (short, long) = try decode(sample.bytes(), scale: 0.5)
    #expect(try #require(short).likeness(to: long) > Self.likeness)
  }

  private static func nclx(matrix: Int, isFullRange: Bool) -> [UInt8] {
    box("colr", ascii("nclx") + big(1, 2) + big(13, 2) + big(matrix, 2) + [isFullRange ? 0x80 : 0])
  }

  private static let crop = box(
    "clap", big(200, 4), big(1, 4), big(100, 4), big(1, 4), big(0, 4), big(1, 4), big(0, 4), big(1, 4))

  @Test(arguments: ["yuv420p10le", "yuv444p", "gray"])
  func otherPixelsAreLeftToLibheif(_ pixelFormat: String) throws {
    #expect(try decode(HEVCSample(Coding(pixelFormat: pixelFormat)).bytes(), scale: 0.5).short == nil)
  }

  @Test(
    arguments: [
      ("a crop", [crop], []), ("a mirror", [box("imir", [0])], []),
      ("two turns", [box("irot", [1]), box("irot", [1])], []),
      ("turned tiles", [], [box("irot", [2])]), ("mirrored tiles", [], [box("imir", [1])]),
      ("other colours of the whole", [nclx(matrix: 9, isFullRange: false)], [nclx(matrix: 6, isFullRange: false)]),
      ("colours of the whole alone", [nclx(matrix: 1, isFullRange: false)], []),
      ("a property that nobody knows", [box("what", [1])], []),
    ] as [(String, [[UInt8]], [[UInt8]])])
  func `a picture with a rare property is left to libheif`(
    name: String, properties: [[UInt8]], tileProperties: [[UInt8]]
  ) throws {
    var sample = try HEVCSample()
    sample.properties = properties
    sample.tileProperties = tileProperties
    #expect(try decode(sample.bytes(), scale: 0.5).short == nil)
  }

  @Test func aHalfTransparentPictureIsLeftToLibheif() throws {
    let half = Sample.picture(800, 600, channels: 4) { x, _ in Sample.red + [x < 400 ? 0 : 255] }
    let file = try TemporaryFolder().file(encode(half, as: "public.heic", quality: 90))
    let pixels = try decodeHEIF(file, DecodingRequest(kinds: [.grid], limits: .standard)).pixels
    #expect(pixels.channels == 4)
    #expect(pixels[10, 10][3] == 0)
  }

  // MARK: Damage

  @Test func tilesThatAreTheSameBytesAreRefused() throws {
    // A grid of a thousand tiles with the same bytes would decode these bytes a thousand times.
    var sample = try HEVCSample(columns: 4, rows: 3)
    let most = try #require(sample.tiles.map(\.count).max())
    sample.tiles = sample.tiles.map { $0 + [UInt8](repeating: 0, count: most - $0.count) }
    var bytes = sample.bytes()
    let whole = try #require(HEVCPicture(try HEVCSample().bytes()))
    #expect(whole.tiles.count == 12)
    // Each tile's location is replaced by that of the first tile.
    let start = try #require(bytes.firstRange(of: ascii("iloc"))).upperBound + 4 + 4
    let first = Array(bytes[start + 6..<start + 14])
    for tile in 1..<12 { bytes.replaceSubrange(start + tile * 14 + 6..<start + tile * 14 + 14, with: first) }
    bytes.removeLast(most * 10)
    #expect(HEVCPicture(bytes) == nil)
  }

  @Test func `the limit of parameter sets counts all tiles`() throws {
    var sample = try HEVCSample(columns: 5, rows: 4)
    #expect(HEVCPicture(sample.bytes())?.tiles.count == 20)
    // Adds a parameter set of the greatest possible length, which makes 1.3 MB for the twenty tiles
    // of a small file.
    sample.configuration[22] += 1
    sample.configuration += [0x80 | 39, 0, 1] + big(0xFFFF, 2) + [UInt8](repeating: 78, count: 0xFFFF)
    #expect(HEVCPicture(sample.bytes()) == nil)
    sample.tiles.removeLast(8)
    (sample.columns, sample.rows) = (4, 3)
    sample.size = PixelSize(width: 500, height: 372)
    #expect(HEVCPicture(sample.bytes())?.tiles.count == 12)
  }

  @Test func `coded data beyond the byte limit is refused`() throws {
    let sample = try HEVCSample()
    let file = MediaBytes(sample.bytes()).all
    let items = try #require(HEIFItems(of: file))
    let primary = try #require(items.primary)
    let coded = sample.tiles.reduce(0) { $0 + $1.count }
    #expect(HEVCPicture(primary, items, in: file, byteLimit: coded) != nil)
    #expect(HEVCPicture(primary, items, in: file, byteLimit: coded - 1) == nil)
  }

  @Test func `a grid with a missing tile is left to libheif`() throws {
    var sample = try HEVCSample()
    // One tile contains the same picture twice, and the next contains none.
    sample.tiles[5] = sample.tiles[4] + sample.tiles[5]
    #expect(try decode(sample.bytes(), scale: 0.5).short == nil)
  }

  /// A damaged tile is shown as libheif shows it, or the file is left to libheif.
  @Test func damagedTilesAreNotShownAsAnythingElse() throws {
    let sample = try HEVCSample()
    var generator = SplitMix(seed: 7)
    var left = 0
    for round in 0..<60 {
      var damaged = sample
      let tile = Int(generator.next() % UInt64(sample.tiles.count))
      if round % 3 == 0 {
        // The tile's length is right, but its end is missing.
        damaged.tiles[tile].removeLast(damaged.tiles[tile].count / 2)
        damaged.tiles[tile].replaceSubrange(0..<4, with: big(damaged.tiles[tile].count - 4, 4))
      } else {
        for _ in 0..<1 + round % 5 {
          let at = 6 + Int(generator.next() % UInt64(damaged.tiles[tile].count - 6))
          damaged.tiles[tile][at] ^= UInt8(1 << (generator.next() % 8))
        }
      }
      let bytes = damaged.bytes()
      let file = try TemporaryFolder().file(bytes)
      let request = DecodingRequest(scale: 0.5, of: sample.size, limits: .standard)
      let short = try HEVCPicture(bytes).flatMap { try Imaging.decode($0, named: file, request) }
      let long = try? decodeHEIF(file, DecodingRequest(kinds: [.full], limits: .standard)).pixels
      guard let short else {
        left += 1
        continue
      }
      let likeness = try #require(long, "\(round)").resized(to: short.size).likeness(to: short)
      #expect(likeness > 30, "\(round): \(likeness)")
    }
    #expect(left > 30)
  }

  @Test func aHostileGridIsNoPicture() throws {
    for (columns, rows) in [(256, 256), (1, 1), (3, 5), (5, 3)] {
      var sample = try HEVCSample()
      (sample.columns, sample.rows) = (columns, rows)
      #expect(HEVCPicture(sample.bytes()) == nil, "\(columns) × \(rows)")
    }
    // The tiles don't reach the picture's end, or some lie outside the picture.
    for size in [PixelSize(width: 900, height: 372), PixelSize(width: 100, height: 372)] {
      var sample = try HEVCSample()
      sample.size = size
      let picture = try #require(HEVCPicture(sample.bytes()))
      let file = try TemporaryFolder().file(sample.bytes())
      let request = DecodingRequest(scale: 0.5, of: size, limits: .standard)
      #expect(try Imaging.decode(picture, named: file, request) == nil)
    }
  }

  @Test func `a second, huge size property is refused`() throws {
    var sample = try HEVCSample()
    sample.properties = [fullBox("ispe", big(0xFFFF_FFFF, 4) + big(0xFFFF_FFFF, 4))]
    #expect(HEVCPicture(sample.bytes()) == nil)
  }

  @Test func damagedHeadersAreReadWithoutATrap() throws {
    let whole = try HEVCSample().bytes()
    let end = try #require(whole.firstRange(of: ascii("mdat"))).lowerBound
    var generator = SplitMix(seed: 11)
    var read = 0
    for _ in 0..<1500 {
      var bytes = whole
      for _ in 0..<1 + generator.next() % 4 {
        let at = Int(generator.next() % UInt64(end))
        // Flips a bit, or writes a value at which sums and products overflow.
        bytes[at] = [bytes[at] ^ UInt8(1 << (generator.next() % 8)), 0xFF, 0x80, 0][Int(generator.next() % 4)]
      }
      if HEVCPicture(bytes) != nil { read += 1 }
    }
    #expect((1..<1500).contains(read))
  }

  @Test func whenTheTimeIsUpNothingIsBegunAgain() throws {
    let bytes = try HEVCSample().bytes()
    let file = try TemporaryFolder().file(bytes)
    var request = DecodingRequest(scale: 0.5, of: PixelSize(width: 500, height: 372), limits: .standard)
    request.deadline = .now
    let error = #expect(throws: ImagingError.self) { try decodeHEIF(file, request) }
    #expect(error?.code == .tookTooLong)
  }
}
