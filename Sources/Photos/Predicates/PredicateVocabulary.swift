/// The words and symbols of a predicate's format. Their case is ignored.
enum PredicateVocabulary {
  static let comparisons: [String: PredicateOperator.Kind] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
    ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  static let wordComparisons: [String: PredicateOperator.Kind] = [
    "BETWEEN": .between, "IN": .isIn, "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith,
    "LIKE": .like, "MATCHES": .matches,
  ]

  static let quantifiers: Set<String> = ["ANY", "ALL", "SOME", "NONE"]

  /// The words that are keys only after a `#`.
  static let reserved: Set<String> = quantifiers.union(wordComparisons.keys).union([
    "AND", "OR", "NOT", "TRUEPREDICATE", "FALSEPREDICATE", "TRUE", "FALSE", "YES", "NO", "NULL", "NIL",
  ])

  /// The operators as a list for errors.
  static let operators = PredicateOperator.Kind.allCases.map(\.rawValue).joined(separator: ", ")

  /// Returns whether parentheses with this token contain a predicate and no expression.
  static func makesPredicate(_ kind: PredicateToken.Kind) -> Bool {
    switch kind {
    case .symbol(let symbol): comparisons[symbol] != nil || ["!", "&&", "||"].contains(symbol)
    case .word(let word):
      switch word.uppercased() {
      case "TRUE", "FALSE", "YES", "NO", "NULL", "NIL": false
      case let word: reserved.contains(word)
      }
    default: false
    }
  }

  /// The arithmetic operators with their precedence, which is that of C.
  static let arithmetic: [String: (PredicateArithmetic, Int)] = [
    "|": (.bitOr, 0), "&": (.bitAnd, 1), "+": (.plus, 2), "-": (.minus, 2), "*": (.times, 3), "/": (.dividedBy, 3),
  ]

  /// The operators that NSPredicate supports and a fetch does not.
  static let unsupportedArithmetic: Set<String> = ["**", "<<", ">>", "^", "~"]
}
