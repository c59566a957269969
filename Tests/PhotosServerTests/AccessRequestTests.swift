import Foundation
import Photos
import TestSupport
import Testing

@testable import PhotosServer

@Suite struct AccessRequestTests {
  let server: TestServer
  let client: TestClient

  init() throws {
    server = try TestServer()
    client = TestClient(server: server)
  }

  @Test func `A-01: reading the status does not ask`() async throws {
    #expect(try await client.statuses() == ["readWrite": "notDetermined", "addOnly": "notDetermined"])
    #expect(try await server.access().requests.isEmpty)
  }

  /// The paths of lists, with what an empty one says.
  @Test(arguments: [
    ("/library", #""assetCount":0"#), ("/library", #""name":"""#), ("/collections/userLibrary/days", #""total":0"#),
    ("/collections/userLibrary/assets", #""total":0"#), ("/assets", #""total":0"#), ("/search?q=IMG", #""total":0"#),
    ("/assets?where=mediaType==1", #""total":0"#), ("/collections/userLibrary/locations", #""locations":[]"#),
  ])
  func `A-01: a page that never asked finds empty lists, and is not shown`(path: String, text: String) async throws {
    try server.add(bitmap())
    let answer = try await client.ask(path)
    #expect(answer.status == 200)
    #expect(answer.text.contains(text), "\(answer.text)")
    #expect(answer.field("Access-Control-Allow-Origin") == "https://slideshow.example")
    #expect(answer.field("Cache-Control") == "private, no-store")
    let access = try await server.access()
    #expect(access.requests.isEmpty && access.clients.isEmpty)
  }

  @Test(arguments: APIDocument.readings)
  func `A-01: a page without a token learns nothing of the library`(operation: APIDocument.Operation) async throws {
    let asset = try server.add(bitmap())
    let path = String(operation.template.dropFirst("/api/v1".count)).replacing("{id}", with: asset.uuid)
      .replacing("{version}", with: asset.renditionVersion).replacing("{kind}", with: "grid")
      .replacing("{index}", with: "0")
    func answer() async throws -> (Int, [String], String) {
      let answer = try await client.ask(path)
      return (answer.status, answer.fields.map { "\($0.name): \($0.value)" }, answer.text)
    }
    let before = try await answer()
    #expect(before.0 != 500)
    #expect(!before.2.contains("Summer"))
    // Another page of the origin has access, which proves nothing about this one.
    _ = try await client.answered("full")
    try server.add(bitmap(red: 1), minute: 1)
    let after = try await answer()
    #expect(after == before)
  }

  @Test func `A-02: the owner sees who asks, for what and why`() async throws {
    let receipt = try await client.request()
    let request = try #require(try await server.access().requests.first)
    #expect(request.id == receipt.request)
    #expect(request.origin == "https://slideshow.example")
    #expect(request.name == "Slideshow")
    #expect(request.level == "readWrite")
    #expect(request.usageDescription == "Shows your photos.")
    #expect(request.code == receipt.code)
    #expect(receipt.code.count == 2)
    #expect(try await client.progress(of: receipt) == .init(status: "waiting"))
  }

  @Test func `A-02: a client that waits is answered as soon as the owner has answered`() async throws {
    let receipt = try await client.request()
    // The server's time stands still, so this time never ends.
    let waiting = Task { try await client.progress(of: receipt, wait: 30) }
    try await wait(for: "a request that waits") { server.polls.count == 1 }
    _ = try await server.answer(receipt.request, "full")
    #expect(try await result(of: waiting, "the client's answer").get().status == "authorized")
  }

  @Test func `A-02: a client that waits is answered at the end of its time`() async throws {
    let receipt = try await client.request()
    let waiting = Task { try await client.progress(of: receipt, wait: 30) }
    try await wait(for: "a request that waits") { server.polls.count == 1 }
    server.clock.advance(30)
    #expect(try await result(of: waiting, "the client's answer").get() == .init(status: "waiting"))
  }

  @Test func `A-03: full access shows everything, and the token is given once`() async throws {
    try server.add(bitmap())
    let receipt = try await client.request()
    #expect(try await server.answer(receipt.request, "full").status == 204)
    let first = try await client.progress(of: receipt)
    #expect(first.status == "authorized")
    #expect(try await client.progress(of: receipt) == .init(status: "authorized"))
    var allowed = client
    allowed.token = first.token
    #expect(try await allowed.assetCount() == 1)
    #expect(try await allowed.statuses() == ["readWrite": "authorized", "addOnly": "authorized"])
    #expect(try await server.access().requests.isEmpty)
  }

  @Test func `A-04: a limited client sees exactly what the owner chose`() async throws {
    let assets = try (0..<3).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let limited = try await client.answered("limited", assets: [assets[0], assets[2]])
    #expect(try await limited.assetCount() == 2)
    #expect(try await limited.statuses()["readWrite"] == "limited")
    for (asset, status) in zip(assets, [200, 404, 200]) {
      #expect(try await limited.ask("/assets/\(asset.uuid)").status == status)
      #expect(try await limited.ask("/resources/\(asset.uuid)/0").status == status)
      #expect(try await limited.ask("/renditions/\(asset.uuid)/\(asset.renditionVersion)/grid").status == status)
    }
  }

  @Test func `A-05: a limited client may see nothing`() async throws {
    try server.add(bitmap())
    let limited = try await client.answered("limited")
    #expect(try await limited.statuses()["readWrite"] == "limited")
    #expect(try await limited.assetCount() == 0)
  }

  @Test func `A-06: a denied client gets no token, and does not bother the owner again`() async throws {
    let receipt = try await client.request()
    _ = try await server.answer(receipt.request, "denied")
    #expect(try await client.progress(of: receipt) == .init(status: "denied"))
    let again = try await client.request()
    #expect(try await client.progress(of: again) == .init(status: "denied"))
    #expect(try await server.access().requests.isEmpty)
  }

  @Test(arguments: ["denied", "restricted", "notDetermined"])
  func `A-06, A-07: a client that lost its access gets empty lists, and no error`(status: String) async throws {
    try server.add(bitmap())
    let allowed = try await client.answered("full")
    let number = try await server.onlyClient()
    let json = #"{"readWrite":"\#(status)","addOnly":"\#(status)"}"#
    let answer = try await server.post(
      "/api/v1/access/clients/\(number)", json: json, method: "PATCH", isSignedIn: true)
    #expect(answer.status == 200)
    #expect(try await allowed.assetCount() == 0)
    #expect(try await allowed.statuses() == ["readWrite": status, "addOnly": status])
  }

  @Test(arguments: [("denied", "access-user-denied", 3311), ("restricted", "access-restricted", 3310)])
  func `A-06, A-07: a page that was refused finds nothing, changes nothing, and reads its status`(
    answer: String, problem: String, code: Int
  ) async throws {
    try server.add(bitmap())
    let receipt = try await client.request()
    #expect(try await server.answer(receipt.request, answer).status == 204)
    #expect(try await client.assetCount() == 0)
    #expect(try await client.statuses()["readWrite"] == answer)
    for (path, method, json) in [
      ("/changes", "POST", #"{"changes":[{"type":"createAlbum","as":"$1","title":"A"}]}"#), ("/uploads", "POST", "a"),
      ("/imports", "POST", #"{"uploads":[]}"#), ("/undo", "POST", "{}"),
    ] {
      let refused = try await client.ask(path, method: method, json: json)
      #expect(refused.status == 403)
      #expect(refused.problem?.type == "urn:calotype:problem:\(problem)")
      #expect(refused.problem?.phPhotosErrorCode == code)
    }
  }

  @Test func `A-08: a client that may only add sees nothing`() async throws {
    let asset = try server.add(bitmap())
    let adding = try await client.answered("addOnly", level: "addOnly")
    #expect(try await adding.assetCount() == 0)
    #expect(try await adding.ask("/assets/\(asset.uuid)").status == 404)
  }

  @Test func `a refused request gets no token, whatever its client's name may do`() async throws {
    _ = try await client.answered("addOnly", level: "addOnly")
    server.clock.advance(60)
    let refused = try await client.answered("denied")
    #expect(refused.token == nil)
  }

  @Test func `A-09: the levels are independent`() async throws {
    let adding = try await client.answered("addOnly", level: "addOnly")
    #expect(try await adding.statuses() == ["readWrite": "notDetermined", "addOnly": "authorized"])
    let list = try await adding.ask("/assets")
    #expect(list.text.contains(#""revision":"00000000-0000-0000-0000-000000000000-0""#), "\(list.text)")
    server.clock.advance(60)
    let reading = try await client.answered("full")
    #expect(try await reading.statuses() == ["readWrite": "authorized", "addOnly": "authorized"])
  }

  @Test(arguments: [
    ("usageDescription", #"{"name":"A","level":"readWrite"}"#),
    ("name", #"{"level":"readWrite","usageDescription":"B"}"#),
    ("level", #"{"name":"A","usageDescription":"B"}"#),
    ("usageDescription", #"{"name":"A","level":"readWrite","usageDescription":" \n"}"#),
    ("level", #"{"name":"A","level":"everything","usageDescription":"B"}"#),
  ])
  func `A-10: a request without a reason is refused, and the owner is not bothered`(
    key: String, json: String
  ) async throws {
    let answer = try await client.ask("/access/requests", method: "POST", json: json)
    #expect(answer.status == 422)
    #expect(answer.text.contains("\(key): "))
    #expect(try await server.access().requests.isEmpty)
  }

  @Test func `A-11: the second answer is a conflict, and changes nothing`() async throws {
    let receipt = try await client.request()
    #expect(try await server.answer(receipt.request, "full").status == 204)
    #expect(try await server.answer(receipt.request, "denied").status == 409)
    #expect(try await client.progress(of: receipt).status == "authorized")
    #expect(try await server.answer("nothing", "full").status == 404)
  }

  @Test func `A-12: nothing of a client is kept by its browser`() async throws {
    let asset = try server.add(bitmap())
    let allowed = try await client.answered("full")
    let path = "/renditions/\(asset.uuid)/\(asset.renditionVersion)/grid"
    for path in ["/library", "/assets/\(asset.uuid)", path, "/resources/\(asset.uuid)/0"] {
      #expect(try await allowed.ask(path).field("Cache-Control") == "private, no-store")
    }
    let number = try await server.onlyClient()
    _ = try await server.post(
      "/api/v1/access/clients/\(number)", json: #"{"readWrite":"denied"}"#, method: "PATCH", isSignedIn: true)
    #expect(try await allowed.ask(path).status == 404)
  }

  /// Names as JSON.
  @Test(arguments: [
    #"A\u202EB"#, #"A\u200BB"#, #"\u2060AB"#, #"AB\uFEFF"#, #"A\u00ADB"#, #"AB\u200D"#, #"A\u200CB"#,
  ])
  func `A-14: a client's texts are cut, and can't reverse the text around them`(name: String) async throws {
    let text = "<b>\u{202E}evil\u{0007}\\n" + String(repeating: "x", count: 10_000)
    let answer = try await client.ask(
      "/access/requests", method: "POST",
      json: #"{"name":"\#(name)","level":"addOnly","usageDescription":"\#(text)"}"#
        .replacing("\u{0007}", with: "\\u0007"))
    #expect(answer.status == 201)
    let request = try #require(try await server.access().requests.first)
    #expect(request.name == "AB")
    #expect(request.usageDescription.hasPrefix("<b>evil xxx"))
    #expect(request.usageDescription.count <= 300)
  }

  @Test(arguments: [PHAuthorizationStatus.denied, .restricted])
  func `a request is answered when its client is refused elsewhere`(status: PHAuthorizationStatus) async throws {
    let receipt = try await client.request()
    let refused = LibraryClient(identifier: "https://slideshow.example")
    try PHPhotoLibrary(url: server.library.url).setAuthorization(status, for: refused, accessLevel: .readWrite)
    #expect(try await server.access().requests.isEmpty)
    #expect(try await client.progress(of: receipt) == .init(status: "\(status)"))
    #expect(try await server.answer(receipt.request, "full").status == 409)
  }

  @Test func `access that is given elsewhere gives no token to the one who asks`() async throws {
    let receipt = try await client.request()
    let allowed = LibraryClient(identifier: "https://slideshow.example")
    try PHPhotoLibrary(url: server.library.url).setAuthorization(.authorized, for: allowed, accessLevel: .readWrite)
    #expect(try await client.progress(of: receipt) == .init(status: "waiting"))
    #expect(try await server.answer(receipt.request, "full").status == 204)
    #expect(try await client.progress(of: receipt).token != nil)
  }

  @Test(arguments: ["readWrite", "addOnly"])
  func `an answer that allows adding neither lowers nor hands out what a client may see`(level: String) async throws {
    try server.add(bitmap())
    let allowed = try await client.answered("full")
    let receipt = try await client.request(level: level)
    let answer = try await server.answer(receipt.request, "addOnly")
    #expect(answer.status == 422)
    #expect(answer.problem?.detail.contains("may see the library already") == true)
    #expect(try await client.progress(of: receipt) == .init(status: "waiting"))
    #expect(try await allowed.assetCount() == 1)
  }

  @Test func `A-02: the token of a client that has left stays until it asks again`() async throws {
    try await listening(server, limits: ServerLimits(connections: 16)) { url, built in
      let port = try #require(url.port)
      func send(_ line: String, _ fields: String, json: String = "") throws -> RawConnection.Answer {
        let head =
          "\(line) HTTP/1.1\r\n\(fields)Content-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n"
        return try RawConnection(port: port).exchange(head, Data(json.utf8))
      }
      let host = "Host: 127.0.0.1:\(port)\r\n"
      let asked = try send(
        "POST /api/v1/access/requests", host, json: #"{"name":"A","level":"readWrite","usageDescription":"B"}"#)
      let receipt = try JSONDecoder().decode(TestClient.Receipt.self, from: asked.body)
      let (path, secret) = ("/api/v1/access/requests/\(receipt.request)", "Authorization: Bearer \(receipt.secret)\r\n")
      let waiting = try RawConnection(port: port)
      waiting.send("GET \(path)?wait=30 HTTP/1.1\r\n\(host)\(secret)\r\n")
      try await wait(for: "a request that waits") { built.polls.count == 1 }
      waiting.finishSending()
      // The server closes the connection when it has noticed, without the answer that nothing has
      // happened. Nobody is left who would take the token.
      let received = String(decoding: try waiting.receiveAll(), as: UTF8.self)
      #expect(!received.hasPrefix("HTTP/1.1 200"), "\(received)")
      try await wait(for: "the end of the request") { built.polls.count == 0 }
      let answered = try send(
        "POST \(path)/answer", head(url) + "Sec-Fetch-Site: same-origin\r\n", json: #"{"answer":"full"}"#)
      #expect(answered.status == 204)
      let again = try send("GET \(path)", host + secret)
      let progress = try JSONDecoder().decode(TestClient.Progress.self, from: again.body)
      #expect(progress.status == "authorized")
      #expect(progress.token != nil)
    }
  }

  @Test func `a request whose client has gone is dropped`() async throws {
    _ = try await client.request()
    server.clock.advance(AccessRequests.pollTimeout)
    #expect(try await server.access().requests.isEmpty)
    _ = try await client.request()
  }

  @Test func `a request whose client was forgotten before it took its token is unknown`() async throws {
    let receipt = try await client.request()
    #expect(try await server.answer(receipt.request, "full").status == 204)
    #expect(
      try await server.ask("/api/v1/access/clients/\(server.onlyClient())", method: "DELETE").status == 204)
    var asking = client
    asking.token = receipt.secret
    #expect(try await asking.ask("/access/requests/\(receipt.request)", method: "HEAD").status == 404)
    #expect(try await asking.ask("/access/requests/\(receipt.request)").status == 404)
  }

  @Test func `the secret of a request is needed for its answer`() async throws {
    let receipt = try await client.request()
    var other = client
    other.token = "wrong"
    #expect(try await other.ask("/access/requests/\(receipt.request)").status == 404)
    other.token = receipt.secret
    other.origin = "https://other.example"
    #expect(try await other.ask("/access/requests/\(receipt.request)").status == 404)
  }

  @Test func `a program can't take the name of another client`() async throws {
    let slideshow = LibraryClient(identifier: "com.example.Slideshow")
    try server.library.setAuthorization(.authorized, for: slideshow, accessLevel: .readWrite)
    let program = TestClient(server: server, origin: nil)
    let answer = try await program.ask(
      "/access/requests", method: "POST",
      json: #"{"name":"A","identifier":"com.example.Slideshow","level":"readWrite","usageDescription":"B"}"#)
    let receipt = try JSONDecoder().decode(TestClient.Receipt.self, from: answer.body)
    #expect(try await server.answer(receipt.request, "denied").status == 204)
    #expect(server.library.photoLibrary(for: slideshow).authorizationStatus(for: .readWrite) == .authorized)
  }

  @Test func `refusing a further request takes nothing from a client that has access`() async throws {
    try server.add(bitmap())
    let allowed = try await client.answered("full")
    let receipt = try await client.request()
    _ = try await server.answer(receipt.request, "denied")
    #expect(try await client.progress(of: receipt) == .init(status: "denied"))
    #expect(try await allowed.assetCount() == 1)
  }

  @Test func `a program on this machine that has asked is in the list`() async throws {
    let library = try PHPhotoLibrary(
      url: server.library.url,
      client: LibraryClient(identifier: "com.example.A", name: "A", usageDescription: "Shows them."))
    library.authorizationAnswerer = NobodyAnswers()
    #expect(await library.requestAuthorization(for: .readWrite) == .notDetermined)
    let request = try #require(try await server.access().requests.first)
    #expect((request.path, request.name, request.usageDescription) == ("com.example.A", "A", "Shows them."))
    #expect(try await server.answer(request.id, "full").status == 204)
    #expect(library.authorizationStatus(for: .readWrite) == .authorized)
    #expect(try await server.answer(request.id, "denied").status == 409)
    #expect(try await server.access().requests.isEmpty)
  }

  @Test func `a program that asks while a server runs gets the owner's answer`() async throws {
    let presence = try server.library.announceServer()
    let library = try PHPhotoLibrary(
      url: server.library.url,
      client: LibraryClient(identifier: "com.example.A", name: "A", usageDescription: "Shows them."))
    library.authorizationAnswerer = NobodyAnswers()
    let asking = Task { await library.requestAuthorization(for: .readWrite) }
    var requests: [TestServer.Access.Request] = []
    try await wait(for: "the program's request") {
      requests = try await server.access().requests
      return !requests.isEmpty
    }
    #expect(try await server.answer(requests[0].id, "full").status == 204)
    #expect(try await result(of: asking, "the program's answer").get() == .authorized)
    #expect(library.authorizationProblem == nil)
    withExtendedLifetime(presence) {}
  }

  @Test func `a program that asks does not wait once the server has ended`() async throws {
    var presence: ServerPresence? = try server.library.announceServer()
    let library = try PHPhotoLibrary(
      url: server.library.url,
      client: LibraryClient(identifier: "com.example.A", name: "A", usageDescription: "Shows them."))
    library.authorizationAnswerer = NobodyAnswers()
    let asking = Task { await library.requestAuthorization(for: .readWrite) }
    try await wait(for: "the program's request") { try await !server.access().requests.isEmpty }
    withExtendedLifetime(presence) {}
    presence = nil
    #expect(try await result(of: asking, "the program's answer").get() == .notDetermined)
  }

  private struct Listed: Codable, Equatable {
    var client: String
    var name: String
    var readWrite: String
    var addOnly: String
    var selectedAssets: Int
  }

  @Test func `the web app and the program list the same clients, with the same access`() async throws {
    let assets = try (0..<2).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    _ = try await client.answered("limited", assets: assets)
    _ = try await TestClient(server: server, origin: nil).answered("addOnly", level: "addOnly")
    let key = #"{"name":"Backup","level":"readWrite"}"#
    #expect(try await server.post("/api/v1/access/tokens", json: key, isSignedIn: true).status == 201)
    try server.library.setAuthorization(
      .denied, for: LibraryClient(identifier: "/opt/show", name: "show"), accessLevel: .readWrite)
    let listed = try await server.access().clients
    #expect(
      listed.map { "\($0.kind) \($0.identifier)" } == [
        "program /opt/show", "origin https://slideshow.example", "script key:Backup", "program remote:Slideshow 2",
      ])
    let printed = try Program(library: server.library.url.path).run("access", "list", "--json").output
    #expect(
      try printed.split(separator: "\n").map { try JSONDecoder().decode(Listed.self, from: Data($0.utf8)) }
        == listed.map {
          Listed(
            client: $0.identifier, name: $0.name, readWrite: $0.readWrite, addOnly: $0.addOnly,
            selectedAssets: $0.selectedCount)
        })
    #expect(listed.map(\.selectedCount) == [0, 2, 0, 0])
  }

  private struct NobodyAnswers: AuthorizationAnswerer {
    func answer(
      _ request: AuthorizationRequest, completionHandler: @escaping @Sendable (AuthorizationAnswer) -> Void
    ) { completionHandler(.unanswered(reason: "nobody is here")) }
  }

  @Test(arguments: ["null", "ftp://example.com", "https://", "https://exämple.com", "chrome-extension://abc"])
  func `an origin that is none can't ask`(origin: String) async throws {
    var other = client
    other.origin = origin
    let answer = try await other.ask(
      "/access/requests", method: "POST", json: #"{"name":"A","level":"addOnly","usageDescription":"B"}"#)
    #expect(answer.status == 422)
  }

  @Test func `giving access needs a recent password or link, and refusing it does not`() async throws {
    server.clock.advance(SessionRules.authenticationLifetime)
    let receipt = try await client.request()
    #expect(try await server.answer(receipt.request, "full").status == 403)
    #expect(try await server.answer(receipt.request, "denied").status == 204)
    for (path, method, json) in [
      ("/clients/1", "PATCH", #"{"readWrite":"authorized"}"#), ("/clients/1/selection", "PUT", #"{"assets":[]}"#),
      ("/tokens", "POST", #"{"name":"A","level":"readWrite"}"#),
    ] {
      let answer = try await server.post("/api/v1/access\(path)", json: json, method: method, isSignedIn: true)
      #expect(answer.status == 403)
    }
  }
}
