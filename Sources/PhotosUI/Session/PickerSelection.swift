/// The selection of an open picker: a value that decides what a tap does.
struct PickerSelection: Hashable, Sendable {
  /// The most items; 0 for no limit.
  var limit: Int
  /// The selected assets, in the order of selecting.
  private(set) var identifiers: [String]
  private let wasPreselected: Bool

  init(limit: Int, preselected: [String]) {
    self.limit = limit
    identifiers = preselected
    wasPreselected = !preselected.isEmpty
  }

  /// Whether Add is enabled: with something to hand over, or a preselection that was changed, and
  /// not more than the limit.
  var canAdd: Bool { (wasPreselected || !identifiers.isEmpty) && (limit == 0 || identifiers.count <= limit) }

  /// Selects an asset, and returns whether that changed the selection. If one item can be selected,
  /// it replaces the one before. Otherwise nothing is selected beyond the limit.
  mutating func select(_ identifier: String) -> Bool {
    guard !identifiers.contains(identifier) else { return false }
    if limit == 1, identifiers.count == 1 {
      identifiers = [identifier]
      return true
    }
    guard limit == 0 || identifiers.count < limit else { return false }
    identifiers.append(identifier)
    return true
  }

  /// Deselects assets, and returns whether that changed the selection.
  mutating func deselect(_ unwanted: [String]) -> Bool {
    let before = identifiers.count
    identifiers.removeAll(where: unwanted.contains)
    return identifiers.count != before
  }

  /// Moves a selected asset behind another one, or to the front. Does nothing unless both are
  /// selected.
  mutating func move(_ identifier: String, after other: String?) {
    guard identifier != other, let index = identifiers.firstIndex(of: identifier) else { return }
    guard let other else {
      identifiers.insert(identifiers.remove(at: index), at: 0)
      return
    }
    guard identifiers.contains(other) else { return }
    identifiers.remove(at: index)
    identifiers.insert(identifier, at: (identifiers.firstIndex(of: other) ?? 0) + 1)
  }
}
