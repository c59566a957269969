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
  /// authority is the value of a `Host` header.
  static func isOwn(authority: Substring.UTF8View, port: Int) -> Bool {
    guard let (host, found) = parts(of: authority), found == port else { return false }
    return isIPv4Loopback(host) || host.elementsEqual("[::1]".utf8) || isName(host, "localhost")
      || isName(host, SiteAddress.localName)
  }

  /// Splits an authority into its host and its port; without a port it is 80. Returns `nil` for a
  /// malformed port.
  static func parts(of authority: Substring.UTF8View) -> (host: Substring.UTF8View, port: Int)? {
    guard let colon = authority.lastIndex(of: UInt8(ascii: ":")), authority.last != UInt8(ascii: "]") else {
      return (authority, 80)
    }
    let digits = authority[authority.index(after: colon)...]
    guard (1...5).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
    return (authority[..<colon], digits.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) })
  }

  private static func isName(_ host: Substring.UTF8View, _ name: String) -> Bool {
    host.lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.elementsEqual(name.utf8)
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
