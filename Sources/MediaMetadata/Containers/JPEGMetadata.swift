import Foundation

extension ParsedValues {
  /// Reads a JPEG's segments before its picture, and searches for a movie after it.
  mutating func readJPEG(_ bytes: ByteReader) {
    let segments = readJPEGSegments(bytes)
    if storedWidth == 0 { note("The JPEG has no picture size.") }
    let ends = segments.multiPicture.map { readFurtherPictures($0, of: bytes) } ?? []
    readMotionPhoto(bytes, xmp: segments.xmp, pictureEnds: ends, searchingFrom: segments.end)
  }

  /// The parts of a JPEG's headers that its further pictures and movies are described in.
  struct JPEGExtras {
    var xmp: XMP?
    var multiPicture: ByteReader?
    /// The offset after the headers.
    var end = 2
  }

  @discardableResult
  mutating func readJPEGSegments(_ bytes: ByteReader) -> JPEGExtras {
    var found = JPEGExtras()
    var hasEXIF = false
    for marker in JPEGMarkers(bytes).prefix(500) {
      found.end = marker.end
      if marker.strayByteCount > 0 { note("The JPEG has unknown bytes between its headers.") }
      if [JPEGMarker.endOfImage, JPEGMarker.startOfScan].contains(marker.code) { return found }
      guard marker.byteCount != nil else {
        note("The JPEG ends within its headers.")
        return found
      }
      let content = marker.content
      switch marker.code {
      case _ where marker.isFrame:
        if storedWidth == 0, let height = content.u16(1), let width = content.u16(3) {
          (storedWidth, storedHeight) = (width, height)
        }
      case 0xE1 where content.starts(with: "Exif\0"):
        if !hasEXIF, let exif = content.slice(6) { readEXIF(exif) }
        hasEXIF = true
      case 0xE1 where content.starts(with: "http://ns.adobe.com/xap/1.0/\0"):
        if let packet = content.bytes(29, content.count - 29) {
          let xmp = readXMP(packet)
          if found.xmp == nil { found.xmp = xmp } else { found.xmp?.addMissing(xmp) }
        }
      case 0xE2 where content.starts(with: "MPF\0"): found.multiPicture = content.slice(4)
      case 0xED where content.starts(with: "Photoshop 3.0\0"): readPhotoshop(content, from: 14)
      case 0xED where content.starts(with: "Adobe_Photoshop2.5:"): readPhotoshop(content, from: 19)
      default: readMakerSegment(marker.code, content)
      }
    }
    return found
  }

  /// Marks the photo as HDR if one of the JPEG's further pictures is a gain map. Returns the
  /// offsets where the JPEG's pictures end, including the first one.
  private mutating func readFurtherPictures(_ mpf: ByteReader, of bytes: ByteReader) -> [Int] {
    guard let tiff = TIFFReader(mpf), let index = tiff.directory(at: tiff.firstDirectory),
      let entries = index.window(0xB002)
    else { return [] }
    var ends: [Int] = []
    for number in 0..<min(4, entries.count / 16) {
      guard let byteCount = entries.u32(number * 16 + 4), let offset = entries.u32(number * 16 + 8) else { continue }
      // The first picture begins at 0. The offsets of the others count from the index.
      let start = number == 0 ? 0 : mpf.base - bytes.base + offset
      ends.append(start + byteCount)
      guard number > 0, offset > 0, !subtypes.contains(.hdr), let picture = bytes.slice(start),
        picture.u16(0) == 0xFFD8, let head = picture.bytes(0, min(8 << 10, picture.count))
      else { continue }
      if head.contains("hdrgainmap") || head.contains("ns.adobe.com/hdr-gain-map/") { subtypes.insert(.hdr) }
    }
    return ends
  }
}

extension [UInt8] {
  /// Returns the index of a text's first occurrence.
  func firstIndex(of text: String, from start: Int = 0) -> Int? {
    let pattern = Array(text.utf8)
    guard let first = pattern.first, start >= 0 else { return nil }
    // A loop takes ten times as long in a debug build, which tests use.
    return withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress else { return nil }
      var position = start
      while position <= bytes.count - pattern.count,
        let found = memchr(base + position, Int32(first), bytes.count - pattern.count + 1 - position)
      {
        if memcmp(found, pattern, pattern.count) == 0 { return UnsafeRawPointer(found) - base }
        position = UnsafeRawPointer(found) - base + 1
      }
      return nil
    }
  }

  func contains(_ text: String) -> Bool { firstIndex(of: text) != nil }
}
