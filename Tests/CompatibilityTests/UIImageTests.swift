import Imaging
import PhotosTesting
import Testing
import UIKit

private let tiny = PictureSize(width: 64, height: 48)

@Suite struct UIImageTests {
  @Test(arguments: [
    (1, UIImage.Orientation.up), (2, .upMirrored), (3, .down), (4, .downMirrored), (5, .leftMirrored), (6, .right),
    (7, .rightMirrored), (8, .left),
  ])
  func `an image is upright, however its file stores it`(exif: Int, orientation: UIImage.Orientation) throws {
    var metadata = SampleMetadata()
    metadata.orientation = exif
    let image = try #require(UIImage(data: SampleMedia.png(size: tiny, metadata: metadata)))
    #expect(image.imageOrientation == orientation)
    #expect(image.size == CGSize(width: 64, height: 48))
    let upright = try #require(UIImage(data: SampleMedia.png(size: tiny)))
    #expect(image.pixels() == upright.pixels())
  }

  @Test func `the raw values are UIKit's`() {
    let orientations: [UIImage.Orientation] = [
      .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
    ]
    #expect(orientations.map(\.rawValue) == Array(0...7))
  }

  @Test func `an archived image has the same bytes, scale and orientation`() throws {
    var metadata = SampleMetadata()
    metadata.orientation = 6
    let data = try SampleMedia.jpeg(size: tiny, metadata: metadata)
    let image = try #require(UIImage(data: data, scale: 2))
    let archive = try NSKeyedArchiver.archivedData(withRootObject: image, requiringSecureCoding: true)
    let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: UIImage.self, from: archive))
    #expect(read.scale == 2 && read.imageOrientation == .right && read.size == image.size)
    #expect(read.pixels() == image.pixels())
  }

  @Test func `an archived image of pixels has the same pixels`() throws {
    let image = UIGraphicsImageRenderer(size: CGSize(width: 3, height: 2)).image { _ in }
    let archive = try NSKeyedArchiver.archivedData(withRootObject: image, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: UIImage.self, from: archive)
    #expect(read?.pixels() == image.pixels())
  }

  @Test func `an image without pixels has no archive that can be read`() throws {
    let archive = try NSKeyedArchiver.archivedData(withRootObject: UIImage(), requiringSecureCoding: true)
    #expect((try? NSKeyedUnarchiver.unarchivedObject(ofClass: UIImage.self, from: archive)) == nil)
  }

  @Test func `a size is in points`() throws {
    let image = try #require(UIImage(data: SampleMedia.jpeg(size: tiny), scale: 2))
    #expect(image.size == CGSize(width: 32, height: 24))
    #expect(image.scale == 2)
  }

  @Test func `a PNG of an image has the same pixels, and a JPEG the same size`() throws {
    let image = try #require(UIImage(data: SampleMedia.heic(size: tiny)))
    #expect(try UIImage(data: #require(image.pngData()))?.pixels() == image.pixels())
    let small = try #require(image.jpegData(compressionQuality: 0.1))
    let large = try #require(image.jpegData(compressionQuality: 1))
    #expect(small.count < large.count)
    #expect(UIImage(data: large)?.size == image.size)
  }

  @Test func `transparent parts are white in a JPEG`() throws {
    let clear = PixelBuffer(width: 16, height: 16, channels: 4, bytes: [UInt8](repeating: 0, count: 1024))
    let image = try #require(UIImage(data: encode(clear, as: "public.png", quality: 100)))
    #expect(try UIImage(data: #require(image.pngData()))?.pixels()?.channels == 4)
    let jpeg = try UIImage(data: #require(image.jpegData(compressionQuality: 1)))?.pixels()
    #expect(jpeg?.bytes == [UInt8](repeating: 255, count: 768))
  }

  @Test func `a raw file gives an image of the size that it says`() throws {
    let image = try #require(UIImage(data: SampleMedia.dng(size: .small)))
    let pixels = try #require(image.pixels())
    #expect(image.size == CGSize(width: pixels.width, height: pixels.height))
  }

  @Test func `data without a picture gives no image`() throws {
    #expect(UIImage(data: Data()) == nil)
    #expect(UIImage(data: Data("a text".utf8)) == nil)
    #expect(UIImage(contentsOfFile: "/nowhere/IMG_0001.JPG") == nil)
    #expect(UIImage().size == .zero)
    #expect(UIImage().pngData() == nil)
  }

  @Test func `a file that says a size and has no picture has no pixels`() throws {
    let image = UIImage(data: try SampleMedia.png(size: tiny).prefix(40))
    #expect(image?.pngData() == nil)
  }
}
