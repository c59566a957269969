import Foundation

/// Reads property lists that are one dictionary of plain values, as those of edits are; `nil` for any other.
///
///     FlatPropertyList.read(bytes)?["adjustmentFormatIdentifier"] as? String
///
/// A binary property list may name one object a million times over, and Foundation would make as many: lists inside lists are
/// not read at all.
enum FlatPropertyList {
  static func read(_ bytes: Data) -> [String: Any]? {
    guard !bytes.starts(with: Data("bplist".utf8)) || isFlat([UInt8](bytes)) else { return nil }
    return (try? PropertyListSerialization.propertyList(from: bytes, format: nil)) as? [String: Any]
  }

  /// Of a binary list: the last 32 bytes say where its objects are, and the highest of them is the dictionary.
  private static func isFlat(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 40 else { return false }
    let trailer = bytes.count - 32
    let offsetByteCount = Int(bytes[trailer + 6])
    guard (1...4).contains(offsetByteCount), let count = number(bytes, trailer + 8, 8), count <= objectLimit,
      let top = number(bytes, trailer + 16, 8), top < count, let table = number(bytes, trailer + 24, 8)
    else { return false }
    for index in 0..<count {
      guard let offset = number(bytes, table + index * offsetByteCount, offsetByteCount), offset < bytes.count else {
        return false
      }
      // Arrays, ordered sets, sets, dictionaries.
      let isContainer = (0xA...0xD).contains(bytes[offset] >> 4)
      if isContainer, index != top { return false }
    }
    return true
  }

  /// An edit's list has a dozen.
  private static let objectLimit = 1000

  private static func number(_ bytes: [UInt8], _ offset: Int, _ byteCount: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
    let value = bytes[offset..<offset + byteCount].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return value <= 1 << 40 ? Int(value) : nil
  }
}
