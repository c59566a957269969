import Foundation

/// A part of a predicate's format, and where it begins.
struct PredicateToken: Equatable {
  enum Kind: Equatable {
    case word(String)
    /// A word after `#`, which is a key whatever it says.
    case escapedWord(String)
    case integer(Int)
    case real(Double)
    case text(String)
    case symbol(String)
    /// `%@`, `%d`…: the letters after the percent sign.
    case argument(String)
  }

  var kind: Kind
  var position: Int
}

/// Why a format could not be read; the position counts characters.
struct PredicateFormatError: Error {
  var message: String
  var position: Int
}

/// Cuts a predicate's format into tokens.
struct PredicateLexer {
  private let characters: [Character]
  private var index = 0

  /// Longer formats are refused: nobody writes them by hand, and lists belong into arguments.
  private static let longestFormat = 100_000

  static func tokens(_ format: String) throws(PredicateFormatError) -> [PredicateToken] {
    var lexer = PredicateLexer(characters: Array(format))
    guard lexer.characters.count <= longestFormat else {
      throw PredicateFormatError(message: "it is longer than \(longestFormat) characters", position: longestFormat)
    }
    var tokens: [PredicateToken] = []
    while let token = try lexer.next() { tokens.append(token) }
    return tokens
  }

  private init(characters: [Character]) { self.characters = characters }

  private var current: Character? { index < characters.count ? characters[index] : nil }

  private static let symbols = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">", "!", "&", "|", "+", "-", "*", "/", "(", ")",
    "{",
    "}", ",", "[", "]",
  ]

  private mutating func next() throws(PredicateFormatError) -> PredicateToken? {
    while let character = current, character.isWhitespace { index += 1 }
    guard let character = current else { return nil }
    let start = index
    func token(_ kind: PredicateToken.Kind) -> PredicateToken { PredicateToken(kind: kind, position: start) }
    if character == "\"" || character == "'" { return token(.text(try quoted(by: character))) }
    if character.isNumber || character == "." { return token(try number()) }
    if character.isWordStart { return token(.word(word())) }
    if character == "#" {
      index += 1
      return token(.escapedWord(word()))
    }
    if character == "%" { return token(.argument(try argument())) }
    for symbol in Self.symbols where characters[index...].starts(with: symbol) {
      index += symbol.count
      return token(.symbol(symbol))
    }
    throw PredicateFormatError(message: "“\(character)” has no meaning here", position: start)
  }

  private mutating func word() -> String {
    let start = index
    while let character = current, character.isWordStart || character.isNumber || character == "." { index += 1 }
    return String(characters[start..<index])
  }

  private mutating func argument() throws(PredicateFormatError) -> String {
    let start = index
    index += 1
    var letters = ""
    while let character = current, letters.count < 3, character.isLetter || character == "@" {
      letters.append(character)
      index += 1
      if !["l", "q", "h", "z"].contains(character) { break }
    }
    let known = ["@", "K", "d", "D", "i", "u", "U", "x", "X", "o", "f", "F", "e", "E", "g", "G", "c", "C"]
    guard let last = letters.last, known.contains(String(last)) else {
      throw PredicateFormatError(message: "“%\(letters)” stands for no argument", position: start)
    }
    return letters
  }

  private mutating func quoted(by quote: Character) throws(PredicateFormatError) -> String {
    let start = index
    index += 1
    var text = ""
    while let character = current {
      index += 1
      if character == quote { return text }
      guard character == "\\", let escaped = current else {
        text.append(character)
        continue
      }
      index += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      default: text.append(escaped)
      }
    }
    throw PredicateFormatError(message: "the text that begins here has no end", position: start)
  }

  private mutating func number() throws(PredicateFormatError) -> PredicateToken.Kind {
    let start = index
    while let character = current, character.isHexDigit || "xXobOB._".contains(character) || isSign { index += 1 }
    let text = String(characters[start..<index]).lowercased()
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.hasPrefix(prefix) {
      if let value = Int(text.dropFirst(2), radix: radix) { return .integer(value) }
    }
    if let value = Int(text) { return .integer(value) }
    if let value = Double(text) { return .real(value) }
    throw PredicateFormatError(message: "“\(text)” is no number", position: start)
  }

  /// A sign inside a number: of its exponent.
  private var isSign: Bool {
    guard let character = current, character == "+" || character == "-", index > 0 else { return false }
    return "eE".contains(characters[index - 1])
  }
}

extension Character {
  fileprivate var isWordStart: Bool { isLetter || self == "_" || self == "@" || self == "$" }
}
