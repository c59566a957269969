import Imaging
import Testing
import UIKit

@Suite struct UIGraphicsTests {
  private func image(_ bytes: [UInt8], width: Int = 2) -> UIImage {
    UIImage(pixels: PixelBuffer(width: width, height: bytes.count / 4 / width, channels: 4, bytes: bytes))
  }

  private let gray = [UInt8](repeating: 200, count: 64 * 48 * 3)

  @Test func `a renderer draws an image smaller`() {
    let large = UIImage(pixels: PixelBuffer(width: 64, height: 48, channels: 3, bytes: gray))
    let small = UIGraphicsImageRenderer(size: CGSize(width: 16, height: 12)).image { _ in
      large.draw(in: CGRect(x: 0, y: 0, width: 16, height: 12))
    }
    #expect(small.size == CGSize(width: 16, height: 12))
    #expect(small.pixels()?.droppingAlphaForTests.allSatisfy { $0 == 200 } == true)
  }

  @Test func `a context draws an image smaller`() {
    let large = UIImage(pixels: PixelBuffer(width: 64, height: 48, channels: 3, bytes: gray))
    UIGraphicsBeginImageContextWithOptions(CGSize(width: 8, height: 6), true, 2)
    large.draw(in: CGRect(x: 0, y: 0, width: 8, height: 6))
    let small = UIGraphicsGetImageFromCurrentImageContext()
    UIGraphicsEndImageContext()
    #expect(small?.size == CGSize(width: 8, height: 6))
    #expect(small?.pixels()?.width == 16 && small?.pixels()?.channels == 3)
    #expect(UIGraphicsGetImageFromCurrentImageContext() == nil)
  }

  @Test func `an image is drawn at its place, over a color, and cut at the edges`() {
    let format = UIGraphicsImageRendererFormat()
    format.opaque = true
    let picture = image([10, 20, 30, 255, 40, 50, 60, 0])
    let drawn = UIGraphicsImageRenderer(size: CGSize(width: 3, height: 1), format: format).image { context in
      UIColor.red.setFill()
      context.fill(CGRect(x: 0, y: 0, width: 2, height: 9))
      picture.draw(at: CGPoint(x: -1, y: 0))
      picture.draw(at: CGPoint(x: 2, y: 0))
    }
    #expect(drawn.pixels()?.bytes == [255, 0, 0, 255, 0, 0, 10, 20, 30])
  }

  @Test func `alpha is laid over alpha`() {
    let drawn = UIGraphicsImageRenderer(size: CGSize(width: 1, height: 1)).image { context in
      UIColor(red: 1, green: 0, blue: 0, alpha: 0.4).setFill()
      context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
      UIColor(red: 0, green: 0, blue: 1, alpha: 0.2).setFill()
      context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
    }
    // The color is the sum of 51 parts blue and four fifths of 102 parts red.
    #expect(drawn.pixels()?.bytes == [156, 0, 99, 132])
  }

  @Test func `an image that was turned is drawn upright`() {
    let stored = CGImage(PixelBuffer(width: 2, height: 1, channels: 3, bytes: [1, 1, 1, 2, 2, 2]))
    let turned = UIImage(cgImage: stored, scale: 1, orientation: .right)
    let drawn = UIGraphicsImageRenderer(size: turned.size).image { _ in turned.draw(at: .zero) }
    #expect(drawn.pixels()?.bytes == [1, 1, 1, 255, 2, 2, 2, 255])
  }

  @Test(arguments: [
    CGSize.zero, CGSize(width: CGFloat.nan, height: 1), CGSize(width: 1e9, height: 1e9),
  ])
  func `a size without an area, or with too large a one, gives nothing`(size: CGSize) {
    let drawn = UIGraphicsImageRenderer(size: size).image { context in context.fill(.infinite) }
    #expect(drawn.size == .zero)
    UIGraphicsBeginImageContext(size)
    UIRectFill(CGRect(x: 0, y: 0, width: 1, height: 1))
    #expect(UIGraphicsGetImageFromCurrentImageContext() == nil)
    UIGraphicsEndImageContext()
  }
}

extension PixelBuffer {
  fileprivate var droppingAlphaForTests: [UInt8] { flattened().bytes }
}
