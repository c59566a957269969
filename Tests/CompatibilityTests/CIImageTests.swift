import CoreImage
import Imaging
import PhotosTesting
import Testing
import UIKit

private let tiny = PictureSize(width: 64, height: 48)

@Suite struct CIImageTests {
  /// A picture in which each pixel is unique: red encodes the column, green the row.
  private func picture() throws -> Data {
    var bytes: [UInt8] = []
    for row in 0..<48 { for column in 0..<64 { bytes += [UInt8(column * 4), UInt8(row * 5), 0] } }
    return try encode(PixelBuffer(width: 64, height: 48, channels: 3, bytes: bytes), as: "public.png", quality: 100)
  }

  @Test(arguments: Int32(1)...8)
  func `an image is as its file stores it, until it is oriented`(orientation: Int32) throws {
    var metadata = SampleMetadata()
    metadata.orientation = Int(orientation)
    let data = try SampleMedia.png(size: tiny, metadata: metadata)
    let stored = try #require(CIImage(data: data))
    #expect(stored.extent.size == (orientation < 5 ? CGSize(width: 64, height: 48) : CGSize(width: 48, height: 64)))
    let upright = try #require(CIImage(data: SampleMedia.png(size: tiny))?.pixels())
    #expect(stored.pixels()?.oriented(Int(orientation)) == upright)
    #expect(stored.oriented(forExifOrientation: orientation).pixels() == upright)
    #expect(CIImage(data: data, options: [.applyOrientationProperty: true])?.pixels() == upright)
  }

  @Test func `a crop counts from the bottom left, and keeps its place`() throws {
    let image = try #require(CIImage(data: picture()))
    let crop = image.cropped(to: CGRect(x: 10, y: 0, width: 4, height: 2))
    #expect(crop.extent == CGRect(x: 10, y: 0, width: 4, height: 2))
    let pixels = try #require(crop.pixels())
    #expect(pixels.width == 4 && pixels.height == 2)
    #expect(Array(pixels.bytes.prefix(3)) == [40, 46 * 5, 0])
    let again = crop.cropped(to: CGRect(x: 12, y: 1, width: 100, height: 100))
    #expect(again.extent == CGRect(x: 12, y: 1, width: 2, height: 1))
    #expect(again.pixels()?.bytes == [48, 230, 0, 52, 230, 0])
  }

  @Test func `a crop grows to whole pixels, and nothing is outside of the image`() throws {
    let image = try #require(CIImage(data: picture()))
    #expect(
      image.cropped(to: CGRect(x: 1.5, y: 1.5, width: 1, height: 1)).extent
        == CGRect(x: 1, y: 1, width: 2, height: 2))
    #expect(image.cropped(to: CGRect(x: -5, y: -5, width: 500, height: 500)) === image)
    #expect(image.cropped(to: CGRect(x: 64, y: 0, width: 5, height: 5)).extent.isNull)
  }

  @Test func `a turned crop shows the same pixels`() throws {
    let crop = try #require(CIImage(data: picture())).cropped(to: CGRect(x: 0, y: 46, width: 2, height: 2))
    let turned = crop.oriented(.right)
    #expect(turned.extent == CGRect(x: 0, y: 0, width: 2, height: 2))
    #expect(turned.pixels()?.bytes == [0, 5, 0, 0, 0, 0, 4, 5, 0, 4, 0, 0])
  }

  @Test func `a context writes what the recipe gives`() throws {
    let image = try #require(CIImage(data: picture())).cropped(to: CGRect(x: 0, y: 0, width: 32, height: 16))
    let space = try #require(image.colorSpace)
    let context = CIContext()
    let png = try #require(context.pngRepresentation(of: image, format: .RGBA8, colorSpace: space))
    #expect(UIImage(data: png)?.pixels() == image.pixels())
    let heif = context.heifRepresentation(of: image, format: .RGBA8, colorSpace: space)
    #expect(heif.flatMap(UIImage.init)?.size == CGSize(width: 32, height: 16))

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("render.jpg")
    try context.writeJPEGRepresentation(
      of: image, to: file, colorSpace: space,
      options: [kCGImageDestinationLossyCompressionQuality as CIImageRepresentationOption: 0.5])
    #expect(UIImage(contentsOfFile: file.path)?.size == CGSize(width: 32, height: 16))
    #expect(CIImage(contentsOf: file)?.extent == CGRect(x: 0, y: 0, width: 32, height: 16))
  }

  @Test func `an empty image can't be written`() throws {
    #expect(
      CIContext().jpegRepresentation(of: .empty(), colorSpace: CGColorSpaceCreateDeviceRGB()) == nil)
    #expect(throws: CocoaError.self) {
      try CIContext().writeJPEGRepresentation(
        of: .empty(), to: URL(fileURLWithPath: "/nowhere/a.jpg"), colorSpace: CGColorSpaceCreateDeviceRGB())
    }
  }

  @Test(arguments: Int32(1)...8)
  func `an image of UIKit's comes as its file stores it, until it is oriented`(orientation: Int32) throws {
    var metadata = SampleMetadata()
    metadata.orientation = Int(orientation)
    let data = try SampleMedia.png(size: tiny, metadata: metadata)
    let image = try #require(UIImage(data: data))
    let recipe = try #require(CIImage(image: image))
    let stored = try #require(CIImage(data: data)?.pixels())
    #expect(recipe.pixels() == stored)
    let upright = recipe.oriented(forExifOrientation: orientation)
    #expect(upright.extent.size == image.size)
    #expect(upright.pixels() == image.pixels())
  }

  @Test func `pixels go from UIKit to CoreImage and back as they are`() throws {
    let pixels = PixelBuffer(width: 2, height: 1, channels: 4, bytes: [1, 2, 3, 4, 250, 200, 150, 255])
    let recipe = try #require(CIImage(image: UIImage(pixels: pixels)))
    #expect(recipe.pixels() == pixels)
    let turned = UIImage(ciImage: recipe.oriented(.left))
    #expect(turned.size == CGSize(width: 1, height: 2))
    let again = try #require(CIImage(image: turned))
    #expect(again.extent.size == turned.size)
    #expect(again.pixels() == turned.pixels())
    #expect(CIImage(image: UIImage()) == nil)
  }
}
