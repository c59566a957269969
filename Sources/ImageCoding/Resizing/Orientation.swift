import MediaMetadata

extension PixelBuffer {
  /// Returns the picture turned and mirrored according to EXIF's orientation (1–8); any other value
  /// changes nothing.
  public func oriented(_ orientation: Int) -> PixelBuffer {
    guard (2...8).contains(orientation) else { return self }
    let turned = orientation >= 5
    let (outWidth, outHeight) = turned ? (height, width) : (width, height)
    // The pixel that becomes the top left corner, and the source steps for a step right and down in
    // the result.
    let right = width - 1
    let bottom = height - 1
    let (startX, startY, acrossX, acrossY, downX, downY) =
      switch orientation {
      case 2: (right, 0, -1, 0, 0, 1)
      case 3: (right, bottom, -1, 0, 0, -1)
      case 4: (0, bottom, 1, 0, 0, -1)
      case 5: (0, 0, 0, 1, 1, 0)
      case 6: (0, bottom, 0, -1, 1, 0)
      case 7: (right, bottom, 0, -1, -1, 0)
      default: (right, 0, 0, 1, -1, 0)
      }
    let across = (acrossY * width + acrossX) * channels
    let down = (downY * width + downX) * channels
    let start = (startY * width + startX) * channels
    return bytes.withUnsafeBufferPointer { source in
      PixelBuffer(width: outWidth, height: outHeight, channels: channels) { out in
        guard let base = source.baseAddress else { return }
        copyTiles(from: base + start, across: across, down: down, to: out, width: outWidth, height: outHeight)
      }
    }
  }

  /// Copies tile by tile: a turned row reads a column of the source, and each cache line should be
  /// read once.
  private func copyTiles(
    from source: UnsafePointer<UInt8>, across: Int, down: Int, to out: UnsafeMutablePointer<UInt8>, width: Int,
    height: Int
  ) {
    let tile = 32
    for top in stride(from: 0, to: height, by: tile) {
      for left in stride(from: 0, to: width, by: tile) {
        for row in top..<min(top &+ tile, height) {
          var from = source + (row &* down &+ left &* across)
          var to = out + (row &* width &+ left) &* channels
          let end = out + (row &* width &+ min(left &+ tile, width)) &* channels
          while to < end {
            to[0] = from[0]
            to[1] = from[1]
            to[2] = from[2]
            if channels == 4 { to[3] = from[3] }
            from += across
            to += channels
          }
        }
      }
    }
  }
}
