extension ParsedValues {
  /// The largest number of bytes that are searched for a movie if the JPEG doesn't contain its
  /// position.
  private static let searchLimit = 3 << 20

  /// Finds the movie after a JPEG: by Google's XMP, by Samsung's trailer, or appended without any
  /// marker.
  mutating func readMotionPhoto(_ bytes: ByteReader, xmp: XMP?) {
    if let xmp, let video = Self.googleVideo(bytes, xmp) { return keep(video) }
    guard let tail = bytes.bytes(max(0, bytes.count - 16), min(16, bytes.count)) else { return }
    // Nothing follows the picture.
    if tail.suffix(2) == [0xFF, 0xD9] || tail.allSatisfy({ $0 == 0 }) { return }
    if tail.suffix(4).elementsEqual("SEFT".utf8) {
      if let video = Self.samsungVideo(bytes) { keep(video) }
      return
    }
    if let video = Self.appendedVideo(bytes) { keep(video) }
  }

  /// Reads the movie box of a HEIF file.
  mutating func readMotionBox(_ content: ByteReader) {
    if content.fourCC(4) == "ftyp" { keep(MotionVideo(offset: content.base, byteCount: content.count)) }
  }

  private mutating func keep(_ video: MotionVideo) {
    motionVideo = video
    subtypes.insert(.live)
  }

  /// Finds a movie by Google's XMP. Its lengths count back from the end of the file.
  private static func googleVideo(_ bytes: ByteReader, _ xmp: XMP) -> MotionVideo? {
    var candidates: [(start: Int, byteCount: Int)] = []
    if xmp["GCamera:MotionPhoto", "Camera:MotionPhoto"] == "1",
      let index = xmp.items.firstIndex(where: { $0.semantic == "MotionPhoto" })
    {
      let item = xmp.items[index]
      let behind = xmp.items[(index + 1)...].prefix(16).reduce(0) { $0 &+ $1.byteCount &+ $1.padding }
      candidates.append((bytes.count &- behind &- item.byteCount &- item.padding, item.byteCount))
    }
    if xmp["GCamera:MicroVideo", "Camera:MicroVideo"] == "1",
      let length = xmp["GCamera:MicroVideoOffset", "Camera:MicroVideoOffset"].flatMap({ Int($0) })
    {
      candidates.append((bytes.count &- length, length))
    }
    for (start, byteCount) in candidates where start > 0 && byteCount > 8 && byteCount <= bytes.count - start {
      if bytes.fourCC(start + 4) == "ftyp" { return MotionVideo(offset: start, byteCount: byteCount) }
    }
    return nil
  }

  /// Finds a movie by Samsung's trailer. The file ends with the directory "SEFH", its size and
  /// "SEFT". The offsets of entries count back from the directory.
  private static func samsungVideo(_ bytes: ByteReader) -> MotionVideo? {
    var bytes = bytes
    bytes.order = .little
    guard let size = bytes.u32(bytes.count - 8), size <= bytes.count - 8 else { return nil }
    let directory = bytes.count - 8 - size
    guard bytes.starts(with: "SEFH", at: directory), let count = bytes.u32(directory + 8) else { return nil }
    for index in 0..<min(count, 100) {
      let entry = directory + 12 + index * 12
      guard let type = bytes.u16(entry + 2), let back = bytes.u32(entry + 4), let length = bytes.u32(entry + 8) else {
        return nil
      }
      let start = directory - back
      // The block contains its type again, the length of its name, and its name.
      guard type == 0x0A30, start >= 0, let nameLength = bytes.u32(start + 4),
        bytes.starts(with: "MotionPhoto_Data", at: start + 8)
      else { continue }
      let video = start + 8 + nameLength
      let byteCount = length - 8 - nameLength
      guard byteCount > 8, bytes.fourCC(video + 4) == "ftyp" else { continue }
      return MotionVideo(offset: video, byteCount: min(byteCount, bytes.count - video))
    }
    return nil
  }

  /// Finds a movie that begins where the picture ends.
  private static func appendedVideo(_ bytes: ByteReader) -> MotionVideo? {
    let limit = min(searchLimit, bytes.source.unreadBudget, bytes.count)
    let searchStart = bytes.count - limit
    guard let tail = bytes.bytes(searchStart, limit) else { return nil }
    var position = 0
    for _ in 0..<1000 {
      guard let found = tail.firstIndex(of: "ftyp", from: position) else { return nil }
      let start = found - 4
      if start >= 2, tail[start - 2] == 0xFF, tail[start - 1] == 0xD9, tail[start] == 0, tail[start + 1] == 0 {
        return MotionVideo(offset: searchStart + start, byteCount: limit - start)
      }
      position = found + 1
    }
    return nil
  }
}
