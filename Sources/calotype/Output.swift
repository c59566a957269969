import Foundation

/// What the program says. A result that can't be written is an error; a complaint that can't be is let go.
enum Output {
  static func write(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data((printable(text) + "\n").utf8))
  }

  static func complain(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

  /// Names of strangers' files may hold what moves a terminal's cursor; it comes out as a question mark.
  static func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(scalar.properties.generalCategory == .control && scalar != "\n" ? "?" : scalar)
    }
    return String(scalars)
  }
}
