/// A marker of a JPEG, with the segment that follows it.
package struct JPEGMarker {
  /// The second byte of the marker; the first is 0xFF.
  package var code: Int
  /// The offset of the marker's first byte.
  package var offset: Int
  /// The bytes after the length. They are cut at the end of the file.
  package var content: ByteReader
  /// The size of the content according to the segment; `nil` if it has no possible length.
  package var byteCount: Int?
  /// The number of bytes before a header's marker that are part of nothing.
  package var strayByteCount: Int

  /// The offset after the segment.
  package var end: Int { offset + (hasSegment ? 4 + content.count : 2) }

  /// Whether all of the segment is in the file.
  package var isWhole: Bool { !hasSegment || byteCount == content.count }

  private var hasSegment: Bool { code != Self.endOfImage }

  package static let endOfImage = 0xD9
  package static let startOfScan = 0xDA
  /// The first of sixteen markers of application data.
  package static let app0 = 0xE0
  package static let comment = 0xFE

  /// Whether the segment contains the picture's size and components.
  package var isFrame: Bool { (0xC0...0xCF).contains(code) && ![0xC4, 0xC8, 0xCC].contains(code) }
  /// Whether the frame of this marker is stored in several passes.
  package var isProgressiveFrame: Bool { [0xC2, 0xC6, 0xCA, 0xCE].contains(code) }
}

/// A sequence of the markers of a JPEG up to its end marker.
///
///     for marker in JPEGMarkers(bytes) where marker.code == 0xE1 { read(marker.content) }
///
/// - Fill bytes, coded data and markers without a segment (restarts, a second start) are left out.
/// - Between headers, up to 16 kB of other bytes are skipped: broken writers leave some there.
/// - The sequence ends with a header whose segment is damaged or cut. In coded data, the bytes of
///   such a segment are taken for coded data.
package struct JPEGMarkers: Sequence, IteratorProtocol {
  private static let strayByteLimit = 16 << 10

  private let bytes: ByteReader
  private var position = 2
  private var isInScan = false
  private var isAtEnd = false

  /// Expects bytes that begin with a start marker.
  package init(_ bytes: ByteReader) { self.bytes = bytes }

  package mutating func next() -> JPEGMarker? {
    var strayByteCount = 0
    while !isAtEnd, let offset = nextMarkByte(strayByteCount), let code = bytes.u8(offset + 1) {
      strayByteCount += offset - position
      switch code {
      case 0xFF: position = offset + 1
      case 0x00:
        position = offset + 2
        strayByteCount += 2
      case 0x01, 0xD0...0xD8: position = offset + 2
      default: return marker(code, at: offset, strayByteCount: isInScan ? 0 : strayByteCount)
      }
    }
    isAtEnd = true
    return nil
  }

  private func nextMarkByte(_ strayByteCount: Int) -> Int? {
    let most = isInScan ? bytes.count : Swift.max(0, Self.strayByteLimit - strayByteCount)
    return bytes.firstIndex(of: 0xFF, in: Swift.min(position, bytes.count)..<bytes.count, searching: most)
  }

  private mutating func marker(_ code: Int, at offset: Int, strayByteCount: Int) -> JPEGMarker {
    let byteCount = bytes.u16(offset + 2).flatMap { $0 >= 2 ? $0 - 2 : nil }
    let content = code == JPEGMarker.endOfImage ? nil : byteCount.flatMap { bytes.slice(offset + 4, $0) }
    let marker = JPEGMarker(
      code: code, offset: offset,
      content: content ?? ByteReader(bytes.source, at: bytes.base + Swift.min(offset + 4, bytes.count), count: 0),
      byteCount: byteCount, strayByteCount: strayByteCount)
    position = marker.isWhole ? marker.end : offset + 2
    isAtEnd = code == JPEGMarker.endOfImage || !marker.isWhole && !isInScan
    if code == JPEGMarker.startOfScan { isInScan = true }
    return marker
  }
}

extension JPEGMarkers {
  /// Returns the markers before the first scan.
  package static func headers(_ bytes: ByteReader) -> some Sequence<JPEGMarker> {
    JPEGMarkers(bytes).lazy.prefix { ![JPEGMarker.endOfImage, JPEGMarker.startOfScan].contains($0.code) }
  }
}
