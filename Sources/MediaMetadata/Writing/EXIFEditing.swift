/// Changes a few values of an EXIF block in TIFF's format. All other bytes stay at their offsets,
/// because maker notes depend on them.
package struct EXIFEditing {
  package private(set) var bytes: [UInt8]

  private enum Tag {
    static let width = 0x0100
    static let height = 0x0101
    static let orientation = 0x0112
    static let thumbnailOffset = 0x0201
    static let thumbnailByteCount = 0x0202
    static let exif = 0x8769
    static let pixelXDimension = 0xA002
    static let pixelYDimension = 0xA003
  }

  /// Returns nil if the first directory can't be read.
  package init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard let reader, reader.directory(at: reader.firstDirectory) != nil else { return nil }
  }

  /// Creates a block that contains only an orientation.
  package init(orientation: Int) {
    bytes =
      Array("MM".utf8) + [
        0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0,
      ]
  }

  private var reader: TIFFReader? { TIFFReader(ByteReader(MediaBytes(bytes), at: 0, count: bytes.count)) }

  private var first: TIFFDirectory? { reader.flatMap { $0.directory(at: $0.firstDirectory) } }

  /// Sets the orientation. If the block contains none, `isAdded` decides whether to add it.
  package mutating func setOrientation(_ orientation: Int, isAdded: Bool) {
    guard let first else { return }
    if let entry = first[Tag.orientation] {
      // The standard demands a SHORT, but some programs write another integer type.
      let byteCount = TIFFDirectory.byteCount(ofType: entry.type)
      if (1...4).contains(byteCount) { write(orientation, at: entry.offset, byteCount: byteCount) }
    } else if isAdded {
      addOrientation(orientation)
    }
  }

  /// Appends a copy of the first directory with one more entry. The values that it points to do not
  /// move.
  private mutating func addOrientation(_ orientation: Int) {
    guard let reader, let count = reader.bytes.u16(reader.firstDirectory) else { return }
    let start = reader.firstDirectory + 2
    guard start + count * 12 + 4 <= bytes.count else { return }
    let entries = (0..<count).map { Array(bytes[start + $0 * 12..<start + ($0 + 1) * 12]) }
    let next = Array(bytes[start + count * 12..<start + count * 12 + 4])
    if bytes.count % 2 == 1 { bytes.append(0) }
    let newStart = bytes.count
    var entry = [UInt8](repeating: 0, count: 12)
    for (value, offset, byteCount) in [(Tag.orientation, 0, 2), (3, 2, 2), (1, 4, 4), (orientation, 8, 2)] {
      entry.replaceSubrange(offset..<offset + byteCount, with: encoded(value, byteCount: byteCount))
    }
    let isBig = isBigEndian
    func tag(_ entry: [UInt8]) -> Int {
      isBig ? Int(entry[0]) << 8 | Int(entry[1]) : Int(entry[1]) << 8 | Int(entry[0])
    }
    // The entries of a directory are sorted by tag.
    let place = entries.firstIndex { tag($0) > Tag.orientation } ?? entries.count
    var all = entries
    all.insert(entry, at: place)
    bytes += encoded(all.count, byteCount: 2) + all.flatMap { $0 } + next
    write(newStart, at: 4, byteCount: 4)
  }

  /// Exchanges the stored width and height.
  package mutating func exchangeSides() {
    guard let reader, let first else { return }
    exchange(Tag.width, Tag.height, of: first)
    guard let offset = first.int(Tag.exif), let exif = reader.directory(at: offset) else { return }
    exchange(Tag.pixelXDimension, Tag.pixelYDimension, of: exif)
  }

  private mutating func exchange(_ one: Int, _ other: Int, of directory: TIFFDirectory) {
    guard let (first, second) = directory[one].flatMap({ first in directory[other].map { (first, $0) } }),
      let (width, height) = directory.int(one).flatMap({ width in directory.int(other).map { (width, $0) } })
    else { return }
    for (entry, value) in [(first, height), (second, width)] {
      switch entry.type {
      case 3 where value <= 0xFFFF: write(value, at: entry.offset, byteCount: 2)
      case 4: write(value, at: entry.offset, byteCount: 4)
      default: break
      }
    }
  }

  /// Removes the thumbnail: the link to its directory becomes 0. Its bytes are removed at the end
  /// of the block and zeroed elsewhere.
  package mutating func dropThumbnail() {
    guard let reader, let first, first.next != 0, let count = reader.bytes.u16(reader.firstDirectory) else { return }
    let thumbnail = reader.directory(at: first.next)
    write(0, at: reader.firstDirectory + 2 + count * 12, byteCount: 4)
    guard let start = thumbnail?.int(Tag.thumbnailOffset), let length = thumbnail?.int(Tag.thumbnailByteCount),
      start > 8, length > 0, start < bytes.count, length <= bytes.count - start
    else { return }
    // Bytes that don't start with a JPEG's signature may belong to something else.
    guard bytes[start...].starts(with: [0xFF, 0xD8]) else { return }
    if start + length == bytes.count {
      bytes.removeLast(length)
    } else {
      for index in start..<start + length { bytes[index] = 0 }
    }
  }

  private var isBigEndian: Bool { bytes.starts(with: "MM".utf8) }

  private func encoded(_ value: Int, byteCount: Int) -> [UInt8] {
    let little = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? little.reversed() : little
  }

  private mutating func write(_ value: Int, at offset: Int, byteCount: Int) {
    guard offset >= 0, offset + byteCount <= bytes.count else { return }
    bytes.replaceSubrange(offset..<offset + byteCount, with: encoded(value, byteCount: byteCount))
  }
}
