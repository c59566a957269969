import Foundation
import Photos
import Testing

@testable import PhotosServer

/// Clients that send wrong tokens, or ask for more than they may have.
///
/// The library has two photos, an album and a folder. The paths of requests name the first photo,
/// the album and the folder.
@Suite struct HostileClientTests {
  let server: TestServer
  let assets: [PHAsset]
  let album: String
  let folder: String

  init() async throws {
    let server = try TestServer(limits: .withoutChecks)
    self.server = server
    assets = try (0..<2).map { try server.add(bitmap(red: UInt8($0)), named: "Fjordside_\($0).BMP", minute: $0) }
    let list = TestServer.list(assets)
    let answer = try await server.post(
      "/api/v1/changes",
      json: #"""
        {"changes": [
          {"type": "setAssets", "assets": \#(list), "title": "Glimmerglass", "keywords": ["Hafslundia"],
            "creationDate": "1987-05-06T07:08:09Z", "location": {"latitude": 61.2345, "longitude": 7.1234}},
          {"type": "createAlbum", "as": "$1", "title": "Ytterdalen"},
          {"type": "addAssets", "collection": "$1", "assets": \#(list)},
          {"type": "createFolder", "as": "$2", "title": "Vestlandia"}]}
        """#, isSignedIn: true)
    let created = try JSONDecoder().decode(Created.self, from: answer.body).created
    (album, folder) = (try #require(created["$1"]), try #require(created["$2"]))
  }

  private struct Created: Decodable { var created: [String: String] }

  /// Texts of the library that nobody can guess.
  private func secrets() throws -> [String] {
    try assets.flatMap { [$0.uuid, $0.renditionVersion, String(try $0.storedResources[0].sha256.prefix(12))] }
      + [album, folder, "Fjordside", "Glimmerglass", "Hafslundia", "Ytterdalen", "Vestlandia", "1987-05-06", "61.23"]
      + [String(server.library.currentChangeToken.stringValue.prefix(36)), "Summer", server.library.url.path]
  }

  /// Returns the paths of an operation, without `/api/v1`, and with names of the library.
  private func paths(_ operation: APIDocument.Operation) -> [String] {
    let path = operation.template.dropFirst("/api/v1".count)
      .replacing(/\/(assets|renditions|resources)\/{id}/) { "/\($0.1)/\(assets[0].uuid)" }
      .replacing("{version}", with: assets[0].renditionVersion)
    let paths =
      path.hasPrefix("/collections/{id}")
      ? ["userLibrary", "favorites", album, folder].map { path.replacing("{id}", with: $0) } : [path]
    let queries =
      switch (operation.method, path) {
      case ("GET", "/search"): ["?q=IMG"]
      case ("GET", "/places"): ["?q=photos"]
      case ("GET", "/picked"): ["?identifiers=A,B"]
      case ("GET", "/changes"): ["", "?since=\(server.library.currentChangeToken.stringValue)"]
      case ("GET", "/assets"): ["", "?where=originalFilename%20BEGINSWITH%20'F'", "?sort=-creationDate&offset=1"]
      case ("GET", "/collections/{id}/assets"): ["", "?at=\(assets[0].uuid)", "?q=IMG"]
      default: [""]
      }
    return paths.map { APIDocument.path(of: String($0)) }.flatMap { path in queries.map { path + $0 } }
  }

  /// Returns a body with which the operation would do something.
  private func body(_ operation: APIDocument.Operation) -> String {
    let list = TestServer.list([assets[0]])
    return switch "\(operation.method) \(operation.template.dropFirst("/api/v1".count))" {
    case "POST /changes": #"{"changes":[{"type":"setAssets","assets":\#(list),"isFavorite":true}]}"#
    case "POST /downloads": #"{"assets":\#(list),"kind":"originals"}"#
    case "POST /images": #"{"asset":"\#(assets[0].uuid)","width":8,"height":8}"#
    case "POST /access/requests": #"{"name":"A","level":"readWrite","usageDescription":"B"}"#
    case "POST /access/tokens": #"{"name":"A","level":"readWrite"}"#
    case "POST /uploads/check": #"{"files":[]}"#
    case "POST /imports": #"{"uploads":["A"]}"#
    default: "{}"
    }
  }

  private func send(
    _ operation: APIDocument.Operation, _ path: String, by client: TestClient
  ) async throws -> TestServer.Answer {
    try await client.ask(path, method: operation.method, json: operation.method == "GET" ? nil : body(operation))
  }

  // MARK: Wrong tokens

  /// The requests that check a token. The others are about signing in, or use their own secret.
  private static let withToken = APIDocument.operations.filter {
    !$0.isOpen || $0.template == "/api/v1/access/status" || $0.testDescription == asking
  }
  /// A page's request for access goes by its origin, so a wrong token does not matter.
  private static let asking = "POST /api/v1/access/requests"

  /// Expects that requests have no effect. `countsUses` includes the uses of tokens.
  private func expectNoEffect(countsUses: Bool = true, _ requests: () async throws -> Void) async throws {
    func state() async throws -> [String] {
      [
        server.library.currentChangeToken.stringValue, try await server.ask("/api/v1/confirmations").text,
        "\(try server.library.signIns.owner())", countsUses ? try await server.ask("/api/v1/access").text : "",
      ]
    }
    let before = try await state()
    try await requests()
    #expect(try await state() == before)
  }

  @Test(arguments: withToken)
  func `U-13: a forged token is like a malformed one, and has no effect`(operation: APIDocument.Operation) async throws
  {
    // Its checksum is right.
    let forged = AccessToken(.system).text
    try await expectNoEffect {
      for origin in [nil, "https://slideshow.example"] where origin == nil || operation.testDescription != Self.asking {
        for path in paths(operation) {
          let answer = try await send(operation, path, by: TestClient(server: server, origin: origin, token: forged))
          let malformed = try await send(
            operation, path, by: TestClient(server: server, origin: origin, token: "cal_A"))
          #expect(answer.status == 401)
          #expect(answer.problem?.detail == "the token is wrong, has expired or was revoked")
          #expect(answer.fields == malformed.fields)
          #expect(answer.body == malformed.body)
        }
      }
    }
  }

  @Test(arguments: withToken)
  func `U-13: a page's token is refused at other origins, and that use is not counted`(
    operation: APIDocument.Operation
  ) async throws {
    let client = try await TestClient(server: server).answered("full")
    try await expectNoEffect {
      for origin in [nil, "https://other.example"] where origin == nil || operation.testDescription != Self.asking {
        var other = client
        other.origin = origin
        for path in paths(operation) {
          let answer = try await send(operation, path, by: other)
          #expect(answer.status == 403)
          #expect(answer.problem?.type == "urn:calotype:problem:other-origin")
          #expect(answer.problem?.detail == "this token belongs to another origin")
        }
      }
    }
    #expect(try server.library.clientTokens.all().map(\.useCount) == [0])
    #expect(try await server.access().clients.map(\.requestCount) == [0])
  }

  // MARK: Clients that see nothing

  /// The statuses for `readWrite` and `addOnly` of a client that sees nothing.
  private static let blind = [
    ("denied", "authorized"), ("denied", "denied"), ("restricted", "restricted"), ("notDetermined", "notDetermined"),
  ]

  private func setAccess(_ statuses: (readWrite: String, addOnly: String)) async throws {
    let json = #"{"readWrite":"\#(statuses.readWrite)","addOnly":"\#(statuses.addOnly)"}"#
    let path = "/api/v1/access/clients/\(try await server.onlyClient())"
    #expect(try await server.post(path, json: json, method: "PATCH", isSignedIn: true).status == 200)
  }

  /// The requests whose answers don't depend on the library's photos.
  private static let general: Set = [
    "/api/v1/access/status", "/api/v1/filters", "/api/v1/map/outlines.svg", "/api/v1/openapi.json", "/api/v1/places",
  ]

  private static func isOfList(_ path: String) -> Bool {
    ["/library", "/collections", "/assets", "/search", "/picked", "/edits"].contains(path.prefix { $0 != "?" })
      || path.hasPrefix("/collections/userLibrary/") || path.hasPrefix("/collections/favorites/")
  }

  /// Expects that an answer has no element of a list, and counts none.
  private func expectEmpty(_ answer: TestServer.Answer, _ path: String) throws {
    #expect(answer.status == 200, "\(path)")
    guard answer.field("Content-Type")?.hasPrefix("application/json") == true else {
      return #expect(answer.body.isEmpty, "\(path)")
    }
    let object = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
    for (key, value) in object where !["features", "understood", "offset"].contains(key) {
      if let list = value as? [Any] { #expect(list.isEmpty, "\(path) \(key)") }
      if let number = value as? Int { #expect(number == 0, "\(path) \(key)") }
    }
  }

  @Test(arguments: APIDocument.readings)
  func `A-06, A-07, A-08: a client that may not read learns nothing of the library`(
    operation: APIDocument.Operation
  ) async throws {
    // Its former selection does not matter.
    let client = try await TestClient(server: server).answered("limited", assets: assets)
    var isFavorite = false
    for statuses in Self.blind {
      try await setAccess(statuses)
      for path in paths(operation) {
        func answer() async throws -> TestServer.Answer { try await client.ask(path) }
        let before = try await answer()
        if Self.isOfList(path) { try expectEmpty(before, path) }
        if path.hasPrefix("/changes") {
          #expect(before.status == 403)
          #expect(before.problem?.phPhotosErrorCode == (statuses.0 == "restricted" ? 3310 : 3311))
        }
        if !Self.isOfList(path), !Self.general.contains(operation.template) {
          #expect([403, 404].contains(before.status), "\(path) \(before.status)")
        }
        let text = before.fields.map { "\($0.name): \($0.value)\n" }.joined() + before.text
        // An answer may repeat what the client has sent.
        for secret in try secrets() where !path.contains(secret) {
          #expect(!text.contains(secret), "\(path): \(secret)")
        }
        // No change of the owner shows either.
        isFavorite.toggle()
        try server.library.performChangesAndWait { [isFavorite] in
          PHAssetChangeRequest(for: assets[0]).isFavorite = isFavorite
        }
        let after = try await answer()
        #expect((after.status, after.fields, after.text) == (before.status, before.fields, before.text), "\(path)")
      }
    }
  }

  @Test(arguments: ["full", "limited"])
  func `a client that may read learns the library's name, and not the path`(answer: String) async throws {
    let client = try await TestClient(server: server).answered(answer)
    let library = try await client.ask("/library").text
    #expect(library.contains(#""name":"Summer""#))
    #expect(!library.contains(server.library.url.path))
  }

  /// The requests that change something, and whether a client that may only add may send them.
  private static let changes: [(path: String, json: String, isAdding: Bool)] = [
    ("/changes", #"{"changes":[{"type":"setAssets","assets":["ID"],"isFavorite":true}]}"#, false),
    ("/changes", #"{"changes":[{"type":"setAssets","assets":["UNKNOWN"],"isFavorite":true}]}"#, false),
    ("/changes", #"{"changes":[{"type":"deleteAssets","assets":["ID"]}]}"#, false),
    ("/changes", #"{"changes":[{"type":"createAlbum","as":"$1","title":"A"}]}"#, false),
    ("/changes", #"{"changes":[{"type":"deleteCollections","collections":["ALBUM"]}]}"#, false),
    ("/undo", "{}", false), ("/redo", "{}", false), ("/undo", #"{"transaction":1}"#, false),
    ("/uploads", "", true), ("/imports", #"{"uploads":["A"]}"#, true),
    ("/imports", #"{"uploads":["A"],"album":"ALBUM"}"#, true),
  ]

  @Test(arguments: blind.indices)
  func `A-06, A-07, A-08: a client that may not read changes nothing`(index: Int) async throws {
    let statuses = Self.blind[index]
    let client = try await TestClient(server: server).answered("full")
    try await setAccess(statuses)
    try await expectNoEffect(countsUses: false) {
      for (path, json, isAdding) in Self.changes where !isAdding || statuses.1 != "authorized" {
        let json = json.replacing("ID", with: assets[0].uuid).replacing("UNKNOWN", with: UUID().uuidString)
          .replacing("ALBUM", with: album)
        let answer = try await client.ask(path, method: "POST", json: json)
        let (problem, code) =
          statuses.0 == "restricted" ? ("access-restricted", 3310) : ("access-user-denied", 3311)
        #expect(answer.status == 403, "\(path) \(json)")
        #expect(answer.problem?.type == "urn:calotype:problem:\(problem)", "\(path) \(json)")
        #expect(answer.problem?.phPhotosErrorCode == code, "\(path) \(json)")
        for secret in try secrets() { #expect(!answer.text.contains(secret), "\(path) \(json): \(secret)") }
      }
    }
  }

  @Test(arguments: [
    ("/downloads", #"{"assets":["ID"],"kind":"originals"}"#), ("/downloads", #"{"assets":["ID"],"kind":"current"}"#),
    ("/images", #"{"asset":"ID","width":8,"height":8}"#),
    ("/uploads/check", #"{"files":[{"sha256":"DIGEST","bytes":1}]}"#),
  ])
  func `A-06, A-07, A-08: a client that may not read gets the same answer about a photo as about a missing one`(
    path: String, json: String
  ) async throws {
    let client = try await TestClient(server: server).answered("full")
    let digest = try assets[0].storedResources[0].sha256
    for statuses in Self.blind {
      try await setAccess(statuses)
      func answer(_ id: String, _ digest: String) async throws -> (Int, String) {
        let json = json.replacing("ID", with: id).replacing("DIGEST", with: digest)
        let answer = try await client.ask(path, method: "POST", json: json)
        return (answer.status, answer.text.replacing(id, with: "ID"))
      }
      let given = try await answer(assets[0].uuid, digest)
      #expect(given == (try await answer(UUID().uuidString, String(repeating: "0", count: 64))))
      #expect(path == "/uploads/check" || given.0 >= 400)
    }
  }

  // MARK: Answers that are not kept

  @Test(arguments: APIDocument.operations)
  func `A-12: no answer to a client is kept by its browser`(operation: APIDocument.Operation) async throws {
    let client = try await TestClient(server: server).answered("full")
    let own = ["Origin": try #require(client.origin), "Authorization": "Bearer \(try #require(client.token))"]
    func expectNotKept(_ path: String, _ method: String, _ fields: [String: String] = [:]) async throws {
      var fields = fields.merging(own) { $1 }
      if !["GET", "HEAD"].contains(method) { fields["Content-Type"] = "application/json" }
      // A stream has no end, so the body is not read.
      let response = try await server.response(
        to: "/api/v1\(path)", fields, method: method, body: method == "GET" ? "" : body(operation), isSignedIn: false)
      let isError = response.status.code >= 400 || operation.isOpen && operation.template != "/api/v1/access/status"
      #expect(response.headers[.cacheControl] == (isError ? "no-store" : "private, no-store"), "\(method) \(path)")
      if fields["If-None-Match"] == nil, let tag = response.headers[.eTag] {
        try await expectNotKept(path, method, ["If-None-Match": tag])
      }
    }
    for statuses in [("authorized", "authorized")] + Self.blind {
      try await setAccess(statuses)
      for path in paths(operation) {
        try await expectNotKept(path, operation.method)
        if operation.method == "GET" { try await expectNotKept(path, "HEAD") }
      }
    }
  }

  // MARK: The library's path

  @Test(arguments: APIDocument.operations.filter { !$0.waits })
  func `no answer to a client names the path of a library that fails`(operation: APIDocument.Operation) async throws {
    let client = try await TestClient(server: server).answered("full")
    // The server knows the token now.
    #expect(try await client.assetCount() == 2)
    let (path, requests) = (server.library.url.path, paths(operation))
    try FileManager.default.moveItem(atPath: path, toPath: "\(path).away")
    for request in requests {
      let answer = try await send(operation, request, by: client)
      #expect(!answer.text.contains(server.folder.path), "\(answer.text)")
      guard operation.template == "/api/v1/library" else { continue }
      #expect(answer.status == 503)
      #expect(answer.problem?.detail == Failure.Problem.unavailable.title)
    }
  }

  @Test func `no answer to a client names the path of a library that can't be written`() async throws {
    let client = try await TestClient(server: server).answered("full")
    let database = server.library.url.appendingPathComponent("library.sqlite")
    // The library does not write to a file that has a second name elsewhere.
    try FileManager.default.linkItem(at: database, to: server.folder.appendingPathComponent("other"))
    let readOnly = try TestServer(library: try PHPhotoLibrary(url: server.library.url))
    try #require(readOnly.library.readOnlyReason != nil)
    let json = #"{"changes":[{"type":"setAssets","assets":["\#(assets[0].uuid)"],"isFavorite":true}]}"#
    let own = try await readOnly.post("/api/v1/changes", json: json, isSignedIn: true)
    #expect(own.problem?.detail.contains(server.library.url.path) == true)
    let answer = try await TestClient(server: readOnly, token: client.token).ask("/changes", method: "POST", json: json)
    #expect(answer.status == own.status)
    #expect(answer.problem?.detail == answer.problem?.title)
  }

  @Test func `a client can't find out whether its guess of the library's path is right`() async throws {
    let client = try await TestClient(server: server).answered("full")
    func answer(_ path: String) async throws -> [String] {
      let name = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      var answers: [String] = []
      for request in [
        "/assets/\(name)", "/assets?where=\(name)", "/changes?since=\(name)", "/collections/\(name)/days",
      ] {
        answers.append(try await client.ask(request).text)
      }
      for (request, json) in [
        ("/changes", #"{"changes":[{"type":"setAssets","assets":["PATH"],"isFavorite":true}]}"#),
        ("/changes", #"{"changes":[{"type":"addAssets","collection":"PATH","assets":[]}]}"#),
        ("/imports", #"{"uploads":["A"],"album":"PATH"}"#),
      ] {
        answers.append(try await client.ask(request, method: "POST", json: json.replacing("PATH", with: path)).text)
      }
      // Answers may repeat the path in another encoding.
      return answers.map { $0.replacing(/summer|winter/.ignoresCase(), with: "NAME") }
    }
    let path = server.library.url.path
    #expect(try await answer(path) == answer(path.replacing("Summer", with: "Winter")))
  }

  // MARK: Names

  @Test(arguments: [
    "Slideshow\u{200B}", "\u{2060}Slideshow", "Slide\u{FEFF}show", "Slide\u{AD}show", "Slideshow\u{200C}",
    "Slide\u{200D}show", "Slideshow\u{E0041}", "Slideshow\u{FE0F}", "Slideshow\u{3164}", "Slideshow\u{A0}",
    "Slideshow\u{2800}", "Slideshow\u{1D159}", "\u{FFFC}Slideshow",
  ])
  func `a program whose name looks like another's gets a number`(name: String) async throws {
    let program = TestClient(server: server, origin: nil)
    let known = try await program.answered("full")
    let receipt = try await program.request(name: name)
    let request = try #require(try await server.access().requests.first)
    #expect((request.name, request.newName) == ("Slideshow", "Slideshow 2"))
    #expect(try await server.answer(receipt.request, "limited").status == 204)
    #expect(try await known.assetCount() == 2)
    #expect(try await server.access().clients.map(\.name).sorted() == ["Slideshow", "Slideshow 2"])
  }

  @Test(arguments: [
    // Persian and Hindi words, a family, a heart.
    "\u{0645}\u{06CC}\u{200C}\u{062E}\u{0648}\u{0627}\u{0647}\u{0645}", "\u{0915}\u{094D}\u{200D}\u{0937}",
    "\u{1F469}\u{200D}\u{1F467}", "\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}", "Ångström 2", "相片",
  ])
  func `a name keeps the invisible characters that change how it looks`(name: String) {
    #expect(Array(ForeignText.cleaned(name, limit: 100).unicodeScalars) == Array(name.unicodeScalars))
  }
}
