/// The difference between two selections, in time linear in their sizes.
struct SelectionDifference: Equatable {
  /// The identifiers that are in the first selection alone, in its order.
  let dropped: [String]
  /// The identifiers that are in the second selection alone, in its order and each once.
  let added: [String]

  init(from before: [String], to after: [String]) {
    var present = Set(before)
    let wanted = Set(after)
    dropped = before.filter { !wanted.contains($0) }
    added = after.filter { present.insert($0).inserted }
  }
}
