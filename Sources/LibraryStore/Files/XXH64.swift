import Foundation

/// The checksum XXH64 with the seed 0.
///
/// It detects damage several times faster than SHA-256. It does not protect against deliberate
/// changes.
enum XXH64 {
  static func checksum(of data: Data) -> UInt64 { data.withUnsafeBytes(checksum(of:)) }

  private static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var rest = bytes[...]
    var sum = prime5
    if rest.count >= 32 {
      var (a, b, c, d) = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
      while rest.count >= 32 {
        a = round(a, rest.removeNumber())
        b = round(b, rest.removeNumber())
        c = round(c, rest.removeNumber())
        d = round(d, rest.removeNumber())
      }
      sum = a.rotated(by: 1) &+ b.rotated(by: 7) &+ c.rotated(by: 12) &+ d.rotated(by: 18)
      for lane in [a, b, c, d] { sum = (sum ^ round(0, lane)) &* prime1 &+ prime4 }
    }
    sum &+= UInt64(bytes.count)
    while rest.count >= 8 {
      sum = (sum ^ round(0, rest.removeNumber())).rotated(by: 27) &* prime1 &+ prime4
    }
    if rest.count >= 4 {
      let number: UInt32 = rest.removeNumber()
      sum = (sum ^ UInt64(number) &* prime1).rotated(by: 23) &* prime2 &+ prime3
    }
    for byte in rest { sum = (sum ^ UInt64(byte) &* prime5).rotated(by: 11) &* prime1 }
    sum = (sum ^ sum &>> 33) &* prime2
    sum = (sum ^ sum &>> 29) &* prime3
    return sum ^ sum &>> 32
  }

  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  private static func round(_ sum: UInt64, _ number: UInt64) -> UInt64 {
    (sum &+ number &* prime2).rotated(by: 31) &* prime1
  }
}

extension UInt64 {
  fileprivate func rotated(by count: UInt64) -> UInt64 { self &<< count | self &>> (64 - count) }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Removes and returns a number from the beginning. The slice must be long enough.
  fileprivate mutating func removeNumber<Number: FixedWidthInteger & BitwiseCopyable>() -> Number {
    defer { self = dropFirst(MemoryLayout<Number>.size) }
    return Number(littleEndian: UnsafeRawBufferPointer(rebasing: self).loadUnaligned(as: Number.self))
  }
}
