/// The difference between two selections, in time linear in their sizes.
struct SelectionDifference<Identifier: Hashable>: Equatable {
  /// The identifiers that are in the first selection alone, in its order.
  let dropped: [Identifier]
  /// The identifiers that are in the second selection alone, in its order and each once.
  let added: [Identifier]

  init(from before: [Identifier], to after: [Identifier]) {
    var present = Set(before)
    let wanted = Set(after)
    dropped = before.filter { !wanted.contains($0) }
    added = after.filter { present.insert($0).inserted }
  }
}
