import HTTPTypes
import Hummingbird
import Photos

/// Refuses requests under another host, and finds out who sends the others.
struct HostMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let gate: RequestGate
  let proxies: Set<String>

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard request.headers[.secondHost] == nil else { throw Failure(.badRequest, "the request has two Host fields") }
    guard gate.admits(host: request.head.authority) else { throw Failure(.misdirectedRequest, RequestGate.wrongHost) }
    var context = context
    let cookies = request.headers[.cookie]
    let cookie = gate.site.cookie
    context.client = SignInClient(
      address: NetworkAddress.sender(
        peer: context.peer, forwardedFor: request.headers[values: .xForwardedFor], trusted: proxies),
      device: UserAgent.device(request.headers[.userAgent]),
      deviceCookie: SessionCookie.values(of: cookie.deviceName, in: cookies).first.map(String.init),
      token: SessionCookie.values(of: cookie.name, in: cookies).first.map(String.init))
    return try await next(request, context)
  }
}

/// Refuses requests of other sites' pages.
struct SiteMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let gate: RequestGate
  /// True if other sites may link to the answers.
  let isPage: Bool

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let isChange = request.method != .get && request.method != .head
    if let reason = gate.refusal(of: .init(request.head), isChange ? .change : isPage ? .page : .content) {
      throw Failure(.forbidden, reason)
    }
    return try await next(request, context)
  }
}

/// Refuses requests of browsers that are not signed in.
struct SessionMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let signIn: SignInService
  /// Returns the answer for a person, if the request is for a page.
  let page: (@Sendable () async throws -> Response)?

  static let refusal = Failure(
    .unauthorized, "sign in first: open the link that `calotype serve` or `calotype open` prints")

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let session = try await session(of: context) else {
      guard let page else { throw Self.refusal }
      return try await page()
    }
    var context = context
    context.session = session
    return try await next(request, context)
  }

  private func session(of context: Context) async throws -> BrowserSession? {
    guard let token = context.client.token else { return nil }
    let sessions = signIn.sessions
    if let session = sessions.knownSession(token: token[...]) { return session }
    return try await Blocking.run { [address = context.client.address] in
      try sessions.session(token: token[...], from: address)
    }
  }
}

/// Refuses requests without a recent password or owner link.
struct RecentAuthenticationMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let signIn: SignInService

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    if let refusal = try signIn.refusalWithoutRecentAuthentication(of: context.requireSession()) { throw refusal }
    return try await next(request, context)
  }
}

extension RequestGate.Claims {
  init(_ head: HTTPRequest) {
    let fields = head.headerFields
    self.init(
      host: head.authority, origin: fields[.origin], fetchSite: fields[.secFetchSite], fetchMode: fields[.secFetchMode],
      fetchDestination: fields[.secFetchDest])
  }
}
