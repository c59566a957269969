import Foundation

/// The chunks that follow each other in a window of a RIFF file (WebP, AVI).
struct Chunks: Sequence, IteratorProtocol {
  private static let limit = 20_000

  private let bytes: ByteReader
  private var position: Int
  private var count = 0

  init(_ bytes: ByteReader, from start: Int) {
    self.bytes = bytes
    position = start
  }

  mutating func next() -> (type: FourCC, content: ByteReader)? {
    guard count < Self.limit, let type = bytes.fourCC(position), let length = bytes.u32(position + 4),
      let content = bytes.slice(position + 8, length)
    else { return nil }
    count += 1
    position += 8 + length + length % 2
    return (type, content)
  }
}

extension Findings {
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

  /// Reads an AVI's headers.
  mutating func readAVI(_ bytes: ByteReader) {
    formatRotates = true
    var bytes = bytes
    bytes.order = .little
    readAVIChunks(bytes, from: 12, depth: 0)
    if storedWidth == 0 { note("The movie has no picture size.") }
  }

  private mutating func readAVIChunks(_ bytes: ByteReader, from start: Int, depth: Int) {
    guard depth < 4 else { return }
    for (type, content) in Chunks(bytes, from: start).prefix(500) {
      switch type {
      case "LIST" where content.fourCC(0) != "movi": readAVIChunks(content, from: 4, depth: depth + 1)
      case "avih":
        if let frameTime = content.u32(0), let frames = content.u32(16), let width = content.u32(32),
          let height = content.u32(36)
        {
          (storedWidth, storedHeight) = (width, height)
          if duration == 0 { duration = Double(frameTime) * Double(frames) / 1e6 }
        }
      case "strh":
        if content.fourCC(0) == "vids", let scale = content.u32(20), let rate = content.u32(24),
          let length = content.u32(32), scale > 0,
          rate > 0
        {
          duration = Double(length) * Double(scale) / Double(rate)
        }
      case "IDIT", "ICRD": if let text = content.text(limit: 64) { readAVIDate(text) }
      case "ISFT": camera.software = content.text(limit: 256)
      default: break
      }
    }
  }

  /// "MON MAR 10 15:04:43 2003" or numbers.
  private mutating func readAVIDate(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count >= 5, let month = EnglishMonth(words[1]) else { return addDate(.container, text) }
    addDate(.container, "\(words[4])-\(month.number)-\(words[2]) \(words[3])")
  }
}
