import Testing

@testable import PhotosServer

@Suite struct HeaderTests {
  /// Paths of all routes, and of some that are none.
  private static let paths = [
    "/", "/index.html", "/elements/photo-grid.js", "/nothing.js", "/favicon.svg", "/start", "/sign-in", "/sessions",
    "/sign-out", "/sessions/end", "/sessions/password", "/sessions/authentication", "/api/library", "/api/days",
    "/api/assets", "/api/assets/A", "/api/nothing", "/api/v1/session", "/api/v1/session/link", "/api/v1/sessions",
    "/api/v1/sessions/A", "/api/v1/password", "/renditions/A/v/grid", "/renditions/A/v/video", "/resources/A/0",
  ]

  @Test(arguments: paths, [true, false])
  func `U-17: every answer carries the headers that protect it`(path: String, isSignedIn: Bool) async throws {
    let server = try TestServer()
    for (host, method) in [("localhost:2839", "GET"), ("localhost:2839", "POST"), ("evil.example", "GET")] {
      let answer = try await server.ask(path, method: method, host: host, isSignedIn: isSignedIn)
      #expect(
        answer.field("Content-Security-Policy")
          == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
          + "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
          + "object-src 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'")
      #expect(answer.field("X-Content-Type-Options") == "nosniff")
      #expect(answer.field("Referrer-Policy") == "no-referrer")
      #expect(answer.field("Cross-Origin-Opener-Policy") == "same-origin")
      #expect(answer.field("Cross-Origin-Resource-Policy") == "same-origin")
      let permissions = try #require(answer.field("Permissions-Policy"))
      #expect(permissions.hasPrefix("fullscreen=(self), screen-wake-lock=(self), publickey-credentials-get=(self), "))
      #expect(permissions.contains("camera=()"))
      #expect(answer.field("Strict-Transport-Security") == nil)
      let type = answer.field("Content-Type") ?? ""
      if type.hasPrefix("text/html") { #expect(answer.field("Cache-Control") == "no-store") }
      if type.hasPrefix("application/json") {
        #expect(answer.field("Vary") == "Authorization, Cookie")
        #expect(answer.field("Cache-Control")?.contains("no-store") == true || answer.field("ETag") != nil)
      }
      // A retry or a picture's own policy is all that an answer may add.
      #expect(answer.status != 500)
    }
  }

  @Test func `U-17: a server behind TLS tells browsers to come by HTTPS only`() async throws {
    let server = try TestServer(publicURL: "https://photos.example")
    let answer = try await server.ask("/sign-in", host: "photos.example", isSignedIn: false)
    #expect(answer.field("Strict-Transport-Security") == "max-age=31536000")
  }

  @Test func `U-17: an original is sandboxed`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let answer = try await server.ask("/resources/\(asset.uuid)/0")
    #expect(answer.field("Content-Security-Policy") == "sandbox")
    #expect(answer.field("Content-Disposition")?.hasPrefix("attachment; ") == true)
  }

  @Test func `a refused request is answered with them too`() async throws {
    let answer = try await TestServer().ask("/", host: "evil.example")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(answer.field("Cache-Control") == "no-store")
  }

  @Test(arguments: [
    ("/api/library", "POST", "GET, HEAD"), ("/api/library", "OPTIONS", "GET, HEAD"), ("/", "TRACE", "GET, HEAD"),
    ("/api/v1/session", "PUT", "GET, HEAD, DELETE"), ("/api/v1/session/link", "GET", "POST"),
    ("/sign-in", "DELETE", "GET, HEAD, POST"),
  ])
  func `a path says which methods it has`(path: String, method: String, allowed: String) async throws {
    let answer = try await TestServer().ask(path, method: method)
    #expect(answer.status == 405)
    #expect(answer.field("Allow") == allowed)
    #expect(answer.text == #"{"error":"the method \#(method) is not supported here"}"#)
  }

  @Test func `a method that HTTP doesn't define is not implemented`() async throws {
    #expect(try await TestServer().ask("/api/library", method: "BREW").status == 501)
  }

  @Test(arguments: ["/", "/api/library", "/api/days", "/api/assets", "/api/nothing"])
  func `HEAD has the headers of GET, and no body`(path: String) async throws {
    let server = try TestServer()
    let get = try await server.ask(path)
    let head = try await server.ask(path, method: "HEAD")
    #expect(head.status == get.status)
    #expect(head.fields == get.fields)
    #expect(head.field("Content-Length") == String(get.body.count))
    #expect(head.body.isEmpty)
  }

  @Test func `errors are never kept`() async throws {
    let answer = try await TestServer().ask("/api/nothing")
    #expect(answer.status == 404)
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("Content-Type") == "application/json; charset=utf-8")
    #expect(answer.text == #"{"error":"/api/nothing does not exist"}"#)
  }
}
