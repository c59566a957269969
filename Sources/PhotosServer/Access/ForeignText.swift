/// Texts that strangers wrote and the owner reads.
enum ForeignText {
  /// Returns a text of one line without control characters, without characters that change the
  /// direction of what follows, and without invisible ones, by which two names would look the same.
  /// Cuts it at a number of characters; those with many marks count as several.
  static func cleaned(_ text: String, limit: Int) -> String {
    var cleaned = String.UnicodeScalarView()
    var count = 0
    for character in text {
      guard count + character.unicodeScalars.count <= limit else { break }
      for scalar in character.unicodeScalars where isVisible(scalar) || isMark(scalar, after: cleaned.last) {
        // A joiner in front of nothing that it could join is as invisible as the others.
        if let last = cleaned.last, isJoiner(last), !isJoined(scalar) { cleaned.removeLast() }
        cleaned.append(isSpace(scalar) ? " " : scalar)
      }
      count += character.unicodeScalars.count
    }
    if let last = cleaned.last, isJoiner(last) { cleaned.removeLast() }
    return String(cleaned).split(separator: " ").joined(separator: " ")
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .lineSeparator, .paragraphSeparator, .spaceSeparator].contains(scalar.properties.generalCategory)
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .format && !scalar.properties.isDefaultIgnorableCodePoint
  }

  /// Returns whether an invisible character changes how the one before it looks: it joins or
  /// separates letters of scripts that need it, and parts of emoji, or chooses the form of an emoji.
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
