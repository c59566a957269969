import Testing
import UIKit

/// This file imports no other module than `UIKit`: it has to compile.
@Suite struct UIKitAloneTests {
  @Test func `Foundation, CoreGraphics and CoreImage come with UIKit`() {
    #expect(UIImage().size == CGSize.zero)
    #expect(UIImage(ciImage: CIImage.empty()).pngData() == Data?.none)
    #expect(CGColorSpace(name: CGColorSpace.sRGB) == CGColorSpaceCreateDeviceRGB())
    #expect(CGImagePropertyOrientation(rawValue: 6) == .right)
  }
}
