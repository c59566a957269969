import Testing

@testable import PhotosServer

@Suite struct HeaderTests {
  @Test(arguments: ["/", "/api/library", "/api/nothing", "/elements/photo-grid.js"])
  func `every answer carries the headers that protect it`(path: String) async throws {
    let answer = try await TestServer().ask(path)
    #expect(
      answer.field("Content-Security-Policy")
        == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
        + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(answer.field("Referrer-Policy") == "no-referrer")
    #expect(answer.field("Cross-Origin-Opener-Policy") == "same-origin")
    #expect(answer.field("Cross-Origin-Resource-Policy") == "same-origin")
  }

  @Test func `a refused request is answered with them too`() async throws {
    let answer = try await TestServer().ask("/", host: "evil.example")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(answer.field("Cache-Control") == "no-store")
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"])
  func `only GET and HEAD are answered`(method: String) async throws {
    let answer = try await TestServer().ask("/api/library", method: method)
    #expect(answer.status == 405)
    #expect(answer.field("Allow") == "GET, HEAD")
    #expect(answer.text == #"{"error":"the method \#(method) is not supported"}"#)
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
