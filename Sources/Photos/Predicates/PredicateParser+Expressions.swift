import Foundation

// The grammar of expressions, from the loosest operator to the tightest:
//
// expression = bitAnd { "|" bitAnd }
// bitAnd     = sum { "&" sum }
// sum        = product { ("+" | "-") product }
// product    = value { ("*" | "/") value }
// value      = number | text | key | argument | "YES" | "nil" … | "{" list "}"
//            | "(" expression ")" | "-" value | CAST(number, "NSDate") | now()
extension PredicateParser {
  /// Reads an expression. An operator takes as its right side everything that binds tighter than
  /// itself.
  mutating func expression(bindingAtLeast loosest: Int = 0) throws(PredicateError) -> PredicateExpression {
    var left = try value()
    var links = 0
    while case .symbol(let symbol)? = current?.kind {
      if PredicateVocabulary.unsupportedArithmetic.contains(symbol) { throw cannotCompute(symbol) }
      guard let (operation, strength) = PredicateVocabulary.arithmetic[symbol], strength >= loosest else { break }
      // The tree of a chain is as deep as the chain is long.
      links += 1
      guard links < Self.depthLimit else {
        throw failure("more than \(Self.depthLimit) values are computed in one chain")
      }
      let place = place
      advance()
      left = try .computed(left, operation, try expression(bindingAtLeast: strength + 1), at: place)
    }
    return left
  }

  private func cannotCompute(_ symbol: String) -> PredicateError {
    failure("“\(symbol)” can't be computed in a fetch; +, -, *, /, & and | can")
  }

  private mutating func value() throws(PredicateError) -> PredicateExpression {
    guard let token = current else { throw failure("a key or a value was expected") }
    switch token.kind {
    case .integer(let value): return constant(.integer(value))
    case .real(let value): return constant(.real(value))
    case .text(let value): return constant(.text(value))
    case .argument(let letters): return try argument(letters)
    case .word(let word): return try self.word(word)
    case .escapedWord(let word): return key(word)
    case .symbol("("): return try parenthesis()
    case .symbol("{"): return try list()
    case .symbol("-"):
      let place = place
      advance()
      try descend()
      let operand = try value()
      ascend()
      return try .computed(.constant(.integer(0), place), .minus, operand, at: place)
    case .symbol(let symbol) where PredicateVocabulary.unsupportedArithmetic.contains(symbol):
      throw cannotCompute(symbol)
    case .symbol(let symbol): throw failure("a key or a value was expected, not “\(symbol)”")
    }
  }

  private mutating func constant(_ value: PredicateConstant) -> PredicateExpression {
    let place = place
    advance()
    return .constant(value, place)
  }

  private mutating func key(_ name: String) -> PredicateExpression {
    let place = place
    advance()
    // SELF.pixelWidth is pixelWidth.
    let isOfSelf = name.uppercased().hasPrefix("SELF.")
    return .key(isOfSelf ? String(name.dropFirst("SELF.".count)) : name, place)
  }

  private mutating func parenthesis() throws(PredicateError) -> PredicateExpression {
    let opening = place
    advance()
    try descend()
    let inner = try expression()
    ascend()
    if current?.kind == .symbol(",") {
      throw PredicateError("write a list in braces: {1, 2}", at: opening)
    }
    try close(")", openedAt: opening)
    return inner
  }

  /// Reads a list like `{1, 2}`.
  private mutating func list() throws(PredicateError) -> PredicateExpression {
    let opening = place
    advance()
    var elements: [PredicateExpression] = []
    try descend()
    if !take("}") {
      repeat {
        elements.append(try expression())
      } while take(",")
      try close("}", openedAt: opening)
    }
    ascend()
    var constants: [PredicateConstant] = []
    for element in elements {
      switch element {
      case .list, .constant(.list, _): throw PredicateError("a list can't contain another list", at: element.place)
      case .constant(let value, _): constants.append(value)
      case .key, .arithmetic: break
      }
    }
    return constants.count == elements.count ? .constant(.list(constants), opening) : .list(elements, opening)
  }

  // MARK: Words

  private mutating func word(_ word: String) throws(PredicateError) -> PredicateExpression {
    let capitals = word.uppercased()
    if following == .symbol("(") { return try function(word, capitals) }
    switch capitals {
    case "YES", "TRUE": return constant(.boolean(true))
    case "NO", "FALSE": return constant(.boolean(false))
    case "NIL", "NULL": return constant(.null)
    default: break
    }
    if PredicateVocabulary.reserved.contains(capitals) {
      throw failure("a key or a value was expected, not \(capitals); a key of that name is written #\(word)")
    }
    if word.hasPrefix("$") {
      throw failure("variables like “\(word)” can't be used in a fetch; use %@ and an argument")
    }
    if word.contains("@") { throw failure("“\(word)” asks relations, and the objects of a fetch have none") }
    return key(word)
  }

  private mutating func function(_ word: String, _ capitals: String) throws(PredicateError) -> PredicateExpression {
    let start = place
    switch capitals {
    case "NOW":
      advance(2)
      try close(")", openedAt: start)
      return .constant(.date(Date()), start)
    case "CAST": return try cast()
    case "SUBQUERY": throw failure("SUBQUERY asks relations, and the objects of a fetch have none")
    case let word where PredicateVocabulary.reserved.contains(word):
      throw failure("a key or a value was expected, not \(word)")
    default: throw failure("functions like “\(word)” can't be used in a fetch; now() and CAST(seconds, \"NSDate\") can")
    }
  }

  /// Reads `CAST(5.0, "NSDate")`, seconds since 2001, as NSPredicate itself writes dates.
  private mutating func cast() throws(PredicateError) -> PredicateExpression {
    let start = place
    advance(2)
    try descend()
    let seconds = try expression()
    ascend()
    guard take(","), case .text("NSDate")? = current?.kind else {
      throw PredicateError("CAST takes seconds since 2001 and \"NSDate\"", at: start)
    }
    advance()
    try close(")", openedAt: start)
    switch seconds {
    case .constant(.integer(let value), _):
      return .constant(.date(Date(timeIntervalSinceReferenceDate: Double(value))), start)
    case .constant(.real(let value), _): return .constant(.date(Date(timeIntervalSinceReferenceDate: value)), start)
    default: throw PredicateError("CAST takes seconds since 2001 and \"NSDate\"", at: start)
    }
  }

  // MARK: Arguments

  private mutating func argument(_ letters: String) throws(PredicateError) -> PredicateExpression {
    argumentsTaken += 1
    guard let argument = arguments.popFirst() else {
      throw failure("%\(letters) is the argument number \(argumentsTaken), and \(argumentsTaken - 1) were given")
    }
    guard let value = PredicateConstant(argument) else {
      throw failure("%\(letters) was given a \(type(of: argument)), which no key can be compared with")
    }
    switch (letters.last, value) {
    case ("K", .text(let name)): return key(name)
    case ("K", _): throw failure("%K takes the name of a key, not \(value.name)")
    case ("@", _): return constant(value)
    case (let letter?, .real) where "fFeEgG".contains(letter): return constant(value)
    case (_, .integer), (_, .boolean): return constant(value)
    case (let letter?, _) where "fFeEgG".contains(letter):
      throw failure("%\(letters) takes a number, not \(value.name)")
    default: throw failure("%\(letters) takes an integer, not \(value.name)")
    }
  }
}
