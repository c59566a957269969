import MediaMetadata

extension PixelBuffer {
  package static let placeholderLongSide = 6

  /// Returns at most 6 × 6 colors, each the average of its part of the picture: width, height, then
  /// RGB. Transparent parts are white.
  package func placeholder() -> [UInt8] {
    let size = PixelSize(width: width, height: height)
    let small =
      size.longSide > Self.placeholderLongSide ? size.scaled(Self.placeholderLongSide, over: size.longSide) : size
    var result = [UInt8(small.width), UInt8(small.height)]
    bytes.withUnsafeBufferPointer { source in
      for row in 0..<small.height {
        for column in 0..<small.width {
          result += average(
            of: source, rows: row * height / small.height..<(row + 1) * height / small.height,
            columns: column * width / small.width..<(column + 1) * width / small.width)
        }
      }
    }
    return result
  }

  /// Whether these bytes are a placeholder.
  package static func isPlaceholder(_ bytes: some Collection<UInt8>) -> Bool {
    let sizes = bytes.prefix(2).map(Int.init)
    guard sizes.count == 2, sizes.allSatisfy((1...placeholderLongSide).contains) else { return false }
    return bytes.count == 2 + sizes[0] * sizes[1] * 3
  }

  private func average(of source: UnsafeBufferPointer<UInt8>, rows: Range<Int>, columns: Range<Int>) -> [UInt8] {
    var red = 0
    var green = 0
    var blue = 0
    if channels == 3 {
      guard let base = source.baseAddress else { return [0, 0, 0] }
      for row in rows {
        // A loop over a stride takes ten times as long in a debug build, which tests use.
        var pixel = base + (row &* width &+ columns.lowerBound) &* 3
        let end = pixel + columns.count &* 3
        while pixel < end {
          red &+= Int(pixel[0])
          green &+= Int(pixel[1])
          blue &+= Int(pixel[2])
          pixel += 3
        }
      }
      let whole = rows.count * columns.count
      return [red, green, blue].map { UInt8(($0 + whole / 2) / whole) }
    }
    for row in rows {
      for column in columns {
        let at = (row &* width &+ column) &* channels
        let alpha = channels == 4 ? Int(source[at &+ 3]) : 255
        let white = (255 &- alpha) &* 255
        red &+= Int(source[at]) &* alpha &+ white
        green &+= Int(source[at &+ 1]) &* alpha &+ white
        blue &+= Int(source[at &+ 2]) &* alpha &+ white
      }
    }
    let whole = rows.count * columns.count * 255
    return [red, green, blue].map { UInt8(($0 + whole / 2) / whole) }
  }
}
