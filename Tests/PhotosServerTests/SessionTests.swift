import Foundation
import Testing

@testable import PhotosServer

@Suite struct SessionTests {
  @Test(arguments: [
    "/", "/elements/photo-grid.js", "/api/library", "/api/days", "/renditions/A/v/grid", "/nothing", "/?token=wrong",
  ])
  func `a request without a token gets status 401`(path: String) async throws {
    let answer = try await TestServer().ask(path, isSignedIn: false)
    #expect(answer.status == 401)
    #expect(answer.field("WWW-Authenticate") == "Bearer")
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.text.contains("calotype serve"))
  }

  @Test(arguments: [("/", "text/html; charset=utf-8"), ("/api/library", "application/json; charset=utf-8")])
  func `a person is told on a page, a program in JSON`(path: String, type: String) async throws {
    #expect(try await TestServer().ask(path, isSignedIn: false).field("Content-Type") == type)
  }

  @Test func `the printed address lets a browser in, and leaves its token behind`() async throws {
    let server = try TestServer()
    let answer = try await server.ask("/?token=\(server.token)", isSignedIn: false)
    #expect(answer.status == 303)
    #expect(answer.field("Location") == "/")
    #expect(answer.field("Referrer-Policy") == "no-referrer")
    #expect(answer.field("Cache-Control") == "no-store")
    let cookie = try #require(answer.field("Set-Cookie"))
    #expect(cookie == "calotype-2839=\(server.token); Path=/; HttpOnly; SameSite=Strict")
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(try await server.ask("/", ["Cookie": pair], isSignedIn: false).status == 200)
    #expect(try await server.ask("/api/library", ["Cookie": "a=b; \(pair); c=d"], isSignedIn: false).status == 200)
  }

  @Test func `only the whole token in its place counts`() async throws {
    let server = try TestServer()
    let token = server.token
    for cookie in [
      "calotype-2838=\(token)", "calotype-2839=\(token)0", "calotype-2839=", "calotype-2839",
      "x=calotype-2839=\(token)",
    ] {
      #expect(try await server.ask("/", ["Cookie": cookie], isSignedIn: false).status == 401, "\(cookie)")
    }
    for authorization in [token, "Basic \(token)", "Bearer \(token.dropLast())", "Bearer", "Bearer \(token) \(token)"] {
      let answer = try await server.ask("/", ["Authorization": authorization], isSignedIn: false)
      #expect(answer.status == 401, "\(authorization)")
    }
    #expect(try await server.ask("/", ["Authorization": "bearer \(token)"], isSignedIn: false).status == 200)
    #expect(try await server.ask("/index.html?token=\(token)", isSignedIn: false).status == 401)
    #expect(try await server.ask("/?token=\(token)&token=\(token)", isSignedIn: false).status == 401)
    #expect(try await server.ask("/?token=\(token)", method: "HEAD", isSignedIn: false).status == 401)
  }

  @Test func `each server has a token of its own`() throws {
    let tokens = [SessionToken().value, SessionToken().value]
    #expect(tokens[0] != tokens[1])
    #expect(tokens.allSatisfy { $0.count == 32 })
  }

  @Test func `whoever comes by another site's name is refused before the token is looked at`() async throws {
    let server = try TestServer()
    #expect(try await server.ask("/?token=\(server.token)", host: "evil.example:2839", isSignedIn: false).status == 403)
  }
}
