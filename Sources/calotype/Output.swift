import Foundation

/// What the program says. A result that can't be written is an error; a complaint that can't be is let go.
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
