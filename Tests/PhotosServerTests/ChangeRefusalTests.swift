import Foundation
import NIOCore
import Photos
import Testing

@testable import PhotosServer

/// Tests batches that can't be carried out.
@Suite struct ChangeRefusalTests {
  private static let unknown = "00000000-0000-4000-8000-000000000000"

  private static let wrong: [(changes: String, detail: String)] = [
    (#""#, "changes: a batch has 1 to 1000 changes, not 0"),
    (#"7"#, "changes[0]: this has to be an object, not a number"),
    (#"{}"#, "changes[0].type: this key is missing"),
    (#"{"type":true}"#, "changes[0].type: this has to be a text, not a truth value"),
    (#"{"type":"deleteAssets"}"#, "changes[0].assets: this key is missing"),
    (
      #"{"type":"deleteAssets","asets":[]}"#,
      "changes[0].asets: this key is not known here; known are assets, type"
    ),
    (#"{"type":"deleteAssets","assets":["x"]}"#, "changes[0].assets[0]: “x” is not an identifier"),
    (#"{"type":"deleteAssets","assets":[null]}"#, "changes[0].assets[0]: this has to be a text, not null"),
    (#"{"type":"deleteAssets","assets":["ID","UNKNOWN"]}"#, "changes[0].assets[1]: there is no asset UNKNOWN"),
    (#"{"type":"restoreAssets","assets":["ID"]}"#, "changes[0].assets[0]: there is no asset in Recently Deleted ID"),
    (
      #"{"type":"setAssets","assets":["ID"]}"#,
      "changes[0]: no value is given; the keys are addKeywords, caption, creationDate, isBurstPick, isFavorite, isHidden, "
        + "keywords, location, moveCreationDate, removeKeywords, timeZone, title"
    ),
    (
      #"{"type":"setAssets","assets":["ID"],"isFavorite":1}"#,
      "changes[0].isFavorite: this has to be true or false, not a number"
    ),
    (
      #"{"type":"setAssets","assets":["ID"],"creationDate":"2019-02-29T00:00:00Z"}"#,
      "changes[0].creationDate: a date has to be like 2019-03-04T17:20:11.250-06:00"
    ),
    (
      #"{"type":"setAssets","assets":["ID"],"creationDate":"2019-02-28T00:00:00Z","moveCreationDate":60}"#,
      "changes[0].moveCreationDate: a date is either set or moved"
    ),
    (
      #"{"type":"setAssets","assets":["ID"],"moveCreationDate":"60"}"#,
      "changes[0].moveCreationDate: this has to be a number, not a text"
    ),
    (
      #"{"type":"setAssets","assets":["ID"],"timeZone":"Oslo"}"#,
      "changes[0].timeZone: a time zone has to be like -06:00"
    ),
    (
      #"{"type":"setAssets","assets":["ID"],"location":{"latitude":91,"longitude":0}}"#,
      "changes[0].location.latitude: this has to be a number from -90.0 to 90.0"
    ),
    (
      #"{"type":"setAssets","assets":["ID"],"location":{"latitude":1}}"#,
      "changes[0].location.longitude: this key is missing"
    ),
    (
      #"{"type":"setAssets","assets":["ID"],"keywords":["a"," "]}"#, "changes[0].keywords[1]: the keyword is empty"
    ),
    (
      #"{"type":"setAssets","isHidden":true,"assets":{"range":{"collection":"userLibrary","revision":"x","first":2,"end":1}}}"#,
      "changes[0].assets.range.end: this has to be a whole number from 2 to 2147483647"
    ),
    (
      #"{"type":"createAlbum","as":"norway","title":"Norway"}"#,
      "changes[0].as: the name of a new collection has to be like $1"
    ),
    (#"{"type":"createAlbum","as":"$1","title":" "}"#, "changes[0].title: the title is empty"),
    (
      #"{"type":"createAlbum","as":"$1","title":"A"},{"type":"createAlbum","as":"$1","title":"B"}"#,
      "changes[1].as: the batch has made $1 already"
    ),
    (
      #"{"type":"createAlbum","as":"$1","title":"A","index":5}"#,
      "changes[0].index: this has to be a whole number from 0 to 2"
    ),
    (
      #"{"type":"createAlbum","as":"$1","title":"A","parent":"ALBUM"}"#,
      "changes[0].parent: this has to be a folder, not an album"
    ),
    (
      #"{"type":"addAssets","collection":"$1","assets":["ID"]}"#,
      "changes[0].collection: no change before this one makes $1"
    ),
    (
      #"{"type":"addAssets","collection":"UNKNOWN","assets":["ID"]}"#,
      "changes[0].collection: there is no album or folder UNKNOWN"
    ),
    (
      #"{"type":"addAssets","collection":"FOLDER","assets":["ID"]}"#,
      "changes[0].collection: this has to be an album, not a folder"
    ),
    (
      #"{"type":"addAssets","collection":"ALBUM","assets":["ID"],"index":1}"#,
      "changes[0].index: this has to be a whole number from 0 to 0"
    ),
    (
      #"{"type":"moveAssets","collection":"ALBUM","assets":["ID"],"index":0}"#,
      "changes[0].index: the asset ID is not in the album, so it can't be moved there"
    ),
    (
      #"{"type":"setKeyAsset","collection":"ALBUM","asset":"ID"}"#,
      "changes[0].asset: the key asset of an album has to be in it"
    ),
    (
      #"{"type":"moveCollections","collections":["FOLDER"],"parent":"FOLDER"}"#,
      "changes[0].collections[0]: a folder can't be moved into itself or into one of its subfolders"
    ),
    (
      #"{"type":"editAssets","assets":["ID"],"steps":{"filter":"sepia","blur":1}}"#,
      "changes[0].steps.blur: unknown step in version 1"
    ),
    (
      #"{"type":"editAssets","assets":["ID"],"steps":{"exposure":9}}"#,
      "changes[0].steps.exposure: 9.0 is not within -5.0 and 5.0"
    ),
    (
      #"{"type":"editAssets","assets":["ID"],"steps":{"filter":"sepia"}},{"type":"revertAssets","assets":["ID"]}"#,
      "changes[1]: an earlier change of the batch edits or reverts ID"
    ),
    (
      #"{"type":"revertAssets","assets":["ID"]},{"type":"editAssets","assets":["ID"],"steps":{"filter":"sepia"}}"#,
      "changes[1]: an earlier change of the batch edits or reverts ID"
    ),
    // The commit refuses this batch.
    (
      #"{"type":"deleteCollections","collections":["ALBUM"]},{"type":"renameCollection","collection":"ALBUM","title":"B"}"#,
      "changes[1]: there is no album ALBUM/L0/040"
    ),
  ]

  @Test func `a mistake is told with its place, and nothing is done`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    var made: [String] = []
    try server.library.performChangesAndWait {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Norway")
      PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Travels")
    }
    let collections = PHCollection.fetchTopLevelUserCollections(with: server.options)
    made = (0..<collections.count).map { collections.object(at: $0).plainIdentifier }
    let names = [("UNKNOWN", Self.unknown), ("ALBUM", made[0]), ("FOLDER", made[1]), ("ID", photo.uuid)]
    func filled(_ text: String) -> String { names.reduce(text) { $0.replacing($1.0, with: $1.1) } }
    let revision = server.library.currentChangeToken
    let good = #"{"type":"setAssets","assets":["\#(photo.uuid)"],"isFavorite":true}"#
    for (changes, detail) in Self.wrong {
      // A good change after the wrong one isn't carried out either.
      let body = changes.isEmpty ? "" : "\(filled(changes)),\(good)"
      let answer = try await server.post("/api/v1/changes", json: #"{"changes":[\#(body)]}"#, isSignedIn: true)
      #expect(answer.status == 422, "\(changes): \(answer.text)")
      #expect(answer.problem?.type == "urn:calotype:problem:invalid")
      #expect(answer.problem?.detail == filled(detail))
      #expect(answer.problem?.phPhotosErrorCode == (detail.contains("there is no") ? 3201 : nil))
    }
    #expect(server.library.currentChangeToken == revision)
  }

  @Test func `a batch that names more than two million assets is refused before they are looked up`() async throws {
    let server = try TestServer()
    let change =
      #"{"type":"setAssets","isFavorite":true,"assets":{"range":{"collection":"userLibrary","revision":"#
      + #""\#(server.library.currentChangeToken.stringValue)","first":0,"end":20000}}}"#
    let changes = Array(repeating: change, count: 101).joined(separator: ",")
    let answer = try await server.post("/api/v1/changes", json: #"{"changes":[\#(changes)]}"#, isSignedIn: true)
    #expect(answer.status == 422)
    #expect(answer.problem?.detail == "changes[100]: the changes of a batch name at most 2000000 assets together")
  }

  @Test func `the refusal of an edit that can't be rendered names its change`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let broken = try server.add(bitmap(width: 64, height: 64).prefix(60))
    let revision = server.library.currentChangeToken
    let answer = try await server.post(
      "/api/v1/changes",
      json:
        #"{"changes":[{"type":"setAssets","assets":["\#(photo.uuid)"],"isFavorite":true},{"type":"editAssets","assets":["\#(photo.uuid)","\#(broken.uuid)"],"steps":{"filter":"sepia"}}]}"#,
      isSignedIn: true)
    #expect(answer.status == 422)
    #expect(
      answer.problem?.detail
        == "changes[1]: \(broken.localIdentifier): the file can’t be read, so it can’t be edited")
    #expect(answer.problem?.phPhotosErrorCode == PHPhotosError.Code.requestNotSupportedForAsset.rawValue)
    #expect(server.library.currentChangeToken == revision)
  }

  @Test(arguments: [
    (#"{"changes":"#, 400, "the body is not valid JSON"),
    (#"[]"#, 422, "this has to be an object, not a list"),
    (#"{}"#, 422, "changes: this key is missing"),
    (#"{"changes":[],"dryRun":true}"#, 422, "dryRun: this key is not known here; known are changes"),
  ])
  func `a body that is no batch is refused`(body: String, status: Int, detail: String) async throws {
    let answer = try await TestServer().post("/api/v1/changes", json: body, isSignedIn: true)
    #expect((answer.status, answer.problem?.detail) == (status, detail))
  }

  /// Decoding took as long as the cube of the depth: one request could stop a server for minutes.
  @Test(arguments: [
    ("/api/v1/changes", 32, 32, 422), ("/api/v1/changes", 32, 33, 400), ("/picker/v1/sessions", 72, 72, 422),
    ("/picker/v1/sessions", 72, 73, 400), ("/api/v1/access/requests", 32, 33, 400),
  ])
  func `a body that is nested deeper than the limit is refused before it is decoded`(
    path: String, limit: Int, depth: Int, status: Int
  ) async throws {
    let body =
      #"{"clientName":"A","configuration":{},"a\"[[":"#
      + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
    let answer = try await TestServer().post(path, json: body, isSignedIn: path.hasPrefix("/api/v1/changes"))
    #expect(answer.status == status)
    if status == 400 {
      #expect(answer.problem?.detail == "the body is nested more than \(limit) levels deep")
    }
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian])
  func `a body of another encoding than UTF-8 is refused before it is decoded`(encoding: String.Encoding) async throws {
    let body = try #require("{}".data(using: encoding))
    let answer = try await TestServer().post(
      "/api/v1/changes", json: String(decoding: body, as: UTF8.self), isSignedIn: true)
    #expect((answer.status, answer.problem?.detail) == (400, "the body has a zero byte; JSON has to be UTF-8"))
  }

  @Test(
    arguments: [
      ("null", .null), ("true", .bool(true)), ("1", .number(1)), ("-0.5e1", .number(-5)),
      (#""a\u00e9""#, .string("aé")),
      (
        #" [1, true, 0, false, null, "1"] "#,
        .array([.number(1), .bool(true), .number(0), .bool(false), .null, .string("1")])
      ),
      (#"{"a":{"b":[]}}"#, .object(["a": .object(["b": .array([])])])), ("", nil), ("[1 2]", nil),
      ("[01]", nil), ("[1e999]", nil), ("NaN", nil), (#""\ud800""#, nil), ("[1] 2", nil),
    ] as [(String, JSONValue?)])
  func `JSON becomes values, and malformed JSON nothing`(json: String, value: JSONValue?) {
    #expect(JSONValue(ByteBuffer(string: json)) == value)
  }

  @Test func `a change needs a page of the server, and JSON`() async throws {
    let server = try TestServer()
    let body = #"{"changes":[]}"#
    let other = try await server.post(
      "/api/v1/changes", json: body, ["Origin": "http://evil.example"], isSignedIn: true)
    #expect((other.status, other.problem?.type) == (403, "urn:calotype:problem:other-origin"))
    let form = try await server.ask("/api/v1/changes", ["Content-Type": "text/plain"], method: "POST", body: body)
    #expect(form.status == 415)
    let stranger = try await server.post("/api/v1/changes", json: body)
    #expect(stranger.status == 401)
    let large = try await server.post(
      "/api/v1/changes", json: body + String(repeating: " ", count: 1 << 20), isSignedIn: true)
    #expect(large.status == 413)
  }

  @Test func `A-08: a client's changes are refused by its access`() async throws {
    let server = try TestServer()
    let photos = try (0..<2).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let limited = try await TestClient(server: server).answered("limited", assets: [photos[0]])
    func change(_ client: TestClient, _ change: String) async throws -> TestServer.Answer {
      try await client.ask("/changes", method: "POST", json: #"{"changes":[\#(change)]}"#)
    }
    func favorite(_ photo: PHAsset) -> String {
      #"{"type":"setAssets","assets":["\#(photo.uuid)"],"isFavorite":true}"#
    }
    #expect(try await change(limited, favorite(photos[0])).status == 200)
    let unseen = try await change(limited, favorite(photos[1]))
    #expect(unseen.problem?.detail == "changes[0].assets[0]: there is no asset \(photos[1].uuid)")
    let album = try await change(limited, favorite(photos[0]) + #",{"type":"createAlbum","as":"$1","title":"Norway"}"#)
    #expect((album.status, album.problem?.phPhotosErrorCode) == (403, 3311))
    #expect(
      album.problem?.detail
        == "changes[1]: “Slideshow” has limited access to the library, which shows it no albums")
    #expect(try await limited.ask("/confirmations").status == 403)
  }

  @Test(arguments: [("denied", "access-user-denied", 3311), ("restricted", "access-restricted", 3310)])
  func `A-06, A-07: the changes of a client that lost its access are refused`(
    status: String, problem: String, code: Int
  ) async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let client = try await TestClient(server: server).answered("full")
    let change = #"{"changes":[{"type":"setAssets","assets":["\#(photo.uuid)"],"isFavorite":true}]}"#
    #expect(try await client.ask("/changes", method: "POST", json: change).status == 200)
    let path = "/api/v1/access/clients/\(try await server.onlyClient())"
    let json = #"{"readWrite":"\#(status)","addOnly":"\#(status)"}"#
    #expect(try await server.post(path, json: json, method: "PATCH", isSignedIn: true).status == 200)
    let revision = server.library.currentChangeToken
    for change in [change, #"{"changes":[{"type":"createAlbum","as":"$1","title":"Norway"}]}"#] {
      let refused = try await client.ask("/changes", method: "POST", json: change)
      #expect((refused.status, refused.problem?.phPhotosErrorCode) == (403, code))
      #expect(refused.problem?.type == "urn:calotype:problem:\(problem)")
    }
    #expect(server.library.currentChangeToken == revision)
  }

  @Test func `a repeated request has the revision that it has made`() async throws {
    let server = try TestServer()
    func make(_ title: String) async throws -> String {
      try await server.post(
        "/api/v1/changes", json: #"{"changes":[{"type":"createAlbum","as":"$1","title":"\#(title)"}]}"#,
        ["Idempotency-Key": title], isSignedIn: true
      ).text
    }
    let first = try await make("Norway")
    #expect(first.contains(#""revision":"\#(server.library.currentChangeToken.stringValue)""#))
    #expect(try await make("Sweden") != first)
    #expect(try await make("Norway") == first)
  }

  @Test func `a client without access does not learn the answer to an earlier request`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    func make() async throws -> Int {
      try await server.post(
        "/api/v1/changes", json: #"{"changes":[{"type":"createAlbum","as":"$1","title":"Norway"}]}"#,
        [
          "Idempotency-Key": "1", "Origin": try #require(client.origin),
          "Authorization": "Bearer \(try #require(client.token))",
        ]
      ).status
    }
    #expect(try await make() == 200)
    #expect(try await make() == 200)
    let number = try await server.onlyClient()
    _ = try await server.post(
      "/api/v1/access/clients/\(number)", json: #"{"readWrite":"denied"}"#, method: "PATCH", isSignedIn: true)
    #expect(try await make() == 403)
  }

  @Test func `a client of the same name as a forgotten one does not repeat its requests`() async throws {
    let server = try TestServer()
    func make() async throws -> String {
      let client = try await TestClient(server: server).answered("full")
      let answer = try await server.post(
        "/api/v1/changes", json: #"{"changes":[{"type":"createAlbum","as":"$1","title":"Norway"}]}"#,
        [
          "Idempotency-Key": "1", "Origin": try #require(client.origin),
          "Authorization": "Bearer \(try #require(client.token))",
        ])
      #expect(answer.status == 200)
      return answer.text
    }
    let first = try await make()
    let path = "/api/v1/access/clients/\(try await server.onlyClient())"
    #expect(try await server.ask(path, method: "DELETE", isSignedIn: true).status == 204)
    #expect(try await make() != first)
  }

  @Test func `a repeated request is carried out once, also after a restart`() async throws {
    let server = try TestServer()
    let body = #"{"changes":[{"type":"createAlbum","as":"$1","title":"Norway"}]}"#
    let first = try await server.post("/api/v1/changes", json: body, ["Idempotency-Key": "k1"], isSignedIn: true)
    #expect(first.status == 200)
    let again = try await server.post("/api/v1/changes", json: body, ["Idempotency-Key": "k1"], isSignedIn: true)
    #expect(again.text == first.text)
    let restarted = try TestServer(library: try PHPhotoLibrary(url: server.library.url))
    let later = try await restarted.post("/api/v1/changes", json: body, ["Idempotency-Key": "k1"], isSignedIn: true)
    #expect(later.text == first.text)
    let other = try await server.post(
      "/api/v1/changes", json: body + " ", ["Idempotency-Key": "k1"], isSignedIn: true)
    #expect(other.status == 422)
    #expect(
      other.problem?.detail == "Idempotency-Key: another request had this key; use a new one for each request")
    #expect(
      try await server.post("/api/v1/changes", json: body, ["Idempotency-Key": "a b"], isSignedIn: true).status == 400)
    #expect(PHCollection.fetchTopLevelUserCollections(with: server.options).count == 1)
    let second = try await server.post("/api/v1/changes", json: body, ["Idempotency-Key": "k2"], isSignedIn: true)
    #expect(second.text != first.text)
  }
}
