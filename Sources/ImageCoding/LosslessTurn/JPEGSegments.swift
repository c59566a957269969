import MediaMetadata

/// The positions of a JPEG's segments in its bytes.
struct JPEGSegments {
  struct Segment: Hashable {
    var marker: UInt8
    /// From the marker to the end of the segment.
    var range: Range<Int>
    /// The bytes after the marker and the length.
    var content: Range<Int> { range.lowerBound + 4..<range.upperBound }
  }

  /// The segments before the first scan.
  private(set) var headers: [Segment] = []
  /// The offset after the end marker. Other pictures or a movie may follow it.
  private(set) var end: Int

  /// Returns `nil` if the bytes are no JPEG, or end within its headers.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    end = bytes.count
    var at = 2
    var isInScan = false
    while at + 1 < bytes.count {
      let marker = bytes[at + 1]
      guard bytes[at] == 0xFF, marker != 0xFF, marker != 0, marker != 1, !(0xD0...0xD8).contains(marker) else {
        at += 1
        continue
      }
      if marker == 0xD9 {
        end = at + 2
        break
      }
      guard at + 4 <= bytes.count else { break }
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard length >= 2, at + 2 + length <= bytes.count else { break }
      if marker == 0xDA { isInScan = true }
      if !isInScan { headers.append(Segment(marker: marker, range: at..<at + 2 + length)) }
      at += 2 + length
    }
    if !isInScan { return nil }
  }

  /// Returns the first header that has this marker and begins with this signature.
  func header(_ marker: UInt8, _ signature: [UInt8], in bytes: [UInt8]) -> Segment? {
    headers.first { $0.marker == marker && bytes[$0.content].starts(with: signature) }
  }

  static let exifSignature = Array("Exif\0\0".utf8)
  static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let multiPictureSignature = Array("MPF\0".utf8)
}
