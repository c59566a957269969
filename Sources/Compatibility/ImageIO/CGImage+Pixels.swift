import CoreGraphics
package import Imaging

extension CGImage {
  package convenience init(_ pixels: PixelBuffer) {
    self.init(width: pixels.width, height: pixels.height, channels: pixels.channels, bytes: pixels.bytes)
  }

  package var pixels: PixelBuffer { PixelBuffer(width: width, height: height, channels: channels, bytes: bytes) }
}
