import Foundation

/// Texts that strangers wrote and the owner reads.
enum ForeignText {
  /// Returns the text as one line, cut at a number of characters. A character with many marks
  /// counts as several. Control characters become spaces. Removes characters that change the
  /// direction of text, and invisible characters: with these, different names could look the same.
  /// Composes accents with their letters, so that equal names have equal bytes.
  static func cleaned(_ text: String, limit: Int) -> String {
    var cleaned = String.UnicodeScalarView()
    var count = 0
    for character in text {
      guard count + character.unicodeScalars.count <= limit else { break }
      for scalar in character.unicodeScalars where isVisible(scalar) || isMark(scalar, after: cleaned.last) {
        // A joiner before a character that it can't join would be invisible, too.
        if let last = cleaned.last, isJoiner(last), !isJoined(scalar) { cleaned.removeLast() }
        cleaned.append(isSpace(scalar) ? " " : scalar)
      }
      count += character.unicodeScalars.count
    }
    if let last = cleaned.last, isJoiner(last) { cleaned.removeLast() }
    let words = String(cleaned).split(separator: " ").joined(separator: " ")
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

  /// Returns whether an invisible character changes how the character before it looks. A joiner
  /// joins or separates letters or parts of emoji. A variation selector chooses an emoji's form.
  private static func isMark(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
    guard let last, isJoined(last) else { return false }
    return isJoiner(scalar) ? !isJoiner(last) : isVariationSelector(scalar) && isVisible(last)
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0x200C || scalar.value == 0x200D }

  private static func isVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0E || scalar.value == 0xFE0F
  }

  /// Returns whether joiners may change how a character looks. The scripts before Arabic, such as
  /// Latin, have none.
  private static func isJoined(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x0600 && !isSpace(scalar) }
}
