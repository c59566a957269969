import Imaging

extension PixelBuffer {
  /// Returns the pixels to store in a file with this orientation. Readers that apply the
  /// orientation get this picture back.
  func stored(for orientation: Int) -> PixelBuffer {
    guard (2...8).contains(orientation) else { return self }
    let (storedWidth, storedHeight) = orientation >= 5 ? (height, width) : (width, height)
    var result = [UInt8](repeating: 0, count: bytes.count)
    for row in 0..<storedHeight {
      for column in 0..<storedWidth {
        let (x, y) =
          switch orientation {
          case 2: (width - 1 - column, row)
          case 3: (width - 1 - column, height - 1 - row)
          case 4: (column, height - 1 - row)
          case 5: (row, column)
          case 6: (width - 1 - row, column)
          case 7: (width - 1 - row, height - 1 - column)
          default: (row, height - 1 - column)
          }
        let (from, to) = ((y * width + x) * channels, (row * storedWidth + column) * channels)
        for channel in 0..<channels { result[to + channel] = bytes[from + channel] }
      }
    }
    return PixelBuffer(width: storedWidth, height: storedHeight, channels: channels, bytes: result)
  }

  var size: PictureSize { PictureSize(width: width, height: height) }
}
