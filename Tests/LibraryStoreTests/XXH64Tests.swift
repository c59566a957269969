import Foundation
import Testing

@testable import LibraryStore

@Suite struct XXH64Tests {
  @Test(
    "Texts have the published sums",
    arguments: [("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999)]
      as [(String, UInt64)])
  func text(_ text: String, sum: UInt64) { #expect(XXH64.checksum(of: Data(text.utf8)) == sum) }

  /// The bytes of the self-test in the reference implementation.
  private static let bytes: Data = {
    var number: UInt64 = 2_654_435_761
    return Data(
      (0..<222).map { _ in
        defer { number &*= 11_400_714_785_074_694_797 }
        return UInt8(number >> 56)
      })
  }()

  @Test(
    "Bytes of every kind of length have the published sums",
    arguments: [
      (1, 0xE934_A84A_DB05_2768), (4, 0x9136_A0DC_A574_57EE), (14, 0x8282_DCC4_994E_35C8),
      (222, 0xB641_AE8C_B691_C174),
    ] as [(Int, UInt64)])
  func length(_ count: Int, sum: UInt64) { #expect(XXH64.checksum(of: Self.bytes.prefix(count)) == sum) }

  @Test func aSliceHasTheSumOfItsBytes() {
    #expect(XXH64.checksum(of: Self.bytes[7..<99]) == XXH64.checksum(of: Data(Self.bytes[7..<99])))
  }

  @Test func eachByteCounts() {
    let sum = XXH64.checksum(of: Self.bytes)
    for index in Self.bytes.indices {
      var changed = Self.bytes
      changed[index] ^= 1
      #expect(XXH64.checksum(of: changed) != sum)
    }
  }
}
