import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// Answers `/api/v1/session`: signing in and out, and the list of sessions.
struct SessionRoutes: Sendable {
  let signIn: SignInService

  /// Adds the request that signs in. It needs no session.
  func addSignIn(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/session/link",
      post: { request, context in
        let link = try await request.json(LinkBody.self).link
        let entry = try await Blocking.run { try signIn.signIn(link: link, in: context.client) }
        return answer(entry)
      })
    routes.endpoint(
      "api/v1/session/password",
      post: { request, context in
        let body = try await request.json(PasswordBody.self)
        return answer(
          try await signIn.signIn(
            password: body.password, isSharedComputer: body.isSharedComputer ?? false, in: context.client))
      })
    routes.endpoint(
      "api/v1/session/set-up",
      post: { request, context in
        let body = try await request.json(SetUpBody.self)
        return answer(try await signIn.setUp(code: body.code, password: body.password, in: context.client))
      })
  }

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/session",
      get: { _, context in
        Response(json: try SessionAnswer(context.requireSession(), isCurrent: true, signIn), Self.notKept)
      }, delete: { _, context in try await signOut(context) })
    routes.endpoint(
      "api/v1/session/authentication",
      post: { request, context in
        let password = try await request.json(PasswordBody.self).password
        return answer(
          try await signIn.authenticate(context.requireSession(), password: password, in: context.client))
      })
    // `setPassword` itself checks the current password, or a recent sign-in if there is none, so
    // this route is not in the group `recent`.
    routes.endpoint(
      "api/v1/password",
      post: { request, context in
        let body = try await request.json(NewPasswordBody.self)
        return answer(
          try await signIn.setPassword(
            body.newPassword, current: body.currentPassword, endsOtherSessions: body.endsOtherSessions ?? true,
            by: context.requireSession(), in: context.client))
      })
    routes.endpoint(
      "api/v1/sessions",
      get: { _, context in
        let current = try context.requireSession()
        let sessions = try await Blocking.run { try signIn.sessions.all(of: current.person) }
        return Response(
          json: sessions.map { SessionAnswer($0, isCurrent: $0.id == current.id, signIn) }, Self.notKept)
      })
    let recent = routes.group().add(middleware: RecentAuthenticationMiddleware(signIn: signIn))
    recent.endpoint(
      "api/v1/sessions/others",
      delete: { _, context in
        let session = try context.requireSession()
        try await Blocking.run { try signIn.sessions.endOthers(than: session) }
        return Response(status: .noContent)
      })
    recent.endpoint(
      "api/v1/sessions/:id",
      delete: { _, context in
        let id = try context.parameter("id")
        let person = try context.requireSession().person
        guard try await Blocking.run({ try signIn.sessions.end(String(id), of: person) }) else {
          throw Failure(.notFound, "there is no session \(id)")
        }
        return Response(status: .noContent)
      })
  }

  private static let notKept: HTTPFields = [.cacheControl: "private, no-store"]

  private func answer(_ entry: SignInService.Entry) -> Response {
    Response(status: .noContent, headers: signIn.fields(of: entry))
  }

  private func signOut(_ context: ServerContext) async throws -> Response {
    Response(status: .noContent, headers: try await signIn.signOut(context.requireSession()))
  }
}

extension SignInService {
  /// Returns the header fields that give a browser its session.
  func fields(of entry: Entry) -> HTTPFields {
    let cookie = site.cookie
    var fields: HTTPFields = [.cacheControl: "no-store"]
    var cookies = [cookie.field(token: entry.token.text, kind: entry.session.kind)]
    // Others who use a shared computer must not be known as the owner's browser.
    if entry.session.kind != .sharedComputer { cookies.append(cookie.deviceField(entry.deviceCookie)) }
    fields[values: .setCookie] = cookies
    return fields
  }

  /// Ends a session. Returns the header fields that remove it from its browser, with everything
  /// that the browser has kept of the library.
  func signOut(_ session: BrowserSession) async throws -> HTTPFields {
    try await Blocking.run { [sessions] in _ = try sessions.end(session.id, of: session.person) }
    var fields: HTTPFields = [.cacheControl: "no-store", .clearSiteData: "\"cache\", \"storage\""]
    let isShared = session.kind == .sharedComputer
    fields[values: .setCookie] = [site.cookie.removal] + (isShared ? [site.cookie.deviceRemoval] : [])
    return fields
  }
}

private struct LinkBody: Decodable { var link: String }

private struct PasswordBody: Decodable {
  var password: String
  var isSharedComputer: Bool?
}

private struct SetUpBody: Decodable {
  var code: String
  var password: String
}

private struct NewPasswordBody: Decodable {
  var newPassword: String
  var currentPassword: String?
  var endsOtherSessions: Bool?
}

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
