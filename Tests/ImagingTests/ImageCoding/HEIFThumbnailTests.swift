import Foundation
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Compares the fast decoder for thumbnails inside HEIC files with libheif.
@Suite struct HEIFThumbnailTests {
  private static let tile = PixelSize(width: HEVCSample.side, height: HEVCSample.side)

  private func sample(_ thumbnails: [PixelSize] = [tile], _ properties: [[UInt8]] = []) throws -> HEVCSample {
    var sample = try HEVCSample()
    sample.thumbnails = thumbnails
    sample.thumbnailProperties = properties
    return sample
  }

  private func short(_ bytes: [UInt8]) throws -> DecodedPicture? {
    try decodeHEIFThumbnail(TemporaryFolder().file(bytes), .standard)
  }

  private func long(_ bytes: [UInt8]) throws -> DecodedPicture? {
    try decodeHEIF(
      TemporaryFolder().file(bytes), DecodingRequest(kinds: [.grid], limits: .standard), of: .thumbnail)
  }

  @Test(arguments: 0...3) func `the fast decoder gives the same thumbnail as libheif`(quarters: Int) throws {
    let bytes = try sample([Self.tile], [box("irot", [UInt8(quarters)])]).bytes()
    let (short, long) = (try #require(try short(bytes)), try #require(try long(bytes)))
    // The fast decoder skips the filters at the edges of blocks.
    #expect(short.pixels.oriented(short.orientation).likeness(to: long.pixels) > 30)
    #expect(short.orientation == [1, 8, 3, 6][quarters] && long.orientation == 1)
  }

  @Test func theLargestThatIsSmallEnoughIsTaken() throws {
    // One of the two thumbnails really has the size that the file states for it.
    for thumbnails in [
      [PixelSize(width: 2400, height: 1800), Self.tile], [Self.tile, PixelSize(width: 2400, height: 1800)],
      [Self.tile, PixelSize(width: 64, height: 64)], [PixelSize(width: 64, height: 64), Self.tile],
    ] {
      let bytes = try sample(thumbnails).bytes()
      #expect(try short(bytes)?.pixels.size == Self.tile)
      #expect(try long(bytes)?.pixels.size == Self.tile)
    }
    #expect(try short(sample([PixelSize(width: 2400, height: 1800)]).bytes()) == nil)
    #expect(try short(sample([]).bytes()) == nil)
  }

  /// The size of a thumbnail in a file whose picture has 500 × 372 pixels, and whether it is taken
  /// for that picture.
  @Test(arguments: [(PixelSize(width: 499, height: 371), true), (PixelSize(width: 490, height: 372), false)])
  func `a large thumbnail replaces the picture if it has the same shape`(_ size: PixelSize, _ isTaken: Bool) throws {
    let file = try TemporaryFolder().file(sample([size]).bytes())
    let picture = try decodeHEIF(file, DecodingRequest(kinds: [.grid], limits: .standard))
    #expect((picture.pixels.size == Self.tile) == isTaken)
  }

  @Test func noMoreIsReadThanTheHeadersAndTheThumbnail() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("sparse.heic")
    try Data(sample().bytes()).write(to: url)
    let handle = try FileHandle(forWritingTo: url)
    // The size is larger than any decoder reads whole.
    try handle.truncate(atOffset: UInt64(wholeFileByteLimit) * 2)
    try handle.close()
    let file = try MediaFile(path: url.path)
    #expect(try decodeHEIFThumbnail(file, .standard)?.pixels.size == Self.tile)
    #expect(try ReadThumbnail(limits: .standard).perform(on: file) != nil)
  }

  /// Together the thumbnails are larger than the limit for reading headers. The best one is the
  /// last.
  @Test func noOtherThumbnailIsReadThanTheOneThatIsTaken() throws {
    var sample = try sample(
      [PixelSize](repeating: PixelSize(width: 64, height: 64), count: 7) + [Self.tile], [box("irot", [1])])
    // A NAL unit of filler data, which decoders skip.
    let filler = [38 << 1, 1] + [UInt8](repeating: 0xFF, count: 700_000) + [0x80]
    sample.tiles[0] += big(filler.count, 4) + filler
    let bytes = sample.bytes()
    #expect(bytes.count > MediaBytes.readLimit)
    // The fast decoder reports the orientation. libheif would have turned the picture.
    #expect(try short(bytes)?.orientation == 8)
  }

  private static let displayP3 = ColoredPicture.displayP3 ?? []
  private static func profile(_ bytes: [UInt8]) -> [UInt8] { box("colr", ascii("prof") + bytes) }
  private static let rec2020 = box("colr", ascii("nclx") + big(9, 2) + big(13, 2) + big(9, 2) + [0])

  @Test(
    arguments: [
      ([profile(displayP3)], [], .profile(displayP3)),
      ([profile(displayP3)], [rec2020], .coded(primaries: 9, transfer: 13)),
      ([], [rec2020, profile(displayP3)], .profile(displayP3)),
      ([], [], .sRGB),
    ] as [([[UInt8]], [[UInt8]], ColorDescription)])
  func `a thumbnail has its own color profile, else the photo's`(
    ofWhole: [[UInt8]], own: [[UInt8]], expected: ColorDescription
  ) throws {
    var sample = try sample([Self.tile], own)
    sample.properties = ofWhole
    #expect(try short(sample.bytes())?.colors == expected)
    #expect(try long(sample.bytes())?.colors == expected)
  }

  @Test(arguments: [box("imir", [0]), box("what", [1])])
  func `a thumbnail with a rare property is left to libheif`(property: [UInt8]) throws {
    let bytes = try sample([Self.tile], [property]).bytes()
    #expect(try short(bytes)?.pixels == long(bytes)?.pixels)
  }

  @Test func `an AVIF's thumbnail is left to libheif`() throws {
    let chart = Sample.picture(900, 600) { x, y in [UInt8(x / 4), UInt8(y / 3), 90] }
    let bytes = try Array(encode(chart, as: "public.avif", quality: 80, thumbnailLongSide: 300))
    #expect(try short(bytes)?.pixels.size == PixelSize(width: 300, height: 200))
  }

  private static let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

  @Test(.enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"), .enabled(if: Soak.isOn, Soak.reason))
  func `thumbnails of real files are the same as libheif's`() throws {
    let corpus = try #require(Self.corpus)
    for path in try FileManager.default.subpathsOfDirectory(atPath: corpus).sorted() {
      guard ["heic", "heif", "hif", "avif"].contains(URL(fileURLWithPath: path).pathExtension.lowercased()),
        !path.hasPrefix("corrupt/")
      else { continue }
      let file = try MediaFile(path: "\(corpus)/\(path)")
      let short = try decodeHEIFThumbnail(file, .standard)
      let long = try decodeHEIF(file, DecodingRequest(kinds: [.grid], limits: .standard), of: .thumbnail)
      #expect((short == nil) == (long == nil), "\(path)")
      guard let short, let long else { continue }
      #expect(short.colors == long.colors, "\(path)")
      let likeness = short.pixels.oriented(short.orientation).likeness(to: long.pixels)
      #expect(likeness > 28, "\(path): \(likeness)")
      print("\(path): \(long.pixels.size), \(likeness) dB")
    }
  }

  @Test func aDamagedThumbnailEndsInAnErrorOrAPicture() throws {
    let sample = try sample()
    var generator = SplitMix(seed: 5)
    for _ in 0..<300 {
      var bytes = sample.bytes()
      for _ in 0..<1 + generator.next() % 6 {
        bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
      }
      _ = try? short(bytes)
    }
  }

  @Test func anItemHasABoundNumberOfProperties() throws {
    let associations = fullBox(
      "ipma", big(2000, 4) + (0..<2000).flatMap { _ in big(1, 2) + [255] + [UInt8](repeating: 1, count: 255) })
    let meta = fullBox("meta", box("iprp", box("ipco", box("free")), associations))
    let items = try #require(HEIFItems(of: MediaBytes(meta).all))
    #expect(items.properties(of: 1).count == 64)
  }
}
