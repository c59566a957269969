/// EXIF in which the place or the texts are zeros. It has the same size, and all other values keep
/// their offsets.
struct ClearedTIFF {
  private(set) var bytes: [UInt8]
  private let options: PHPickerMetadataOptions
  private let isLittle: Bool
  private var visited: Set<Int> = []

  private static let capturePointer = 0x8769
  private static let placePointer = 0x8825
  /// ImageDescription, XPTitle, XPComment, XPAuthor, XPKeywords, XPSubject and UserComment.
  private static let texts: Set<Int> = [0x010E, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F, 0x9286]
  /// XMP and IPTC, which may repeat both.
  private static let packets: Set<Int> = [0x02BC, 0x83BB]
  /// A tag that programs skip.
  private static let padding = 0xEA1C
  private static let mostDirectories = 32

  /// Returns `nil` if the directories can't be read.
  init?(_ bytes: [UInt8], _ options: PHPickerMetadataOptions) {
    self.bytes = bytes
    self.options = options
    isLittle = bytes.starts(with: Array("II".utf8))
    guard isLittle || bytes.starts(with: Array("MM".utf8)), let first = number(4, 4), visit(first, isPlace: false)
    else { return nil }
  }

  private func number(_ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
    let part = bytes[offset..<offset + count]
    return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func set(_ offset: Int, _ count: Int, to value: Int) {
    for index in 0..<count {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (isLittle ? index : count - 1 - index)))
    }
  }

  /// Clears a directory and those that it refers to. Returns false if one can't be read.
  private mutating func visit(_ offset: Int, isPlace: Bool) -> Bool {
    guard offset != 0, visited.insert(offset).inserted else { return true }
    guard visited.count <= Self.mostDirectories, let count = number(offset, 2) else { return false }
    // The last directory may be cut before the link to the next one.
    let next = number(offset + 2 + count * 12, 4) ?? 0
    for entry in (0..<count).map({ offset + 2 + $0 * 12 }) {
      guard let tag = number(entry, 2), let target = number(entry + 8, 4) else { return false }
      if tag == Self.capturePointer, !visit(target, isPlace: isPlace) { return false }
      let isPlacePointer = tag == Self.placePointer && options.contains(.removeLocation)
      if isPlacePointer, !visit(target, isPlace: true) { return false }
      let isText = options.contains(.removeCaptions) && Self.texts.contains(tag)
      if isPlace || isPlacePointer || isText || Self.packets.contains(tag), !clear(entry) { return false }
    }
    return isPlace || visit(next, isPlace: false)
  }

  /// Turns an entry into padding, and its value into zeros.
  private mutating func clear(_ entry: Int) -> Bool {
    guard let type = number(entry + 2, 2), let count = number(entry + 4, 4), let target = number(entry + 8, 4) else {
      return false
    }
    let size = Self.byteCount(ofType: type) * count
    if size > 4 {
      guard target <= bytes.count, size <= bytes.count - target else { return false }
      for index in target..<target + size { bytes[index] = 0 }
    }
    for (offset, width, value) in [(0, 2, Self.padding), (2, 2, 1), (4, 4, 1), (8, 4, 0)] {
      set(entry + offset, width, to: value)
    }
    return true
  }

  private static func byteCount(ofType type: Int) -> Int {
    switch type {
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: 1
    }
  }
}
