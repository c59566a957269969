import CVips
import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct JPEG2000DecodingTests {
  /// Returns the picture as libvips writes it: in levels, each half as large as the one before.
  private static func jpeg2000(_ pixels: PixelBuffer, options: String = "lossless") throws -> [UInt8] {
    try #require(VipsLibrary.failure == nil)
    let memory = try #require(
      vips.pointee.image_new_from_memory_copy(
        pixels.bytes, pixels.bytes.count, Int32(pixels.width), Int32(pixels.height), Int32(pixels.channels),
        VIPS_FORMAT_UCHAR))
    defer { vips.pointee.object_unref(memory) }
    var image: UnsafeMutablePointer<VipsImage>?
    try #require(calotype_vips_as_srgb(vips, memory, &image) == 0)
    defer { image.map { vips.pointee.object_unref($0) } }
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    try #require(calotype_vips_write(vips, image, ".jp2[\(options)]", &bytes, &count) == 0)
    defer { g_free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Stripes that are narrower than a pixel of the smallest level. A picture of 800 × 600 pixels
  /// has four levels.
  private static func striped(channels: Int) -> PixelBuffer {
    Sample.picture(800, 600, channels: channels) { x, _ in x / 4 % 2 == 0 ? Sample.red : Sample.blue }
  }

  @Test(arguments: [3, 4]) func `the largest level is shown`(channels: Int) throws {
    let file = try TemporaryFolder().file(Self.jpeg2000(Self.striped(channels: channels)), named: "sample.jp2")
    let picture = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    #expect(picture == Self.striped(channels: 3))
  }

  @Test(arguments: [(RenditionKind.grid, 800), (.full, 800), (.full, 2500)])
  func `every rendition has its size`(kind: RenditionKind, width: Int) throws {
    let pixels = Sample.quadrants(width, 600)
    let file = try TemporaryFolder().file(Self.jpeg2000(pixels), named: "sample.jp2")
    let set = try makeRenditionsInProcess(of: file, metadata: MediaMetadata(of: file), kinds: [kind])
    let picture = try set.rendition(kind).decoded()
    #expect(picture.size == kind.size(of: pixels.size))
    #expect(close(picture.corners, pixels.corners, within: 12), "\(picture.corners)")
  }

  /// Replaces the box of the colors, which is the last one in the header.
  private static func jpeg2000(_ pixels: PixelBuffer, colors: [UInt8]) throws -> [UInt8] {
    let bytes = try jpeg2000(pixels)
    var result: [UInt8] = []
    for child in MediaBytes(bytes).all.boxes() {
      var content = try #require(child.content.bytes(0, child.content.count))
      if child.type == "jp2h" {
        let header = try #require(child.content.box("ihdr"))
        content = box("ihdr", try #require(header.bytes(0, header.count))) + box("colr", colors)
      }
      result += box(child.type.text, content)
    }
    return result
  }

  @Test(
    arguments: [
      // Little CMS converts the colors of the profile to these.
      ("a profile", [2, 0, 0] + ProfileBuilder.rgb { pow($0, 2.2) }, [243, 75, 22], []),
      ("any profile", [3, 0, 0] + ProfileBuilder.rgb { pow($0, 2.2) }, [243, 75, 22], []),
      ("sRGB by number", [1, 0, 0] + big(16, 4), [200, 100, 50], []),
      (
        "a profile of gray", [2, 0, 0] + ProfileBuilder.gray { $0 }, [200, 100, 50],
        ["its color profile is of gray, and the picture is not"]
      ),
      ("a damaged profile", [2, 0, 0, 1, 1, 1, 1], [200, 100, 50], ["its color profile is damaged"]),
    ] as [(String, [UInt8], [UInt8], [String])])
  func `a profile applies`(name: String, colors: [UInt8], shown: [UInt8], notes: [String]) throws {
    let pixels = Sample.picture(16, 16) { _, _ in [200, 100, 50] }
    let file = try TemporaryFolder().file(Self.jpeg2000(pixels, colors: colors), named: "sample.jp2")
    let metadata = try MediaMetadata(of: file)
    let picture = try decodePicture(of: file, metadata: metadata)
    #expect(close([picture[8, 8]], [shown], within: 2), "\(name): \(picture[8, 8])")
    #expect(try makeRenditionsInProcess(of: file, metadata: metadata, kinds: [.full]).notes == notes)
  }

  /// The picture has Y, Cb and Cr of the color 200, 100, 50.
  @Test(
    arguments: [("sYCC", 18, [200, 100, 50]), ("sRGB", 16, [124, 86, 182])] as [(String, Int, [UInt8])])
  func `YCbCr is converted if the file declares sYCC`(name: String, number: Int, shown: [UInt8]) throws {
    let pixels = Sample.picture(16, 16) { _, _ in [124, 86, 182] }
    let bytes = try Self.jpeg2000(pixels, colors: [1, 0, 0] + big(number, 4))
    let file = try TemporaryFolder().file(bytes, named: "sample.jp2")
    let picture = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    #expect(close([picture[8, 8]], [shown], within: 1), "\(name): \(picture[8, 8])")
  }

  /// libvips writes sYCC with subsampled color, and converts it itself.
  @Test func `subsampled sYCC is converted once`() throws {
    let pixels = Sample.picture(64, 64) { _, _ in [200, 100, 50] }
    let bytes = try Self.jpeg2000(pixels, options: "subsample_mode=on,Q=100")
    let file = try TemporaryFolder().file(bytes, named: "sample.jp2")
    let picture = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    #expect(close([picture[8, 8]], [[200, 100, 50]], within: 4), "\(picture[8, 8])")
  }
}
