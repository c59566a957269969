import Foundation
import Testing

@testable import Photos

@Suite struct SelectionDifferenceTests {
  @Test func `identifiers of the first list alone are dropped, and those of the second alone are added once`() {
    let difference = SelectionDifference(from: ["A", "B", "C", "D"], to: ["F", "D", "E", "B", "F"])
    #expect(difference.dropped == ["A", "C"])
    #expect(difference.added == ["F", "E"])
  }

  /// An identifier that counts its comparisons.
  private struct Counted: Hashable {
    let number: Int
    let count: Count

    final class Count { var comparisons = 0 }

    static func == (one: Self, other: Self) -> Bool {
      one.count.comparisons += 1
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// Comparing each with each of a hundred thousand takes minutes.
  @Test func `each identifier is compared with a few others`() {
    let count = Counted.Count()
    let before = (0..<10_000).map { Counted(number: $0, count: count) }
    let difference = SelectionDifference(from: before, to: before.reversed())
    #expect(difference.dropped.isEmpty && difference.added.isEmpty)
    #expect(1...20 * before.count ~= count.comparisons)
  }
}
