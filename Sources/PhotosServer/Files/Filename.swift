import Foundation

/// Names of files from clients and from cameras.
enum Filename {
  /// The largest length in bytes. File systems allow 255, and a copy may get a number.
  private static let largestLength = 200

  /// Returns the last component of a name, without characters that break a line, are invisible, or
  /// reverse the direction of the text after them, as in `photo‮gpj.exe`. Keeps those that join
  /// letters or parts of emoji. Returns `nil` if nothing is left.
  static func safe(_ name: String) -> String? {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    var visible = VisibleText()
    for scalar in last.unicodeScalars {
      let isVisible = !invisible.contains(scalar.properties.generalCategory)
      visible.append(scalar, isVisible: isVisible || isPartOfFlag(scalar, after: visible.last))
    }
    let shown = visible.text.trimmingCharacters(in: .whitespaces)
    guard !shown.isEmpty, shown != ".", shown != ".." else { return nil }
    return shortened(shown)
  }

  private static let invisible: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .privateUse,
  ]

  /// Whether this is a letter of a flag, such as Scotland's: a black flag and invisible letters.
  private static func isPartOfFlag(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
    let letters: ClosedRange<Unicode.Scalar> = "\u{E0020}"..."\u{E007F}"
    guard letters.contains(scalar), let last else { return false }
    return last == "\u{1F3F4}" || letters.contains(last)
  }

  /// Cuts the end of the stem, so that the extension stays. Returns `nil` if no stem is left: a
  /// character with hundreds of marks may be longer than the limit.
  private static func shortened(_ name: String) -> String? {
    guard name.utf8.count > largestLength else { return name }
    var (stem, ending) = parts(of: name)
    if ending.utf8.count > 20 { (stem, ending) = (name, "") }
    while !stem.isEmpty, stem.utf8.count + ending.utf8.count > largestLength { stem.removeLast() }
    return stem.isEmpty ? nil : stem + ending
  }

  /// Splits a name into its stem and its extension with the dot.
  static func parts(of name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }
}
