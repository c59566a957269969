/// A reader of the bits of one NAL unit of H.264 or HEVC.
package struct VideoBits {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ unit: some Sequence<UInt8>) { bytes = Self.withoutEscapes(unit) }

  /// Removes the emulation prevention bytes. Such a byte is a 3 after two zeros. It keeps data
  /// from looking like a new unit.
  static func withoutEscapes(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
      } else {
        result.append(byte)
        zeros = byte == 0 ? zeros + 1 : 0
      }
    }
    return result
  }

  /// Reads a number of at most 63 bits.
  package mutating func number(_ bitCount: Int) -> Int? {
    guard bitCount <= bytes.count * 8 - position else { return nil }
    var value = 0
    for _ in 0..<bitCount {
      value = value << 1 | Int(bytes[position / 8] >> (7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  package mutating func flag() -> Bool? { number(1).map { $0 == 1 } }

  /// Reads an exponential Golomb code: zeros, a one, and as many further bits as there are zeros.
  package mutating func variable() -> Int? {
    var zeros = 0
    while let isOne = flag() {
      if isOne { return number(zeros).map { (1 << zeros) - 1 + $0 } }
      zeros += 1
      guard zeros < 32 else { return nil }
    }
    return nil
  }

  /// Skips exponential Golomb codes. Returns false if fewer remain.
  package mutating func skip(_ count: Int) -> Bool { (0..<count).allSatisfy { _ in variable() != nil } }
}

/// The facts that an H.264 stream contains and its container may lack.
enum CodedVideo {
  private static let shapes: [(Double, Double)] = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
    (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]
  private static let profilesWithChroma: Set<Int> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 134, 135, 138, 139]

  /// Returns the width of a pixel divided by its height, from a sequence parameter set of H.264
  /// (7.3.2.1.1 and E.1.1 of the standard). Returns nil if the set does not state it.
  static func pixelShape(h264Parameters unit: some Collection<UInt8>) -> Double? {
    var bits = VideoBits(unit)
    guard let type = bits.number(8), type & 0x1F == 7, let profile = bits.number(8), bits.number(16) != nil,
      bits.skip(1)
    else { return nil }
    if profilesWithChroma.contains(profile), !skipChroma(&bits) { return nil }
    guard bits.skip(1), let order = bits.variable() else { return nil }
    if order == 0 {
      guard bits.skip(1) else { return nil }
    } else if order == 1 {
      guard bits.number(1) != nil, bits.skip(2), let count = bits.variable(), bits.skip(min(count, 255))
      else { return nil }
    }
    // The shape follows the number of reference frames, the size in macroblocks and the cropping.
    guard bits.skip(1), bits.number(1) != nil, bits.skip(2), let hasFramesOnly = bits.flag(),
      bits.number(hasFramesOnly ? 1 : 2) != nil, let isCropped = bits.flag(), bits.skip(isCropped ? 4 : 0),
      bits.flag() == true, bits.flag() == true, let number = bits.number(8)
    else { return nil }
    if (1...shapes.count).contains(number) { return shapes[number - 1].0 / shapes[number - 1].1 }
    guard number == 255, let across = bits.number(16), let down = bits.number(16), across > 0, down > 0 else {
      return nil
    }
    return Double(across) / Double(down)
  }

  private static func skipChroma(_ bits: inout VideoBits) -> Bool {
    guard let chroma = bits.variable(), bits.number(chroma == 3 ? 1 : 0) != nil, bits.skip(2),
      bits.number(1) != nil, let hasLists = bits.flag()
    else { return false }
    guard hasLists else { return true }
    for list in 0..<(chroma == 3 ? 12 : 8) {
      guard let isPresent = bits.flag() else { return false }
      guard isPresent else { continue }
      var (last, next) = (8, 8)
      for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
        guard let code = bits.variable() else { return false }
        // Odd codes stand for positive numbers.
        next = (last + (code & 1 == 1 ? (code + 1) / 2 : -code / 2)) & 0xFF
        if next != 0 { last = next }
      }
    }
    return true
  }
}
