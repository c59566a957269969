import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Tests JPEGs of four inks.
@Suite struct InkDecodingTests {
  /// A picture of 4200 × 16 pixels of one color. No eighth of its width is from 1600 to 2048
  /// pixels, and so it is resized for a screen. Its inks are 200, 40, 128 and 0 of 255.
  private static let picture: [UInt8] = {
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker] + big(content.count + 2, 2) + content
    }
    func counts(_ numbers: [UInt8]) -> [UInt8] { numbers + [UInt8](repeating: 0, count: 16 - numbers.count) }
    // The mean of a block is 8 times its color, less 128. The table divides it by 8.
    let table = segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
    let components: [UInt8] = [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0]
    let size: [UInt8] = big(16, 2) + big(4200, 2)
    let frame = segment(0xC0, [8] + size + [4] + components)
    // The codes 0, 10 and 110 are for differences of 0, 7 and 8 bits. The code 0 ends a block.
    let differences: [UInt8] = [0] + counts([1, 1, 1]) + [0, 7, 8]
    let ends: [UInt8] = [0x10] + counts([1]) + [0]
    let scan = segment(0xDA, [4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0])
    // The first four blocks have the differences 72, -88, 0 and -128, and all others have 0: 10
    // 1001000 0, 10 0100111 0, 0 0, 110 01111111 0, and eight zeros for each four blocks.
    let data: [UInt8] = [0xA4, 0x24, 0xE3, 0x3F, 0x80] + [UInt8](repeating: 0, count: 1048) + [0x3F]
    let header: [UInt8] = [0xFF, 0xD8] + table + frame
    return header + segment(0xC4, differences) + segment(0xC4, ends) + scan + data + [0xFF, 0xD9]
  }()

  // Without Adobe's marker, 0 is no ink: 255 less the ink, since there is no black.
  @Test(arguments: [RenditionKind.full, .screen, .grid])
  func `four inks have the same colors in each size`(_ kind: RenditionKind) throws {
    let file = try MediaFile(data: Data(Self.picture), name: "inks.jpg")
    let pixels = try decodeJPEG(Self.picture, named: file, DecodingRequest(kinds: [kind], limits: .standard)).pixels
    #expect(pixels.channels == 3)
    let pixel = pixels[pixels.width / 2, pixels.height / 2]
    #expect(zip(pixel, [55, 215, 127]).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(pixel)")
  }
}
