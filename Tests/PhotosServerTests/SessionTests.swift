import Foundation
import Photos
import TestSupport
import Testing

@testable import PhotosServer

@Suite struct SessionTests {
  private func secret(of link: URL) -> String { link.fragment ?? "" }

  private func open(_ link: String, on server: TestServer, _ fields: [String: String] = [:]) async throws
    -> TestServer.Answer
  {
    try await server.post("/api/v1/session/link", json: #"{"link":"\#(link)"}"#, fields)
  }

  @Test func `U-01: an owner link signs one browser in, once`() async throws {
    let server = try TestServer()
    let link = try server.signIn.makeOwnerLink()
    #expect(link.absoluteString.hasPrefix("http://calotype.localhost:2839/start#"))
    #expect(secret(of: link).count == 43)
    let first = try await open(secret(of: link), on: server)
    #expect(first.status == 204)
    #expect(try await server.ask("/api/v1/library", ["Cookie": first.cookieField], isSignedIn: false).status == 200)
    let second = try await open(secret(of: link), on: server)
    #expect(second.status == 401)
    #expect(second.cookies == [])
    #expect(second.problem?.detail == SignInError.wrongLink.description)
  }

  @Test func `U-01: a link from before a reset of the password is worthless`() async throws {
    let server = try TestServer()
    let link = secret(of: try server.signIn.makeOwnerLink())
    try PhotosServer.resetPassword(of: try PHPhotoLibrary(url: server.library.url))
    #expect(try await open(link, on: server).status == 401)
    #expect(try await open(secret(of: try server.signIn.makeOwnerLink()), on: server).status == 204)
  }

  @Test func `a library has a password until it is reset`() throws {
    let server = try TestServer()
    try server.setPassword("a river in the night", .cheap)
    #expect(try PhotosServer.hasPassword(server.library))
    try PhotosServer.resetPassword(of: server.library)
    #expect(try !PhotosServer.hasPassword(server.library))
  }

  @Test func `the password of a library that can't be written is reset too`() throws {
    let server = try TestServer()
    try server.setPassword("a river in the night", .cheap)
    let database = server.library.url.appendingPathComponent("library.sqlite")
    // The library does not write to a file that has a second name elsewhere.
    try FileManager.default.linkItem(at: database, to: server.folder.appendingPathComponent("other"))
    let library = try PHPhotoLibrary(url: server.library.url)
    try #require(library.readOnlyReason != nil)
    try PhotosServer.resetPassword(of: library)
    #expect(try server.library.signIns.owner().passwordHash == nil)
  }

  @Test func `without a session, no answer names the path of a library that fails`() async throws {
    let server = try TestServer()
    let path = server.library.url.path
    try FileManager.default.moveItem(atPath: path, toPath: "\(path).away")
    let stranger = try await server.post("/api/v1/session/password", json: #"{"password":"a river"}"#)
    #expect(stranger.status == 503)
    #expect(stranger.problem?.detail == Failure.Problem.unavailable.title)
    let owner = try await server.ask("/api/v1/library")
    #expect(owner.status == 503)
    #expect(owner.problem?.detail.contains(path) == true)
  }

  @Test func `U-01: a wrong, an old and a used link get the same answer`() async throws {
    let server = try TestServer()
    let link = secret(of: try server.signIn.makeOwnerLink())
    let wrong = (link.first == "A" ? "B" : "A") + link.dropFirst()
    let refused = try await open(wrong, on: server)
    #expect(refused.status == 401)
    server.clock.advance(15 * 60)
    let old = try await open(link, on: server)
    #expect((old.status, old.text, old.fields) == (refused.status, refused.text, refused.fields))
    for other in ["", "x"] { #expect(try await open(other, on: server).text == refused.text) }
  }

  @Test(arguments: APIDocument.operations.filter { $0.method == "GET" && !$0.isOpen }.map(\.path) + ["/api/v1/nothing"])
  func `U-02: without a session nothing of the library is answered`(path: String) async throws {
    let server = try TestServer()
    for fields in [[:], ["Cookie": "__Host-calotype=wrong"], ["Authorization": "Bearer wrong"]] {
      let answer = try await server.ask(path, fields, isSignedIn: false)
      #expect(answer.status == 401)
      #expect(answer.problem?.type == "urn:calotype:problem:authentication-required")
      #expect(answer.field("Cache-Control") == "no-store")
    }
  }

  @Test(arguments: ["/", "/album/1", "/sessions", "/nothing"])
  func `U-02: a person without a session is told how to sign in`(path: String) async throws {
    let answer = try await TestServer().ask(path, isSignedIn: false)
    #expect(answer.status == 401)
    #expect(answer.field("Content-Type") == "text/html; charset=utf-8")
    #expect(answer.text.contains("<code>calotype open</code>"))
  }

  @Test func `U-06: the cookie can't be used by scripts or by other sites`() async throws {
    let server = try TestServer()
    let answer = try await open(secret(of: try server.signIn.makeOwnerLink()), on: server)
    let attributes = answer.cookies.map { $0.split(separator: ";").dropFirst().joined(separator: ";") }
    #expect(attributes[0] == " Path=/; Max-Age=7776000; Secure; HttpOnly; SameSite=Strict")
    #expect(attributes[1] == " Path=/; Max-Age=31536000; Secure; HttpOnly; SameSite=Strict")
    #expect(answer.cookies[0].hasPrefix("__Host-calotype="))
    #expect(answer.cookies[1].hasPrefix("__Host-calotype-device="))
    #expect(answer.field("Cache-Control") == "no-store")
  }

  @Test func `U-06: signing in again changes the token, and the old one is worthless`() async throws {
    let server = try TestServer()
    let link = secret(of: try server.signIn.makeOwnerLink())
    #expect(try await server.ask("/api/v1/library").status == 200)
    let answer = try await open(link, on: server, ["Cookie": server.cookie])
    #expect(answer.cookieField.prefix { $0 != ";" } != server.cookie)
    #expect(try await server.ask("/api/v1/library").status == 401)
    #expect(try await server.ask("/api/v1/library", ["Cookie": answer.cookieField], isSignedIn: false).status == 200)
  }

  @Test func `U-06: signing out ends the session, and clears what the browser has kept`() async throws {
    let server = try TestServer()
    let answer = try await server.ask("/api/v1/session", method: "DELETE")
    #expect(answer.status == 204)
    #expect(answer.field("Clear-Site-Data") == #""cache", "storage""#)
    #expect(answer.cookies == ["__Host-calotype=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict"])
    #expect(try await server.ask("/api/v1/library").status == 401)
    let page = try await TestServer().post("/sign-out", form: "", isSignedIn: true)
    #expect((page.status, page.field("Location")) == (303, "/sign-in"))
    #expect(page.field("Clear-Site-Data") != nil)
  }

  @Test(arguments: ["/", "/start", "/sign-in", "/sessions"])
  func `U-06: no page is kept by the browser`(path: String) async throws {
    #expect(try await TestServer().ask(path).field("Cache-Control") == "no-store")
  }

  @Test func `U-07: sessions are listed, and one is ended`() async throws {
    let server = try TestServer()
    let link = secret(of: try server.signIn.makeOwnerLink())
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    let other = try await open(link, on: server, ["User-Agent": firefox]).cookieField
    let list = try await sessions(of: server)
    #expect(Set(list.map(\.device)) == ["A test", "Firefox on Linux"])
    #expect(list.filter(\.isCurrent).map(\.device) == ["A test"])
    let id = try #require(list.first { !$0.isCurrent }?.id)
    #expect(try await server.ask("/api/v1/library", ["Cookie": other], isSignedIn: false).status == 200)
    #expect(try await server.ask("/api/v1/sessions/\(id)", method: "DELETE").status == 204)
    #expect(try await server.ask("/api/v1/library", ["Cookie": other], isSignedIn: false).status == 401)
    #expect(try await server.ask("/api/v1/sessions/\(id)", method: "DELETE").status == 404)
    #expect(try await sessions(of: server).map(\.device) == ["A test"])
  }

  @Test func `U-07: all other sessions are ended`() async throws {
    let server = try TestServer()
    let other = try await open(secret(of: try server.signIn.makeOwnerLink()), on: server).cookieField
    #expect(try await server.ask("/api/v1/sessions/others", method: "DELETE").status == 204)
    #expect(try await server.ask("/api/v1/library", ["Cookie": other], isSignedIn: false).status == 401)
    #expect(try await server.ask("/api/v1/library").status == 200)
  }

  @Test func `U-07: the stream of an open page ends with its session`() async throws {
    let server = try TestServer(limits: .withoutChecks)
    let other = try await open(secret(of: try server.signIn.makeOwnerLink()), on: server).cookieField
    let id = try #require(try await sessions(of: server).first { !$0.isCurrent }?.id)
    let waiting = Task { try await status(server, "/api/v1/changes/stream", other) }
    try await wait(for: "the stream") { server.feed.streamCount == 1 }
    #expect(try await server.ask("/api/v1/sessions/\(id)", method: "DELETE").status == 204)
    #expect(try await result(of: waiting, "the end of the stream").get() == 200)
    #expect(try await status(server, "/api/v1/changes/stream", other) == 401)
  }

  @Test func `U-07: the stream of a page ends with all other sessions, and that of the page that ends them stays`()
    async throws
  {
    let server = try TestServer(limits: .withoutChecks)
    let other = try await open(secret(of: try server.signIn.makeOwnerLink()), on: server).cookieField
    let own = Task { try await server.ask("/api/v1/changes/stream").status }
    let waiting = Task { try await status(server, "/api/v1/changes/stream", other) }
    try await wait(for: "the streams") { server.feed.streamCount == 2 }
    #expect(try await server.ask("/api/v1/sessions/others", method: "DELETE").status == 204)
    #expect(try await result(of: waiting, "the end of the stream").get() == 200)
    try await wait(for: "the other stream alone") { server.feed.streamCount == 1 }
    #expect(try await server.ask("/api/v1/session", method: "DELETE").status == 204)
    #expect(try await result(of: own, "the end of the other stream").get() == 200)
  }

  @Test func `streams look twice a second for what another process has ended`() {
    #expect(EventStream.Times().check == .milliseconds(500))
  }

  private struct Listed: Decodable {
    var id: String
    var device: String
    var isCurrent: Bool
  }

  private func sessions(of server: TestServer) async throws -> [Listed] {
    try JSONDecoder().decode([Listed].self, from: try await server.ask("/api/v1/sessions").body)
  }

  private static let lifetimes: [(BrowserSession.Kind, Double, Double)] = [
    (.ownBrowser, 2_592_000, 7_776_000), (.sharedComputer, 1800, 43_200), (.unencrypted, 43_200, 43_200),
  ]

  @Test(arguments: lifetimes)
  func `a session ends without use, and at a certain age`(kind: BrowserSession.Kind, idle: Double, age: Double) {
    let date = Date(timeIntervalSince1970: 0)
    var session = BrowserSession(
      id: "1", tokenHash: Data(), person: 1, kind: kind, date: date, address: "", device: "")
    #expect(SessionRules.isValid(session, at: date + idle - 1))
    #expect(!SessionRules.isValid(session, at: date + idle))
    session.setSeen(date + age - 1, from: "")
    #expect(SessionRules.isValid(session, at: date + age - 1))
    #expect(!SessionRules.isValid(session, at: date + age))
  }

  @Test func `a session in use goes on`() async throws {
    let server = try TestServer()
    for _ in 0..<3 {
      server.clock.advance(29 * 86_400)
      #expect(try await server.ask("/api/v1/library").status == 200)
    }
    server.clock.advance(3 * 86_400)
    #expect(try await server.ask("/api/v1/library").status == 401)
  }

  private static let fourteenYears = 14.0 * 366 * 86_400

  @Test func `a session goes on after the clock was wrong`() async throws {
    let server = try TestServer()
    server.clock.advance(Self.fourteenYears)
    #expect(try await server.ask("/api/v1/library").status == 401)
    // Signing in reads the clock. Expired sessions stay until its readings have been steady for
    // thirty days.
    #expect(try await open(secret(of: try server.signIn.makeOwnerLink()), on: server).status == 204)
    #expect(try await server.ask("/api/v1/library").status == 401)
    // The session is read again, since the earlier reading is too old.
    server.clock.advance(60 - Self.fourteenYears)
    #expect(try await server.ask("/api/v1/library").status == 200)
  }

  @Test func `a session and a link of a wrong clock are worthless`() async throws {
    let server = try TestServer()
    server.clock.advance(Self.fourteenYears)
    let link = secret(of: try server.signIn.makeOwnerLink())
    let cookie = try await open(secret(of: try server.signIn.makeOwnerLink()), on: server).cookieField
    #expect(try await status(server, "/api/v1/library", cookie) == 200)
    server.clock.advance(-Self.fourteenYears)
    for _ in 0..<2 {
      #expect(try await status(server, "/api/v1/library", cookie) == 401)
      #expect(try await open(link, on: server).status == 401)
      server.clock.advance(400 * 86_400)
    }
  }

  @Test func `a session goes on after the clock was corrected by some minutes`() async throws {
    let server = try TestServer()
    server.clock.advance(-300)
    #expect(try await server.ask("/api/v1/library").status == 200)
    server.clock.advance(-1)
    #expect(try await server.ask("/api/v1/library").status == 401)
  }

  /// Signs in by password at a shared computer.
  private func signInAtSharedComputer(_ server: TestServer) async throws -> TestServer.Answer {
    try server.setPassword("a river in the night")
    return try await server.post(
      "/api/v1/session/password", json: #"{"password":"a river in the night","isSharedComputer":true}"#)
  }

  private func status(
    _ server: TestServer, _ path: String, _ cookie: String, method: String = "GET"
  ) async throws -> Int {
    try await server.ask(path, ["Cookie": cookie], method: method, isSignedIn: false).status
  }

  @Test func `an open stream of changes does not use its session`() async throws {
    let server = try TestServer()
    let cookie = try await signInAtSharedComputer(server).cookieField
    server.clock.advance(29 * 60)
    #expect(try await status(server, "/api/v1/changes/stream", cookie, method: "HEAD") == 200)
    server.clock.advance(60)
    #expect(try await status(server, "/api/v1/library", cookie) == 401)
  }

  private static let requestsWithoutPerson = [
    ["Calotype-Unattended": "1"], ["Sec-Fetch-Dest": "image"], ["Sec-Fetch-Dest": "video"],
  ]

  @Test(arguments: requestsWithoutPerson)
  func `a request that shows no person does not use its session`(fields: [String: String]) async throws {
    let server = try TestServer()
    let cookie = try await signInAtSharedComputer(server).cookieField
    let all = fields.merging(["Cookie": cookie, "Sec-Fetch-Site": "same-origin"]) { $1 }
    server.clock.advance(29 * 60)
    #expect(try await server.ask("/api/v1/library", all, isSignedIn: false).status == 200)
    server.clock.advance(60)
    #expect(try await status(server, "/api/v1/library", cookie) == 401)
  }

  @Test func `a request of a page that a person touches uses its session`() async throws {
    let server = try TestServer()
    let cookie = try await signInAtSharedComputer(server).cookieField
    let fields = ["Cookie": cookie, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty"]
    for _ in 0..<3 {
      server.clock.advance(29 * 60)
      #expect(try await server.ask("/api/v1/library", fields, isSignedIn: false).status == 200)
    }
  }

  @Test func `a use is recorded even if the page has just asked by itself`() async throws {
    let server = try TestServer()
    let cookie = try await signInAtSharedComputer(server).cookieField
    server.clock.advance(60)
    #expect(try await status(server, "/api/v1/changes/stream", cookie, method: "HEAD") == 200)
    #expect(try await status(server, "/api/v1/library", cookie) == 200)
    server.clock.advance(1799)
    #expect(try await status(server, "/api/v1/library", cookie) == 200)
  }

  @Test func `a shared computer does not become a known browser`() async throws {
    let server = try TestServer()
    let answer = try await signInAtSharedComputer(server)
    #expect(answer.cookies.map { $0.prefix { $0 != "=" } } == ["__Host-calotype"])
    let out = try await server.ask(
      "/api/v1/session", ["Cookie": answer.cookieField], method: "DELETE", isSignedIn: false)
    #expect(
      out.cookies
        == ["__Host-calotype", "__Host-calotype-device"].map {
          "\($0)=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict"
        })
  }

  @Test func `a session that another process ends is over within a second`() async throws {
    let server = try TestServer()
    #expect(try await server.ask("/api/v1/library").status == 200)
    try PhotosServer.resetPassword(of: try PHPhotoLibrary(url: server.library.url))
    server.clock.advance(1)
    #expect(try await server.ask("/api/v1/library").status == 401)
  }

  @Test(arguments: [
    (
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
      "Chrome on Linux"
    ),
    (
      "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0", "Edge on Windows"
    ),
    (
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
      "Safari on iPhone"
    ),
    ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36", "Chrome on Android"),
    ("curl/8.5.0", "curl"), ("", "An unknown program"), ("<script>", "An unknown program"),
  ])
  func `a device is described in words`(field: String, device: String) {
    #expect(UserAgent.device(field) == device)
  }
}
