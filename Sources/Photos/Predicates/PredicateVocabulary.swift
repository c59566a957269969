/// The words and signs of a predicate's format; case doesn't matter.
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

  /// Words that are no key, unless a `#` stands before them.
  static let reserved: Set<String> = quantifiers.union(wordComparisons.keys).union([
    "AND", "OR", "NOT", "TRUEPREDICATE", "FALSEPREDICATE", "TRUE", "FALSE", "YES", "NO", "NULL", "NIL",
  ])

  /// For errors.
  static let operators = PredicateOperator.Kind.allCases.map(\.rawValue).joined(separator: ", ")

  /// Whether what stands in parentheses with it is a predicate, and no expression.
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

  /// What is computed, and how tightly it binds: as in C.
  static let computing: [String: (PredicateArithmetic, Int)] = [
    "|": (.bitOr, 0), "&": (.bitAnd, 1), "+": (.plus, 2), "-": (.minus, 2), "*": (.times, 3), "/": (.dividedBy, 3),
  ]

  /// What NSPredicate can compute and a fetch can't.
  static let notComputed: Set<String> = ["**", "<<", ">>", "^", "~"]
}
