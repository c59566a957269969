/// The steps that turn one list of ids into another, in the order in which PhotoKit's clients apply
/// them: removals, insertions, changes, moves.
///
///     if let difference = ListDifference(from: before, to: after, changed: [7]) {
///       difference.removed   // indexes in `before`
///       difference.inserted  // indexes after the removals
///       difference.changed   // indexes after the insertions, before the moves
///       difference.moves     // one after the other, each on the result of the previous one
///     }
public struct ListDifference: Hashable, Sendable {
  public var removed: [Int] = []
  public var inserted: [Int] = []
  public var changed: [Int] = []
  public var moves: [Move] = []

  public struct Move: Hashable, Sendable {
    public var from: Int
    /// The index after the element was removed.
    public var to: Int
  }

  public init() {}

  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty && moves.isEmpty }

  /// Returns `nil` if so many elements changed places that a list is better reloaded. The ids in a
  /// list are unique.
  public init?(from before: [Int64], to after: [Int64], changed changedIDs: Set<Int64>) {
    let (start, commonEnd) = Self.commonEnds(before, after)
    let old = before[start..<before.count - commonEnd]
    let new = after[start..<after.count - commonEnd]
    let oldIDs = Set(old)
    let newIDs = Set(new)
    removed = old.indices.filter { !newIDs.contains(before[$0]) }
    inserted = new.indices.filter { !oldIDs.contains(after[$0]) }
    // The remaining elements in their old order, between the new ones, which have their final
    // places.
    var survivors = old.lazy.filter { newIDs.contains($0) }.makeIterator()
    var list = new.map { oldIDs.contains($0) ? survivors.next() ?? $0 : $0 }
    if !changedIDs.isEmpty {
      let afterwards = before[..<start] + list + after[(after.count - commonEnd)...]
      let fresh = Set(inserted)
      changed = afterwards.indices.filter { changedIDs.contains(afterwards[$0]) && !fresh.contains($0) }
    }
    guard let moves = Self.moves(&list, to: Array(new), inserted: newIDs.subtracting(oldIDs)) else { return nil }
    self.moves = moves.map { Move(from: $0.from + start, to: $0.to + start) }
  }

  /// Creates a difference without moves.
  init(removed: [Int], inserted: [Int], changed: [Int]) {
    self.removed = removed
    self.inserted = inserted
    self.changed = changed
  }

  /// Returns the number of equal elements at the start, and among the others at the end.
  private static func commonEnds(_ before: [Int64], _ after: [Int64]) -> (start: Int, end: Int) {
    before.withUnsafeBufferPointer { before in
      after.withUnsafeBufferPointer { after in
        let shorter = min(before.count, after.count)
        var start = 0
        while start < shorter, before[start] == after[start] { start += 1 }
        var end = 0
        while end < shorter - start, before[before.count - 1 - end] == after[after.count - 1 - end] { end += 1 }
        return (start, end)
      }
    }
  }

  /// The limits for computing moves: the number of moves, and of elements that are passed over for
  /// them.
  private static let moveLimit = 2000
  private static let stepLimit = 50_000_000

  /// Returns a small number of moves that sort `list` like `target`, which has the same elements.
  /// Inserted elements don't move.
  private static func moves(_ list: inout [Int64], to target: [Int64], inserted: Set<Int64>) -> [Move]? {
    if list == target { return [] }
    let places = Dictionary(target.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    // A remaining element can stay only if the same inserted elements precede it as in the target.
    let segments = target.reduce(into: [0]) { $0.append($0[$0.count - 1] + (inserted.contains($1) ? 1 : 0)) }
    let candidates = list.indices.filter { index in
      !inserted.contains(list[index]) && segments[index] == segments[places[list[index]] ?? 0]
    }
    let staying = longestIncreasing(candidates.map { places[list[$0]] ?? 0 })
    let moving = target.indices.filter { !staying.contains($0) && !inserted.contains(target[$0]) }
    guard moving.count <= moveLimit, moving.count * list.count <= stepLimit else { return nil }
    var moves: [Move] = []
    for place in moving {
      guard let from = list.firstIndex(of: target[place]) else { return nil }
      list.remove(at: from)
      var to = 0
      if place > 0 {
        guard let predecessor = list.firstIndex(of: target[place - 1]) else { return nil }
        to = predecessor + 1
      }
      list.insert(target[place], at: to)
      if from != to { moves.append(Move(from: from, to: to)) }
    }
    return moves
  }

  /// Returns the values of a longest increasing subsequence (patience sorting).
  private static func longestIncreasing(_ values: [Int]) -> Set<Int> {
    var ends: [Int] = []
    var predecessors = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { predecessors[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var longest: Set<Int> = []
    var index = ends.last ?? -1
    while index >= 0 {
      longest.insert(values[index])
      index = predecessors[index]
    }
    return longest
  }
}

extension ListDifference {
  /// Returns the indexes of these elements after the moves, from their indexes before the moves.
  public func placesAfterMoves(_ places: [Int]) -> [Int] {
    places.map { place in
      moves.reduce(place) { place, move in
        if place == move.from { return move.to }
        let taken = place > move.from ? place - 1 : place
        return taken >= move.to ? taken + 1 : taken
      }
    }
  }
}
