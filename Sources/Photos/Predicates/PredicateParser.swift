import Foundation

/// Reads a predicate's format: `(mediaSubtypes & %d) != 0 AND favorite == YES`.
struct PredicateParser {
  private let tokens: [PredicateToken]
  private let end: Int
  private var arguments: ArraySlice<Any>
  private var index = 0
  private var depth = 0
  /// For each opening parenthesis whether what it holds is compared with something, and no predicate of its own.
  private let holdsPredicate: [Int: Bool]

  /// More levels than anybody writes, few enough for the stack.
  private static let deepest = 200

  /// A tree, which says itself if the format could not be read.
  static func tree(_ format: String, _ arguments: [Any]) -> PredicateTree {
    do throws(PredicateFormatError) {
      let tokens = try PredicateLexer.tokens(format)
      var parser = PredicateParser(tokens: tokens, end: format.count, arguments: arguments)
      let tree = try parser.disjunction()
      if let rest = parser.current {
        throw PredicateFormatError(message: "nothing was expected to follow", position: rest.position)
      }
      return tree
    } catch {
      let start = format.index(format.startIndex, offsetBy: min(error.position, format.count))
      let place = start == format.endIndex ? "at its end" : "at “\(format[start...].prefix(20))”"
      return .invalid("“\(format.prefix(200))” can't be read \(place): \(error.message)")
    }
  }

  private init(tokens: [PredicateToken], end: Int, arguments: [Any]) {
    self.tokens = tokens
    self.end = end
    self.arguments = arguments[...]
    var open: [(place: Int, comparisons: Int)] = []
    var holds: [Int: Bool] = [:]
    var comparisons = 0
    for (place, token) in tokens.enumerated() {
      switch token.kind {
      case .symbol("("): open.append((place, comparisons))
      case .symbol(")"): if let last = open.popLast() { holds[last.place] = comparisons > last.comparisons }
      default: if Self.makesPredicate(token.kind) { comparisons += 1 }
      }
    }
    holdsPredicate = holds
  }

  private static func makesPredicate(_ kind: PredicateToken.Kind) -> Bool {
    switch kind {
    case .symbol(let symbol): comparisons[symbol] != nil
    case .word(let word):
      wordComparisons.contains(word.uppercased()) || ["TRUEPREDICATE", "FALSEPREDICATE"].contains(word.uppercased())
    default: false
    }
  }

  private static let comparisons: [String: PredicateOperator.Kind] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
    ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]
  private static let wordComparisons: Set<String> = [
    "BETWEEN", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES",
  ]

  private var current: PredicateToken? { index < tokens.count ? tokens[index] : nil }
  private var position: Int { current?.position ?? end }

  private func failure(_ message: String) -> PredicateFormatError {
    PredicateFormatError(message: message, position: position)
  }

  private mutating func take(_ symbols: String...) -> Bool {
    guard case .symbol(let symbol)? = current?.kind, symbols.contains(symbol) else { return false }
    index += 1
    return true
  }

  private mutating func take(word: String) -> Bool {
    guard case .word(let found)? = current?.kind, found.uppercased() == word else { return false }
    index += 1
    return true
  }

  private mutating func descend<Result>(
    _ body: (inout PredicateParser) throws(PredicateFormatError) -> Result
  ) throws(PredicateFormatError) -> Result {
    guard depth < Self.deepest else { throw failure("it is nested more than \(Self.deepest) levels deep") }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  // MARK: Predicates

  private mutating func disjunction() throws(PredicateFormatError) -> PredicateTree {
    var parts = [try conjunction()]
    while take("||") || take(word: "OR") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(PredicateFormatError) -> PredicateTree {
    var parts = [try negation()]
    while take("&&") || take(word: "AND") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(PredicateFormatError) -> PredicateTree {
    if take("!") || take(word: "NOT") {
      return .not(try descend { parser throws(PredicateFormatError) in try parser.negation() })
    }
    if take(word: "TRUEPREDICATE") { return .constant(true) }
    if take(word: "FALSEPREDICATE") { return .constant(false) }
    if case .symbol("(")? = current?.kind, holdsPredicate[index] == true {
      index += 1
      let inner = try descend { parser throws(PredicateFormatError) in try parser.disjunction() }
      guard take(")") else { throw failure("a “)” is missing") }
      return inner
    }
    return try comparison()
  }

  private mutating func comparison() throws(PredicateFormatError) -> PredicateTree {
    if case .word(let word)? = current?.kind, ["ANY", "ALL", "SOME", "NONE"].contains(word.uppercased()) {
      throw failure("\(word.uppercased()) is about relations, which the objects of a fetch have none of")
    }
    let left = try expression()
    guard let comparison = try comparisonOperator() else {
      throw failure("a comparison was expected; a truth value is asked for by “== YES”")
    }
    return .comparison(left, comparison, try expression())
  }

  private mutating func comparisonOperator() throws(PredicateFormatError) -> PredicateOperator? {
    var kind: PredicateOperator.Kind?
    switch current?.kind {
    case .symbol(let symbol)?: kind = Self.comparisons[symbol]
    case .word(let word)? where Self.wordComparisons.contains(word.uppercased()):
      kind = PredicateOperator.Kind(rawValue: word.uppercased())
    default: break
    }
    guard let kind else { return nil }
    index += 1
    var comparison = PredicateOperator(kind: kind)
    guard take("[") else { return comparison }
    guard case .word(let options)? = current?.kind else { throw failure("c, d or n was expected") }
    for option in options.lowercased() {
      switch option {
      case "c": comparison.ignoresCase = true
      case "d": comparison.ignoresDiacritics = true
      // Compared as it is stored, which it is anyway.
      case "n": break
      default: throw failure("“\(option)” is no option; c ignores case, d ignores accents")
      }
    }
    index += 1
    guard take("]") else { throw failure("a “]” is missing") }
    return comparison
  }

  // MARK: Expressions

  /// From the loosest operator to the tightest.
  private static let precedence: [Set<String>] = [["|"], ["&"], ["+", "-"], ["*", "/"]]

  private mutating func expression(_ level: Int = 0) throws(PredicateFormatError) -> PredicateExpression {
    guard level < Self.precedence.count else { return try primary() }
    var left = try expression(level + 1)
    while case .symbol(let symbol)? = current?.kind, Self.precedence[level].contains(symbol) {
      index += 1
      left = .arithmetic(left, symbol, try expression(level + 1))
    }
    return left
  }

  private mutating func primary() throws(PredicateFormatError) -> PredicateExpression {
    guard let token = current else { throw failure("a key or a value was expected") }
    switch token.kind {
    case .integer(let value):
      index += 1
      return .constant(.integer(value))
    case .real(let value):
      index += 1
      return .constant(.real(value))
    case .text(let value):
      index += 1
      return .constant(.text(value))
    case .argument(let letters): return try argument(letters)
    case .escapedWord(let word):
      index += 1
      return .key(word)
    case .word(let word): return try self.word(word)
    case .symbol("("):
      index += 1
      let inner = try descend { parser throws(PredicateFormatError) in try parser.expression() }
      guard take(")") else { throw failure("a “)” is missing") }
      return inner
    case .symbol("-"):
      index += 1
      let operand = try descend { parser throws(PredicateFormatError) in try parser.primary() }
      switch operand {
      case .constant(.integer(let value)): return .constant(.integer(0 &- value))
      case .constant(.real(let value)): return .constant(.real(-value))
      default: return .arithmetic(.constant(.integer(0)), "-", operand)
      }
    case .symbol("{"):
      index += 1
      return .constant(.list(try list()))
    case .symbol(let symbol): throw failure("“\(symbol)” was not expected; a key or a value was")
    }
  }

  private mutating func list() throws(PredicateFormatError) -> [PredicateConstant] {
    var elements: [PredicateConstant] = []
    if take("}") { return elements }
    repeat {
      guard case .constant(let element) = try expression() else {
        throw failure("a list holds values, and neither keys nor sums")
      }
      elements.append(element)
    } while take(",")
    guard take("}") else { throw failure("a “}” is missing") }
    return elements
  }

  private mutating func word(_ word: String) throws(PredicateFormatError) -> PredicateExpression {
    let next: PredicateToken.Kind? = index + 1 < tokens.count ? tokens[index + 1].kind : nil
    let isCall = next == .symbol("(")
    switch word.uppercased() {
    case "YES", "TRUE": return constant(.boolean(true))
    case "NO", "FALSE": return constant(.boolean(false))
    case "NIL", "NULL": return constant(.null)
    case "NOW" where isCall:
      index += 2
      guard take(")") else { throw failure("a “)” is missing") }
      return .constant(.date(Date()))
    case "CAST" where isCall: return try cast()
    case "AND", "OR", "NOT", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES":
      throw failure("a key or a value was expected, and not \(word.uppercased())")
    default: break
    }
    if isCall { throw failure("functions can't be used in a fetch: \(word)") }
    if word.contains("@") || word.hasPrefix("$") { throw failure("“\(word)” can't be used in a fetch") }
    index += 1
    return .key(word)
  }

  private mutating func constant(_ value: PredicateConstant) -> PredicateExpression {
    index += 1
    return .constant(value)
  }

  /// `CAST(5.0, "NSDate")`: seconds since 2001, as NSPredicate itself writes dates.
  private mutating func cast() throws(PredicateFormatError) -> PredicateExpression {
    index += 2
    guard case .constant(let value) = try expression(), take(","), case .text("NSDate")? = current?.kind else {
      throw failure("CAST takes a number and \"NSDate\"")
    }
    index += 1
    guard take(")") else { throw failure("a “)” is missing") }
    switch value {
    case .integer(let seconds): return .constant(.date(Date(timeIntervalSinceReferenceDate: Double(seconds))))
    case .real(let seconds): return .constant(.date(Date(timeIntervalSinceReferenceDate: seconds)))
    default: throw failure("CAST takes a number and \"NSDate\"")
    }
  }

  private mutating func argument(_ letters: String) throws(PredicateFormatError) -> PredicateExpression {
    guard let argument = arguments.popFirst() else { throw failure("there is no argument for %\(letters)") }
    guard let value = PredicateConstant(argument) else {
      throw failure("%\(letters) was given a \(type(of: argument)), which nothing can be compared with")
    }
    switch (letters.last, value) {
    case ("K", .text(let key)):
      index += 1
      return .key(key)
    case ("K", _): throw failure("%K takes the name of a key, not \(value.kind)")
    case ("@", _): break
    case (_, .integer), (_, .real), (_, .boolean): break
    default: throw failure("%\(letters) takes a number, not \(value.kind)")
    }
    return constant(value)
  }
}
