import Foundation
import Testing

@testable import PhotosServer

@Suite struct RequestGateTests {
  @Test(arguments: ["evil.example", "localhost.evil.example:2839", nil])
  func `T-22: under another host no request is answered`(host: String?) async throws {
    let server = try TestServer()
    for operation in APIDocument.operations {
      let answer = try await server.ask(operation.path, method: operation.method, host: host)
      #expect(answer.status == 421, "\(operation)")
      #expect(answer.problem?.type == "urn:calotype:problem:misdirected-request", "\(operation)")
    }
  }

  private func gate(_ reach: SiteAddress.Reach = .thisMachine, port: Int = 2839) -> RequestGate {
    RequestGate(site: SiteAddress(reach: reach, port: ServerPort(port), printedHost: SiteAddress.localName))
  }

  @Test(arguments: [
    ("localhost:2839", true), ("LocalHost:2839", true), ("127.0.0.1:2839", true), ("127.8.9.10:2839", true),
    ("[::1]:2839", true), ("calotype.localhost:2839", true), ("Calotype.LOCALHOST:2839", true),
    ("calotype.localhost", false), ("calotype.localhost.:2839", false), ("localhost.:2839", false),
    ("evil.localhost:2839", false), ("calotype.localhost.evil:2839", false), ("localhost.evil:2839", false),
    ("xcalotype.localhost:2839", false), ("localhost", false), ("localhost:2840", false), ("localhost:", false),
    ("localhost:02839x", false), ("localhost:99999999999999999999", false), ("127.0.0.1:80", false),
    ("127.0.0.1", false), ("127.0.0:2839", false), ("127.0.0.1.:2839", false), ("127.0.0.256:2839", false),
    ("127.1:2839", false), ("2130706433:2839", false), ("0x7f.0.0.1:2839", false), ("[::ffff:127.0.0.1]:2839", false),
    ("[0:0:0:0:0:0:0:1]:2839", false), ("[::1", false), ("127.0.0.1.example.com:2839", false),
    ("128.0.0.1:2839", false), ("0.0.0.0:2839", false), ("[::]:2839", false), ("::1", false),
    ("example.com:2839", false), ("localhost@evil:2839", false), ("", false), (":2839", false),
  ])
  func `U-09: on this machine, the host has to be a loopback one with the server's port`(host: String, isOwn: Bool) {
    #expect(gate().admits(host: host) == isOwn)
  }

  @Test(arguments: [
    ("photos.example", true), ("PHOTOS.example", true), ("photos.example:443", false), ("photos.example.", false),
    ("photos.example.evil", false), ("localhost:2839", false), ("127.0.0.1:2839", false), ("", false),
  ])
  func `U-09: a published server answers under its address alone`(host: String, isOwn: Bool) {
    #expect(gate(.published(scheme: "https", authority: "photos.example")).admits(host: host) == isOwn)
  }

  @Test(arguments: [
    ("192.168.1.2:2839", true), ("[fe80::1]:2839", true), ("127.0.0.1:2839", true), ("calotype.localhost:2839", true),
    ("192.168.1.2", false), ("192.168.1.2:80", false), ("0.0.0.0:2839", false), ("[::]:2839", false),
    ("fe80::1:2839", false), ("nas.local:2839", false), ("192.168.1.2.evil:2839", false), ("", false),
  ])
  func `U-09: in the network, the host has to be an address, which no page can rebind`(host: String, isOwn: Bool) {
    #expect(gate(.network).admits(host: host) == isOwn)
  }

  @Test func `a request without a host is refused`() { #expect(!gate().admits(host: nil)) }

  @Test(arguments: [("localhost", true), ("127.0.0.1:80", true), ("[::1]", true), ("localhost:8080", false)])
  func `port 80 need not be said`(host: String, isOwn: Bool) {
    #expect(gate(port: 80).admits(host: host) == isOwn)
  }

  @Test(arguments: [
    ("http://localhost:2839", true), ("http://LOCALHOST:2839", true), ("http://127.0.0.1:2839", false),
    ("http://calotype.localhost:2839", false), ("null", false), ("https://localhost:2839", false),
    ("http://localhost:3000", false), ("http://localhost", false), ("http://evil.example", false),
    ("http://localhost:2839.evil.example", false), ("http://localhost:2839/", false), ("", false),
  ])
  func `U-09: an origin has to be that of the request's host`(origin: String, isOwn: Bool) {
    let claims = RequestGate.Claims(host: "localhost:2839", origin: origin)
    for kind in [RequestGate.Kind.page, .content, .change] {
      #expect((gate().refusal(of: claims, kind) == nil) == isOwn)
    }
  }

  @Test func `a form of a page without a referrer has the origin null`() {
    let claims = RequestGate.Claims(host: "localhost:2839", origin: "null", fetchSite: "same-origin")
    #expect(gate().refusal(of: claims, .change) == nil)
    #expect(gate().refusal(of: .init(host: "localhost:2839", origin: "null", fetchSite: "cross-site"), .change) != nil)
  }

  @Test(arguments: [
    ("https://photos.example", true), ("http://photos.example", false), ("https://evil.example", false),
  ])
  func `U-09: a published server's origin has its scheme`(origin: String, isOwn: Bool) {
    let gate = gate(.published(scheme: "https", authority: "photos.example"))
    #expect((gate.refusal(of: .init(host: "photos.example", origin: origin), .change) == nil) == isOwn)
  }

  @Test(
    arguments: [
      // The columns: site, mode and destination of the request; whether a page, content and a
      // change are answered.
      (nil, nil, nil, true, true, false), ("same-origin", "cors", "empty", true, true, true),
      ("none", "navigate", "document", true, true, false), ("cross-site", "no-cors", "image", false, false, false),
      ("same-site", "no-cors", "image", false, false, false), ("same-site", "cors", "empty", false, false, false),
      ("cross-site", "navigate", "document", true, false, false),
      ("cross-site", "navigate", "iframe", false, false, false),
      ("same-site", "navigate", "document", true, false, false), ("something new", nil, nil, false, false, false),
    ] as [(String?, String?, String?, Bool, Bool, Bool)])
  func `U-08: other sites may only link to pages`(
    site: String?, mode: String?, destination: String?, page: Bool, content: Bool, change: Bool
  ) {
    let claims = RequestGate.Claims(
      host: "localhost:2839", fetchSite: site, fetchMode: mode, fetchDestination: destination)
    #expect((gate().refusal(of: claims, .page) == nil) == page)
    #expect((gate().refusal(of: claims, .content) == nil) == content)
    #expect((gate().refusal(of: claims, .change) == nil) == change)
  }

  /// Every path that changes something, with a request that would.
  private static let changes =
    [
      ("POST", "/api/v1/session/link", #"{"link":"x"}"#), ("POST", "/api/v1/session/password", #"{"password":"x"}"#),
      ("POST", "/api/v1/session/set-up", #"{"code":"x","password":"x"}"#),
      ("POST", "/api/v1/session/authentication", #"{"password":"x"}"#),
      ("POST", "/api/v1/password", #"{"newPassword":"a river in the night"}"#), ("DELETE", "/api/v1/session", ""),
      ("DELETE", "/api/v1/sessions/others", ""), ("DELETE", "/api/v1/sessions/A", ""),
      ("POST", "/sign-in", "password=x"),
      ("POST", "/sign-out", ""), ("POST", "/sessions/end", ""), ("POST", "/sessions/authentication", "password=x"),
      ("POST", "/sessions/password", "newPassword=a+river+in+the+night"),
    ] + APIDocument.changes.map { ($0.method, $0.path, "{}") }

  @Test(
    arguments: [
      ["Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"],
      // Another port of the same host.
      ["Sec-Fetch-Site": "same-site", "Origin": "http://localhost:3000"], ["Origin": "http://localhost:3000"],
      ["Sec-Fetch-Site": "none"], ["Origin": "null"],
    ])
  func `U-08: a page of another origin changes nothing`(fields: [String: String]) async throws {
    // One server for all paths, since a server takes longer to make than all of these requests.
    let server = try TestServer()
    let types = ["application/json", "application/x-www-form-urlencoded", "text/plain"]
    for (method, path, body) in Self.changes {
      for type in types {
        let answer = try await server.ask(
          path, fields.merging(["Content-Type": type]) { $1 }, method: method, body: body)
        #expect(answer.status == 403, "\(method) \(path), \(type)")
        #expect(answer.problem?.type == "urn:calotype:problem:other-origin", "\(method) \(path), \(type)")
        #expect(answer.cookies == [], "\(method) \(path), \(type)")
      }
      #expect(try await server.ask("/api/v1/library").status == 200, "\(method) \(path)")
      #expect(try !server.signIn.hasPassword(), "\(method) \(path)")
    }
  }

  @Test func `U-08: a path that changes something isn't reached by an image`() async throws {
    let server = try TestServer()
    let fields = ["Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"]
    for (_, path, _) in Self.changes {
      #expect(try await server.ask(path, fields).status != 200, "\(path)")
      #expect(try await server.ask("/api/v1/library").status == 200, "\(path)")
    }
  }

  @Test func `U-08: JSON has to be called JSON, which no form can`() async throws {
    let answer = try await TestServer().ask(
      "/api/v1/session/link", ["Content-Type": "text/plain"], method: "POST", body: #"{"link":"x"}"#)
    #expect(answer.status == 415)
  }

  @Test func `a refusal is reported as JSON`() async throws {
    let server = try TestServer()
    let answer = try await server.ask("/api/v1/library", host: "evil.example:2839")
    #expect(answer.status == 421)
    #expect(answer.problem?.detail == "the Host field does not name this server")
    #expect(try await server.ask("/", ["Origin": "http://evil.example"]).status == 403)
    #expect(
      try await server.ask("/api/v1/collections/userLibrary/days", ["Sec-Fetch-Site": "cross-site"]).status == 403)
    #expect(try await server.ask("/api/v1/library", host: nil).status == 421)
  }

  @Test func `a second host is refused`() async throws {
    let answer = try await TestServer().ask("/api/v1/library", ["Host": "localhost:2839"])
    #expect(answer.status == 400)
    #expect(answer.problem?.detail == "the request has two Host fields")
  }

  @Test(
    arguments: [
      ("http://evil.example/api/v1/library?a=b", "evil.example", "/api/v1/library?a=b"),
      ("http://localhost:2839", "localhost:2839", "/"), ("http://localhost:2839?a", "localhost:2839", "/?a"),
      ("http://evil.example@localhost:2839/", "evil.example@localhost:2839", "/"), ("/http://evil.example/", nil, nil),
      ("*", nil, nil), ("", nil, nil), ("localhost:2839", nil, nil),
    ] as [(String, String?, String?)])
  func `a whole address has an authority and a path`(target: String, authority: String?, path: String?) {
    #expect(AbsoluteTarget(target)?.authority == authority)
    #expect(AbsoluteTarget(target)?.path == path)
  }

  @Test func `a whole address counts more than the host`() async throws {
    let server = try TestServer()
    try await serving(server) { url in
      let address = "127.0.0.1:\(url.port ?? 0)"
      let own = head(url)
      let answers = try RawConnection(port: url.port ?? 0).exchange([
        "GET http://evil.example/api/v1/library HTTP/1.1\r\n\(own)\r\n",
        "GET http://\(address)/api/v1/library HTTP/1.1\r\n\(own.replacing("Host: \(address)", with: "Host: evil.example"))\r\n",
        "GET http://\(address)/api/v1/library HTTP/1.1\r\nHost: evil.example\r\n\(own)\r\n",
        "GET /api/v1/library HTTP/1.1\r\n\(own)Connection: close\r\n\r\n",
      ])
      #expect(answers.map(\.status) == [421, 200, 400, 200])
    }
  }
}
