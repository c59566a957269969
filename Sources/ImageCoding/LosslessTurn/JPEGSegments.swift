import MediaMetadata

/// The positions of a JPEG's segments in its bytes.
struct JPEGSegments {
  struct Segment: Hashable {
    var marker: Int
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
    var isInScan = false
    for marker in JPEGMarkers(MediaBytes(bytes).all) {
      guard marker.isWhole else { break }
      if marker.code == JPEGMarker.endOfImage {
        end = marker.end
        break
      }
      if marker.code == JPEGMarker.startOfScan { isInScan = true }
      if !isInScan { headers.append(Segment(marker: marker.code, range: marker.offset..<marker.end)) }
    }
    if !isInScan { return nil }
  }

  /// Returns the first header that has this marker and begins with this signature.
  func header(_ marker: Int, _ signature: [UInt8], in bytes: [UInt8]) -> Segment? {
    headers.first { $0.marker == marker && bytes[$0.content].starts(with: signature) }
  }

  static let exifSignature = Array("Exif\0\0".utf8)
  static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let multiPictureSignature = Array("MPF\0".utf8)
}
