import CVips
import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct JPEG2000DecodingTests {
  /// Returns the picture as libvips writes it: in levels, each half as large as the one before.
  private static func jpeg2000(_ pixels: PixelBuffer) throws -> [UInt8] {
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
    try #require(calotype_vips_write(vips, image, ".jp2[lossless]", &bytes, &count) == 0)
    defer { g_free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Stripes that are narrower than a pixel of the smallest level, for which 800 × 600 pixels have
  /// four levels.
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
}
