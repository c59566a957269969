import Testing

@testable import LibraryStore

@Suite struct ListDifferenceTests {
  @Test(
    "The difference of two lists is exactly this",
    arguments: [
      ([], [], [], "−[] +[] ~[] →[]"),
      ([1, 2, 3], [1, 2, 3], [2], "−[] +[] ~[1] →[]"),
      ([1, 2, 3], [1, 3], [], "−[1] +[] ~[] →[]"),
      ([1, 3], [1, 2, 3], [], "−[] +[1] ~[] →[]"),
      ([1, 2, 3], [4, 1, 3], [3], "−[1] +[0] ~[2] →[]"),
      // If the first element goes to the end, the difference is one move, not two.
      ([1, 2, 3], [2, 3, 1], [1], "−[] +[] ~[0] →[0 to 2]"),
      ([1, 2, 3, 4], [4, 1, 2, 3], [], "−[] +[] ~[] →[3 to 0]"),
      ([1, 2], [2, 1], [], "−[] +[] ~[] →[0 to 1]"),
      // An inserted element is at its final index before any move.
      ([1, 2, 3], [3, 9, 1, 2], [], "−[] +[1] ~[] →[3 to 0, 1 to 2]"),
      ([1, 2, 3], [], [], "−[0, 1, 2] +[] ~[] →[]"),
    ] as [([Int64], [Int64], Set<Int64>, String)])
  func exact(before: [Int64], after: [Int64], changed: Set<Int64>, expected: String) throws {
    let difference = try #require(ListDifference(from: before, to: after, changed: changed))
    let moves = difference.moves.map { "\($0.from) to \($0.to)" }.joined(separator: ", ")
    #expect(
      "−\(difference.removed) +\(difference.inserted) ~\(difference.changed) →[\(moves)]" == expected)
    #expect(difference.applied(to: before, after: after) == after)
  }

  @Test func appliedInOrderItGivesTheNewListWhateverChanged() throws {
    var random = LinearGenerator(seed: 7)
    for _ in 0..<20_000 {
      let universe = Int64.random(in: 1...12, using: &random)
      let before = (0..<universe).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
      let after = (0..<universe).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
      let changed = Set((0..<universe).filter { _ in Bool.random(using: &random) })
      let difference = try #require(ListDifference(from: before, to: after, changed: changed))
      #expect(difference.applied(to: before, after: after) == after)
      let survivors = Set(before).intersection(after)
      #expect(
        Set(difference.changed.map { difference.beforeMoves(of: before, after)[$0] }) == survivors.intersection(changed)
      )
      #expect(
        difference.placesAfterMoves(difference.inserted).map { after[$0] } == difference.inserted.map { after[$0] })
    }
  }

  @Test func aListThatIsShuffledIsReadAnew() {
    var random = LinearGenerator(seed: 1)
    let before = Array(Int64(0)..<10_000)
    #expect(ListDifference(from: before, to: before.shuffled(using: &random), changed: []) == nil)
  }
}

extension ListDifference {
  /// Returns the list after the removals and insertions, before the moves.
  func beforeMoves(of before: [Int64], _ after: [Int64]) -> [Int64] {
    var list = before
    for index in removed.reversed() { list.remove(at: index) }
    for index in inserted { list.insert(after[index], at: index) }
    return list
  }

  /// Applies the difference as a client of PhotoKit does. An inserted element is at its final
  /// index, so it is `after[index]`.
  func applied(to before: [Int64], after: [Int64]) -> [Int64] {
    var list = beforeMoves(of: before, after)
    for move in moves { list.insert(list.remove(at: move.from), at: move.to) }
    return list
  }
}

/// Generates the same numbers in every run.
struct LinearGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
