import Foundation
import Testing

@testable import Imaging

@Suite struct HEVCDecodingTests {
  @Test func aSmallerPictureIsWhatLibheifGives() throws {
    let chart = Sample.picture(1200, 900) { x, y in
      [UInt8(x * 255 / 1200), UInt8(y * 255 / 900), UInt8((x / 8 + y / 8) % 2 * 120 + 60)]
    }
    let file = try TemporaryFolder().file(encode(chart, as: "public.heic", quality: 90))
    let request = DecodingRequest(kinds: [.grid], limits: .standard)
    let picture = try #require(HEVCPicture(file.read(file.byteCount, at: 0)))
    let small = try #require(try decode(picture, named: file, request))
    #expect(small.size == PixelSize(width: 480, height: 360))
    let whole = try decodeHEIF(file, DecodingRequest(kinds: [.full], limits: .standard)).pixels
    let expected = whole.resized(to: small.size)
    let squares = zip(small.bytes, expected.bytes).reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
    // 36 dB: libheif repeats colour where it is stored at half the size, and here it is interpolated.
    #expect(Double(squares) / Double(small.bytes.count) < 16)
  }
}
