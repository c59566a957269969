import Foundation
import Photos
import TestSupport
import Testing

@testable import PhotosServer

@Suite struct AccessTokenTests {
  @Test func `a token has a prefix, a secret and a checksum`() throws {
    let token = AccessToken(.system)
    #expect(token.text.hasPrefix("cal_"))
    #expect(token.text.count == 4 + 43 + 6)
    #expect(token.start == token.text.prefix(8))
    #expect(AccessToken(token.text[...])?.text == token.text)
  }

  @Test func `U-13: a mistyped token is no token`() throws {
    let text = AccessToken(.system).text
    for index in text.indices.dropFirst(4) {
      var wrong = text
      wrong.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
      #expect(AccessToken(wrong[...]) == nil)
    }
    for wrong in ["", "cal_", text + "A", String(text.dropLast()), "Cal_" + text.dropFirst(4)] {
      #expect(AccessToken(wrong[...]) == nil)
    }
  }

  @Test func `U-13: a token is refused for another origin, and after it was revoked`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    #expect(try await client.ask("/library").status == 200)
    for origin in ["https://other.example", "http://slideshow.example", nil] {
      var other = client
      other.origin = origin
      let answer = try await other.ask("/library")
      #expect(answer.status == 403)
      #expect(answer.text.contains("urn:calotype:problem:other-origin"))
    }
    let token = try #require(try await server.access().clients.first?.tokens.first)
    #expect(token.start == client.token?.prefix(8) ?? "")
    #expect(try await server.ask("/api/v1/access/tokens/\(token.id)", method: "DELETE").status == 204)
    let answer = try await client.ask("/library")
    #expect(answer.status == 401)
    #expect(answer.field("WWW-Authenticate") == "Bearer")
    #expect(try await server.ask("/api/v1/access/tokens/\(token.id)", method: "DELETE").status == 404)
  }

  @Test func `a client is not refused because its access can't be read`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    #expect(try await client.statuses()["readWrite"] == "authorized")
    let path = server.library.url.path
    try #require(rename(path, path + "-away") == 0)
    #expect(try await client.ask("/access/status").status == 503)
    let library = server.library.photoLibrary(for: LibraryClient(identifier: "https://slideshow.example"))
    #expect(throws: PHPhotosError.self) { try library.require(.reading) }
    try #require(rename(path + "-away", path) == 0)
    #expect(try await client.statuses()["readWrite"] == "authorized")
  }

  @Test(arguments: ["revoke", "forget", "elsewhere"])
  func `U-13: an answer that lasts ends with its token`(end: String) async throws {
    // A check finds that another process has ended it.
    var limits = ServerLimits.withoutChecks
    if end == "elsewhere" { limits.streams.check = .milliseconds(10) }
    let server = try TestServer(limits: limits)
    let client = try await TestClient(server: server).answered("full")
    let waiting = Task { try await client.ask("/changes/stream").status }
    try await wait(for: "the stream") { server.feed.streamCount == 1 }
    let access = try #require(try await server.access().clients.first)
    switch end {
    case "revoke": _ = try await server.ask("/api/v1/access/tokens/\(access.tokens[0].id)", method: "DELETE")
    case "forget": _ = try await server.ask("/api/v1/access/clients/\(access.id)", method: "DELETE")
    default:
      try PHPhotoLibrary(url: server.library.url).forget(LibraryClient(identifier: access.identifier))
      server.clock.advance(1)
    }
    #expect(try await result(of: waiting, "the end of the stream").get() == 200)
    #expect(try await client.ask("/changes/stream").status == 401)
    #expect(try await server.access().clients.isEmpty == (end != "revoke"))
  }

  @Test func `U-13: the owner sees the last use, its address and the number of requests`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    #expect(try await server.access().clients.first?.lastUsed == nil)
    for _ in 0..<3 {
      _ = try await client.ask("/library")
      server.clock.advance(40)
    }
    let listed = try #require(try await server.access().clients.first)
    #expect((listed.requestCount, listed.address) == (3, "127.0.0.1"))
    #expect(listed.lastUsed == (server.clock.now - 40).formatted(.iso8601))
    let recorded = try #require(try server.library.clientTokens.all().first)
    #expect(recorded.useCount == 3)
  }

  @Test func `a token that is not used in its last quarter expires after a year`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    server.clock.advance(275 * 86_400 - 1)
    #expect(try await client.ask("/library").status == 200)
    server.clock.advance(90 * 86_400 + 1)
    #expect(try await client.ask("/library").status == 401)
  }

  @Test(arguments: [275 * 86_400, 365 * 86_400 - 1])
  func `a use in a token's last quarter renews it for a year`(seconds: TimeInterval) async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    server.clock.advance(seconds)
    let use = server.clock.now
    #expect(try await client.ask("/library").status == 200)
    #expect(try server.library.clientTokens.all().map(\.expirationDate) == [use + 365 * 86_400])
    server.clock.advance(274 * 86_400)
    #expect(try await client.ask("/library").status == 200)
    server.clock.advance(91 * 86_400)
    #expect(try await client.ask("/library").status == 401)
  }

  @Test func `a token that another origin sends is not renewed, and its use does not count`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    let expirationDates = try server.library.clientTokens.all().map(\.expirationDate)
    server.clock.advance(300 * 86_400)
    for origin in ["https://other.example", nil] {
      var other = client
      other.origin = origin
      #expect(try await other.ask("/library").status == 403)
    }
    // A program asks for access with the token of a page.
    let asking = try await TestClient(server: server, origin: nil, token: client.token).ask(
      "/access/requests", method: "POST", json: #"{"name":"A","level":"readWrite","usageDescription":"B"}"#)
    #expect(asking.status == 403)
    #expect(try server.library.clientTokens.all().map(\.expirationDate) == expirationDates)
    #expect(try server.library.clientTokens.all().map(\.useCount) == [0])
  }

  @Test func `the owner makes a key for a script`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    try server.add(bitmap(red: 1), minute: 1)
    let answer = try await server.post(
      "/api/v1/access/tokens",
      json: #"{"name":"Backup","level":"readWrite","assets":["\#(asset.uuid)"]}"#, isSignedIn: true)
    #expect(answer.status == 201)
    let key = try JSONDecoder().decode([String: String].self, from: answer.body)
    let script = TestClient(server: server, origin: nil, token: key["token"])
    #expect(try await script.assetCount() == 1)
    let listed = try #require(try await server.access().clients.first)
    #expect((listed.kind, listed.name, listed.readWrite) == ("script", "Backup", "limited"))
    let adding = try await server.post(
      "/api/v1/access/tokens", json: #"{"name":"Backup","level":"addOnly"}"#, isSignedIn: true)
    #expect(adding.status == 422)
    #expect(try await script.assetCount() == 1)
    var page = script
    page.origin = "https://other.example"
    #expect(try await page.ask("/library").status == 403)
  }

  @Test(arguments: [
    (#""level":"readWrite""#, [201, 422, 422, 422]), (#""level":"readWrite","assets":["A"]"#, [422, 201, 422, 422]),
    (#""level":"readWrite","assets":["A","B"]"#, [422, 422, 201, 422]), (#""level":"addOnly""#, [422, 422, 422, 201]),
  ])
  func `a second key with the same name does not change the rights of the first one`(
    first: String, statuses: [Int]
  ) async throws {
    let server = try TestServer()
    let assets = [try server.add(bitmap()), try server.add(bitmap(red: 1), minute: 1)]
    func make(_ rights: String) async throws -> TestServer.Answer {
      let json = #"{"name":"Frame",\#(rights)}"#.replacing("\"A\"", with: "\"\(assets[0].uuid)\"")
        .replacing("\"B\"", with: "\"\(assets[1].uuid)\"")
      return try await server.post("/api/v1/access/tokens", json: json, isSignedIn: true)
    }
    let made = try await make(first)
    let key = try JSONDecoder().decode([String: String].self, from: made.body)
    let script = TestClient(server: server, origin: nil, token: key["token"])
    let rights = try await script.statuses()
    for (other, status) in zip(
      [
        #""level":"readWrite""#, #""level":"readWrite","assets":["A"]"#, #""level":"readWrite","assets":["A","B"]"#,
        #""level":"addOnly""#,
      ], statuses)
    {
      let answer = try await make(other)
      #expect(answer.status == status, "\(other)")
      if status == 422 { #expect(answer.problem?.detail.contains("choose another name") == true) }
      #expect(try await script.statuses() == rights)
    }
    guard first.contains("assets") else { return }
    #expect(try await script.assetCount() == (first.contains("B") ? 2 : 1))
  }

  @Test func `a name with its accents stored apart is the same name`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    for (name, rights, status) in [
      ("Caf\u{E9}", #""level":"readWrite""#, 201), ("Cafe\u{301}", #""level":"readWrite","assets":["A"]"#, 422),
      ("Cafe\u{301}", #""level":"readWrite""#, 201),
    ] {
      let rights = rights.replacing("\"A\"", with: "\"\(asset.uuid)\"")
      let answer = try await server.post(
        "/api/v1/access/tokens", json: #"{"name":"\#(name)",\#(rights)}"#, isSignedIn: true)
      #expect(answer.status == status, "\(name.unicodeScalars.count) scalars, \(rights)")
    }
    let names = try await server.access().clients.map { Array($0.name.unicodeScalars) }
    #expect(names == [Array("Caf\u{E9}".unicodeScalars)])
  }

  /// Swift compares the two names as equal. The library has a record for each of them.
  @Test func `two recorded clients never share what they see`() throws {
    let server = try TestServer()
    try server.add(bitmap())
    let (full, limited) = ("key:Caf\u{E9}", "key:Cafe\u{301}")
    let library = server.library
    try library.setAuthorization(
      .authorized, for: LibraryClient(identifier: full, name: "Caf\u{E9}"), accessLevel: .readWrite)
    try library.setAuthorization(
      .limited, for: LibraryClient(identifier: limited, name: "Caf\u{E9}"), accessLevel: .readWrite)
    let libraries = ClientLibraries(
      owner: library,
      hiddenLock: HiddenLock(owner: library, events: AccessEvents(), clock: { [clock = server.clock] in clock.now }))
    let statuses = [full, limited].map {
      libraries.library(for: LibraryClient(identifier: $0, name: "Caf\u{E9}")).authorizationStatus(for: .readWrite)
    }
    #expect(statuses == [.authorized, .limited])
  }

  @Test func `a script without a valid key can get a key with other rights`() async throws {
    let server = try TestServer()
    for level in ["addOnly", "readWrite"] {
      let answer = try await server.post(
        "/api/v1/access/tokens", json: #"{"name":"Frame","level":"\#(level)"}"#, isSignedIn: true)
      #expect(answer.status == 201)
      let token = try #require(try await server.access().clients.first?.tokens.first)
      #expect(try await server.ask("/api/v1/access/tokens/\(token.id)", method: "DELETE").status == 204)
    }
  }

  @Test(arguments: [
    ("GET", "/session"), ("GET", "/sessions"), ("DELETE", "/sessions/others"), ("GET", "/access"),
    ("POST", "/access/tokens"), ("PUT", "/access/clients/1/selection"), ("DELETE", "/access/clients/1"),
    ("PATCH", "/access/clients/1"), ("POST", "/access/requests/1/answer"), ("DELETE", "/access/tokens/1"),
    ("POST", "/password"),
  ])
  func `a client can't do what only the owner may do`(method: String, path: String) async throws {
    let client = try await TestClient(server: TestServer()).answered("full")
    #expect(try await client.ask(path, method: method, json: #"{"newPassword":"a"}"#).status == 403)
  }

  @Test func `a page of a client may read its answers, and sends no cookies`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    let answer = try await client.ask("/library")
    #expect(answer.field("Access-Control-Allow-Origin") == "https://slideshow.example")
    #expect(answer.field("Access-Control-Allow-Credentials") == nil)
    #expect(answer.field("Vary") == "Authorization, Cookie, Accept-Encoding, Origin")
    let error = try await client.ask("/assets/nothing")
    #expect(error.field("Access-Control-Allow-Origin") == "https://slideshow.example")
    let own = try await server.ask("/api/v1/library")
    #expect(own.field("Access-Control-Allow-Origin") == nil)
    let cookies = try await server.ask("/api/v1/library", ["Origin": "https://slideshow.example"])
    #expect((cookies.status, cookies.field("Access-Control-Allow-Origin")) == (403, nil))
  }

  @Test(arguments: ["/library", "/access/requests", "/access/requests/1", "/access/status", "/nothing"])
  func `a browser may ask what a page of a client can send`(path: String) async throws {
    let answer = try await TestServer().ask(
      "/api/v1\(path)",
      ["Origin": "https://slideshow.example", "Access-Control-Request-Method": "GET"], method: "OPTIONS",
      isSignedIn: false)
    #expect(answer.status == 204)
    #expect(answer.field("Access-Control-Allow-Origin") == "https://slideshow.example")
    let allowed = answer.field("Access-Control-Allow-Headers")?.components(separatedBy: ", ") ?? []
    #expect(Set(["Authorization", "Range", "If-Range", "If-None-Match"]).isSubset(of: allowed))
    #expect(answer.field("Access-Control-Allow-Credentials") == nil)
  }
}
