import HTTPTypes
import Hummingbird
import Photos

/// Refuses requests under another host, and finds out who sends the others.
struct HostMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let gate: RequestGate
  let proxies: Set<String>

  /// The largest number of bytes of a request's path and header.
  static let largestFields = 16 << 10

  private static func fieldByteCount(_ head: HTTPRequest) -> Int {
    // Each field has a colon, a space, and the end of its line.
    head.headerFields.reduce(head.path?.utf8.count ?? 0) {
      $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4
    }
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard Self.fieldByteCount(request.head) <= Self.largestFields else {
      throw Failure(
        .init(code: 431, reasonPhrase: "Request Header Fields Too Large"),
        "the path and the header have more than \(Self.largestFields) bytes")
    }
    guard request.headers[.secondHost] == nil else { throw Failure(.badRequest, "the request has two Host fields") }
    guard gate.admits(host: request.head.authority) else { throw Failure(.misdirectedRequest, RequestGate.wrongHost) }
    var context = context
    let cookies = request.headers[.cookie]
    let cookie = gate.site.cookie
    context.client = SignInClient(
      address: NetworkAddress.sender(
        peer: context.peer, forwardedFor: request.headers[values: .xForwardedFor], trusted: proxies),
      device: UserAgent.device(request.headers[.userAgent]),
      deviceToken: SessionCookie.values(of: cookie.deviceName, in: cookies).first.map(String.init),
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
      throw Failure(.forbidden, reason, problem: .otherOrigin)
    }
    return try await next(request, context)
  }
}

/// Refuses requests of browsers that are not signed in.
struct SessionMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let signIn: SignInService
  let libraries: ClientLibraries
  let connections: OpenConnections
  /// Returns the answer for a person, if the request is for a page.
  let page: (@Sendable () async throws -> Response)?
  /// False for requests by which an open page waits for news.
  var countsUse = true

  static let refusal = Failure(
    .unauthorized, "sign in first: open the link that `calotype serve` or `calotype open` prints")

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let session = try await session(of: request, from: context.client) else {
      guard let page else { throw Self.refusal }
      return try await page()
    }
    if let channel = context.channel { connections.noteAsker(of: channel) }
    var context = context
    context.asker = .owner(session)
    // A page that only waits does not use its session.
    context.isAskerValid = { [sessions = signIn.sessions] in
      try await Blocking.run { try sessions.isValid(session) }
    }
    let ownLibrary: @Sendable () async throws -> PHPhotoLibrary = { [libraries] in
      try await libraries.hiddenLock.library(for: session)
    }
    context.presentLibrary = ownLibrary
    return try await Failure.keepingSentences { [context] in
      var context = context
      context.library = try await ownLibrary()
      return try await next(request, context)
    }
  }

  private func session(of request: Request, from client: SignInClient) async throws -> BrowserSession? {
    guard let token = client.token else { return nil }
    let sessions = signIn.sessions
    let isUse =
      countsUse
      && RequestGate.Claims(request.head).isUse(isUnattended: request.headers[.unattended] != nil)
    if let session = sessions.knownSession(token: token[...], isUse: isUse) { return session }
    return try await Blocking.run { try sessions.session(token: token[...], from: client.address, isUse: isUse) }
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
