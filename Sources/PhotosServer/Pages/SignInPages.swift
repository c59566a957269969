import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// The pages on which a person signs in. They need no session.
struct SignInPages: Sendable {
  let signIn: SignInService
  let operations: SessionOperations

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("start", get: { _, _ in try await start() })
    routes.endpoint(
      "sign-in", get: { _, _ in try await page(.ok) },
      post: { request, context in
        let form = try await request.form(SignInForm.self)
        do {
          let fields =
            if let code = form.code {
              try await operations.setUp(.init(code: code, password: form.password), in: context)
            } else {
              try await operations.signIn(
                .init(password: form.password, isSharedComputer: form.isSharedComputer), in: context)
            }
          return Self.redirect(to: "/", fields)
        } catch let error as SignInError {
          let failure = Failure(error)
          return try await page(failure.status, failure.message, failure.fields)
        }
      })
  }

  static func redirect(to path: String, _ fields: HTTPFields) -> Response {
    var fields = fields
    fields[.location] = path
    return Response(status: .seeOther, headers: fields)
  }

  /// Returns the page in place of one that needs a session.
  func refusal() async throws -> Response { try await page(.unauthorized) }

  private struct SignInForm: Decodable {
    var password: String
    var code: String?
    var isSharedComputer: Bool?
  }

  /// Returns the page to which an owner link leads. Its script sends the link, because browsers
  /// don't send what follows the `#`.
  private func start() async throws -> Response {
    let hasPassword = try await Blocking.run { [signIn] in try signIn.hasPassword() }
    let otherWay: HTML = hasPassword ? "<p><a href=\"/sign-in\">Sign in by password</a></p>" : ""
    return Page(
      title: "Calotype",
      body: """
        <h1>Calotype</h1>
        <p role="status" id="status">Opening the library…</p>
        <noscript><p>An owner link needs JavaScript.</p></noscript>
        \(otherWay)
        """, script: "/sign-in/start.js", isEncrypted: signIn.site.isEncrypted
    ).response()
  }

  private func page(
    _ status: HTTPResponse.Status, _ problem: String? = nil, _ fields: HTTPFields = [:]
  ) async throws -> Response {
    let (hasPassword, hasCode) = try await Blocking.run { [signIn] in
      (try signIn.hasPassword(), try signIn.hasSetUpCode())
    }
    let setsPassword = !hasPassword && signIn.site.isPublic && hasCode
    let form = hasPassword ? passwordForm : setsPassword ? setUpForm : signIn.site.isPublic ? setUpHint : ""
    let heading = setsPassword ? "Set a password" : "Sign in"
    let alert: HTML = problem.map { "<p role=\"alert\">\(HTML(sentence: $0))</p>\n" } ?? ""
    return Page(
      title: "\(heading) – Calotype",
      body: """
        <h1>\(heading)</h1>
        \(alert)\(form)
        <p>On the machine of the library, run <code>calotype open</code>. It prints a link that signs this browser in.</p>
        <p>If you are signed in and came here by a link of another site, <a href="/">open the library</a>.</p>
        """, isEncrypted: signIn.site.isEncrypted
    ).response(status, fields)
  }

  private var passwordForm: HTML {
    """
    <form method="post" action="/sign-in">
    <input type="text" name="username" value="owner" autocomplete="username" hidden>
    <label>Password <input type="password" name="password" autocomplete="current-password" required autofocus></label>
    <label class="choice"><input type="checkbox" name="isSharedComputer" value="true"> This is a shared computer</label>
    <button>Sign in</button>
    </form>
    """
  }

  private var setUpHint: HTML {
    """
    <p>This library has no password. To set one, start <code>calotype serve</code> again: it prints a set-up code.</p>
    """
  }

  private var setUpForm: HTML {
    """
    <p>This library has no password yet. <code>calotype serve</code> has printed a set-up code where it was started.</p>
    <form method="post" action="/sign-in">
    <input type="text" name="username" value="owner" autocomplete="username" hidden>
    <label>Set-up code <input type="text" name="code" autocomplete="off" autocapitalize="off" spellcheck="false" required autofocus></label>
    <label>New password <input type="password" name="password" autocomplete="new-password" minlength="8" required></label>
    <p class="hint">At least 8 characters; 15 or more are better.</p>
    <button>Set the password</button>
    </form>
    """
  }
}
