import Foundation

/// A sequence of the consecutive chunks in a window of a RIFF file (WebP, AVI).
package struct Chunks: Sequence, IteratorProtocol {
  private static let limit = 20_000

  private let bytes: ByteReader
  private var position: Int
  private var count = 0

  package init(_ bytes: ByteReader, from start: Int) {
    self.bytes = bytes
    position = start
  }

  package mutating func next() -> (type: FourCC, content: ByteReader)? {
    guard count < Self.limit, let type = bytes.fourCC(position), let length = bytes.u32(position + 4),
      let content = bytes.slice(position + 8, length)
    else { return nil }
    count += 1
    position += 8 + length + length % 2
    return (type, content)
  }
}

extension ParsedValues {
  /// Reads a WebP's chunks.
  mutating func readWebP(_ bytes: ByteReader) {
    var bytes = bytes
    bytes.order = .little
    for (type, content) in Chunks(bytes, from: 12) {
      switch type {
      case "VP8X":
        if let flags = content.u8(0), let width = content.u24(4), let height = content.u24(7) {
          (storedWidth, storedHeight) = (width + 1, height + 1)
          if flags & 2 != 0 { subtypes.insert(.animated) }
        }
      case "VP8 ":
        if storedWidth == 0, content.u24(3) == 0x2A019D, let width = content.u16(6), let height = content.u16(8) {
          (storedWidth, storedHeight) = (width & 0x3FFF, height & 0x3FFF)
        }
      case "VP8L":
        if storedWidth == 0, content.u8(0) == 0x2F, let size = content.u32(1) {
          (storedWidth, storedHeight) = ((size & 0x3FFF) + 1, (size >> 14 & 0x3FFF) + 1)
        }
      case "ANMF": duration += Double(content.u24(12) ?? 0) / 1000
      case "EXIF": readEXIF(content)
      case "XMP ": if content.count <= XMP.byteLimit, let packet = content.bytes(0, content.count) { readXMP(packet) }
      default: break
      }
    }
    if storedWidth == 0 { note("The WebP has no picture size.") }
    if let length = bytes.u32(4), length + 8 > bytes.count + 1 { note("The file is cut short.") }
  }
}
