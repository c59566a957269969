/// Reads a predicate's format: `(mediaSubtypes & %d) != 0 AND favorite == YES`.
///
///     or         = and { ("OR" | "||") and }
///     and        = not { ("AND" | "&&") not }
///     not        = ("NOT" | "!") not | "(" or ")" | comparison
///                | "TRUEPREDICATE" | "FALSEPREDICATE"
///     comparison = expression operator [ "[" c d n "]" ] expression
///
/// The expressions are in `PredicateParser+Expressions.swift`.
struct PredicateParser {
  let format: String
  private let tokens: [PredicateToken]
  var arguments: ArraySlice<Any>
  var argumentsTaken = 0
  private var index = 0
  private var depth = 0
  /// The opening parentheses around a predicate. The others are around an expression.
  private let predicateParentheses: Set<Int>

  /// The deepest nesting accepted. It is more than people write, and safe for a stack of two
  /// megabytes.
  static let depthLimit = 100

  /// Returns the tree of a format. If the format can't be read, the tree contains the error.
  static func tree(_ format: String, _ arguments: [Any]) -> PredicateTree {
    do throws(PredicateError) {
      var parser = PredicateParser(format: format, tokens: try PredicateLexer.tokens(format), arguments: arguments)
      return try parser.whole()
    } catch { return .invalid(error) }
  }

  private init(format: String, tokens: [PredicateToken], arguments: [Any]) {
    self.format = format
    self.tokens = tokens
    self.arguments = arguments[...]
    predicateParentheses = Self.predicateParentheses(tokens)
  }

  /// Returns the opening parentheses around a predicate, like `(a == 1)`, and not around an
  /// expression, like `(a + 1)`. Finding them beforehand means that nothing has to be read twice.
  private static func predicateParentheses(_ tokens: [PredicateToken]) -> Set<Int> {
    var open: [(place: Int, predicateWords: Int)] = []
    var holding: Set<Int> = []
    var predicateWords = 0
    for (place, token) in tokens.enumerated() {
      switch token.kind {
      case .symbol("("): open.append((place, predicateWords))
      case .symbol(")"):
        if let last = open.popLast(), predicateWords > last.predicateWords { holding.insert(last.place) }
      default: if PredicateVocabulary.makesPredicate(token.kind) { predicateWords += 1 }
      }
    }
    // An unclosed parenthesis counts as one around a predicate, so that the error names it.
    return holding.union(open.map(\.place))
  }

  // MARK: Tokens

  var current: PredicateToken? { index < tokens.count ? tokens[index] : nil }
  var following: PredicateToken.Kind? { index + 1 < tokens.count ? tokens[index + 1].kind : nil }
  var place: PredicatePlace { PredicatePlace(format: format, offset: current?.offset ?? format.count) }

  func failure(_ message: String) -> PredicateError { PredicateError(message, at: place) }

  mutating func advance(_ count: Int = 1) { index += count }

  mutating func take(_ symbol: String) -> Bool {
    guard current?.kind == .symbol(symbol) else { return false }
    index += 1
    return true
  }

  mutating func take(word: String) -> Bool {
    guard case .word(let found)? = current?.kind, found.uppercased() == word else { return false }
    index += 1
    return true
  }

  mutating func close(_ symbol: String, openedAt opening: PredicatePlace) throws(PredicateError) {
    guard take(symbol) else {
      if current == nil { throw PredicateError("what begins here has no “\(symbol)”", at: opening) }
      throw failure("a “\(symbol)” was expected")
    }
  }

  /// Enters a level of nesting, until `ascend()`. Throws if there are too many. An error ends the
  /// parsing at any level.
  mutating func descend() throws(PredicateError) {
    guard depth < Self.depthLimit else { throw failure("it is nested more than \(Self.depthLimit) levels deep") }
    depth += 1
  }

  mutating func ascend() { depth -= 1 }

  // MARK: Predicates

  private mutating func whole() throws(PredicateError) -> PredicateTree {
    if tokens.isEmpty { throw failure("it is empty") }
    let tree = try disjunction()
    guard let rest = current else { return tree }
    if rest.kind == .symbol(")") { throw failure("this “)” closes nothing") }
    throw failure("AND or OR was expected, or nothing more")
  }

  private mutating func disjunction() throws(PredicateError) -> PredicateTree {
    var parts = [try conjunction()]
    while take("||") || take(word: "OR") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(PredicateError) -> PredicateTree {
    var parts = [try negation()]
    while take("&&") || take(word: "AND") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(PredicateError) -> PredicateTree {
    if take("!") || take(word: "NOT") {
      try descend()
      let inner = try negation()
      ascend()
      return .not(inner)
    }
    if take(word: "TRUEPREDICATE") { return .constant(true) }
    if take(word: "FALSEPREDICATE") { return .constant(false) }
    guard current?.kind == .symbol("("), predicateParentheses.contains(index) else { return try comparison() }
    let opening = place
    advance()
    try descend()
    let inner = try disjunction()
    ascend()
    try close(")", openedAt: opening)
    return inner
  }

  private mutating func comparison() throws(PredicateError) -> PredicateTree {
    if case .word(let word)? = current?.kind, PredicateVocabulary.quantifiers.contains(word.uppercased()) {
      throw failure("\(word.uppercased()) asks relations, and the objects of a fetch have none")
    }
    let left = try expression()
    guard let operation = try comparisonOperator() else { throw noOperator(after: left) }
    return .comparison(PredicateComparison(left: left, operation: operation, right: try expression()))
  }

  private func noOperator(after left: PredicateExpression) -> PredicateError {
    switch (current?.kind, left) {
    case (.word(let word)?, _) where !PredicateVocabulary.reserved.contains(word.uppercased()):
      failure("“\(word)” is not an operator; the operators are \(PredicateVocabulary.operators)")
    case (.symbol(":=")?, _): failure("nothing can be assigned in a fetch")
    case (_, .key(let name, let place)):
      PredicateError("a key alone is not a predicate; write “\(name) == YES”", at: place)
    default: failure("an operator was expected: \(PredicateVocabulary.operators)")
    }
  }

  private mutating func comparisonOperator() throws(PredicateError) -> PredicateOperator? {
    let kind: PredicateOperator.Kind? =
      switch current?.kind {
      case .symbol(let symbol)?: PredicateVocabulary.comparisons[symbol]
      case .word(let word)?: PredicateVocabulary.wordComparisons[word.uppercased()]
      default: nil
      }
    guard let kind else { return nil }
    var operation = PredicateOperator(kind: kind, place: place)
    advance()
    let opening = place
    guard take("[") else { return operation }
    guard case .word(let options)? = current?.kind else { throw failure("c, d or cd was expected") }
    for option in options.lowercased() {
      switch option {
      case "c": operation.ignoresCase = true
      case "d": operation.ignoresDiacritics = true
      // Texts are always compared as they are stored, which this option asks for.
      case "n": break
      default: throw failure("“\(option)” is not an option; c ignores case, d accents")
      }
    }
    advance()
    try close("]", openedAt: opening)
    return operation
  }
}
