/// A window on a source's bytes. Every read is checked: a read outside the window returns nil.
///
/// Numbers are returned as `Int`, and therefore sums of 32-bit offsets can't overflow. A 64-bit
/// number that `Int` can't hold is nil. Offsets count from the window's start.
package struct ByteReader {
  package enum Order { case big, little }

  package let source: MediaBytes
  package let base: Int
  package let count: Int
  package var order = Order.big

  package init(_ source: MediaBytes, at base: Int, count: Int, order: Order = .big) {
    self.source = source
    self.base = base
    self.count = count
    self.order = order
  }

  package func u8(_ offset: Int) -> Int? {
    guard offset >= 0, offset < count else { return nil }
    return source.byte(at: base + offset).map(Int.init)
  }

  package func u16(_ offset: Int) -> Int? { number(offset, 2) }
  package func u24(_ offset: Int) -> Int? { number(offset, 3) }
  package func u32(_ offset: Int) -> Int? { number(offset, 4) }
  package func i32(_ offset: Int) -> Int? { number(offset, 4).map { Int(Int32(truncatingIfNeeded: $0)) } }

  package func u64(_ offset: Int) -> Int? {
    guard let first = u32(offset), let second = u32(offset &+ 4) else { return nil }
    let (high, low) = order == .big ? (first, second) : (second, first)
    return high > 0x7FFF_FFFF ? nil : high << 32 | low
  }

  /// Returns the number in 1 to 7 bytes, in the window's byte order.
  package func number(_ offset: Int, _ byteCount: Int) -> Int? {
    guard offset >= 0, byteCount > 0, byteCount < 8, offset <= count, byteCount <= count - offset else { return nil }
    var value = 0
    for index in 0..<byteCount {
      let position = order == .big ? index : byteCount - 1 - index
      guard let byte = source.byte(at: base + offset + position) else { return nil }
      value = value << 8 | Int(byte)
    }
    return value
  }

  package func fourCC(_ offset: Int) -> FourCC? {
    var big = self
    big.order = .big
    return big.u32(offset).map { FourCC(UInt32(truncatingIfNeeded: $0)) }
  }

  package func starts(with text: String, at offset: Int = 0) -> Bool {
    var position = offset
    for byte in text.utf8 {
      guard u8(position) == Int(byte) else { return false }
      position += 1
    }
    return true
  }

  /// Returns the offset of the first byte with this value in a range, of which at most `byteLimit`
  /// bytes are searched.
  package func firstIndex(of value: UInt8, in range: Range<Int>, searching byteLimit: Int) -> Int? {
    let range = range.clamped(to: 0..<count)
    let found = source.firstIndex(
      of: value, in: base + range.lowerBound..<base + range.lowerBound + min(range.count, max(0, byteLimit)))
    return found.map { $0 - base }
  }

  /// Returns the part from `offset` on, cut at this window's end; nil if it would start outside.
  package func slice(_ offset: Int, _ byteCount: Int = .max) -> ByteReader? {
    guard offset >= 0, byteCount >= 0, offset <= count else { return nil }
    return ByteReader(source, at: base + offset, count: min(byteCount, count - offset), order: order)
  }

  package func bytes(_ offset: Int = 0, _ byteCount: Int) -> [UInt8]? {
    guard offset >= 0, byteCount >= 0, offset <= count, byteCount <= count - offset else { return nil }
    return source.bytes(at: base + offset, count: byteCount)
  }

  /// Returns the text up to the first NUL, without spaces around it; nil if nothing is left or
  /// `byteCount` is over `limit`.
  package func text(_ offset: Int = 0, _ byteCount: Int? = nil, limit: Int = 4096) -> String? {
    let byteCount = byteCount ?? count - offset
    guard byteCount <= limit, let bytes = bytes(offset, byteCount) else { return nil }
    return trimmedText(bytes)
  }
}

/// Returns the text up to the first NUL, without white space around it; nil if nothing is left.
package func trimmedText(_ bytes: [UInt8]) -> String? {
  let text = bytes.prefix { $0 != 0 }
  guard let first = text.firstIndex(where: { $0 > 32 }), let last = text.lastIndex(where: { $0 > 32 }) else {
    return nil
  }
  return String(decoding: text[first...last], as: UTF8.self)
}

/// The four letters that name a box or a chunk.
package struct FourCC: Hashable, ExpressibleByStringLiteral {
  package let code: UInt32

  package init(_ code: UInt32) { self.code = code }

  package init(stringLiteral text: String) {
    // The letters are ISO 8859-1: "©xyz" is four bytes.
    code = text.unicodeScalars.reduce(0) { $0 << 8 | ($1.value & 0xFF) }
  }

  /// Whether the first letter is visible, and none is a control character.
  var isText: Bool { code >> 24 > 0x20 && (0..<3).allSatisfy { code >> (8 * $0) & 0xFF >= 0x20 } }

  package var text: String {
    String(String.UnicodeScalarView((0..<4).map { Unicode.Scalar(UInt8(code >> (24 - 8 * $0) & 0xFF)) }))
  }
}
