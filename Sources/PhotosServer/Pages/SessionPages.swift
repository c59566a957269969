import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// The page with the sessions of the person who is signed in, and the password.
struct SessionPages: Sendable {
  let signIn: SignInService
  let operations: SessionOperations

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("sessions", get: { _, context in try await page(context) })
    routes.endpoint(
      "sign-out",
      post: { _, context in SignInPages.redirect(to: "/sign-in", try await operations.signOut(in: context)) })
    routes.endpoint(
      "sessions/end",
      post: { request, context in
        let form = try await request.form(EndForm.self)
        return try await attempt(context) {
          if let id = form.id {
            try await operations.end(id, in: context)
          } else {
            try await operations.endOthers(in: context)
          }
        }
      })
    routes.endpoint(
      "sessions/authentication",
      post: { request, context in
        let form = try await request.form(SessionOperations.Password.self)
        return try await attempt(context) { try await operations.authenticate(form, in: context) }
      })
    routes.endpoint(
      "sessions/password",
      post: { request, context in
        var form = try await request.form(SessionOperations.NewPassword.self)
        // Browsers leave out a box that is not ticked.
        form.endsOtherSessions = form.endsOtherSessions ?? false
        return try await attempt(context) { [form] in try await operations.setPassword(form, in: context) }
      })
  }

  private struct EndForm: Decodable { var id: String? }

  /// Runs the operation of a form. Redirects to the page, or shows the page with the error.
  private func attempt(
    _ context: ServerContext, _ operation: () async throws -> HTTPFields
  ) async throws -> Response {
    do { return SignInPages.redirect(to: "/sessions", try await operation()) } catch let error as SignInError {
      return try await page(context, Failure(error))
    }
  }

  private func page(_ context: ServerContext, _ failure: Failure? = nil) async throws -> Response {
    let current = try context.requireSession()
    let (sessions, failures, hasPassword) = try await Blocking.run { [signIn] in
      (try signIn.sessions.all(of: current.person), try signIn.recentFailures(), try signIn.hasPassword())
    }
    let mustAuthenticate = !signIn.isRecentlyAuthenticated(current)
    let alert: HTML = failure.map { "<p role=\"alert\">\(HTML(sentence: $0.message))</p>\n" } ?? ""
    let confirmation = mustAuthenticate && hasPassword ? Self.authenticationForm : ""
    return Page(
      title: "Sessions – Calotype",
      body: """
        <p class="back"><a href="/">Back to the library</a></p>
        <h1>Sessions</h1>
        \(alert)\(confirmation)\(Self.failures(failures))
        <ul class="sessions">
        \(HTML(joining: sessions.map { Self.item($0, isCurrent: $0.id == current.id) }))
        </ul>
        \(sessions.count > 1 ? Self.endingForm : "")
        <form method="post" action="/sign-out"><button>Sign out</button></form>
        <h2>Password</h2>
        \(Self.passwordForm(hasPassword: hasPassword))
        """, script: "/sign-in/sessions.js", isEncrypted: signIn.site.isEncrypted
    ).response(failure?.status ?? .ok, failure?.fields ?? [:])
  }

  private static let endingForm: HTML = """
    <form method="post" action="/sessions/end"><button>End all other sessions</button></form>
    """

  private static func item(_ session: BrowserSession, isCurrent: Bool) -> HTML {
    let end: HTML =
      isCurrent
      ? "<p>This browser</p>"
      : """
      <form method="post" action="/sessions/end"><input type="hidden" name="id" value="\(session.id)"><button>End</button></form>
      """
    return """
      <li><h2>\(session.device)</h2>
      <p>\(session.address); since \(time(session.creationDate, isDay: true)); last seen \(time(session.seenDate))</p>
      \(end)</li>
      """
  }

  private static func failures(_ failures: [SignIns.Failures]) -> HTML {
    HTML(
      joining: failures.map {
        "<p class=\"warning\">\(String($0.count)) failed sign-in\($0.count == 1 ? "" : "s") from \($0.address) in the last day, the latest \(time($0.latestDate))</p>"
      })
  }

  private static let authenticationForm: HTML = """
    <form method="post" action="/sessions/authentication">
    <label>Password <input type="password" name="password" autocomplete="current-password" required></label>
    <button>Confirm</button>
    </form>

    """

  private static func passwordForm(hasPassword: Bool) -> HTML {
    let current: HTML =
      hasPassword
      ? "<label>Current password <input type=\"password\" name=\"currentPassword\" autocomplete=\"current-password\" required></label>\n"
      : ""
    return """
      <form method="post" action="/sessions/password">
      <input type="text" name="username" value="owner" autocomplete="username" hidden>
      \(current)<label>New password <input type="password" name="newPassword" autocomplete="new-password" minlength="8" required></label>
      <p class="hint">At least 8 characters; 15 or more are better.</p>
      <label class="choice"><input type="checkbox" name="endsOtherSessions" value="true" checked> End all other sessions</label>
      <button>\(hasPassword ? "Change the password" : "Set a password")</button>
      </form>
      """
  }

  /// Returns a time, or its day only. The offset of the browser is unknown, so the page's script
  /// writes the text in local time.
  private static func time(_ date: Date, isDay: Bool = false) -> HTML {
    let iso = date.formatted(.iso8601)
    let text = isDay ? String(iso.prefix(10)) : "\(iso.prefix(10)) \(iso.dropFirst(11).prefix(5)) UTC"
    let attribute: HTML = isDay ? " class=\"day\"" : ""
    return "<time datetime=\"\(iso)\"\(attribute)>\(text)</time>"
  }
}
