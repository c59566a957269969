/// Texts that strangers wrote and the owner reads.
enum ForeignText {
  /// Returns a text of one line without control characters and without characters that change the
  /// direction of what follows. Cuts it at a number of characters; those with many marks count as
  /// several.
  static func cleaned(_ text: String, limit: Int) -> String {
    var cleaned = ""
    var count = 0
    for character in text {
      guard count + character.unicodeScalars.count <= limit else { break }
      var scalars = String.UnicodeScalarView()
      for scalar in character.unicodeScalars where !changesDirection(scalar) {
        scalars.append(breaksLine(scalar) ? " " : scalar)
      }
      cleaned += String(scalars)
      count += character.unicodeScalars.count
    }
    return cleaned.split(separator: " ").joined(separator: " ")
  }

  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }

  private static func changesDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
