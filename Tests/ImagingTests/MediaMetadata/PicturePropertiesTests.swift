import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct PicturePropertiesTests {
  private func properties(_ bytes: [UInt8]) throws -> PictureProperties {
    try PictureProperties(of: MediaFile(data: Data(bytes), name: "a picture"))
  }

  @Test func `a header that is repeated counts once`() throws {
    let jfif: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 96, 0, 0]
    let jpeg: [UInt8] = [0xFF, 0xD8] + Array([[UInt8]](repeating: jfif, count: 400).joined()) + [0xFF, 0xD9]
    #expect(
      try properties(jpeg).entries == [
        .init(.jfif, 0, .integers([1, 2])), .init(.jfif, 1, .integers([1])), .init(.jfif, 2, .integers([72])),
        .init(.jfif, 3, .integers([96])),
      ])
    let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]
    let density: [UInt8] = [0, 0, 0x0B, 0x13, 0, 0, 0x0B, 0x13, 1]
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let densities = [[UInt8]](repeating: pngChunk("pHYs", density), count: 2000).joined()
    let png = signature + pngChunk("IHDR", header) + Array(densities) + pngChunk("IEND", [])
    let found = try properties(png)
    #expect(found.entries.count == 3 && found[.png, 0] == .integers([2835]))
    #expect((found.depth, found.colorCount, found.hasAlpha) == (8, 3, true))
  }
}
