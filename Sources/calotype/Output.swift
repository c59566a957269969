import Foundation
import Photos

/// Writes all text for the user, after removing unsafe characters. A result that can't be written
/// is an error; a warning that can't be written is ignored.
enum Output {
  /// Writes each text on a line of its own.
  static func write(_ lines: String...) throws { try write(lines) }

  static func write(_ lines: [String]) throws {
    try write(Data(lines.map { printable($0).replacing("\n", with: "?") + "\n" }.joined().utf8))
  }

  static func write(_ data: Data) throws {
    do { try FileHandle.standardOutput.write(contentsOf: data) } catch {
      throw CommandError("standard output: \(error.localizedDescription)")
    }
  }

  /// Writes lines for the user to standard error.
  static func writeToStderr(_ text: String) { writeRawToStderr(printable(text)) }

  /// Writes to standard error without removing characters, for text that moves the cursor on
  /// purpose. Pass untrusted text through `printable` first.
  static func writeRawToStderr(_ text: String) { StandardError.write(text) }

  /// Replaces unsafe characters with question marks. Untrusted names may contain characters that
  /// move a terminal's cursor or change the direction of text.
  static func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(isUnsafe(scalar) && scalar != "\n" ? "?" : scalar) }
    return String(scalars)
  }

  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isBidiControl
      || [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }
}
