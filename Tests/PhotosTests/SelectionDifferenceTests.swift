import Foundation
import Testing

@testable import Photos

@Suite struct SelectionDifferenceTests {
  @Test func `identifiers of the first list alone are dropped, and those of the second alone are added once`() {
    let difference = SelectionDifference(from: ["A", "B", "C", "D"], to: ["F", "D", "E", "B", "F"])
    #expect(difference.dropped == ["A", "C"])
    #expect(difference.added == ["F", "E"])
  }

  /// Comparing each with each takes minutes.
  @Test func `two lists of a hundred thousand are compared in seconds`() {
    let before = (0..<100_000).map { "\($0)-A2B4-4B44-9C1D-0123456789AB/L0/001" }
    let start = ContinuousClock.now
    let difference = SelectionDifference(from: before, to: before.reversed())
    #expect(difference.dropped.isEmpty && difference.added.isEmpty)
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
