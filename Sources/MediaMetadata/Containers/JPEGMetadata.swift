extension ParsedValues {
  /// Reads a JPEG's segments before its picture, and searches for a movie after it.
  mutating func readJPEG(_ bytes: ByteReader) {
    let segments = readJPEGSegments(bytes)
    if storedWidth == 0 { note("The JPEG has no picture size.") }
    if let mpf = segments.multiPicture, !subtypes.contains(.hdr) { readSecondPicture(mpf, of: bytes) }
    readMotionPhoto(bytes, xmp: segments.xmp)
  }

  /// The parts of a JPEG's headers that its further pictures and movies are described in.
  struct JPEGExtras {
    var xmp: XMP?
    var multiPicture: ByteReader?
  }

  @discardableResult
  mutating func readJPEGSegments(_ bytes: ByteReader) -> JPEGExtras {
    var found = JPEGExtras()
    var hasEXIF = false
    var position = 2
    for _ in 0..<500 {
      guard let marker = nextMarker(bytes, &position) else { return found }
      if marker == 0xD9 || marker == 0xDA { return found }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      guard let length = bytes.u16(position), length >= 2, let content = bytes.slice(position + 2, length - 2) else {
        note("The JPEG ends within its headers.")
        return found
      }
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        if storedWidth == 0, let height = content.u16(1), let width = content.u16(3) {
          (storedWidth, storedHeight) = (width, height)
        }
      case 0xE1 where content.starts(with: "Exif\0"):
        if !hasEXIF, let exif = content.slice(6) { readEXIF(exif) }
        hasEXIF = true
      case 0xE1 where content.starts(with: "http://ns.adobe.com/xap/1.0/\0"):
        if found.xmp == nil, let packet = content.bytes(29, content.count - 29) { found.xmp = readXMP(packet) }
      case 0xE2 where content.starts(with: "MPF\0"): found.multiPicture = content.slice(4)
      case 0xED where content.starts(with: "Photoshop 3.0\0"): readPhotoshop(content)
      default: break
      }
      position += length
    }
    return found
  }

  /// Returns the next marker from `position` on and moves `position` past it. Skips bytes that
  /// broken writers leave between segments.
  private mutating func nextMarker(_ bytes: ByteReader, _ position: inout Int) -> Int? {
    var skipped = 0
    while skipped < 16 << 10 {
      guard let first = bytes.u8(position), let second = bytes.u8(position + 1) else { return nil }
      if first == 0xFF, second != 0xFF, second != 0 {
        if skipped > 0 { note("The JPEG has unknown bytes between its headers.") }
        position += 2
        return second
      }
      position += 1
      if first != 0xFF || second == 0 { skipped += 1 }
    }
    return nil
  }

  /// Marks the photo as HDR if one of the JPEG's further pictures is a gain map.
  private mutating func readSecondPicture(_ mpf: ByteReader, of bytes: ByteReader) {
    guard let tiff = TIFFReader(mpf), let index = tiff.directory(at: tiff.firstDirectory),
      let entries = index.window(0xB002)
    else { return }
    for number in 1..<min(4, max(1, entries.count / 16)) {
      guard let offset = entries.u32(number * 16 + 8), offset > 0,
        let picture = bytes.slice(mpf.base - bytes.base + offset),
        picture.u16(0) == 0xFFD8, let head = picture.bytes(0, min(8 << 10, picture.count))
      else { continue }
      if head.contains("hdrgainmap") || head.contains("ns.adobe.com/hdr-gain-map/") { subtypes.insert(.hdr) }
    }
  }
}

extension [UInt8] {
  /// Returns the index of a text's first occurrence.
  func firstIndex(of text: String, from start: Int = 0) -> Int? {
    let pattern = Array(text.utf8)
    guard let first = pattern.first, start >= 0, start <= count else { return nil }
    var position = start
    while let found = self[position...].firstIndex(of: first), found <= count - pattern.count {
      if self[found..<found + pattern.count].elementsEqual(pattern) { return found }
      position = found + 1
    }
    return nil
  }

  func contains(_ text: String) -> Bool { firstIndex(of: text) != nil }
}
