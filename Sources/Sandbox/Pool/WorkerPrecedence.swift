/// Who is served first, and by how many workers: what is short waits for nothing that is long, and what is seen for nothing
/// that nobody sees.
enum WorkerPrecedence: Int, CaseIterable, Comparable {
  case background, seen, brief

  init(isBrief: Bool, _ demand: WorkDemand) {
    switch demand {
    case .none, .background: self = .background
    case .seen: self = isBrief ? .brief : .seen
    }
  }

  /// How many may be busy where it begins, in a pool of that width.
  func mostBusy(width: Int) -> Int { width + rawValue }

  static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
