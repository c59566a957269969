import Foundation

/// The one way of text to a person, which cleans it. A result that can't be written is an error; a complaint that can't be is let go.
enum Output {
  /// Each text on a line of its own.
  static func write(_ lines: String...) throws { try write(lines) }

  static func write(_ lines: [String]) throws {
    try write(Data(lines.map { printable($0).replacing("\n", with: "?") + "\n" }.joined().utf8))
  }

  static func write(_ data: Data) throws {
    do { try FileHandle.standardOutput.write(contentsOf: data) } catch {
      throw CommandError("standard output: \(error.localizedDescription)")
    }
  }

  /// Writes lines for the person at the terminal to standard error.
  static func complain(_ text: String) { draw(printable(text)) }

  /// Writes to standard error as it is: for what moves the cursor on purpose. Foreign text in it is made `printable` before.
  static func draw(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

  /// Names of strangers' files may hold what moves a terminal's cursor or turns the direction of text; it comes out as a
  /// question mark.
  static func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isUnsafe =
        scalar.properties.isBidiControl
        || [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      scalars.append(isUnsafe && scalar != "\n" ? "?" : scalar)
    }
    return String(scalars)
  }
}
