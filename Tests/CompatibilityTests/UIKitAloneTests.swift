import Testing
import UIKit

/// Imports only `UIKit`. The test is that the file compiles.
@Suite struct UIKitAloneTests {
  @Test func `Foundation, CoreGraphics and CoreImage come with UIKit`() {
    #expect(UIImage().size == CGSize.zero)
    #expect(UIImage(ciImage: CIImage.empty()).pngData() == Data?.none)
    #expect(CGColorSpace(name: CGColorSpace.sRGB) == CGColorSpaceCreateDeviceRGB())
    #expect(CGImagePropertyOrientation(rawValue: 6) == .right)
  }
}
