/// The order in which calls are served, and the number of workers for each. Brief calls don't wait
/// for long ones, and calls for the screen don't wait for background work.
enum WorkerPrecedence: Int, CaseIterable, Comparable {
  case background, seen, brief

  init(isBrief: Bool, _ demand: WorkDemand) {
    switch demand {
    case .none, .background: self = .background
    case .seen: self = isBrief ? .brief : .seen
    }
  }

  /// Returns the number of workers that may be busy with such a call, in a pool of this width.
  func mostBusy(width: Int) -> Int { width + rawValue }

  static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
