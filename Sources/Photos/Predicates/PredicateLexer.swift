/// A token of a predicate's format, with its place.
struct PredicateToken {
  enum Kind: Hashable {
    case word(String)
    /// A word after `#`, which is always a key.
    case escapedWord(String)
    case integer(Int)
    case real(Double)
    case text(String)
    case symbol(String)
    /// An argument like `%@` or `%d`: the letters after the percent sign.
    case argument(String)
  }

  let kind: Kind
  /// The number of characters before the token.
  let offset: Int
}

/// Splits a predicate's format into tokens, in one pass.
///
///     try PredicateLexer.tokens("favorite == YES")      // word, symbol, word
struct PredicateLexer {
  private let format: String
  private let characters: [Character]
  private var index = 0

  /// The longest format accepted, in bytes. Longer lists should be arguments.
  static let formatByteLimit = 1_000_000

  static func tokens(_ format: String) throws(PredicateError) -> [PredicateToken] {
    guard format.utf8.count <= formatByteLimit else {
      throw PredicateError("a format has at most \(formatByteLimit) bytes; pass a list as an argument of IN", at: nil)
    }
    var lexer = PredicateLexer(format: format, characters: Array(format))
    var tokens: [PredicateToken] = []
    while let token = try lexer.next() { tokens.append(token) }
    return tokens
  }

  private var current: Character? { index < characters.count ? characters[index] : nil }

  private func failure(_ message: String, at offset: Int) -> PredicateError {
    PredicateError(message, at: PredicatePlace(format: format, offset: offset))
  }

  /// The symbols, the longest first. Some are here only so that an error can name them.
  private static let symbols: [[Character]] = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "<<", ">>", "**", ":=", "=", "<", ">", "!", "&", "|", "+",
    "-",
    "*", "/", "(", ")", "{", "}", ",", "[", "]", "^", "~",
  ].map(Array.init)

  private mutating func next() throws(PredicateError) -> PredicateToken? {
    while let character = current, character.isWhitespace { index += 1 }
    guard let character = current else { return nil }
    let start = index
    return PredicateToken(kind: try kind(character), offset: start)
  }

  private mutating func kind(_ character: Character) throws(PredicateError) -> PredicateToken.Kind {
    if character == "\"" || character == "'" { return .text(try quoted(by: character)) }
    if character.isDigit || (character == "." && following?.isDigit == true) { return try number() }
    if character.beginsWord { return .word(word()) }
    if character == "#", following?.beginsWord == true {
      index += 1
      return .escapedWord(word())
    }
    if character == "%" { return .argument(try argument()) }
    let rest = characters[index...]
    for symbol in Self.symbols where rest.starts(with: symbol) {
      index += symbol.count
      return .symbol(String(symbol))
    }
    throw failure("“\(character)” has no meaning here", at: index)
  }

  private var following: Character? { index + 1 < characters.count ? characters[index + 1] : nil }

  private mutating func word() -> String {
    let start = index
    while let character = current, character.beginsWord || character.isDigit || character == "." { index += 1 }
    return String(characters[start..<index])
  }

  /// Reads the rest of an argument: `%@`, `%K`, `%d`, `%lld`…
  private mutating func argument() throws(PredicateError) -> String {
    let start = index
    index += 1
    var letters = ""
    while let character = current, "lqhz".contains(character), letters.count < 2 {
      letters.append(character)
      index += 1
    }
    guard let letter = current, "@KdDiuUxXoOfFeEgGcC".contains(letter), letters.isEmpty || !"@K".contains(letter) else {
      throw failure(
        "“%\(letters)\(current.map(String.init) ?? "")” is not an argument; use %@, %K, %d, %ld, %lu or %f",
        at: start)
    }
    index += 1
    return letters + String(letter)
  }
}

// MARK: Texts and numbers

extension PredicateLexer {
  private mutating func quoted(by quote: Character) throws(PredicateError) -> String {
    let start = index
    index += 1
    var text = ""
    while let character = current {
      index += 1
      if character == quote { return text }
      text.append(character == "\\" ? try escaped() : character)
    }
    throw failure("the text that begins here has no end", at: start)
  }

  private static let escapes: [Character: Character] = [
    "\\": "\\", "'": "'", "\"": "\"", "n": "\n", "t": "\t", "r": "\r", "b": "\u{8}", "f": "\u{C}",
  ]

  /// Returns the character that an escape sequence stands for.
  private mutating func escaped() throws(PredicateError) -> Character {
    let backslash = index - 1
    guard let letter = current else { throw failure("the text ends with a lone backslash", at: backslash) }
    index += 1
    if let character = Self.escapes[letter] { return character }
    let length = ["u": 4, "x": 2][letter] ?? 0
    let digits = String(characters[index...].prefix(length))
    guard length > 0, digits.count == length, let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else {
      throw failure("“\\\(letter)” is not an escape sequence; a backslash itself is written “\\\\”", at: backslash)
    }
    index += length
    return Character(scalar)
  }

  private mutating func number() throws(PredicateError) -> PredicateToken.Kind {
    let start = index
    if current == "0", let radix = following.flatMap({ ["x": 16, "o": 8, "b": 2][$0.lowercased()] }) {
      index += 2
      let digits = takeWhile { $0.isLetter || $0.isDigit }
      if let value = Int(digits, radix: radix) { return .integer(value) }
    } else {
      _ = takeWhile(\.isDigit)
      if current == ".", following?.isDigit == true {
        index += 1
        _ = takeWhile(\.isDigit)
      }
      exponent()
      let isWhole = current.map { !$0.beginsWord && !$0.isDigit && $0 != "." } ?? true
      let text = String(characters[start..<index])
      if isWhole, let value = Int(text) { return .integer(value) }
      if isWhole, let value = Double(text), value.isFinite { return .real(value) }
    }
    _ = takeWhile { $0.beginsWord || $0.isDigit || $0 == "." }
    throw failure("“\(String(characters[start..<index]).prefix(40))” is not a number", at: start)
  }

  private mutating func exponent() {
    guard current == "e" || current == "E" else { return }
    let isSigned = following == "+" || following == "-"
    let digit = index + (isSigned ? 2 : 1)
    guard digit < characters.count, characters[digit].isDigit else { return }
    index = digit
    _ = takeWhile(\.isDigit)
  }

  private mutating func takeWhile(_ belongs: (Character) -> Bool) -> String {
    let start = index
    while let character = current, belongs(character) { index += 1 }
    return String(characters[start..<index])
  }
}

extension Character {
  fileprivate var beginsWord: Bool { isLetter || self == "_" || self == "@" || self == "$" }
  fileprivate var isDigit: Bool { isASCII && isNumber }
}
