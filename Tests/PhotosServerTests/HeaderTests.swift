import Foundation
import Testing

@testable import PhotosServer

@Suite struct HeaderTests {
  /// A path of each route, and some that are none.
  private static let paths =
    ["/index.html", "/elements/photo-grid.js", "/nothing.js", "/api/v1/nothing", "/picker/v1/nothing"]
    // The router has a route for each method.
    + Set((try? TestServer())?.routes ?? []).map { APIDocument.path(of: $0).replacing("**", with: "nothing") }.sorted()

  @Test func `U-17: the table has all routes`() {
    for path in ["/", "/album/A", "/search", "/access", "/picker", "/picker/v1/windows/A", "/picked/A/A", "/nothing"] {
      let isThere = Self.paths.contains(path)
      #expect(isThere, "\(path)")
    }
    let missing = Set(APIDocument.operations.map(\.path)).subtracting(Self.paths)
    #expect(missing == [])
  }

  @Test(arguments: paths)
  func `U-17, T-22: every answer carries the headers that protect it, also under another host`(
    path: String
  ) async throws {
    let server = try TestServer()
    for (host, method, isSignedIn) in [
      ("localhost:2839", "GET", false), ("evil.example", "GET", false), ("localhost:2839", "POST", false),
      ("evil.example", "GET", true), ("localhost:2839", "GET", true), ("localhost:2839", "POST", true),
    ] {
      // The answer waits for the end of the session, or for changes.
      if isSignedIn, host != "evil.example", APIDocument.waitingPaths.contains(path) { continue }
      let answer = try await server.ask(path, method: method, host: host, isSignedIn: isSignedIn)
      if host == "evil.example" { #expect(answer.status == 421) }
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
      if type.contains("json") {
        #expect(answer.field("Vary") == "Authorization, Cookie, Accept-Encoding")
        #expect(answer.field("Cache-Control")?.contains("no-store") == true || answer.field("ETag") != nil)
      }
      // A retry or a picture's own policy is all that an answer may add.
      #expect(answer.status < 500)
    }
  }

  @Test func `U-17: a server behind TLS tells browsers to come by HTTPS only`() async throws {
    let server = try TestServer(publicURL: "https://photos.example")
    let answer = try await server.ask("/sign-in", host: "photos.example", isSignedIn: false)
    #expect(answer.field("Strict-Transport-Security") == "max-age=31536000")
  }

  @Test func `U-17: a stream of events carries them too`() async throws {
    let response = try await TestServer().response(to: "/api/v1/changes/stream")
    #expect(response.headers[.contentSecurityPolicy] == SecurityHeaders.contentSecurityPolicy)
    #expect(response.headers[.xContentTypeOptions] == "nosniff")
  }

  @Test func `U-17: an original is sandboxed`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let answer = try await server.ask("/api/v1/resources/\(asset.uuid)/0")
    #expect(answer.field("Content-Security-Policy") == "sandbox")
    #expect(answer.field("Content-Disposition")?.hasPrefix("attachment; ") == true)
  }

  @Test func `U-17: pages of other origins can load the picker's script only`() async throws {
    let server = try TestServer()
    for name in ["picker.js", "words.js"] {
      try Data("export {}".utf8).write(to: server.webFolder.appendingPathComponent(name))
    }
    let fields = [
      "Origin": "https://page.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors",
      "Sec-Fetch-Dest": "script",
    ]
    let script = try await server.ask("/picker.js", fields, isSignedIn: false)
    #expect((script.status, script.text) == (200, "export {}"))
    #expect(script.field("Cross-Origin-Resource-Policy") == "cross-origin")
    #expect(script.field("Access-Control-Allow-Origin") == "*")
    #expect(script.field("X-Content-Type-Options") == "nosniff")
    #expect(try await server.ask("/words.js", fields, isSignedIn: false).status == 403)
  }

  @Test(arguments: ["/", "/picker.js", "/api/v1/map/outlines.svg", "/api/v1/places?q=photos"])
  func `a text says that it depends on Accept-Encoding, compressed or not`(path: String) async throws {
    let server = try TestServer()
    let script = String(repeating: "export {}\n", count: 200)
    try Data(script.utf8).write(to: server.webFolder.appendingPathComponent("picker.js"))
    for coding in ["gzip", "identity"] {
      let answer = try await server.ask(path, ["Accept-Encoding": coding])
      #expect(answer.status == 200)
      #expect(answer.field("Vary")?.contains("Accept-Encoding") == true)
      let tag = try #require(answer.field("ETag"))
      let unchanged = try await server.ask(path, ["Accept-Encoding": coding, "If-None-Match": tag])
      #expect(unchanged.status == 304)
      #expect(unchanged.field("Vary") == answer.field("Vary"))
    }
  }

  @Test func `a picture does not depend on Accept-Encoding`() async throws {
    let server = try TestServer()
    try Data("x".utf8).write(to: server.webFolder.appendingPathComponent("a.png"))
    #expect(try await server.ask("/a.png").field("Vary") == nil)
  }

  @Test func `a refused request is answered with them too`() async throws {
    let answer = try await TestServer().ask("/", host: "evil.example")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(answer.field("Cache-Control") == "no-store")
  }

  @Test(arguments: [
    ("/api/v1/library", "POST", "GET, HEAD"), ("/api/v1/library", "OPTIONS", "GET, HEAD"), ("/", "TRACE", "GET, HEAD"),
    ("/api/v1/session", "PUT", "GET, HEAD, DELETE"), ("/api/v1/session/link", "GET", "POST"),
    ("/sign-in", "DELETE", "GET, HEAD, POST"),
  ])
  func `a path says which methods it has`(path: String, method: String, allowed: String) async throws {
    let answer = try await TestServer().ask(path, method: method)
    #expect(answer.status == 405)
    #expect(answer.field("Allow") == allowed)
    #expect(answer.problem?.detail == "the method \(method) is not supported here")
  }

  @Test func `a method that HTTP doesn't define is not implemented`() async throws {
    #expect(try await TestServer().ask("/api/v1/library", method: "BREW").status == 501)
  }

  @Test(arguments: [
    "/", "/api/v1/library", "/api/v1/collections/userLibrary/days", "/api/v1/collections/userLibrary/assets",
    "/api/v1/nothing",
  ])
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
    let answer = try await TestServer().ask("/api/v1/nothing")
    #expect(answer.status == 404)
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("Content-Type") == "application/problem+json")
    #expect(
      answer.text
        == #"{"detail":"/api/v1/nothing does not exist","status":404,"title":"Not found","type":"urn:calotype:problem:not-found"}"#
    )
  }
}
