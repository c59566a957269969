/// The reasons that an asset is not shown, as `asset.visibility` stores them. An asset without any
/// is shown everywhere.
struct Visibility: OptionSet, Hashable, Sendable {
  let rawValue: Int

  /// A frame of a burst that neither represents it nor was picked.
  static let unpickedFrame = Visibility(rawValue: 1)
  static let hidden = Visibility(rawValue: 2)
  static let trashed = Visibility(rawValue: 4)
  static let all: Visibility = [.unpickedFrame, .hidden, .trashed]

  /// Returns the condition that a row has all of the required reasons, and beside them none but the
  /// allowed ones.
  static func condition(
    on column: String = "visibility", requiring required: Visibility = [], allowing allowed: Visibility = []
  ) -> String {
    let most = required.union(allowed)
    let values = (0...all.rawValue).filter {
      let reasons = Visibility(rawValue: $0)
      return reasons.isSuperset(of: required) && reasons.isSubset(of: most)
    }
    if required == most { return "\(column) = \(required.rawValue)" }
    // A range where there is one: SQLite reads it in one piece of an index.
    if values.count == most.rawValue + 1 { return "\(column) <= \(most.rawValue)" }
    if values.count == all.rawValue + 1 - required.rawValue { return "\(column) >= \(required.rawValue)" }
    return "\(column) IN (\(values.map(String.init).joined(separator: ", ")))"
  }
}
