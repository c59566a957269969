import Foundation

/// Random numbers (SplitMix64). The same seed gives the same numbers on every machine.
///
///     var generator = SeededGenerator(seed: 7)
///     Int.random(in: 1...6, using: &generator)
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    // Scrambled, so that neighboring seeds give unrelated sequences.
    state = scrambled(seed &+ 0x1234_5678_9ABC_DEF1)
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return scrambled(state)
  }
}

extension SeededGenerator {
  package mutating func float(_ range: ClosedRange<Float> = 0...1) -> Float {
    range.lowerBound + Float(next() >> 40) / Float(1 << 24) * (range.upperBound - range.lowerBound)
  }

  package mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  package mutating func chance(_ probability: Float) -> Bool { float() < probability }

  /// Returns one of the arguments.
  package mutating func pick<Element>(_ first: Element, _ others: Element...) -> Element {
    let index = int(0...others.count)
    return index == 0 ? first : others[index - 1]
  }

  /// Returns a UUID in the form of a camera's identifiers: `8B0C…-…`.
  package mutating func uuid() -> UUID {
    let high = next()
    let low = next()
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6) & 0x0F | 0x40, byte(high, 7), byte(low, 0) & 0x3F | 0x80, byte(low, 1), byte(low, 2),
        byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}

/// Returns SplitMix64's hash: each bit of the input flips about half of the output's bits.
@inline(__always) func scrambled(_ value: UInt64) -> UInt64 {
  var value = value
  value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
  value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
  return value ^ (value >> 31)
}
