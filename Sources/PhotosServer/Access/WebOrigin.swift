/// The origins of web pages, as in the `Origin` field.
enum WebOrigin {
  private static let longest = 300

  /// Returns whether a text is an origin that can be a client: a scheme and a host in ASCII, as
  /// browsers send it. An opaque origin (`null`) can't be one.
  static func isValid(_ text: String) -> Bool {
    let host = text.hasPrefix("https://") ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : ""
    return !host.isEmpty && text.utf8.count <= longest
      && host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: ".-_:[]".utf8.contains(byte)
        }
      }
  }
}
