import Foundation
internal import LibraryStore

/// A comparison of texts in memory, that gives the same results as a fetch in the library.
struct TextPattern {
  let test: Condition.TextTest
  let pattern: String
  let options: Condition.TextOptions

  func matches(_ text: String) -> Bool {
    switch test {
    case .equal: return folded(text) == folded(pattern)
    case .notEqual: return folded(text) != folded(pattern)
    // An empty text is a part of no text, as in NSPredicate.
    case .contains: return finds(in: text, [])
    case .beginsWith: return finds(in: text, .anchored)
    case .endsWith: return finds(in: text, [.anchored, .backwards])
    case .like: return matchesAll(text, TextFolding.expression(like: pattern))
    case .matches: return matchesAll(text, pattern)
    }
  }

  /// Returns the scalars of the folded text, since a fetch compares bytes.
  private func folded(_ text: String) -> [Unicode.Scalar] { Array(TextFolding.fold(text, options).unicodeScalars) }

  private func finds(in text: String, _ where: String.CompareOptions) -> Bool {
    let (text, pattern) = (TextFolding.fold(text, options), TextFolding.fold(pattern, options))
    return !pattern.isEmpty && text.range(of: pattern, options: `where`.union(.literal)) != nil
  }

  /// Returns whether the text matches. An invalid expression matches nothing; a fetch refuses it.
  private func matchesAll(_ text: String, _ expression: String) -> Bool {
    (try? TextFolding.matches(text, expression, options: options)) ?? false
  }
}
