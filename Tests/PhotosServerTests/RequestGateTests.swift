import Testing

@testable import PhotosServer

@Suite struct RequestGateTests {
  @Test(arguments: [
    ("localhost:2839", true), ("LocalHost:2839", true), ("127.0.0.1:2839", true), ("127.8.9.10:2839", true),
    ("[::1]:2839", true), ("localhost", false), ("localhost:2840", false), ("localhost:", false),
    ("localhost:02839x", false), ("localhost:99999999999999999999", false), ("127.0.0.1:80", false),
    ("127.0.0.1", false), ("127.0.0:2839", false), ("127.0.0.1.:2839", false), ("127.0.0.256:2839", false),
    ("127.0.0.1.example.com:2839", false), ("128.0.0.1:2839", false), ("0.0.0.0:2839", false), ("[::]:2839", false),
    ("::1", false), ("example.com:2839", false), ("localhost.example.com:2839", false), ("localhost@evil:2839", false),
    ("", false), (":2839", false),
  ])
  func `the host has to be a loopback one with the server's port`(host: String, isOwn: Bool) {
    let refusal = RequestGate(port: ServerPort(2839)).refusal(of: .init(host: host), isPrivate: true)
    #expect(refusal == (isOwn ? nil : "the Host field does not name this server"))
  }

  @Test func `a request without a host is refused`() {
    #expect(RequestGate(port: ServerPort(2839)).refusal(of: .init(), isPrivate: false) != nil)
  }

  @Test(arguments: [("localhost", true), ("127.0.0.1:80", true), ("[::1]", true), ("localhost:8080", false)])
  func `port 80 need not be said`(host: String, isOwn: Bool) {
    #expect((RequestGate(port: ServerPort(80)).refusal(of: .init(host: host), isPrivate: true) == nil) == isOwn)
  }

  @Test(arguments: [
    ("http://localhost:2839", true), ("http://127.0.0.1:2839", true), ("http://[::1]:2839", true), ("null", false),
    ("https://localhost:2839", false), ("http://localhost:3000", false), ("http://evil.example", false),
    ("http://localhost:2839.evil.example", false), ("", false),
  ])
  func `an origin has to be the server's own`(origin: String, isOwn: Bool) {
    let claims = RequestGate.Claims(host: "localhost:2839", origin: origin)
    #expect((RequestGate(port: ServerPort(2839)).refusal(of: claims, isPrivate: true) == nil) == isOwn)
  }

  @Test(
    arguments: [
      // The columns: site, mode and destination of the request; whether the library and the web app
      // answer it.
      (nil, nil, nil, true, true), ("same-origin", "cors", "empty", true, true),
      ("none", "navigate", "document", true, true), ("cross-site", "no-cors", "image", false, false),
      ("same-site", "no-cors", "image", false, false), ("cross-site", "navigate", "document", false, true),
      ("cross-site", "navigate", "iframe", false, false), ("same-site", "navigate", "document", false, true),
      ("something new", nil, nil, false, false),
    ] as [(String?, String?, String?, Bool, Bool)])
  func `other sites may only link to the web app`(
    site: String?, mode: String?, destination: String?, toLibrary: Bool, toWebApp: Bool
  ) {
    let gate = RequestGate(port: ServerPort(2839))
    let claims = RequestGate.Claims(
      host: "localhost:2839", fetchSite: site, fetchMode: mode, fetchDestination: destination)
    #expect((gate.refusal(of: claims, isPrivate: true) == nil) == toLibrary)
    #expect((gate.refusal(of: claims, isPrivate: false) == nil) == toWebApp)
  }

  @Test func `what is refused is told as JSON`() async throws {
    let server = try TestServer()
    let answer = try await server.ask("/api/library", host: "evil.example:2839")
    #expect(answer.status == 403)
    #expect(answer.text == #"{"error":"the Host field does not name this server"}"#)
    #expect(try await server.ask("/", ["Origin": "http://evil.example"]).status == 403)
    #expect(try await server.ask("/api/days", ["Sec-Fetch-Site": "cross-site"]).status == 403)
    #expect(try await server.ask("/api/library", host: nil).status == 403)
  }

  @Test(
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("127.1.2.3", "127.1.2.3"), ("::1", "::1"), ("[::1]", "::1"),
      ("localhost", "127.0.0.1"), ("0.0.0.0", nil), ("::", nil), ("192.168.1.2", nil), ("example.com", nil), ("", nil),
      ("127.1", nil), ("127.0.0.1.evil.example", nil),
    ] as [(String, String?)])
  func `only loopback addresses can be listened on`(host: String, address: String?) {
    #expect(Loopback.address(of: host) == address)
  }

  @Test func `a second host is refused`() async throws {
    let answer = try await TestServer().ask("/api/library", ["Host": "localhost:2839"])
    #expect(answer.status == 400)
    #expect(answer.text == #"{"error":"the request has two Host fields"}"#)
  }

  @Test(
    arguments: [
      ("http://evil.example/api/library?a=b", "evil.example", "/api/library?a=b"),
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
        "GET http://evil.example/api/library HTTP/1.1\r\n\(own)\r\n",
        "GET http://\(address)/api/library HTTP/1.1\r\n\(own.replacing("Host: \(address)", with: "Host: evil.example"))\r\n",
        "GET http://\(address)/api/library HTTP/1.1\r\nHost: evil.example\r\n\(own)\r\n",
        "GET /api/library HTTP/1.1\r\n\(own)Connection: close\r\n\r\n",
      ])
      #expect(answers.map(\.status) == [403, 200, 400, 200])
    }
  }
}
