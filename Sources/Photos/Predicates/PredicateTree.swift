/// A predicate as it was written, before it is known which objects it is asked of.
///
///     PredicateParser.tree("favorite == YES AND duration > %f", [1.5])
///
/// `condition(for:)` checks it against the keys of the objects and makes of it what a fetch asks.
indirect enum PredicateTree: Sendable {
  case constant(Bool)
  case all([PredicateTree])
  case any([PredicateTree])
  case not(PredicateTree)
  case comparison(PredicateComparison)
  /// It could not be read; a fetch tells why.
  case invalid(PredicateError)
}

/// Two sides and what is asked of them.
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
  /// A list that holds keys or sums, which only BETWEEN takes.
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

/// How two sides are compared.
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

  /// As it is written: `CONTAINS[cd]`.
  var text: String {
    let options = (ignoresCase ? "c" : "") + (ignoresDiacritics ? "d" : "")
    return kind.rawValue + (options.isEmpty ? "" : "[\(options)]")
  }

  /// The same with another kind.
  func with(_ kind: Kind) -> PredicateOperator {
    var other = self
    other.kind = kind
    return other
  }
}

extension PredicateOperator.Kind {
  /// The same comparison with its sides exchanged; `nil` where they can't be.
  var turned: Self? {
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
