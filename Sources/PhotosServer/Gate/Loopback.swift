/// Which hosts are this machine and nobody else.
enum Loopback {
  /// The address to listen on for a host that is named in the configuration; `nil` where others could reach it.
  static func address(of host: String) -> String? {
    switch host {
    // Not looked up: a hosts file may say anything.
    case "localhost": "127.0.0.1"
    case "::1", "[::1]": "::1"
    default: isIPv4Loopback(host.utf8) ? host : nil
    }
  }

  /// As it stands in a URL.
  static func urlHost(_ host: String) -> String { host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host }

  /// Whether the value of a `Host` header, or an origin without its scheme, is this server's: a loopback name or address with
  /// the port.
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

  /// Four decimal numbers, of which the first is 127: the only form in which a browser sends an address.
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
