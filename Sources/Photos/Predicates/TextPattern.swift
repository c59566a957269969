import Foundation
internal import LibraryStore

/// A comparison of texts in memory, as a fetch does it in the library.
struct TextPattern {
  let test: Condition.TextTest
  let pattern: String
  let options: Condition.TextOptions

  func matches(_ text: String) -> Bool {
    switch test {
    case .equal: return folded(text) == folded(pattern)
    case .notEqual: return folded(text) != folded(pattern)
    // An empty text is part of none, as NSPredicate has it.
    case .contains: return finds(in: text, [])
    case .beginsWith: return finds(in: text, .anchored)
    case .endsWith: return finds(in: text, [.anchored, .backwards])
    case .like: return matchesAll(text, Self.expression(like: pattern))
    case .matches: return matchesAll(text, pattern)
    }
  }

  private var foldings: String.CompareOptions {
    var foldings: String.CompareOptions = []
    if options.contains(.caseInsensitive) { foldings.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { foldings.insert(.diacriticInsensitive) }
    return foldings
  }

  /// By scalars: a fetch compares bytes.
  private func folded(_ text: String) -> [Unicode.Scalar] {
    Array((options.isEmpty ? text : text.folding(options: foldings, locale: nil)).unicodeScalars)
  }

  private func finds(in text: String, _ where: String.CompareOptions) -> Bool {
    let text = options.isEmpty ? text : text.folding(options: foldings, locale: nil)
    let pattern = options.isEmpty ? pattern : pattern.folding(options: foldings, locale: nil)
    return !pattern.isEmpty && text.range(of: pattern, options: `where`.union(.literal)) != nil
  }

  private func matchesAll(_ text: String, _ expression: String) -> Bool {
    let accents = foldings.intersection(.diacriticInsensitive)
    func withoutAccents(_ text: String) -> String {
      accents.isEmpty ? text : text.folding(options: accents, locale: nil)
    }
    let text = withoutAccents(text)
    let range = NSRange(location: 0, length: text.utf16.count)
    let compiled = try? NSRegularExpression(
      pattern: withoutAccents(expression), options: options.contains(.caseInsensitive) ? .caseInsensitive : [])
    return compiled?.firstMatch(in: text, options: .anchored, range: range)?.range == range
  }

  /// A pattern with `*` and `?` as a regular expression; a backslash takes their meaning away.
  private static func expression(like pattern: String) -> String {
    var result = "(?s)"
    var isEscaped = false
    for character in pattern {
      switch character {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where !isEscaped: result += ".*"
      case "?" where !isEscaped: result += "."
      default: result += NSRegularExpression.escapedPattern(for: String(character))
      }
      isEscaped = false
    }
    return result
  }
}
