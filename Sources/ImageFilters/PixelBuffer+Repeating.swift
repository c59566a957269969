import ImageCoding
import MediaMetadata

extension PixelBuffer {
  /// Returns the pixels of a rectangle that may extend beyond the picture. The outermost pixels are
  /// repeated there.
  public func repeated(x: Range<Int>, y: Range<Int>) -> PixelBuffer {
    withView { source in
      PixelBuffer(width: max(1, x.count), height: max(1, y.count), channels: channels) { out in
        var to = out
        for row in y {
          let line = source.base + min(max(row, 0), height - 1) * source.stride
          for column in x {
            let from = line + min(max(column, 0), width - 1) * channels
            to.update(from: from, count: channels)
            to += channels
          }
        }
      }
    }
  }
}
