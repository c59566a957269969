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

  /// Returns a profile with the description as its only tag.
  private static func profile(_ description: [UInt8]) -> [UInt8] {
    let header = [UInt8](repeating: 0, count: 36) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 88)
    return header + [0, 0, 0, 1] + Array("desc".utf8) + [0, 0, 0, 144, 0, 0, 0, UInt8(description.count)] + description
  }

  private static let old = Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 11] + Array("Display P3\0".utf8)
  /// German and English, each of two characters in UTF-16.
  private static let languages: [UInt8] =
    Array("mluc".utf8) + [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 12] + Array("deDE".utf8) + [0, 0, 0, 4, 0, 0, 0, 40]
    + Array("enUS".utf8) + [0, 0, 0, 4, 0, 0, 0, 44, 0, 0x44, 0, 0x31, 0, 0x50, 0, 0x33]

  @Test(
    arguments: [
      (profile(old), "Display P3"), (profile(languages), "P3"), (profile(Array(languages.prefix(20))), nil),
      (profile(Array(old.prefix(10))), nil), (Array(profile(old).prefix(100)), nil), ([], nil),
    ] as [([UInt8], String?)])
  func `a profile's name is its description`(profile: [UInt8], name: String?) throws {
    func segment(_ number: UInt8, _ part: [UInt8]) -> [UInt8] {
      [0xFF, 0xE2, 0, UInt8(part.count + 16)] + Array("ICC_PROFILE\0".utf8) + [number, 2] + part
    }
    // The order of the segments is that of their numbers.
    let half = profile.count / 2
    let jpeg =
      [0xFF, 0xD8] + segment(2, Array(profile[half...])) + segment(1, Array(profile[..<half])) + [0xFF, 0xD9]
    #expect(try properties(jpeg).profileName == name)
  }
}
