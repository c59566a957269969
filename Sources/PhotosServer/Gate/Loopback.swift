/// The host names and addresses that only this machine can reach.
enum Loopback {
  /// Returns the address to listen on for a host in the configuration. Returns `nil` if other
  /// machines could reach that host.
  static func address(of host: String) -> String? {
    switch host {
    // `localhost` is not looked up, since a hosts file may map it to any address.
    case "localhost": "127.0.0.1"
    case "::1", "[::1]": "::1"
    default: isIPv4Loopback(host.utf8) ? host : nil
    }
  }

  /// Returns the host in the form that URLs need, with brackets around an IPv6 address.
  static func urlHost(_ host: String) -> String { host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host }

  /// Returns whether an authority is this server's: a loopback name or address with its port. The
  /// authority is the value of a `Host` header, or an origin without its scheme.
  static func isOwn(authority: Substring.UTF8View, port: Int) -> Bool {
    var host = authority
    var found = 80
    if let colon = authority.lastIndex(of: UInt8(ascii: ":")), authority.last != UInt8(ascii: "]") {
      let digits = authority[authority.index(after: colon)...]
      guard (1...5).contains(digits.count), digits.allSatisfy(isDigit) else { return false }
      found = digits.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
      host = authority[..<colon]
    }
    guard found == port else { return false }
    return isIPv4Loopback(host) || host.elementsEqual("[::1]".utf8)
      || host.lazy.map { $0 | 0x20 }.elementsEqual("localhost".utf8)
  }

  /// Returns whether a host is four decimal numbers starting with 127. Browsers send addresses in
  /// no other form.
  private static func isIPv4Loopback(_ host: some Collection<UInt8>) -> Bool {
    var parts = 0
    for part in host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard (1...3).contains(part.count), part.allSatisfy(isDigit) else { return false }
      let number = part.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
      guard number < 256, parts > 0 || number == 127 else { return false }
      parts += 1
    }
    return parts == 4
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
