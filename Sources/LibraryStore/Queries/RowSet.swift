/// A set of row ids with one bit for each id. Row ids of assets have few gaps, so it is smaller and
/// faster than a `Set`.
struct RowSet {
  /// The largest id. Its set has 32 MB.
  static let most: Int64 = 1 << 28

  private var bits: [UInt64]

  /// Makes an empty set of ids from 0 to `last`; `nil` if that is too many.
  init?(upTo last: Int64) {
    guard (0...Self.most).contains(last) else { return nil }
    bits = Array(repeating: 0, count: Int(last) / 64 + 1)
  }

  /// Adds an id. An id outside of the set's range is not added: no asset has it.
  mutating func insert(_ id: Int64) {
    guard let word = UInt64(exactly: id).map({ $0 / 64 }), word < bits.count else { return }
    bits[Int(word)] |= 1 << (UInt64(id) % 64)
  }

  func contains(_ id: Int64) -> Bool {
    guard let word = UInt64(exactly: id).map({ $0 / 64 }), word < bits.count else { return false }
    return bits[Int(word)] >> (UInt64(id) % 64) & 1 == 1
  }
}
