import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Tests IPTC fields in JPEG and TIFF, intact and damaged.
@Suite struct IPTCTests {
  private func jpeg(_ fields: [UInt8]) -> MediaMetadata? {
    readMetadata(of: SampleFiles.jpeg(segments: [photoshop(fields)]))
  }

  private static let all =
    iptc(2, 5, ascii("Title")) + iptc(2, 25, ascii("one")) + iptc(2, 25, ascii("two")) + iptc(2, 90, ascii("City"))
    + iptc(2, 92, ascii("House")) + iptc(2, 95, ascii("State")) + iptc(2, 101, ascii("Country"))
    + iptc(2, 120, ascii("Caption"))

  @Test func jpegAndTIFFCarryIt() throws {
    let tiff = SampleFiles.tiff([(0x83BB, .bytes(Self.all))])
    for metadata in [jpeg(Self.all), readMetadata(of: tiff)] {
      let metadata = try #require(metadata)
      #expect(metadata.title == "Title")
      #expect(metadata.caption == "Caption")
      #expect(metadata.keywords == ["one", "two"])
      #expect(metadata.placeNames == ["House", "City", "State", "Country"])
    }
  }

  /// Photoshop's resources are big-endian in every TIFF.
  @Test(arguments: [ByteReader.Order.big, .little])
  func `a TIFF's IPTC may be among Photoshop's resources`(order: ByteReader.Order) throws {
    let fields = iptc(2, 55, ascii("19780809")) + Self.all
    let resources = Array(photoshop(fields).1.dropFirst("Photoshop 3.0\0".utf8.count))
    func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
      order == .big ? big(value, byteCount) : little(value, byteCount)
    }
    // One directory of a width, a height and the resources, which follow it.
    let entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = [
      (0x100, 4, 1, number(40, 4)), (0x101, 4, 1, number(30, 4)), (0x8649, 7, resources.count, number(50, 4)),
    ]
    let directory = entries.flatMap { number($0.tag, 2) + number($0.type, 2) + number($0.count, 4) + $0.value }
    let header = ascii(order == .big ? "MM" : "II") + number(42, 2) + number(8, 4)
    let tiff = header + number(entries.count, 2) + directory + number(0, 4) + resources
    let metadata = try #require(readMetadata(of: tiff))
    #expect(metadata.captureDate.summary == "1978-08-09T12:00:00+12:00 xmp machine")
    #expect(metadata.title == "Title")
    #expect(metadata.keywords == ["one", "two"])
  }

  @Test func `a text's encoding is stated, or guessed from its bytes`() {
    let utf8 = iptc(1, 90, ascii("\u{1B}%G"))
    let word = Array("Grüße".utf8)
    #expect(jpeg(utf8 + iptc(2, 120, word))?.caption == "Grüße")
    #expect(jpeg(iptc(2, 120, word))?.caption == "Grüße")
    #expect(jpeg(iptc(2, 120, ascii("Gr\u{FC}\u{DF}e")))?.caption == "Grüße")
    #expect(jpeg(iptc(2, 120, ascii("Caf\u{E9}")))?.caption == "Café")
    // The field is truncated within a letter.
    #expect(jpeg(iptc(2, 120, Array("Grüß".utf8.dropLast())))?.caption == "Grü")
  }

  @Test func longFieldsHaveALongLength() {
    let long = String(repeating: "x", count: 40_000)
    #expect(jpeg(iptc(2, 120, ascii(long), isExtended: true) + iptc(2, 5, ascii("Title")))?.title == "Title")
    #expect(jpeg(iptc(2, 120, ascii(long), isExtended: true))?.caption?.count == 4000)
  }

  @Test func aBlockMayEndAnywhere() {
    for count in 0..<Self.all.count {
      let metadata = jpeg(Array(Self.all.prefix(count)))
      #expect(metadata?.caption == nil)
      #expect(count < 10 || metadata?.title == "Title")
    }
  }

  @Test(
    arguments: [
      [0x1C, 2, 120, 0xFF, 0xFF], [0x1C, 2, 120, 0x80, 0x04, 0xFF, 0xFF, 0xFF, 0xFF], [0x1C, 2, 120, 0x80, 0x00],
      [0x1C, 2, 120, 0x80, 0x08, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x1C, 2], [0x1C], [0, 0, 0],
      [0x1C, 2, 120, 0, 0], [0x1C, 2, 120, 0, 3, 1, 2, 3],
    ] as [[UInt8]])
  func hostileLengthsEndTheReading(fields: [UInt8]) throws {
    let metadata = try #require(jpeg(iptc(2, 5, ascii("Title")) + fields))
    #expect(metadata.title == "Title")
    #expect(metadata.caption == nil)
  }

  @Test func `thousands of empty fields give no keywords`() {
    #expect(jpeg((0..<5000).flatMap { _ in iptc(2, 25, []) })?.keywords == [])
  }
}
