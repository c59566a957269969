import CoreImage
import Imaging
import PhotosTesting
import Testing
import UIKit

@Suite struct CGImageTests {
  private let tiny = PictureSize(width: 64, height: 48)

  private func image(_ bytes: [UInt8], _ info: UInt32, bitsPerPixel: Int = 32, bytesPerRow: Int = 4) throws -> CGImage {
    let provider = try #require(CGDataProvider(data: Data(bytes) as CFData))
    return try #require(
      CGImage(
        width: 1, height: bytes.count / bytesPerRow, bitsPerComponent: 8, bitsPerPixel: bitsPerPixel,
        bytesPerRow: bytesPerRow, space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGBitmapInfo(rawValue: info),
        provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent))
  }

  @Test(
    arguments: [
      (CGImageAlphaInfo.last.rawValue, [10, 20, 30, 40], [10, 20, 30, 40]),
      (CGImageAlphaInfo.first.rawValue, [40, 10, 20, 30], [10, 20, 30, 40]),
      (CGImageAlphaInfo.noneSkipLast.rawValue, [10, 20, 30, 40], [10, 20, 30, 255]),
      (CGImageAlphaInfo.premultipliedLast.rawValue, [5, 10, 15, 51], [25, 50, 75, 51]),
      (
        CGImageAlphaInfo.premultipliedFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue, [30, 20, 10, 255],
        [10, 20, 30, 255]
      ),
    ] as [(UInt32, [UInt8], [UInt8])])
  func `bytes in any order become red, green, blue and alpha`(info: UInt32, bytes: [UInt8], expected: [UInt8]) throws {
    #expect(try [UInt8](#require(image(bytes, info).dataProvider?.data)) == expected)
  }

  @Test func `rows may be longer than their pixels`() throws {
    let made = try image([1, 2, 3, 0, 4, 5, 6, 0], CGImageAlphaInfo.none.rawValue, bitsPerPixel: 24)
    #expect((made.width, made.height) == (1, 2))
    #expect(made.dataProvider?.data == Data([1, 2, 3, 255, 4, 5, 6, 255]))
    #expect((made.bitsPerPixel, made.bytesPerRow, made.alphaInfo) == (32, 4, .noneSkipLast))
  }

  @Test func `too few bytes make no image`() throws {
    let provider = try #require(CGDataProvider(data: Data([1, 2, 3])))
    let made = CGImage(
      width: 1, height: 1, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 4, space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue), provider: provider, decode: nil,
      shouldInterpolate: false, intent: .defaultIntent)
    #expect(made == nil)
  }

  @Test(arguments: 1...8) func `an image's pixels are as its file stores them`(orientation: Int) throws {
    var metadata = SampleMetadata()
    metadata.orientation = orientation
    let image = try #require(UIImage(data: SampleMedia.png(size: tiny, metadata: metadata)))
    let stored = try #require(image.cgImage)
    #expect((stored.width, stored.height) == (orientation >= 5 ? (48, 64) : (64, 48)))
    let same = UIImage(cgImage: stored, scale: 2, orientation: image.imageOrientation)
    #expect(same.pixels() == image.pixels())
    #expect(same.size == CGSize(width: 32, height: 24))
    #expect(CIImage(cgImage: stored).pixels() == CIImage(image: image)?.pixels())
    #expect(CIImage(image: same)?.pixels() == CIImage(image: image)?.pixels())
  }

  @Test func `a recipe has no pixels of its own until a context makes them`() throws {
    let recipe = try #require(CIImage(data: SampleMedia.png(size: tiny)))
    #expect(UIImage(ciImage: recipe).cgImage == nil)
    let made = try #require(CIContext().createCGImage(recipe, from: recipe.extent))
    #expect(made.pixels == recipe.pixels())
  }

  @Test func `a context's image is clear beyond the recipe`() throws {
    let red = CIImage(pixels: PixelBuffer(width: 1, height: 1, channels: 3, bytes: [255, 0, 0]))
    let made = CIContext().createCGImage(red, from: CGRect(x: -1, y: 0, width: 2, height: 2))
    #expect(made?.pixels.bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 255])
  }

  @Test func `an image is cropped from its upper left corner`() throws {
    let made = try image([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3], CGImageAlphaInfo.last.rawValue)
    #expect(made.cropping(to: CGRect(x: 0, y: 1, width: 5, height: 1))?.pixels.bytes == [2, 2, 2, 2])
    #expect(made.cropping(to: CGRect(x: 2, y: 0, width: 1, height: 1)) == nil)
  }
}

@Suite struct BitmapTests {
  private let checkers = CIImage(
    pixels: PixelBuffer(width: 2, height: 1, channels: 4, bytes: [200, 100, 0, 255, 0, 0, 0, 51]))

  /// A common way to find an image's main color.
  @Test func `an area's average is one pixel`() throws {
    let extent = CIVector(x: 0, y: 0, z: 2, w: 1)
    let filter = try #require(
      CIFilter(name: "CIAreaAverage", parameters: [kCIInputImageKey: checkers, kCIInputExtentKey: extent]))
    let average = try #require(filter.outputImage)
    #expect(average.extent == CGRect(x: 0, y: 0, width: 1, height: 1))
    var bitmap = [UInt8](repeating: 0, count: 4)
    let context = CIContext(options: [.workingColorSpace: kCFNull as Any])
    context.render(
      average, toBitmap: &bitmap, rowBytes: 4, bounds: CGRect(x: 0, y: 0, width: 1, height: 1), format: .RGBA8,
      colorSpace: nil)
    // The first pixel contributes 255 of 306 parts of the color. 153 is the mean of both alpha
    // values.
    #expect(bitmap == [100, 50, 0, 153])
    context.clearCaches()
  }

  @Test func `a bitmap is multiplied by alpha, and keeps the bytes between its rows`() {
    let light = CIImage(
      pixels: PixelBuffer(width: 1, height: 2, channels: 4, bytes: [255, 100, 0, 51, 1, 2, 3, 255]))
    var bitmap = [UInt8](repeating: 9, count: 10)
    CIContext().render(
      light, toBitmap: &bitmap, rowBytes: 6, bounds: light.extent, format: .RGBA8,
      colorSpace: CGColorSpaceCreateDeviceRGB())
    #expect(bitmap == [51, 20, 0, 51, 9, 9, 1, 2, 3, 255])
  }

  @Test func `a row that is too short is left alone`() {
    var bitmap = [UInt8](repeating: 9, count: 4)
    CIContext().render(
      checkers, toBitmap: &bitmap, rowBytes: 4, bounds: checkers.extent, format: .RGBA8, colorSpace: nil)
    #expect(bitmap == [9, 9, 9, 9])
  }
}
