import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct CompressedMetadataTests {
  /// An XMP packet with the date 2011-02-03 04:05:06 +01:00.
  private static let zlib = """
    eJxFj8EKwjAQRH9F4lGS3aQqdGl7Kl4F6Q9Em2qgSUsSaPx7qRS9DbPDm50qU3azM0nvsht9pFwz3U93Qz7SagNrqtAPdGsvWyL0Q81e\
    Kc0EsCyLWAoxhSfIsiwBFSjFQz/w+PZJZ+7jfgO0Jj6CnZOd/AYy2f5JPopvr3hMDtYLSIHAdqukVifTWWeuwT6t12PNFErJUXEsOjwS\
    ngjPB5SEyKCpYHu4qeA3r/kAGl1Lnw==
    """
  private static let brotli = """
    G+kAIIzTHbXqhnfBY9S2UkXi2XKYJIbphCYi/7Y8YO676spHgc0W0O4mMpRw6Pucc3h4YYrS09P6/AW/ZV+au3gqav5ibbt6wLB0QkvO\
    ug3yNHMixYi1QxxrdrpHWCCFlAw6dv3Xu/ix9dJj7PlJrKv5DZjrxYfmYsJYhcEhNEWaQVrcTf30p2nQ74VBMpjN8oQdwCEwAkATiZgz\
    kWUYCQ==
    """
  /// Twenty megabytes of zeros.
  private static let brotliBomb = "y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v1f/v//4J8AiMMCAN37Hw=="

  private static func bytes(_ base64: String) throws -> [UInt8] { [UInt8](try #require(Data(base64Encoded: base64))) }

  /// Returns a profile as ImageMagick writes it.
  private static func profile(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let digits = Array(content.map { String(format: "%02x", $0) }.joined())
    let lines = stride(from: 0, to: digits.count, by: 72).map { String(digits[$0..<min($0 + 72, digits.count)]) }
    return ascii("\n\(name)\n\(String(content.count).leftPadded)\n" + lines.joined(separator: "\n") + "\n")
  }

  private static let exif: [UInt8] = {
    var exif = EXIFBuilder(original: "2016:07:08 09:10:11", orientation: 6)
    exif.setPosition(48.13, 11.57)
    return exif.bytes
  }()

  @Test(arguments: [
    ("Raw profile type exif", ascii("Exif\0\0") + exif), ("Raw profile type APP1", ascii("Exif\0\0") + exif),
    ("Raw profile type exif", exif),
  ])
  func `a PNG's EXIF may be a compressed profile`(keyword: String, content: [UInt8]) throws {
    let text = Self.profile("exif", content)
    for chunk in [
      pngChunk("zTXt", ascii(keyword) + [0, 0] + zlibStored(text)), pngChunk("tEXt", ascii(keyword) + [0] + text),
      pngChunk("iTXt", ascii(keyword) + [0, 1, 0, 0, 0] + zlibStored(text)),
    ] {
      let metadata = try #require(readMetadata(of: SampleFiles.png(chunk)))
      #expect(metadata.captureDate.summary == "2016-07-08T09:10:11+02:00 original location")
      #expect(metadata.orientation == 6)
      #expect(metadata.location == Location(latitude: 48.13, longitude: 11.57))
      #expect(metadata.notes.isEmpty)
    }
  }

  @Test(arguments: ["iptc", "8bim"]) func `a PNG's IPTC may be a profile`(name: String) throws {
    let fields = iptc(2, 55, ascii("20190505")) + iptc(2, 60, ascii("143000+0100")) + iptc(2, 5, ascii("Fjord"))
    let segment = photoshop(fields).1
    for content in [fields, segment, Array(segment.dropFirst("Photoshop 3.0\0".utf8.count))] {
      let chunk = pngChunk(
        "zTXt", ascii("Raw profile type \(name)") + [0, 0] + zlibStored(Self.profile(name, content)))
      let metadata = try #require(readMetadata(of: SampleFiles.png(chunk)))
      #expect(metadata.captureDate.summary == "2019-05-05T14:30:00+01:00 xmp file")
      #expect(metadata.title == "Fjord")
      #expect(metadata.notes.isEmpty)
    }
  }

  @Test func `a PNG's XMP may be compressed`() throws {
    let packet = try Self.bytes(Self.zlib)
    for chunk in [
      pngChunk("iTXt", ascii("XML:com.adobe.xmp") + [0, 1, 0, 0, 0] + packet),
      pngChunk("zTXt", ascii("XML:com.adobe.xmp") + [0, 0] + packet),
    ] {
      let date = try #require(readMetadata(of: SampleFiles.png(chunk))).captureDate
      #expect(date.summary == "2011-02-03T04:05:06+01:00 xmp file")
    }
  }

  @Test func `a PNG's XMP may be a profile`() throws {
    let xmp = ascii(#"<x:xmpmeta><rdf:Description exif:DateTimeOriginal="2011-02-03T04:05:06+01:00"/></x:xmpmeta>"#)
    for content in [xmp, ascii("http://ns.adobe.com/xap/1.0/\0") + xmp] {
      let chunk = pngChunk("zTXt", ascii("Raw profile type xmp") + [0, 0] + zlibStored(Self.profile("xmp", content)))
      let date = try #require(readMetadata(of: SampleFiles.png(chunk))).captureDate
      #expect(date.summary == "2011-02-03T04:05:06+01:00 xmp file")
    }
  }

  @Test(arguments: [900_000, 1_400_000]) func `a PNG's XMP may have much padding`(padding: Int) throws {
    let xmp = ascii(#"<rdf:Description exif:DateTimeOriginal="2011-02-03T04:05:06+01:00"/>"#)
    let packet = xmp + [UInt8](repeating: 0x20, count: padding)
    let isRead = padding < 1_000_000
    let plain = try #require(
      readMetadata(of: SampleFiles.png(pngChunk("iTXt", ascii("XML:com.adobe.xmp\0\0\0\0\0") + packet))))
    #expect(plain.captureDate.source == (isRead ? .xmp : .file))
    #expect(plain.notes == (isRead ? [] : ["The PNG's XMP is too large and was ignored."]))
  }

  @Test func `an empty XMP box of a JPEG XL does not hide the next one`() throws {
    let xmp = #"<rdf:Description dc:title="Fjord"/>"#
    let bytes = jpegXL(box("xml ", []), box("brob", ascii("xml "), [6]), box("xml ", ascii(xmp)))
    #expect(readMetadata(of: bytes)?.title == "Fjord")
    var blocks = MetadataBlocks()
    blocks.read(MediaBytes(bytes).all, .jpegXL)
    #expect(blocks.xmp == ascii(xmp))
  }

  @Test func `the name of a raw profile may have two words`() throws {
    let chunk = pngChunk(
      "zTXt", ascii("Raw profile type exif") + [0, 0] + zlibStored(Self.profile("generic profile", Self.exif)))
    #expect(readMetadata(of: SampleFiles.png(chunk))?.orientation == 6)
  }

  @Test func `a PNG's EXIF may be in the chunk zxIf`() throws {
    let content = [0] + big(Self.exif.count, 4) + zlibStored(Self.exif)
    let metadata = try #require(readMetadata(of: SampleFiles.png(pngChunk("zxIf", content))))
    #expect(metadata.captureDate.summary == "2016-07-08T09:10:11+02:00 original location")
    #expect(metadata.notes.isEmpty)
    #expect(
      readMetadata(of: SampleFiles.png(pngChunk("zxIf", Array(content.dropLast(6)))))?.notes
        == ["The PNG's EXIF data can't be decompressed and was ignored."])
  }

  @Test func `ImageMagick's text create-date is a creation date`() throws {
    let chunk = pngChunk("tEXt", ascii("create-date") + [0] + ascii("2019-05-21T10:45:52+02:00"))
    #expect(readMetadata(of: SampleFiles.png(chunk))?.captureDate.summary == "2019-05-21T10:45:52+02:00 png file")
  }

  @Test func `damaged compressed text costs itself and gives a note`() throws {
    let text = zlibStored(ascii("Sunset"))
    let png = SampleFiles.png(
      pngChunk("zTXt", ascii("Title") + [0, 0] + text.dropLast(6)),
      pngChunk("zTXt", ascii("Description") + [0, 0] + text))
    let metadata = try #require(readMetadata(of: png))
    #expect(metadata.title == nil)
    #expect(metadata.caption == "Sunset")
    #expect(metadata.notes == ["The PNG's text “Title” can't be decompressed and was ignored."])
  }

  @Test func `texts beyond the sixteenth compressed one are left out`() throws {
    let software = pngChunk("zTXt", ascii("Software") + [0, 0] + zlibStored(ascii("x")))
    let title = pngChunk("zTXt", ascii("Title") + [0, 0] + zlibStored(ascii("Fjord")))
    let few = [[UInt8]](repeating: software, count: 15).flatMap { $0 } + title
    #expect(readMetadata(of: SampleFiles.png(few))?.title == "Fjord")
    #expect(readMetadata(of: SampleFiles.png(software + few))?.title == nil)
  }

  // MARK: JPEG XL

  private func jpegXL(_ boxes: [UInt8]...) -> [UInt8] {
    box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", ascii("jxl "), big(0, 4), ascii("jxl "))
      + boxes.flatMap { $0 } + box("jxlc", SampleFiles.jpegXL())
  }

  @Test func `a JPEG XL's XMP may be compressed`() throws {
    let metadata = try #require(readMetadata(of: jpegXL(box("brob", ascii("xml "), try Self.bytes(Self.brotli)))))
    #expect(metadata.captureDate.summary == "2011-02-03T04:05:06+01:00 xmp file")
    #expect(metadata.notes.isEmpty)
  }

  @Test func `a JPEG XL's compressed EXIF is read like a plain one`() throws {
    // A block that is not compressed has 16 bits for its length. The last block is empty.
    let content = big(0, 4) + Self.exif
    let header = 0b0 | (content.count - 1) << 4 | 1 << 20
    let brotli = little(header, 3) + content + [3]
    let metadata = try #require(readMetadata(of: jpegXL(box("brob", ascii("Exif"), brotli))))
    #expect(metadata.captureDate.summary == "2016-07-08T09:10:11+02:00 original location")
    #expect(metadata.notes.isEmpty)
  }

  @Test func `a JPEG XL's compressed boxes are decompressed up to the eighth`() throws {
    let xmp = box("brob", ascii("xml "), try Self.bytes(Self.brotli))
    let damaged = box("brob", ascii("xml "), [1, 2, 3])
    let unknown = box("brob", ascii("jumb"), [1, 2, 3])
    // A block of Brotli with one byte, and the empty last block.
    let empty = box("brob", ascii("xml "), little(1 << 20, 3) + [0x20, 3])
    for boxes in [[unknown, xmp], [empty, xmp], [[UInt8]](repeating: empty, count: 7) + [xmp]] {
      let metadata = try #require(readMetadata(of: jpegXL(boxes.flatMap { $0 })))
      #expect(metadata.captureDate.source == .xmp)
      #expect(metadata.notes.isEmpty)
    }
    #expect(readMetadata(of: jpegXL(damaged, xmp))?.captureDate.source == .xmp)
    #expect(
      readMetadata(of: jpegXL([[UInt8]](repeating: empty, count: 8).flatMap { $0 }, xmp))?.captureDate.source == .file)
  }

  @Test func `compressed metadata that would be too large is not decompressed`() throws {
    let bomb = try Self.bytes(Self.brotliBomb)
    for content in [bomb, [1, 2, 3]] {
      let metadata = try #require(readMetadata(of: jpegXL(box("brob", ascii("xml "), content))))
      #expect(metadata.captureDate.source == .file)
      #expect(metadata.notes == ["The compressed metadata can't be decompressed and was ignored."])
    }
  }
}

extension String {
  /// Eight characters, as ImageMagick writes the length of a profile.
  fileprivate var leftPadded: String { String(repeating: " ", count: max(0, 8 - count)) + self }
}
