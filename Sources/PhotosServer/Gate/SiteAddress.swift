import Foundation

/// The addresses at which browsers reach the server.
struct SiteAddress: Sendable {
  enum Reach: Hashable, Sendable {
    /// Only from this machine, under any name of a loopback address.
    case thisMachine
    /// Under the one address that the owner has published, as behind a proxy with TLS.
    case published(scheme: String, authority: String)
    /// From other machines, unencrypted, under any IP address.
    case network
  }

  let reach: Reach
  let port: ServerPort
  /// The host in the printed address.
  let printedHost: String

  /// A name that browsers resolve to a loopback address. Pages of other servers on `localhost` are
  /// another site than this name, so their requests carry no cookies.
  static let localName = "calotype.localhost"

  /// Whether browsers treat the connection as encrypted. They do so for loopback addresses.
  var isEncrypted: Bool {
    switch reach {
    case .thisMachine: true
    case .published(let scheme, _): scheme == "https"
    case .network: false
    }
  }

  var isHTTPS: Bool { if case .published("https", _) = reach { true } else { false } }

  /// Whether other machines can reach the server.
  var isPublic: Bool { reach != .thisMachine }

  var cookie: SessionCookie { SessionCookie(isSecure: isEncrypted, port: port) }

  /// Returns an address of the server.
  func url(path: String, fragment: String? = nil) -> URL {
    let origin =
      switch reach {
      case .published(let scheme, let authority): "\(scheme)://\(authority)"
      case .thisMachine, .network: "http://\(printedHost):\(port.value)"
      }
    let text = "\(origin)/\(path)" + (fragment.map { "#\($0)" } ?? "")
    // The parts were checked when the server was configured.
    return URL(string: text) ?? URL(fileURLWithPath: "/")
  }

  /// Returns whether a `Host` field names this server.
  func isOwn(host: Substring.UTF8View) -> Bool {
    switch reach {
    case .thisMachine: Loopback.isOwn(authority: host, port: port.value)
    case .published(_, let authority): host.lazy.map(Self.lowercased).elementsEqual(authority.utf8)
    case .network:
      Loopback.isOwn(authority: host, port: port.value)
        || Self.isAddress(host, port: port.value)
    }
  }

  /// Returns whether an `Origin` field is the origin of a page under this host.
  func isOwn(origin: Substring.UTF8View, host: Substring.UTF8View) -> Bool {
    let scheme = if case .published(let scheme, _) = reach { scheme } else { "http" }
    let prefix = "\(scheme)://".utf8
    return origin.starts(with: prefix)
      && origin.dropFirst(prefix.count).lazy.map(Self.lowercased).elementsEqual(host.lazy.map(Self.lowercased))
  }

  /// Returns whether a host is an IP address with the port. Names are refused, since any page can
  /// let its own name lead here.
  private static func isAddress(_ host: Substring.UTF8View, port: Int) -> Bool {
    guard let (name, found) = Loopback.parts(of: host), found == port else { return false }
    let text = String(Substring(name))
    let address = text.hasPrefix("[") ? String(text.dropFirst().dropLast()) : text
    guard let bytes = NetworkAddress.bytes(of: address), (bytes.count == 16) == text.hasPrefix("[") else {
      return false
    }
    // `0.0.0.0` leads to this machine from any page.
    return bytes.contains { $0 != 0 }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
