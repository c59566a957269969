import ImageCoding
import MediaMetadata

extension PixelBuffer {
  /// Returns the picture on a black canvas, without alpha. The canvas must hold all of it.
  public func onBlack(width: Int, height: Int, left: Int, top: Int) -> PixelBuffer {
    withView { source in
      PixelBuffer(width: width, height: height, channels: 3) { out in
        out.update(repeating: 0, count: width * height * 3)
        for row in 0..<min(source.height, height - top) {
          var from = source.base + row * source.stride
          var to = out + ((top + row) * width + left) * 3
          for _ in 0..<min(source.width, width - left) {
            let alpha = channels == 4 ? UInt32(from[3]) : 255
            for channel in 0..<3 {
              to[channel] = UInt8(truncatingIfNeeded: (UInt32(from[channel]) &* alpha &+ 127) / 255)
            }
            from += channels
            to += 3
          }
        }
      }
    }
  }
}
