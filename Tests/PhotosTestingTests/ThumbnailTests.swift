import Foundation
import Imaging
import PhotosTesting
import Testing

@Suite struct ThumbnailTests {
  private func thumbnail(of data: Data) throws -> PixelBuffer? {
    let file = try MediaFile(data: data, name: "photo")
    return try embeddedThumbnail(of: file)
  }

  /// Returns the mean difference of the channels, from 0 to 255.
  private func difference(_ one: PixelBuffer, _ other: PixelBuffer) -> Double {
    let sum = zip(one.bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(one.bytes.count)
  }

  @Test(arguments: [1, 3, 6, 8])
  func aJPEGsThumbnailShowsThePhotoUpright(_ orientation: Int) throws {
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    metadata.orientation = orientation
    let data = try SampleMedia.jpeg(size: PictureSize(width: 640, height: 480), metadata: metadata)
    let found = try #require(try thumbnail(of: data))
    #expect((found.width, found.height) == (160, 120))
    let file = try MediaFile(data: data, name: "photo")
    let whole = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    let small = whole.resized(to: PixelSize(width: 160, height: 120))
    #expect(difference(found, small) < 8)
    #expect(difference(found.oriented(3), small) > 16)
  }

  @Test func aHEICsThumbnailIsItsOwnPicture() throws {
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    let data = try SampleMedia.heic(size: PictureSize(width: 960, height: 720), metadata: metadata)
    let found = try #require(try thumbnail(of: data))
    #expect((found.width, found.height) == (320, 240))
    let file = try MediaFile(data: data, name: "photo")
    let whole = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    #expect(difference(found, whole.resized(to: PixelSize(width: 320, height: 240))) < 8)
  }

  @Test(arguments: [false, true])
  func aSmallPictureOfAHEICShowsThePhotoItself(_ isExact: Bool) throws {
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    let data = try SampleMedia.heic(size: PictureSize(width: 960, height: 720), metadata: metadata)
    let file = try MediaFile(data: data, name: "photo")
    let request = PictureRequest(.fitting(width: 200, height: 200), isExact: isExact)
    let found = try makePicture(of: file, metadata: MediaMetadata(of: file), request)
    #expect(isExact ? (found.width, found.height) == (200, 150) : (200...300).contains(found.width))
    let whole = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    #expect(difference(found, whole.resized(to: PixelSize(width: found.width, height: found.height))) < 4)
  }

  @Test func withoutAThumbnailThereIsNone() throws {
    let size = PictureSize(width: 64, height: 48)
    #expect(try thumbnail(of: SampleMedia.jpeg(size: size)) == nil)
    #expect(try thumbnail(of: SampleMedia.heic(size: size)) == nil)
    #expect(try thumbnail(of: SampleMedia.png(size: size)) == nil)
  }

  @Test func aCutOffThumbnailIsNoErrorAndNoPicture() throws {
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    let data = try SampleMedia.jpeg(size: PictureSize(width: 640, height: 480), metadata: metadata)
    #expect(try thumbnail(of: data.prefix(600)) == nil)
  }
}
