import Synchronization

/// Decides whom the server answers: programs of this machine and the web app, but no web page of somebody else's.
///
/// A page of any site can send requests to loopback. What it must not do: read answers under a name of its own (DNS
/// rebinding; the `Host` tells), or learn from an embedded picture what the library holds (`Origin` and `Sec-Fetch-Site` tell).
///
/// Other users of this machine can send requests too. They don't know the token.
struct RequestGate: Sendable {
  let port: ServerPort
  let token: SessionToken

  init(port: ServerPort, token: SessionToken = SessionToken()) {
    self.port = port
    self.token = token
  }

  /// The fields of a request that identify its origin and its sender.
  struct Claims: Hashable {
    var host: String?
    var origin: String?
    var fetchSite: String?
    var fetchMode: String?
    var fetchDestination: String?
    var cookie: String?
    var authorization: String?
  }

  /// The cookie's name contains the port, since browsers share cookies among all ports of an
  /// address.
  var cookieName: String { "calotype-\(port.value)" }

  /// Whether a request has the token: in the cookie of a signed-in browser, or as `Bearer` in its
  /// `Authorization`.
  func isSignedIn(_ claims: Claims) -> Bool {
    if let authorization = claims.authorization {
      let words = authorization.split(separator: " ")
      if words.count == 2, words[0].lowercased() == "bearer", token.matches(words[1]) { return true }
    }
    guard let cookie = claims.cookie else { return false }
    let prefix = cookieName + "="
    return cookie.split(separator: ";").contains { pair in
      let pair = pair.drop { $0 == " " }
      return pair.hasPrefix(prefix) && token.matches(pair.dropFirst(prefix.count))
    }
  }

  /// Why a request is refused; `nil` if it isn't. `isPrivate`: what is asked for tells of the library.
  func refusal(of claims: Claims, isPrivate: Bool) -> String? {
    let port = port.value
    guard let host = claims.host, Loopback.isOwn(authority: host[...].utf8, port: port) else {
      return "the Host is not this server's"
    }
    if let origin = claims.origin {
      guard origin.hasPrefix("http://"), Loopback.isOwn(authority: origin.dropFirst(7).utf8, port: port) else {
        return "the Origin is not this server's"
      }
    }
    switch claims.fetchSite {
    case nil, "same-origin", "none": return nil
    // A link to the web app, on a page of another site.
    case _ where !isPrivate && claims.fetchMode == "navigate" && claims.fetchDestination == "document": return nil
    default: return "requests from other sites are not answered"
    }
  }
}

/// The port that the server listens on: known for certain once it does.
final class ServerPort: Sendable {
  private let port: Atomic<Int>

  init(_ port: Int) { self.port = Atomic(port) }

  var value: Int { port.load(ordering: .relaxed) }
  func set(_ value: Int) { port.store(value, ordering: .relaxed) }
}
