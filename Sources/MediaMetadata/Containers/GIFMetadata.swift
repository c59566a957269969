extension ParsedValues {
  private static let blockLimit = 200_000
  /// The shortest delay that is respected, in hundredths of a second. Browsers show a frame with a
  /// shorter one for a tenth of a second, and makers of GIFs rely on that.
  private static let shortestDelay = 2

  /// Reads a GIF's size and XMP, counts its frames and adds up their durations.
  mutating func readGIF(_ bytes: ByteReader) {
    var bytes = bytes
    bytes.order = .little
    guard let width = bytes.u16(6), let height = bytes.u16(8), let flags = bytes.u8(10) else {
      return note("The GIF ends within its headers.")
    }
    (storedWidth, storedHeight) = (width, height)
    if width == 0 || height == 0 { note("The GIF has no picture size.") }
    var position = 13 + colorTableByteCount(flags)
    var frames = 0
    var delay = 0
    var hundredths = 0
    loop: for _ in 0..<Self.blockLimit {
      switch bytes.u8(position) {
      case 0x21:
        if bytes.u8(position + 1) == 0xF9 { delay = bytes.u16(position + 4) ?? 0 }
        let end = skipSubBlocks(bytes, from: position + 2)
        if bytes.u8(position + 1) == 0xFF, bytes.starts(with: "\u{B}XMP DataXMP", at: position + 2) {
          readXMP(bytes, from: position + 14, to: end)
        }
        position = end
      case 0x2C:
        frames += 1
        hundredths += delay < Self.shortestDelay ? 10 : delay
        position = skipSubBlocks(bytes, from: position + 11 + colorTableByteCount(bytes.u8(position + 9) ?? 0))
      case 0x3B: break loop
      default:
        note(
          bytes.source.unreadBudget < 1 << 16
            ? "The GIF is too long for its frames to be counted." : "The file is cut short.")
        break loop
      }
    }
    if frames > 1 {
      subtypes.insert(.animated)
      duration = Double(hundredths) / 100
    }
  }

  /// Reads XMP, which is not divided into blocks. A trailer of 258 bytes makes readers of blocks
  /// arrive at its end.
  private mutating func readXMP(_ bytes: ByteReader, from start: Int, to end: Int) {
    let byteCount = end - start - 258
    guard byteCount <= XMP.byteLimit, let packet = bytes.bytes(start, byteCount) else { return }
    readXMP(packet)
  }

  private func colorTableByteCount(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1) }

  private func skipSubBlocks(_ bytes: ByteReader, from start: Int) -> Int {
    var position = start
    while let length = bytes.u8(position) {
      position += length + 1
      if length == 0 { break }
    }
    return position
  }
}
