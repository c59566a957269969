import Synchronization

/// Decides which requests the server answers: those of the web app and of programs on this machine,
/// but not those of other web pages.
///
/// A page of any site can send requests to a loopback address. The gate prevents two attacks. With
/// DNS rebinding, a page could read answers under its own host name; the `Host` header shows that.
/// With an embedded picture, a page could find out what the library contains; `Origin` and
/// `Sec-Fetch-Site` show that.
///
/// Other users of this machine can send requests, too. They don't know the token.
struct RequestGate: Sendable {
  let port: ServerPort
  let token: SessionToken

  init(port: ServerPort, token: SessionToken = SessionToken()) {
    self.port = port
    self.token = token
  }

  /// The header fields that identify a request's origin and its sender.
  struct Claims: Hashable {
    var host: String?
    var origin: String?
    var fetchSite: String?
    var fetchMode: String?
    var fetchDestination: String?
    var cookie: String?
    var authorization: String?
  }

  /// The name of the cookie. It contains the port, since browsers share cookies among all ports of
  /// a host.
  var cookieName: String { "calotype-\(port.value)" }

  /// Returns whether a request contains the token: in the cookie of a signed-in browser, or as
  /// `Bearer` in the `Authorization` header.
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

  /// Returns the reason to refuse a request, or `nil` to answer it. `isPrivate` is true if the
  /// answer reveals anything about the library.
  func refusal(of claims: Claims, isPrivate: Bool) -> String? {
    let port = port.value
    guard let host = claims.host, Loopback.isOwn(authority: host[...].utf8, port: port) else {
      return "the Host field does not name this server"
    }
    if let origin = claims.origin {
      guard origin.hasPrefix("http://"), Loopback.isOwn(authority: origin.dropFirst(7).utf8, port: port) else {
        return "the Origin field does not name this server"
      }
    }
    switch claims.fetchSite {
    case nil, "same-origin", "none": return nil
    // A link on a page of another site that leads to the web app.
    case _ where !isPrivate && claims.fetchMode == "navigate" && claims.fetchDestination == "document": return nil
    default: return "requests from other sites are refused"
    }
  }
}

/// The port that the server listens on. If the system chooses it, it is known once the server
/// listens.
final class ServerPort: Sendable {
  private let port: Atomic<Int>

  init(_ port: Int) { self.port = Atomic(port) }

  var value: Int { port.load(ordering: .relaxed) }
  func set(_ value: Int) { port.store(value, ordering: .relaxed) }
}
