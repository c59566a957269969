import HTTPTypes
import Hummingbird
import Photos

/// Identifies the requester: a client by its token, the owner by a session, or a page of another
/// origin that has neither. Refuses others.
struct AskerMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let site: SiteMiddleware
  var session: SessionMiddleware
  let access: AccessService
  let libraries: ClientLibraries
  /// Whether a page of another origin may ask for its own access.
  var isForAccessStatus = false

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    if let answer = CrossOrigin.preflightAnswer(to: request) { return answer }
    if let token = request.bearer { return try await answer(token, request, context, next) }
    if let origin = request.headers[.origin], !site.gate.isOwn(origin: origin, of: request) {
      if isForAccessStatus { return try await next(request, statusContext(of: origin, context)) }
      // With a cookie, it may be a page of another port of the same host.
      if context.client.token == nil, WebOrigin.isValid(origin) {
        return try await StrangerAnswers(client: recorded(origin), origin: origin).answer(to: request)
      }
    }
    return try await site.handle(request, context: context) { request, context in
      try await session.handle(request, context: context) { request, context in
        try await next(request, viewed(request, context))
      }
    }
  }

  /// Answers a client. Its answers are not kept, so that they are gone when its access is.
  private func answer(
    _ text: Substring, _ request: Request, _ context: Context, _ next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let token = AccessToken(text), let holder = try await holder(of: token, request, context) else {
      throw Self.refusal
    }
    if let channel = context.channel { session.connections.noteAsker(of: channel) }
    var context = context
    context.asker = .client(holder.asking)
    context.library = libraries.library(for: holder.asking.client)
    context.isAskerValid = { [access] in try await Blocking.run { try access.tokens.isValid(token) } }
    var response = try await Failure.concealing(access.library.url.path) { [context] in
      try await next(request, context)
    }
    response.headers[.cacheControl] = "private, no-store"
    return response
  }

  /// Returns the context of a page that asks for its access. It contains only a refusal, since a
  /// page that has access proves it by a token.
  private func statusContext(of origin: String, _ context: Context) async throws -> Context {
    var context = context
    if let client = try await recorded(origin), !client.hasAccess {
      context.library = libraries.library(for: client.client)
    }
    return context
  }

  private func recorded(_ origin: String) async throws -> RecordedClient? {
    try await Blocking.run { [access] in try access.library.recordedClient(LibraryClient(identifier: origin)) }
  }

  static let refusal = Failure(
    .unauthorized, "the token is wrong, has expired or was revoked", [.wwwAuthenticate: "Bearer"])

  private func holder(
    of token: AccessToken, _ request: Request, _ context: Context
  ) async throws -> AccessTokens.Holder? {
    let sender = AccessTokens.Sender(origin: request.headers[.origin], address: context.client.address)
    if let known = try access.tokens.knownHolder(of: token, from: sender) { return known }
    return try await Blocking.run { [tokens = access.tokens] in try tokens.holder(of: token, from: sender) }
  }

  /// Lets the owner see the library as a client sees it, if a reading request says so.
  private func viewed(_ request: Request, _ context: Context) async throws -> Context {
    guard let number = request.uri.queryParameters["as"] else { return context }
    guard request.method == .get || request.method == .head else {
      throw Failure(.badRequest, "as: only a GET can be answered as a client sees it")
    }
    var context = context
    let client = try await Blocking.run { [access] in try access.client(Int64(number)).client }
    context.library = libraries.library(for: client)
    context.presentLibrary = nil
    return context
  }
}

extension RequestGate {
  /// Returns whether a request comes from a page of this server.
  func isOwn(origin: String, of request: Request) -> Bool {
    site.isOwn(origin: origin[...].utf8, host: (request.head.authority ?? "")[...].utf8)
  }
}
