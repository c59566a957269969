/// Whether anybody looks at where a picture is to come.
///
///     DecodingUrgency.$current.withValue(.background) { try makeRenditions(of: file, metadata: metadata, kinds: [.grid]) }
///
/// What is done ahead or for later (preheating, imports) leaves a worker to what is seen, and waits for it.
public enum DecodingUrgency: Sendable {
  case background, seen

  @TaskLocal public static var current = DecodingUrgency.seen
}

/// Who is served first, and by how many workers: what is short waits for nothing that is long, and what is seen for nothing
/// that nobody sees.
enum WorkerPrecedence: Int, CaseIterable, Comparable {
  case background, seen, brief

  init(_ request: WorkerRequest, _ urgency: DecodingUrgency) {
    switch urgency {
    case .background: self = .background
    case .seen: self = request.isBrief ? .brief : .seen
    }
  }

  /// How many may be busy where it begins, in a pool of that width.
  func mostBusy(width: Int) -> Int { width + rawValue }

  static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
