import Foundation
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct DamagedFileRenditionTests {
  private static func noise(_ width: Int, _ height: Int) -> PixelBuffer {
    var generator = SplitMix(seed: 1)
    return Sample.picture(width, height) { x, y in
      [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8(generator.next() % 64)]
    }
  }

  @Test func aTruncatedJPEGKeepsItsUpperHalf() throws {
    let whole = try encode(Sample.quadrants(640, 480), as: "public.jpeg", quality: 90)
    let file = try TemporaryFolder().file(whole.prefix(whole.count * 6 / 10))
    let set = try makeRenditions(of: file, metadata: Sample.metadata("public.jpeg"), kinds: [.grid])
    #expect(set.notes == ["Premature end of JPEG file"])
    #expect(set.damage == "Premature end of JPEG file")
    let corners = try set.rendition(.grid).decoded().corners
    #expect(close(Array(corners.prefix(2)), [Sample.red, Sample.green]), "\(corners)")
  }

  @Test func bytesBetweenAJPEGsPartsAreNoDamage() throws {
    var bytes = [UInt8](try encode(Sample.quadrants(64, 48), as: "public.jpeg", quality: 90))
    // Inserts the bytes after the first segment, whose length is in front of its content.
    bytes.insert(contentsOf: [1, 2, 3], at: 4 + (Int(bytes[4]) << 8 | Int(bytes[5])))
    let file = try TemporaryFolder().file(bytes)
    let set = try makeRenditions(of: file, metadata: Sample.metadata("public.jpeg"), kinds: [.grid])
    #expect(set.damage == nil)
  }

  @Test("A damaged picture is seen behind a harmless warning", arguments: ["whole", "cut", "hole"])
  func hiddenWarning(damage: String) throws {
    var bytes = [UInt8](try encode(Self.noise(400, 300), as: "public.jpeg", quality: 90))
    bytes.insert(contentsOf: [1, 2, 3], at: 4 + (Int(bytes[4]) << 8 | Int(bytes[5])))
    let middle = bytes.count / 2
    switch damage {
    case "cut": bytes.removeLast(bytes.count * 4 / 10)
    case "hole": bytes.replaceSubrange(middle..<middle + 512, with: [UInt8](repeating: 0, count: 512))
    default: break
    }
    let file = try TemporaryFolder().file(bytes)
    let set = try makeRenditions(of: file, metadata: Sample.metadata("public.jpeg"), kinds: [.grid])
    #expect((set.damage != nil) == (damage != "whole"))
    #expect(set.notes.count == (damage == "whole" ? 1 : 2))
  }

  @Test func anOddVersionOfJFIFIsNoDamage() throws {
    var bytes = [UInt8](try encode(Sample.quadrants(64, 48), as: "public.jpeg", quality: 90))
    let jfif = try #require(Data(bytes).range(of: Data("JFIF\0".utf8)))
    bytes[jfif.upperBound] = 9
    let file = try TemporaryFolder().file(bytes)
    let set = try makeRenditions(of: file, metadata: Sample.metadata("public.jpeg"), kinds: [.grid])
    #expect(set.notes.count == 1 && set.damage == nil)
  }

  @Test func aHoleInAJPEGsPictureIsDamage() throws {
    var bytes = [UInt8](try encode(Self.noise(400, 300), as: "public.jpeg", quality: 90))
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 512, with: [UInt8](repeating: 0, count: 512))
    let file = try TemporaryFolder().file(bytes)
    let set = try makeRenditions(of: file, metadata: Sample.metadata("public.jpeg"), kinds: [.grid])
    #expect(set.damage != nil)
  }

  @Test func aTruncatedPNGKeepsItsUpperHalf() throws {
    let whole = try encode(Self.noise(400, 300), as: "public.png", quality: 90)
    let file = try TemporaryFolder().file(whole.prefix(whole.count * 6 / 10))
    let set = try makeRenditions(of: file, metadata: Sample.metadata("public.png"), kinds: [.grid])
    #expect(set.notes.count == 1 && set.damage == set.notes.first)
    let picture = try set.rendition(.grid).decoded()
    #expect(picture[picture.width - 5, 5][0] > 200)
  }

  @Test func aHugeCanvasIsRefusedFromItsHeader() throws {
    // The GIF states 65535 × 65535 pixels and has the data of one.
    let gif: [UInt8] =
      Array("GIF89a".utf8) + [255, 255, 255, 255, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
      + [0x2C, 0, 0, 0, 0, 255, 255, 255, 255, 0, 2, 2, 0x44, 1, 0, 0x3B]
    let file = try TemporaryFolder().file(gif, named: "huge.gif")
    let error = #expect(throws: ImagingError.self) {
      try makeRenditions(of: file, metadata: Sample.metadata("com.compuserve.gif"), kinds: [.grid])
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.file.hasSuffix("huge.gif") == true)
  }

  @Test func aProgressiveGiantIsRefusedFromItsHeader() throws {
    var jpeg = try encode(Sample.quadrants(16, 16), as: "public.jpeg", quality: 90)
    let frame = try #require(jpeg.range(of: Data([0xFF, 0xC0]))).lowerBound
    jpeg[frame + 1] = 0xC2
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xEA, 0x60, 0xEA, 0x60])
    let file = try TemporaryFolder().file(jpeg)
    let error = #expect(throws: ImagingError.self) {
      try makeRenditions(of: file, metadata: Sample.metadata("public.jpeg"), kinds: [.grid])
    }
    #expect(error?.code == .tooLarge)
  }

  /// Each scan passes over the whole picture: 64 million pixels, fifty times.
  @Test func aProgressiveJPEGOfVeryManyScansIsRefusedInFullToo() throws {
    var jpeg = try encode(Sample.quadrants(16, 16), as: "public.jpeg", quality: 90)
    let frame = try #require(jpeg.range(of: Data([0xFF, 0xC0]))).lowerBound
    jpeg[frame + 1] = 0xC2
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x1F, 0x40, 0x1F, 0x40])
    let scan = try #require(jpeg.range(of: Data([0xFF, 0xDA]))).lowerBound
    let scans = (0..<50).map { _ in jpeg[scan...].dropLast(2) }.reduce(Data(), +)
    let file = try TemporaryFolder().file(jpeg[..<scan] + scans + [0xFF, 0xD9])
    let error = #expect(throws: ImagingError.self) {
      try decodePicture(of: file, metadata: Sample.metadata("public.jpeg"))
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.reason.contains("scans") == true, "\(error?.reason ?? "")")
  }

  @Test func emptyAndForeignFilesAreErrors() throws {
    for type in ["public.jpeg", "public.heic", "public.png", "com.microsoft.bmp"] {
      for content in [[], Array("BM".utf8), Array("hello, world, this is no picture".utf8)] as [[UInt8]] {
        let file = try TemporaryFolder().file(content)
        #expect(throws: ImagingError.self) {
          try makeRenditions(of: file, metadata: Sample.metadata(type), kinds: [.grid])
        }
      }
    }
  }

  /// Any changed byte leads to a picture or to an error. The process goes on.
  @Test(arguments: [
    "public.jpeg", "public.png", "public.heic", "org.webmproject.webp", "public.tiff", "com.compuserve.gif",
    "public.jpeg-xl", "public.avif",
  ])
  func mutatedFilesGiveAPictureOrAnError(type: String) throws {
    let whole = [UInt8](try encode(Self.noise(48, 32), as: type, quality: 60))
    var generator = SplitMix(seed: Soak.seed(UInt64(whole.count)))
    let folder = try TemporaryFolder()
    var pictures = 0
    for _ in 0..<Soak.count(few: 200, many: 2000) {
      var bytes = whole
      for _ in 0...Int(generator.next() % 4) {
        // Changes in headers cause the most damage, so half of the changes are made there.
        let reach = generator.next() % 2 == 0 ? bytes.count : min(bytes.count, 400)
        bytes[Int(generator.next() % UInt64(reach))] = UInt8(truncatingIfNeeded: generator.next())
      }
      if generator.next() % 4 == 0 { bytes.removeLast(Int(generator.next() % UInt64(bytes.count))) }
      let file = try folder.file(bytes)
      do throws(ImagingError) {
        _ = try makeRenditions(
          of: file, metadata: Sample.metadata(type), kinds: [.grid],
          limits: DecodingLimits(pixels: 2_000_000, seconds: 2))
        pictures += 1
      } catch {
        #expect(!error.reason.isEmpty)
      }
    }
    #expect(pictures > 0)
  }
}

/// Generates the same numbers on every machine.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
