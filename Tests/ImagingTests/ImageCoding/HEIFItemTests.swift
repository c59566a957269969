import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// HEIF files whose primary picture is another item under other properties, or a sequence alone.
@Suite struct HEIFItemTests {
  private static func shown(_ bytes: [UInt8]) throws -> (metadata: MediaMetadata, picture: PixelBuffer) {
    let file = try TemporaryFolder().file(bytes, named: "sample.heic")
    let metadata = try MediaMetadata(of: file)
    return (metadata, try decodePicture(of: file, metadata: metadata))
  }

  // MARK: Identity

  @Test(arguments: [(1, 1), (4, 3)]) func `an identity item shows its picture`(columns: Int, rows: Int) throws {
    var sample = try HEVCSample(columns: columns, rows: rows)
    let plain = try Self.shown(sample.bytes())
    sample.identityProperties = []
    let identity = try Self.shown(sample.bytes())
    #expect(identity.picture == plain.picture)
    #expect(identity.metadata.pixelWidth == plain.metadata.pixelWidth)
  }

  @Test func `an identity item's turn applies`() throws {
    var sample = try HEVCSample(columns: 4, rows: 3)
    let plain = try Self.shown(sample.bytes())
    sample.identityProperties = [box("irot", [1])]
    let (metadata, picture) = try Self.shown(sample.bytes())
    #expect(metadata.pixelWidth == sample.size.height && metadata.pixelHeight == sample.size.width)
    // A quarter counterclockwise.
    #expect(picture == plain.picture.oriented(8))
  }

  @Test func `an identity item's crop applies`() throws {
    var sample = try HEVCSample(columns: 4, rows: 3)
    let plain = try Self.shown(sample.bytes())
    let sides = big(64, 4) + big(1, 4) + big(32, 4) + big(1, 4)
    sample.identityProperties = [box("clap", sides + big(0, 4) + big(1, 4) + big(0, 4) + big(1, 4))]
    let (metadata, picture) = try Self.shown(sample.bytes())
    #expect(metadata.pixelWidth == 64 && metadata.pixelHeight == 32)
    #expect(picture.size == PixelSize(width: 64, height: 32))
    let middle = (x: (sample.size.width - 64) / 2, y: (sample.size.height - 32) / 2)
    #expect(close([picture[10, 10]], [plain.picture[middle.x + 10, middle.y + 10]], within: 3))
  }

  /// With one tile, item 2 shows item 1. With two tiles, which are items 1 and 2, item 4 shows
  /// grid 3.
  @Test(
    arguments: [
      ("itself", 1, [2, 1, 1], [2, 1, 2], "hvc1"), ("a grid with itself", 2, [3, 2, 1], [3, 2, 4], "grid"),
      ("an item that shows it", 2, [3, 2, 1], [3, 2, 4], "iden"),
    ] as [(String, Int, [Int], [Int], String)])
  func `an identity item that shows itself is an error`(
    name: String, columns: Int, parts: [Int], loop: [Int], type: String
  ) throws {
    var sample = try HEVCSample(columns: columns, rows: 1)
    sample.identityProperties = []
    var bytes = sample.bytes()
    let found = bytes.firstRange(of: ascii("dimg") + parts.flatMap { big($0, 2) })
    let reference = try #require(found)
    bytes.replaceSubrange(reference, with: ascii("dimg") + loop.flatMap { big($0, 2) })
    if let grid = bytes.firstRange(of: ascii("grid")) { bytes.replaceSubrange(grid, with: ascii(type)) }
    let error = #expect(throws: ImagingError.self) { try Self.shown(bytes) }
    #expect(error?.code == .damaged, "\(name)")
    #expect(error?.reason == "one of its pictures contains itself")
  }

  @Test(arguments: [(1, 1), (2, 1)]) func `an identity item has the colors of its picture`(
    columns: Int, rows: Int
  ) throws {
    let profile = try #require(ColoredPicture.displayP3)
    var sample = try HEVCSample(columns: columns, rows: rows)
    let withoutProfile = try Self.shown(sample.bytes())
    sample.properties = [box("colr", ascii("prof"), profile)]
    let plain = try Self.shown(sample.bytes())
    sample.identityProperties = []
    let identity = try Self.shown(sample.bytes())
    #expect(identity.picture == plain.picture)
    #expect(identity.picture != withoutProfile.picture)
  }

  // MARK: Other codecs

  @Test(arguments: ["jpeg", "unci", "j2k1"], [1, 2])
  func `the error names a type of items that libheif can't read`(type: String, columns: Int) throws {
    var bytes = try HEVCSample(columns: columns, rows: 1).bytes()
    let item = try #require(bytes.firstRange(of: ascii("hvc1")))
    bytes.replaceSubrange(item, with: ascii(type))
    let error = #expect(throws: ImagingError.self) { try Self.shown(bytes) }
    #expect(error?.code == .unsupported)
    #expect(error?.reason.hasSuffix("reads no pictures of the type \(type)") == true)
  }

  @Test(arguments: ["avcs", "msf1"]) func `a sequence of AVC without a still is not supported`(brand: String) throws {
    let bytes = Self.sequence(try HEVCSample(columns: 1, rows: 1), brand: brand, entry: "avc1")
    let metadata = try #require(readMetadata(of: bytes))
    #expect(metadata.type.uniformTypeIdentifier == "public.heif")
    #expect(metadata.pixelWidth == 128)
    let error = #expect(throws: ImagingError.self) { try Self.shown(bytes) }
    #expect(error?.code == .unsupported)
    #expect(error?.reason == "a sequence of pictures in AVC")
  }

  // MARK: Opacity

  @Test(arguments: ["heic", "avif"], [300, 150]) func `colors that are multiplied by the opacity are divided by it`(
    format: String, longSide: Int
  ) throws {
    let folder = try TemporaryFolder()
    let half = Sample.picture(300, 200, channels: 4) { x, _ in x < 150 ? [100, 50, 25, 128] : [200, 100, 50, 255] }
    let png = try folder.file(encode(half, as: "public.png", quality: 100), named: "half.png")
    let path = folder.url.appendingPathComponent("half.\(format)").path
    try Program.run("heif-enc", ["-q", "100", "--premultiplied-alpha", "-o", path, png.name])
    let file = try MediaFile(path: path)
    let request = PictureRequest(.fitting(width: longSide, height: longSide))
    let shown = try makePicture(of: file, metadata: MediaMetadata(of: file), request)
    let found = [shown[shown.width / 4, 50], shown[shown.width * 3 / 4, 50]]
    #expect(close(found, [[200, 100, 50, 128], [200, 100, 50, 255]], within: 4), "\(found)")
  }

  // MARK: Sequences

  /// A sequence of three frames without a still. Its first frame is the sample's first tile.
  ///
  /// - Parameter sides: the width and height that each track states.
  private static func sequence(
    _ sample: HEVCSample, matrix: [Int] = [1, 0, 0, 1], brand: String = "msf1", entry: String = "hvc1", count: Int = 3,
    sides: [Int] = [HEVCSample.side]
  ) -> [UInt8] {
    let ftyp = box("ftyp", ascii(brand), big(0, 4), ascii("\(brand)hevcmif1iso8"))
    let frames = Array(sample.tiles.prefix(count))
    let one = 0x10000
    let turn = [matrix[0] * one, matrix[1] * one, 0, matrix[2] * one, matrix[3] * one, 0, 0, 0, 0x4000_0000]
    func track(_ side: Int, _ offset: Int) -> [UInt8] {
      let tkhd = fullBox(
        "tkhd", flags: 3, big(0, 36), turn.flatMap { big($0, 4) }, big(side * one, 4), big(side * one, 4))
      let fields = big(0, 6) + big(1, 2) + big(0, 16) + big(side, 2) + big(side, 2) + big(0, 50)
      let description = fullBox("stsd", big(1, 4), box(entry, fields, box("hvcC", sample.configuration)))
      let sizes = fullBox("stsz", big(0, 4), big(frames.count, 4), frames.flatMap { big($0.count, 4) })
      let table = box(
        "stbl", description, fullBox("stts", big(1, 4), big(frames.count, 4), big(100, 4)), sizes,
        fullBox("stsc", big(1, 4), big(1, 4), big(frames.count, 4), big(1, 4)),
        fullBox("stco", big(1, 4), big(offset, 4)))
      let mdhd = fullBox("mdhd", big(0, 8), big(100, 4), big(100 * frames.count, 4), big(0, 4))
      let media = box("mdia", mdhd, fullBox("hdlr", big(0, 4), ascii("pict"), big(0, 13)), box("minf", table))
      return box("trak", tkhd, media)
    }
    func moov(_ offset: Int) -> [UInt8] {
      let header = fullBox("mvhd", big(0, 8), big(100, 4), big(100 * frames.count, 4), big(0, 80))
      return box("moov", header, sides.flatMap { track($0, offset) })
    }
    let start = ftyp.count + moov(0).count + 8
    return ftyp + moov(start) + box("mdat", frames.flatMap { $0 })
  }

  @Test(arguments: [("msf1", "hvc1"), ("hevc", "hvc1"), ("msf1", "hev1")])
  func `a sequence without a still shows its first picture`(brand: String, entry: String) throws {
    let sample = try HEVCSample(columns: 2, rows: 2)
    let (metadata, picture) = try Self.shown(Self.sequence(sample, brand: brand, entry: entry))
    #expect(metadata.subtypes.contains(.animated))
    #expect(metadata.duration == 3)
    #expect(metadata.pixelWidth == 128 && metadata.pixelHeight == 128)
    #expect(picture.size == PixelSize(width: 128, height: 128))
    let wanted = [(8, 8), (120, 8), (8, 120), (120, 120)]
    #expect(
      close(wanted.map { picture[$0.0, $0.1] }, wanted.map { HEVCSample.color($0.0, $0.1) }, within: 12),
      "\(wanted.map { picture[$0.0, $0.1] })")
  }

  @Test(arguments: [([0, 1, -1, 0], 6), ([0, -1, 1, 0], 8), ([-1, 0, 0, -1], 3)])
  func `a turned sequence is upright`(matrix: [Int], orientation: Int) throws {
    let sample = try HEVCSample(columns: 2, rows: 2)
    let plain = try Self.shown(Self.sequence(sample)).picture
    #expect(try Self.shown(Self.sequence(sample, matrix: matrix)).picture == plain.oriented(orientation))
  }

  @Test(arguments: [[32, 128], [128, 32], [32, 128, 64]])
  func `a sequence shows the largest of its tracks`(sides: [Int]) throws {
    let sample = try HEVCSample(columns: 2, rows: 2)
    let plain = try Self.shown(Self.sequence(sample)).picture
    let (metadata, picture) = try Self.shown(Self.sequence(sample, sides: sides))
    #expect(picture == plain)
    #expect(metadata.pixelWidth == 128)
  }

  @Test func `a sequence of one picture is a still`() throws {
    let sample = try HEVCSample(columns: 2, rows: 2)
    let (metadata, picture) = try Self.shown(Self.sequence(sample, count: 1))
    #expect(metadata.pixelWidth == 128 && !metadata.subtypes.contains(.animated))
    #expect(picture.size == PixelSize(width: 128, height: 128))
  }

  /// Positions whose bytes are overwritten, so that sizes and offsets lie outside of the file.
  @Test(arguments: ["stsz", "stco", "stsd", "mdia"]) func `a damaged sequence is an error`(box: String) throws {
    var bytes = Self.sequence(try HEVCSample(columns: 2, rows: 2))
    let at = try #require(bytes.firstRange(of: ascii(box))).upperBound
    for index in at..<min(at + 20, bytes.count) { bytes[index] = 0xFF }
    #expect(throws: ImagingError.self) { try Self.shown(bytes) }
  }
}
