import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Tests which files are shown themselves, in place of a screen rendition.
@Suite struct ServingOriginalTests {
  /// A pattern that does not compress to a few bytes.
  private static func picture(_ width: Int, _ height: Int) -> PixelBuffer {
    Sample.picture(width, height) { x, y in [UInt8(x * 7 % 256), UInt8(y * 5 % 256), UInt8((x ^ y) % 256)] }
  }

  private func serves(
    _ data: Data, as type: String = "public.jpeg", orientation: Int = 1, kinds: Set<RenditionKind> = [.screen, .grid]
  ) throws -> Bool {
    let file = try TemporaryFolder().file(data)
    return try makeRenditions(of: file, metadata: Sample.metadata(type, orientation: orientation), kinds: kinds)
      .canServeOriginal
  }

  @Test(arguments: [(40, true), (70, true), (95, false)])
  func aSmallJPEGServesWhereItIsNoLargerThanTheScreensPicture(quality: Int, serves: Bool) throws {
    let data = try encode(Self.picture(320, 240), as: "public.jpeg", quality: quality)
    #expect(try self.serves(data) == serves)
  }

  @Test func aTurnedJPEGDoesNotServe() throws {
    let data = try encode(Self.picture(320, 240), as: "public.jpeg", quality: 40)
    #expect(try !serves(data, orientation: 6))
  }

  @Test func aJPEGThatIsLargerThanAScreenDoesNotServe() throws {
    let data = try encode(Self.picture(2400, 100), as: "public.jpeg", quality: 1)
    #expect(try !serves(data))
  }

  @Test func aJPEGWithBytesBehindItsEndDoesNotServe() throws {
    let data = try encode(Self.picture(320, 240), as: "public.jpeg", quality: 40)
    #expect(try !serves(data + [0]))
  }

  @Test func aPNGDoesNotServe() throws {
    let data = try encode(Sample.quadrants(64, 48), as: "public.png", quality: 90)
    #expect(try !serves(data, as: "public.png"))
  }

  @Test func nothingServesWhereNoScreensPictureWasAskedFor() throws {
    let data = try encode(Self.picture(320, 240), as: "public.jpeg", quality: 40)
    #expect(try !serves(data, kinds: [.grid]))
  }
}
