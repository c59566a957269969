import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// Answers `/api/v1/session`: signing in and out, and the list of sessions.
struct SessionRoutes: Sendable {
  let signIn: SignInService
  let operations: SessionOperations

  /// Adds the request that signs in. It needs no session.
  func addSignIn(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/session/link",
      post: { request, context in
        try await Self.done(operations.signIn(link: request.json(LinkBody.self).link, in: context))
      })
    routes.endpoint(
      "api/v1/session/password",
      post: { request, context in try await Self.done(operations.signIn(request.json(), in: context)) })
    routes.endpoint(
      "api/v1/session/set-up",
      post: { request, context in try await Self.done(operations.setUp(request.json(), in: context)) })
  }

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/session",
      get: { _, context in
        Response(json: try SessionAnswer(context.requireSession(), isCurrent: true, signIn), Self.notKept)
      }, delete: { _, context in try await Self.done(operations.signOut(in: context)) })
    routes.endpoint(
      "api/v1/session/authentication",
      post: { request, context in try await Self.done(operations.authenticate(request.json(), in: context)) })
    routes.endpoint(
      "api/v1/password",
      post: { request, context in try await Self.done(operations.setPassword(request.json(), in: context)) })
    routes.endpoint(
      "api/v1/sessions",
      get: { _, context in
        let current = try context.requireSession()
        let sessions = try await Blocking.run { try signIn.sessions.all(of: current.person) }
        return Response(
          json: sessions.map { SessionAnswer($0, isCurrent: $0.id == current.id, signIn) }, Self.notKept)
      })
    routes.endpoint(
      "api/v1/sessions/others", delete: { _, context in try await Self.done(operations.endOthers(in: context)) })
    routes.endpoint(
      "api/v1/sessions/:id",
      delete: { _, context in try await Self.done(operations.end(String(context.parameter("id")), in: context)) })
  }

  private static let notKept: HTTPFields = [.cacheControl: "private, no-store"]

  private static func done(_ fields: HTTPFields) -> Response { Response(status: .noContent, headers: fields) }
}

private struct LinkBody: Decodable { var link: String }

/// A session as the API describes it.
private struct SessionAnswer: Encodable {
  var id: String
  var device: String
  var address: String
  var since: String
  var lastSeen: String
  var isCurrent: Bool
  var isEncrypted: Bool
  var isRecentlyAuthenticated: Bool

  init(_ session: BrowserSession, isCurrent: Bool, _ signIn: SignInService) {
    id = session.id
    device = session.device
    address = session.address
    since = Self.text(session.creationDate)
    lastSeen = Self.text(session.seenDate)
    self.isCurrent = isCurrent
    isEncrypted = session.kind != .unencrypted
    isRecentlyAuthenticated = signIn.isRecentlyAuthenticated(session)
  }

  private static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
