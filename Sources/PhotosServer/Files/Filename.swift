import Foundation

/// Names of files from clients and from cameras.
enum Filename {
  /// The largest length in bytes. File systems allow 255, and a copy may get a number.
  private static let largestLength = 200

  /// Returns the last component of a name, without characters that break a line, are invisible, or
  /// reverse the direction of the text after them, as in `photo‮gpj.exe`. Returns `nil` if nothing
  /// is left.
  static func safe(_ name: String) -> String? {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    let scalars = last.unicodeScalars.filter {
      ![.control, .format, .lineSeparator, .paragraphSeparator, .privateUse].contains($0.properties.generalCategory)
    }
    let shown = String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)
    guard !shown.isEmpty, shown != ".", shown != ".." else { return nil }
    return shortened(shown)
  }

  /// Cuts the end of the stem, so that the extension stays.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > largestLength else { return name }
    var (stem, ending) = parts(of: name)
    if ending.utf8.count > 20 { (stem, ending) = (name, "") }
    while stem.utf8.count + ending.utf8.count > largestLength { stem.removeLast() }
    return stem + ending
  }

  /// Splits a name into its stem and its extension with the dot.
  static func parts(of name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }
}
