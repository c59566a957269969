import Foundation

/// Writes values as JSON, one object per line.
struct JSONLines {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  static func print(_ value: some Encodable) throws {
    try Output.write(Data((line(value) + "\n").utf8))
  }

  /// Returns the value as JSON that is safe on a terminal. Characters that move the cursor or
  /// change the direction of text are escaped, which JSON allows in all strings.
  static func line(_ value: some Encodable) throws -> String {
    let json = String(decoding: try encoder.encode(value), as: UTF8.self)
    guard json.unicodeScalars.contains(where: Output.isUnsafe) else { return json }
    return json.unicodeScalars.reduce(into: "") { line, scalar in
      if Output.isUnsafe(scalar) {
        for unit in String(scalar).utf16 { line += String(format: "\\u%04x", Int(unit)) }
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
  }
}
