/// A text of which invisible characters are left out, but for those that change how the character
/// before them looks. With any others, different names could look the same.
struct VisibleText {
  private var scalars = String.UnicodeScalarView()

  /// The text so far.
  var text: String {
    // A joiner at the end would join nothing.
    guard let last, Self.isJoiner(last) else { return String(scalars) }
    return String(scalars.dropLast())
  }

  var last: Unicode.Scalar? { scalars.last }

  /// Adds a character, if it is visible or changes how the last one looks.
  mutating func append(_ scalar: Unicode.Scalar, isVisible: Bool) {
    guard isVisible || isMark(scalar) else { return }
    // A joiner before a character that it can't join would be invisible, too.
    if let last, Self.isJoiner(last), !Self.isJoined(scalar) { scalars.removeLast() }
    scalars.append(scalar)
  }

  /// Whether an invisible character changes how the last one looks. A joiner joins or separates
  /// letters or parts of emoji. A variation selector chooses an emoji's form.
  private func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard let last, Self.isJoined(last) else { return false }
    let isVariationSelector = scalar.value == 0xFE0E || scalar.value == 0xFE0F
    return Self.isJoiner(scalar)
      ? !Self.isJoiner(last) : isVariationSelector && !last.properties.isDefaultIgnorableCodePoint
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0x200C || scalar.value == 0x200D }

  /// Whether joiners may change how a character looks. The scripts before Arabic, such as Latin,
  /// have none.
  private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x0600 && scalar.properties.generalCategory != .spaceSeparator
  }
}
