import MediaMetadata

/// Where the parts of a JPEG lie in its bytes.
struct JPEGSegments {
  struct Segment: Hashable {
    var marker: UInt8
    /// From the marker to the end.
    var range: Range<Int>
    /// Behind marker and length.
    var content: Range<Int> { range.lowerBound + 4..<range.upperBound }
  }

  /// Those before the first scan.
  private(set) var headers: [Segment] = []
  /// Behind the mark of its end: other pictures, a movie.
  private(set) var end: Int

  /// `nil` for what is no JPEG, or ends within its headers.
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

  /// The first with a marker and a beginning.
  func header(_ marker: UInt8, _ signature: [UInt8], in bytes: [UInt8]) -> Segment? {
    headers.first { $0.marker == marker && bytes[$0.content].starts(with: signature) }
  }

  static let exifSignature = Array("Exif\0\0".utf8)
  static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let multiPictureSignature = Array("MPF\0".utf8)
}
