/// A predicate as it was written, before the kind of its objects is known.
///
///     PredicateParser.tree("favorite == YES AND duration > %f", [1.5])
///
/// `condition(for:)` checks it against the keys of the objects and makes the condition of a fetch.
indirect enum PredicateTree: Sendable {
  case constant(Bool)
  case all([PredicateTree])
  case any([PredicateTree])
  case not(PredicateTree)
  case comparison(PredicateComparison)
  /// The format could not be read. A fetch throws this error.
  case invalid(PredicateError)
}

/// A comparison of two sides.
struct PredicateComparison: Sendable {
  var left: PredicateExpression
  var operation: PredicateOperator
  var right: PredicateExpression
}

/// One side of a comparison.
indirect enum PredicateExpression: Sendable {
  case key(String, PredicatePlace? = nil)
  case constant(PredicateConstant, PredicatePlace? = nil)
  case arithmetic(PredicateExpression, PredicateArithmetic, PredicateExpression, PredicatePlace? = nil)
  /// A list with keys or computations, which only BETWEEN accepts.
  case list([PredicateExpression], PredicatePlace? = nil)

  var place: PredicatePlace? {
    switch self {
    case .key(_, let place), .constant(_, let place), .arithmetic(_, _, _, let place), .list(_, let place): place
    }
  }

  var isConstant: Bool {
    if case .constant = self { return true }
    return false
  }
}

/// The operator of a comparison, with its options.
struct PredicateOperator: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case isIn = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
  }

  var kind: Kind
  var ignoresCase = false
  var ignoresDiacritics = false
  var place: PredicatePlace?

  /// The operator as it is written: `CONTAINS[cd]`.
  var text: String {
    let options = (ignoresCase ? "c" : "") + (ignoresDiacritics ? "d" : "")
    return kind.rawValue + (options.isEmpty ? "" : "[\(options)]")
  }

  /// Returns the operator with another kind and the same options.
  func with(_ kind: Kind) -> PredicateOperator {
    var other = self
    other.kind = kind
    return other
  }
}

extension PredicateOperator.Kind {
  /// The operator for exchanged sides; `nil` if they can't be exchanged.
  var swapped: Self? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .between, .isIn, .contains, .beginsWith, .endsWith, .like, .matches: nil
    }
  }
}
