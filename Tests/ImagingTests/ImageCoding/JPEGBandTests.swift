import Foundation
import Synchronization
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Tests JPEGs whose bands are encoded in parallel.
@Suite struct JPEGBandTests {
  private static func picture(_ width: Int, _ height: Int, channels: Int) -> PixelBuffer {
    PixelBuffer(width: width, height: height, channels: channels) { out in
      for index in 0..<width * height * channels {
        out[index] = UInt8(truncatingIfNeeded: index &* index >> 11 ^ index / 97)
      }
    }
  }

  private static func decoded(_ jpeg: Data) throws -> PixelBuffer {
    let file = try MediaFile(data: jpeg, name: "a.jpg")
    return try makePictureInProcess(
      of: file, metadata: MediaMetadata(parsing: file), PictureRequest(.whole), limits: .standard)
  }

  @Test(arguments: [
    (4032, 3024, 3, 2, 90), (3000, 2701, 3, 3, 97), (3001, 2700, 4, 2, 75), (8000, 1001, 3, 8, 90),
    // Last bands of one row and of two, and more bands than rows.
    (1001, 8193, 3, 64, 90), (62_000, 130, 3, 2, 90), (62_000, 130, 3, 200, 90),
  ])
  func `a picture of bands has the pixels of one that was encoded in one piece`(
    width: Int, height: Int, channels: Int, count: Int, quality: Int
  ) throws {
    let picture = Self.picture(width, height, channels: channels)
    let bands = try #require(encodeInBands(picture, quality: quality, count: count))
    #expect(try Self.decoded(bands) == Self.decoded(encodeInOnePiece(picture, quality: quality)))
  }

  @Test func `a picture for the screen is encoded by one thread`() {
    #expect(encodeInBands(Self.picture(2016, 1512, channels: 3), quality: 82, count: 2) == nil)
  }

  @Test(arguments: [0, 1, 2, 64]) func `threads run each index once`(count: Int) {
    let indices = Mutex<[Int]>([])
    runInThreads(count) { index in indices.withLock { $0.append(index) } }
    #expect(indices.withLock { $0.sorted() } == Array(0..<count))
  }

  @Test func `a picture of bands carries metadata`() throws {
    let exif: [UInt8] = Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let picture = Self.picture(4032, 3024, channels: 3)
    let jpeg = try encodeJPEG(picture, quality: 90, exif: exif)
    #expect(jpeg.prefix(64).range(of: Data(exif)) != nil)
    #expect(try Self.decoded(jpeg) == Self.decoded(encodeInOnePiece(picture, quality: 90)))
  }

  @Test func `a picture that is too high for a JPEG is refused`() {
    let picture = Self.picture(128, 65_501, channels: 3)
    #expect(encodeInBands(picture, quality: 90, count: 2) == nil)
    #expect(throws: ImagingError.self) { try encodeJPEG(picture, quality: 90, exif: nil) }
  }
}
