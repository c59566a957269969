import Foundation

/// JSON for `json_each`, by which one argument of a statement has any number of values.
enum JSONArgument {
  /// Returns an object. Equal names are allowed: `json_each` returns each of them.
  static func object(_ members: some Collection<(name: String, value: Int64)>) throws -> String {
    var text = "{"
    text.reserveCapacity(members.count * 48)
    for (name, value) in members {
      if text.utf8.count > 1 { text += "," }
      if isPlain(name) {
        text += "\"\(name)\":\(value)"
      } else {
        text += "\(String(decoding: try JSONEncoder().encode(name), as: UTF8.self)):\(value)"
      }
    }
    return text + "}"
  }

  /// Returns whether a text is the same in JSON. An encoder takes much longer than this check.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }

  /// Returns an array of texts.
  static func array(_ texts: some Collection<String>) throws -> String {
    String(decoding: try JSONEncoder().encode(Array(texts)), as: UTF8.self)
  }
}

extension Collection<Int64> {
  /// The ids as JSON for `json_each`: one argument, whatever their number.
  var jsonArray: String { "[" + map(String.init).joined(separator: ",") + "]" }
}
