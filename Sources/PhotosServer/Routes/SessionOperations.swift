import HTTPTypes
import Photos

/// The operations on sessions and the password.
///
/// The API asks for them with JSON, and the server's own pages with forms. The fields of both have
/// the same names. Each operation returns the header fields of its answer.
struct SessionOperations: Sendable {
  let signIn: SignInService

  struct Password: Decodable {
    var password: String
    var isSharedComputer: Bool?
  }

  struct SetUp: Decodable {
    var code: String
    var password: String
  }

  struct NewPassword: Decodable {
    var newPassword: String
    var currentPassword: String?
    var endsOtherSessions: Bool?
  }

  func signIn(link: String, in context: ServerContext) async throws -> HTTPFields {
    fields(of: try await Blocking.run { try signIn.signIn(link: link, in: context.client) })
  }

  func signIn(_ body: Password, in context: ServerContext) async throws -> HTTPFields {
    fields(
      of: try await signIn.signIn(
        password: body.password, isSharedComputer: body.isSharedComputer ?? false, in: context.client))
  }

  func setUp(_ body: SetUp, in context: ServerContext) async throws -> HTTPFields {
    fields(of: try await signIn.setUp(code: body.code, password: body.password, in: context.client))
  }

  func authenticate(_ body: Password, in context: ServerContext) async throws -> HTTPFields {
    fields(
      of: try await signIn.authenticate(context.requireSession(), password: body.password, in: context.client))
  }

  func setPassword(_ body: NewPassword, in context: ServerContext) async throws -> HTTPFields {
    fields(
      of: try await signIn.setPassword(
        body.newPassword, current: body.currentPassword, endsOtherSessions: body.endsOtherSessions ?? true,
        by: context.requireSession(), in: context.client))
  }

  func end(_ id: String, in context: ServerContext) async throws -> HTTPFields {
    let session = try context.requireSession()
    try await signIn.requireRecentAuthentication(of: session)
    guard try await Blocking.run({ try signIn.sessions.end(id, of: session.person) }) else {
      throw SignInError.unknownSession(id)
    }
    return [.cacheControl: "no-store"]
  }

  func endOthers(in context: ServerContext) async throws -> HTTPFields {
    let session = try context.requireSession()
    try await signIn.requireRecentAuthentication(of: session)
    try await Blocking.run { try signIn.sessions.endOthers(than: session) }
    return [.cacheControl: "no-store"]
  }

  /// Ends the session. The fields make the browser remove its cookie, and what it has kept of the
  /// library.
  func signOut(in context: ServerContext) async throws -> HTTPFields {
    let session = try context.requireSession()
    try await Blocking.run { _ = try signIn.sessions.end(session.id, of: session.person) }
    let cookie = signIn.site.cookie
    var fields: HTTPFields = [.cacheControl: "no-store", .clearSiteData: "\"cache\", \"storage\""]
    let isShared = session.kind == .sharedComputer
    fields[values: .setCookie] = [cookie.removal] + (isShared ? [cookie.deviceRemoval] : [])
    return fields
  }

  /// Returns the header fields that give a browser its session.
  private func fields(of entry: SignInService.Entry) -> HTTPFields {
    let cookie = signIn.site.cookie
    var fields: HTTPFields = [.cacheControl: "no-store"]
    var cookies = [cookie.field(token: entry.token.text, kind: entry.session.kind)]
    // Others who use a shared computer must not be known as the owner's browser.
    if entry.session.kind != .sharedComputer { cookies.append(cookie.deviceField(entry.deviceToken)) }
    fields[values: .setCookie] = cookies
    return fields
  }
}
