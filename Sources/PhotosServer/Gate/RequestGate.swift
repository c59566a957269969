import Synchronization

/// Decides which requests the server answers: those of its own pages and of programs, but not those
/// of other web pages.
///
/// A page of any site can send requests to any address. The gate prevents three attacks. With DNS
/// rebinding, a page could read answers under its own host name; the `Host` header shows that. With
/// an embedded picture, a page could find out what the library contains; with a form, it could
/// change the library: `Origin` and `Sec-Fetch-Site` show both. The origin counts and not the site,
/// since other ports of a host belong to the same site.
///
/// A request that is admitted still needs a session.
struct RequestGate: Sendable {
  let site: SiteAddress

  /// The header fields that identify a request's origin.
  struct Claims: Hashable {
    var host: String?
    var origin: String?
    var fetchSite: String?
    var fetchMode: String?
    var fetchDestination: String?

    /// Returns whether a request shows that a person uses the session. An open page marks the
    /// requests that it sends by itself. It can't mark those for pictures and movies, which it also
    /// loads after changes of others, so they never count.
    func isUse(isUnattended: Bool) -> Bool {
      !isUnattended && !["image", "video", "audio"].contains(fetchDestination)
    }
  }

  /// The kind of the answer, which decides about requests from other sites.
  enum Kind {
    /// A page or a file of the web app. Other sites may link to it.
    case page
    /// An answer that reveals anything about the library.
    case content
    /// A request that changes something.
    case change
  }

  static let wrongHost = "the Host field does not name this server"
  static let wrongOrigin = "the Origin field does not name this server"
  static let otherSite = "requests from other sites are refused"
  static let unknownOrigin = "a request that changes something needs the Origin field of this server"

  /// Returns whether the `Host` field names this server.
  func admits(host: String?) -> Bool { host.map { site.isOwn(host: $0[...].utf8) } ?? false }

  /// Returns the reason to refuse a request whose host was admitted, or `nil` to answer it.
  func refusal(of claims: Claims, _ kind: Kind) -> String? {
    // A form of a page that sends no referrer has the origin `null`.
    if let origin = claims.origin, origin != "null" || claims.fetchSite != "same-origin" {
      guard site.isOwn(origin: origin[...].utf8, host: (claims.host ?? "")[...].utf8) else { return Self.wrongOrigin }
    }
    switch (claims.fetchSite, kind) {
    case ("same-origin", _): return nil
    case (nil, .change): return claims.origin == nil ? Self.unknownOrigin : nil
    case (nil, _), ("none", .page), ("none", .content): return nil
    // A link on a page of another site.
    case (_, .page) where claims.fetchMode == "navigate" && claims.fetchDestination == "document": return nil
    default: return Self.otherSite
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
