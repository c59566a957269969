import Foundation

/// Writes values as JSON, one object a line.
struct JSONLines {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  static func print(_ value: some Encodable) throws {
    try Output.write(encoder.encode(value) + Data("\n".utf8))
  }
}
