import Foundation
import PhotosTesting

/// Damages a file like disks, downloads and attackers do, in the same way for the same seed.
struct Mutation {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns damaged bytes, into which parts of `other` may be copied.
  mutating func damaged(_ data: Data, other: Data) -> Data {
    var bytes = [UInt8](data)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: flipBits(&bytes)
      case 2: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random) / 2)
      case 3, 4: changeNumber(&bytes)
      case 5: splice(&bytes, [UInt8](other))
      case 6: fill(&bytes)
      default: moveRange(&bytes)
      }
    }
    return Data(bytes)
  }

  /// Returns a random position, mostly near the beginning, where formats have their structure.
  private mutating func position(_ count: Int) -> Int {
    let range = Int.random(in: 0..<3, using: &random) == 0 ? count : min(count, 2048)
    return range == 0 ? 0 : Int.random(in: 0..<range, using: &random)
  }

  private mutating func flipBits(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    for _ in 0..<(1 << Int.random(in: 0...6, using: &random)) {
      bytes[position(bytes.count)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
  }

  /// Writes an impossible length, count or offset of 2, 4 or 8 bytes in either byte order.
  private mutating func changeNumber(_ bytes: inout [UInt8]) {
    let width = [2, 4, 4, 8].randomElement(using: &random) ?? 4
    guard bytes.count >= width else { return }
    let values: [UInt64] = [
      0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFF0,
      .max, UInt64(Int64.max), UInt64(bytes.count), UInt64(bytes.count + 1), random.next() & 0xFFFF,
    ]
    let value = values.randomElement(using: &random) ?? 0
    let start = min(position(bytes.count), bytes.count - width)
    let isBig = Bool.random(using: &random)
    for index in 0..<width {
      let shift = UInt64(8 * (isBig ? width - 1 - index : index))
      bytes[start + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }

  private mutating func splice(_ bytes: inout [UInt8], _ other: [UInt8]) {
    guard !other.isEmpty else { return }
    let from = position(other.count)
    let count = min(other.count - from, 1 << Int.random(in: 0...12, using: &random))
    let to = min(position(bytes.count), bytes.count)
    let replaced = Bool.random(using: &random) ? 0 : min(count, bytes.count - to)
    bytes.replaceSubrange(to..<to + replaced, with: other[from..<from + count])
  }

  private mutating func fill(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let start = position(bytes.count)
    let end = min(bytes.count, start + (1 << Int.random(in: 0...10, using: &random)))
    let value = [UInt8(0), 0xFF, 0x80, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
    for index in start..<end { bytes[index] = value }
  }

  /// Copies a range to another place, or removes it.
  private mutating func moveRange(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let start = position(bytes.count)
    let end = min(bytes.count, start + (1 << Int.random(in: 0...11, using: &random)))
    let range = Array(bytes[start..<end])
    if Bool.random(using: &random) { bytes.removeSubrange(start..<end) }
    if Bool.random(using: &random) { bytes.insert(contentsOf: range, at: min(position(bytes.count), bytes.count)) }
  }
}
