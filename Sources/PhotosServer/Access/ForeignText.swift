import Foundation

/// Texts that strangers wrote and the owner reads.
enum ForeignText {
  /// Returns the text as one line, cut at a number of characters. A character with many marks
  /// counts as several. Control characters become spaces. Removes characters that change the
  /// direction of text, and invisible characters: with these, different names could look the same.
  /// Composes accents with their letters, so that equal names have equal bytes.
  static func cleaned(_ text: String, limit: Int) -> String {
    var cleaned = VisibleText()
    var count = 0
    for character in text {
      guard count + character.unicodeScalars.count <= limit else { break }
      for scalar in character.unicodeScalars {
        cleaned.append(isSpace(scalar) ? " " : scalar, isVisible: isVisible(scalar))
      }
      count += character.unicodeScalars.count
    }
    let words = cleaned.text.split(separator: " ").joined(separator: " ")
    return words.precomposedStringWithCanonicalMapping
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .lineSeparator, .paragraphSeparator, .spaceSeparator].contains(scalar.properties.generalCategory)
      || blanks.contains(scalar)
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .format && !scalar.properties.isDefaultIgnorableCodePoint
  }

  /// Symbols that look like a space: the blank braille pattern, the null notehead, and the
  /// replacement for an object.
  private static let blanks: Set<Unicode.Scalar> = ["\u{2800}", "\u{1D159}", "\u{FFFC}"]
}
