import Foundation

/// Reads property lists that are one dictionary of plain values, as those of edits are; `nil` for
/// any other.
///
///     FlatPropertyList.read(bytes)?["adjustmentFormatIdentifier"] as? String
///
/// A binary property list may refer to one object a million times, and Foundation would make as
/// many. A set of unsuitable objects makes it trap. Foundation therefore only gets lists that are
/// known to be flat: binary ones, and XML in UTF-8.
enum FlatPropertyList {
  static func read(_ data: Data) -> [String: Any]? {
    let bytes = [UInt8](data)
    guard bytes.starts(with: "bplist".utf8) ? isFlat(bytes) : isFlatXML(bytes) else { return nil }
    return (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any]
  }

  /// Checks a binary list. Its last 32 bytes contain the offset of the object table and the index
  /// of the top object, which is the dictionary.
  private static func isFlat(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 40 else { return false }
    let trailer = bytes.count - 32
    let offsetByteCount = Int(bytes[trailer + 6])
    guard (1...4).contains(offsetByteCount), let count = number(bytes, at: trailer + 8, byteCount: 8),
      count <= objectLimit,
      let top = number(bytes, at: trailer + 16, byteCount: 8), top < count,
      let table = number(bytes, at: trailer + 24, byteCount: 8)
    else { return false }
    return (0..<count).allSatisfy { index in
      guard let offset = number(bytes, at: table + index * offsetByteCount, byteCount: offsetByteCount),
        offset < bytes.count
      else {
        return false
      }
      let kind = bytes[offset] >> 4
      // The top object is a dictionary; the others are booleans, numbers, dates, data and strings.
      return index == top ? kind == 0xD : kind <= 6
    }
  }

  /// Checks that XML has one dictionary and no other container. It need not be well formed.
  private static func isFlatXML(_ bytes: [UInt8]) -> Bool {
    let text = bytes[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...].drop { $0 <= 32 }
    guard text.first == UInt8(ascii: "<"), !text.contains(0), isUTF8(text) else { return false }
    var containers = ["<dict": 1, "<plist": 1, "<array": 0, "<set": 0, "<?": text.starts(with: "<?".utf8) ? 1 : 0]
    var position = text.startIndex
    while let mark = text[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = mark + 1
      for (name, left) in containers where text[mark...].starts(with: name.utf8) {
        guard left > 0 else { return false }
        containers[name] = left - 1
      }
    }
    return true
  }

  /// Checks that the XML is in UTF-8, since other encodings may write tags differently. The first
  /// tag names the encoding once or not at all.
  private static func isUTF8(_ text: ArraySlice<UInt8>) -> Bool {
    guard let end = text.prefix(longestHead).firstIndex(of: UInt8(ascii: ">")) else { return false }
    let head = String(decoding: text[..<end], as: UTF8.self).lowercased().filter { !$0.isWhitespace }
    let parts = head.components(separatedBy: "encoding")
    return parts.count == 1
      || parts.count == 2 && ["=\"utf-8\"", "='utf-8'"].contains { parts[1].hasPrefix($0) }
  }

  private static let longestHead = 1000

  /// The most objects accepted. An edit's list has a dozen.
  private static let objectLimit = 1000

  private static func number(_ bytes: [UInt8], at offset: Int, byteCount: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
    let value = bytes[offset..<offset + byteCount].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return value <= 1 << 40 ? Int(value) : nil
  }
}
