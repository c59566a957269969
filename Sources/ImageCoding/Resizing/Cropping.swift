import MediaMetadata

extension PixelBuffer {
  /// Returns the pixels inside a rectangle, clamped to the picture; `nil` if nothing is inside.
  public func cropped(x: Range<Int>, y: Range<Int>) -> PixelBuffer? {
    let columns = x.clamped(to: 0..<width)
    let rows = y.clamped(to: 0..<height)
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(columns.count * rows.count * channels)
    for row in rows {
      result += bytes[(row * width + columns.lowerBound) * channels..<(row * width + columns.upperBound) * channels]
    }
    return PixelBuffer(width: columns.count, height: rows.count, channels: channels, bytes: result)
  }

  /// Returns the picture on white, without alpha, for formats that have no alpha.
  public func flattened() -> PixelBuffer {
    guard channels == 4 else { return self }
    return bytes.withUnsafeBufferPointer { source in
      PixelBuffer(width: width, height: height, channels: 3) { out in
        for pixel in 0..<width * height {
          let alpha = UInt32(source[pixel * 4 + 3])
          for channel in 0..<3 {
            let color = UInt32(source[pixel * 4 + channel]) * alpha + 255 * (255 - alpha)
            out[pixel * 3 + channel] = UInt8(truncatingIfNeeded: (color + 127) / 255)
          }
        }
      }
    }
  }
}
