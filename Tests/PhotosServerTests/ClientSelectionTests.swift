import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

@testable import PhotosServer

@Suite struct ClientSelectionTests {
  let server: TestServer
  let assets: [PHAsset]

  init() throws {
    let server = try TestServer()
    self.server = server
    assets = try (0..<4).map { try server.add(bitmap(red: UInt8($0)), named: "IMG_\($0).BMP", minute: $0) }
  }

  private func limited() async throws -> TestClient {
    try await TestClient(server: server).answered("limited", assets: Array(assets[..<2]))
  }

  private struct Progress: Decodable {
    var request: String?
    var status: String
    var added: [String]?
  }

  private func askForSelection(_ client: TestClient) async throws -> Progress {
    let answer = try await client.ask("/access/selection/request", method: "POST", json: "{}")
    return try JSONDecoder().decode(Progress.self, from: answer.body)
  }

  private func progress(_ client: TestClient, _ id: String) async throws -> Progress {
    try JSONDecoder().decode(
      Progress.self, from: try await client.ask("/access/selection/request/\(id)?wait=5").body)
  }

  private func select(_ chosen: [PHAsset]) async throws -> TestServer.Answer {
    let number = try await server.onlyClient()
    return try await server.post(
      "/api/v1/access/clients/\(number)/selection", json: #"{"assets":\#(TestServer.list(chosen))}"#, method: "PUT",
      isSignedIn: true)
  }

  @Test func `B-01: the owner is asked for another selection, and sees the present one`() async throws {
    let client = try await limited()
    let asked = try await askForSelection(client)
    #expect(asked.status == "waiting")
    let waiting = try #require(try await server.access().selections.first)
    #expect((waiting.id, waiting.name) == (asked.request, "Slideshow"))
    let answer = try await server.ask("/api/v1/access/clients/\(waiting.client)/selection")
    let selection = try JSONDecoder().decode([String: [String]].self, from: answer.body)
    #expect(Set(selection["assets"] ?? []) == Set(assets[..<2].map(\.uuid)))
    #expect(try await askForSelection(client).request == asked.request)
  }

  @Test func `B-02: the client is told exactly what was added`() async throws {
    let client = try await limited()
    let id = try #require(try await askForSelection(client).request)
    let answer = try await select(Array(assets[..<3]))
    #expect(answer.text == #"{"added":["\#(assets[2].uuid)"],"selectedCount":3}"#)
    let done = try await progress(client, id)
    #expect((done.status, done.added) == ("done", [assets[2].uuid]))
    #expect(try await client.assetCount() == 3)
    #expect(try await server.access().selections.isEmpty)
  }

  @Test func `B-03: an asset that is taken away is like one that never existed`() async throws {
    let client = try await limited()
    #expect(try await select([assets[1]]).status == 200)
    #expect(try await client.assetCount() == 1)
    #expect(try await client.ask("/assets/\(assets[0].uuid)").status == 404)
  }

  @Test func `B-04: a canceled choice adds nothing`() async throws {
    let client = try await limited()
    let id = try #require(try await askForSelection(client).request)
    let answer = try await server.ask("/api/v1/access/selections/\(id)", method: "DELETE")
    #expect(answer.status == 204)
    let done = try await progress(client, id)
    #expect((done.status, done.added) == ("done", []))
    #expect(try await client.assetCount() == 2)
  }

  @Test func `B-05: an asset that a client adds joins its own selection only`() async throws {
    let client = try await limited()
    var other = TestClient(server: server, origin: "https://other.example")
    other = try await other.answered("limited")
    let library = server.library.photoLibrary(for: LibraryClient(identifier: "https://slideshow.example"))
    try library.performChangesAndWait {
      PHAssetCreationRequest.forAsset().addResource(with: .photo, data: bitmap(red: 99), options: nil)
    }
    #expect(try await client.assetCount() == 3)
    #expect(try await other.assetCount() == 0)
  }

  @Test func `B-05: a client's upload joins its own selection only`() async throws {
    let client = try await limited()
    let number = try await server.onlyClient()
    let other = try await TestClient(server: server, origin: "https://other.example").answered("limited")
    func imported(by client: TestClient, _ red: UInt8) async throws -> String {
      let answer = try await client.add(bitmap(red: red))
      #expect(answer.status == 200)
      return try #require(try JSONDecoder().decode(TestServer.ImportAnswer.self, from: answer.body).files[0].asset)
    }
    func selection() async throws -> Set<String> {
      let answer = try await server.ask("/api/v1/access/clients/\(number)/selection")
      return Set(try JSONDecoder().decode([String: [String]].self, from: answer.body)["assets"] ?? [])
    }
    let own = try await imported(by: client, 99)
    let others = try await imported(by: other, 98)
    #expect(try await selection() == [assets[0].uuid, assets[1].uuid, own])
    for (sender, asset, status) in [(client, own, 200), (client, others, 404), (other, own, 404), (other, others, 200)]
    {
      #expect(try await sender.ask("/assets/\(asset)").status == status)
    }
    #expect(try await client.assetCount() == 3)
    #expect(try await other.assetCount() == 1)
  }

  @Test func `B-07: a client that is not limited is answered at once`() async throws {
    let client = try await TestClient(server: server).answered("full")
    let asked = try await askForSelection(client)
    #expect((asked.request, asked.status, asked.added) == (nil, "done", []))
    #expect(try await server.access().selections.isEmpty)
  }

  @Test func `a selection of assets that don't exist is refused`() async throws {
    _ = try await limited()
    let number = try await server.onlyClient()
    let answer = try await server.post(
      "/api/v1/access/clients/\(number)/selection", json: #"{"assets":["\#(UUID().uuidString)"]}"#, method: "PUT",
      isSignedIn: true)
    #expect(answer.status == 422)
  }

  @Test func `B-06: a range of the library is selected by one request`() async throws {
    let client = try await limited()
    let number = try await server.onlyClient()
    let revision = server.library.currentChangeToken.stringValue
    let range = #"{"collection":"userLibrary","revision":"\#(revision)","first":0,"end":4}"#
    let answer = try await server.post(
      "/api/v1/access/clients/\(number)/selection", json: #"{"assets":{"range":\#(range)}}"#, method: "PUT",
      isSignedIn: true)
    #expect(answer.status == 200)
    #expect(try await client.assetCount() == 4)
  }

  /// Requests about an asset, for each GET of the API's document. `ID`, `VERSION`, `NAME` and
  /// `DATE` are the asset's. `PICKED` is the asset's identifier in the client's picker.
  static let requests = Set(APIDocument.readings.map(\.template)).sorted().flatMap { template in
    let path = String(template.dropFirst("/api/v1".count))
    return switch path {
    case "/assets":
      [
        "\(path)?where=originalFilename%20==%20'NAME'", "\(path)?where=localIdentifier%20==%20'ID/L0/001'",
        "\(path)?where=creationDate%20%3E%20'DATE'", "\(path)?sort=-creationDate&offset=2&limit=10",
      ]
    case "/collections/{id}/assets":
      ["at=ID", "around=ID&limit=10", "offset=2&limit=10", "order=added"].map {
        "/collections/userLibrary/assets?\($0)"
      }
    case "/search": ["\(path)?q=NAME", "\(path)?q=IMG&offset=2"]
    case "/picked": ["\(path)?identifiers=PICKED"]
    case _ where path.hasPrefix("/collections/"):
      [path.replacing("{id}", with: "userLibrary"), path.replacing("{id}", with: "ID")]
    case "/renditions/{id}/{version}/{kind}": ["grid", "screen", "full"].map { "/renditions/ID/VERSION/\($0)" }
    default:
      [path.replacing("{id}", with: "ID").replacing("{version}", with: "VERSION").replacing("{index}", with: "0")]
    }
  }

  /// A path of a request about an asset, and the values in the path that belong to the asset.
  struct Target {
    var path: String
    private var names: [(key: String, value: String)]

    init(_ template: String, _ names: KeyValuePairs<String, String>) {
      let used = names.filter { template.contains($0.key) }
      path = used.reduce(template) { $0.replacing($1.key, with: $1.value) }
      self.names = used
    }

    /// Returns an answer in which placeholders replace the values of the request's path.
    func withoutNames(_ answer: TestServer.Answer) -> (Int, [String], String) {
      (
        answer.status, answer.fields.map { "\($0.name): \($0.value)" },
        names.reduce(answer.text) { $0.replacing($1.value, with: $1.key) }
      )
    }
  }

  /// Returns the identifier by which the client's page knows an asset that it picked.
  private func pickedIdentifier(_ id: String) async throws -> String {
    let answer = try await server.post(
      "/picker/v1/identifiers", json: #"{"origin":"https://slideshow.example","assets":["\#(id)"]}"#, isSignedIn: true)
    return try #require(try JSONDecoder().decode([String: [String]].self, from: answer.body)["identifiers"]?.first)
  }

  /// Returns the requests about an asset and about one that never existed. `date` is earlier than
  /// the asset's date, and later than the dates of all assets that the client sees.
  private func targets(_ path: String, _ asset: PHAsset, after date: String) async throws -> (Target, missing: Target) {
    func target(_ id: String, _ name: String, _ date: String) async throws -> Target {
      Target(
        path,
        [
          "PICKED": try await pickedIdentifier(id), "ID": id, "VERSION": asset.renditionVersion, "NAME": name,
          "DATE": date,
        ])
    }
    let name = PHAssetResource.assetResources(for: asset).first?.originalFilename ?? ""
    return (
      try await target(asset.uuid, name, date),
      try await target(UUID().uuidString, "IMG_9.BMP", "2019-03-04T23:52:30%2B00:00")
    )
  }

  /// Ranges and conditions of requests. `TAG` is the ETag of the owner's answer. The client may
  /// know it from elsewhere, since the ETag of an original is the file's SHA-256.
  private static let conditions: [[String: String]] = [
    [:], ["Range": "bytes=0-3"], ["Range": "bytes=-1"], ["Range": "bytes=1000000-"],
    ["Range": "bytes=0-3", "If-Range": "TAG"], ["If-None-Match": "TAG"], ["If-None-Match": "*"],
    ["If-Modified-Since": "Fri, 20 Nov 2099 12:00:00 GMT"], ["If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"],
  ]

  /// Expects, for all conditions, the same answers about an asset as about one that never existed.
  private func expectLikeMissing(
    _ asset: PHAsset, after date: String, _ path: String, _ client: TestClient
  ) async throws {
    let (given, missing) = try await targets(path, asset, after: date)
    let tag = try await server.ask("/api/v1\(given.path)").field("ETag") ?? "\"none\""
    for condition in Self.conditions {
      let fields = condition.mapValues { $0.replacing("TAG", with: tag) }
      let answer = given.withoutNames(try await client.ask(given.path, fields))
      let expected = missing.withoutNames(try await client.ask(missing.path, fields))
      #expect(answer.0 != 500)
      #expect(answer == expected, "\(fields)")
    }
  }

  @Test(arguments: requests)
  func `B-08: an asset outside of the selection is like one that doesn't exist`(path: String) async throws {
    // The asset was taken at 23:23:11, and those of the selection at 23:20 and 23:21.
    let client = try await limited()
    try await expectLikeMissing(assets[3], after: "2019-03-04T23:22:30%2B00:00", path, client)
  }

  /// The lists of a collection, limited to assets with one filename.
  private static let choices = ["days", "aspects", "colors", "locations", "assets"].flatMap { list in
    ["where=originalFilename%20==%20'NAME'", "q=NAME"].map { "/collections/userLibrary/\(list)?\($0)" }
  }

  @Test(arguments: choices)
  func `B-08: no list of a collection reveals an asset outside of the selection`(path: String) async throws {
    let client = try await limited()
    try await expectLikeMissing(assets[3], after: "2019-03-04T23:22:30%2B00:00", path, client)
  }

  /// Expects that the client gets the same answers before and after a change of the owner.
  private func expectNothingShows(_ client: TestClient, _ change: () async throws -> Void) async throws {
    var paths: [String] = []
    for path in Self.requests {
      paths.append(try await targets(path, assets[0], after: "2019-03-04T23:20:30%2B00:00").0.path)
    }
    func answers() async throws -> [String] {
      var answers: [String] = []
      for path in paths {
        let answer = try await client.ask(path)
        let fields = answer.fields.map { "\($0.name): \($0.value)" }
        answers.append("\(path) \(answer.status) \(fields) \(answer.text)")
      }
      return answers
    }
    let before = try await answers()
    try await change()
    for (after, before) in zip(try await answers(), before) { #expect(after == before) }
  }

  @Test(arguments: [
    #"{"type":"setAssets","assets":["ID"],"isFavorite":true}"#,
    #"{"type":"setAssets","assets":["ID"],"isHidden":true}"#,
    #"{"type":"setAssets","assets":["ID"],"title":"Fjord","keywords":["fjord"]}"#,
    #"{"type":"setAssets","assets":["ID"],"location":{"latitude":60.39,"longitude":5.32}}"#,
    #"{"type":"setAssets","assets":["ID"],"creationDate":"2001-01-01T00:00:00Z"}"#,
    #"{"type":"editAssets","assets":["ID"],"steps":{"filter":"sepia"}}"#,
    #"{"type":"deleteAssets","assets":["ID"]}"#,
    #"{"type":"createAlbum","as":"$1","title":"Norway"},{"type":"addAssets","collection":"$1","assets":["ID"]}"#,
  ])
  func `B-08: no answer shows a change of an asset outside of the selection`(changes: String) async throws {
    let client = try await limited()
    try await expectNothingShows(client) {
      let body = #"{"changes":[\#(changes.replacing("ID", with: assets[3].uuid))]}"#
      let answer = try await server.post("/api/v1/changes", json: body, isSignedIn: true)
      #expect(answer.status == 200)
    }
  }

  @Test func `B-08: no answer shows that the owner has added an asset`() async throws {
    try await expectNothingShows(try await limited()) {
      _ = try server.add(bitmap(red: 9), named: "IMG_5.BMP", minute: 5)
    }
  }

  /// Adds an album with one asset. Returns its UUID.
  private func addAlbum(of asset: PHAsset) throws -> String {
    var id: String?
    try server.library.performChangesAndWait {
      let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Norway")
      request.addAssets([asset] as NSArray)
      id = request.placeholderForCreatedAssetCollection.localIdentifier
    }
    return String(try #require(id).prefix { $0 != "/" })
  }

  @Test(arguments: APIDocument.readings.map(\.template).filter { $0.hasPrefix("/api/v1/collections/{id}") })
  func `B-08: an album that the client does not see is like one that doesn't exist`(template: String) async throws {
    let client = try await limited()
    let album = try addAlbum(of: assets[3])
    func answer(_ id: String) async throws -> (Int, [String], String) {
      let path = String(template.dropFirst("/api/v1".count)).replacing("{id}", with: id)
      let answer = try await client.ask(path)
      return (answer.status, answer.fields.map { "\($0.name): \($0.value)" }, answer.text.replacing(id, with: "ID"))
    }
    #expect(try await answer(album) == (try await answer(UUID().uuidString)))
  }

  @Test func `B-08: assets are counted once, and by a client those of its selection alone`() async throws {
    _ = try await limited()
    let client = server.library.photoLibrary(for: LibraryClient(identifier: "https://slideshow.example"))
    let deleted = assets[3]
    try server.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([deleted] as NSArray) }
    let twice: Set = [assets[0].uuid, assets[0].localIdentifier, assets[0].uuid.lowercased()]
    let all = twice.union(assets.map(\.uuid)).union([UUID().uuidString])
    for (names, own, owners) in [
      ([], 0, 0), (twice, 1, 1), ([assets[2].uuid], 0, 1), ([deleted.uuid], 0, 1), (all, 2, 4),
    ] as [(Set<String>, Int, Int)] {
      #expect(try PHAsset.count(withUUIDs: names, in: client) == own)
      #expect(try PHAsset.count(withUUIDs: names, in: server.library) == owners)
    }
  }

  @Test func `B-03: a download of several assets ends when one of them is taken away`() async throws {
    let client = try await limited()
    func make(_ assets: [PHAsset]) async throws -> TestServer.Answer {
      try await client.ask(
        "/downloads", method: "POST", json: #"{"assets":\#(TestServer.list(assets)),"kind":"originals"}"#)
    }
    let unseen = try await make([assets[0], assets[2]])
    #expect(unseen.status == 422)
    #expect(unseen.problem?.detail.hasSuffix("there is no asset \(assets[2].uuid)") == true)
    // An asset that is named twice counts once.
    let made = try await make([assets[0], assets[1], assets[0]])
    #expect(made.status == 201)
    let path = String(try #require(made.field("Location")).dropFirst("/api/v1".count))
    #expect(try await client.ask(path).status == 200)
    #expect(try await select([assets[0]]).status == 200)
    let ended = try await client.ask(path)
    #expect((ended.status, ended.problem?.detail) == (404, "some of these assets are not in the library any more"))
  }

  @Test func `B-08: the owner's upload and download are like ones that don't exist`() async throws {
    let client = try await limited()
    let upload = try await server.upload(bitmap(red: 9), named: "A.bmp")
    let made = try await server.post(
      "/api/v1/downloads", json: #"{"assets":["\#(assets[0].uuid)"],"kind":"originals"}"#, isSignedIn: true)
    let ticket = String(try #require(made.field("Location")?.split(separator: "/").last))
    let piece = ["Upload-Offset": "0", "Upload-Complete": "?1", "Content-Type": "application/partial-upload"]
    for (path, method, id, fields) in [
      ("uploads", "HEAD", upload, [:]), ("uploads", "PATCH", upload, piece), ("uploads", "DELETE", upload, [:]),
      ("downloads", "GET", ticket, [:]), ("downloads", "GET", ticket, ["Range": "bytes=0-3"]),
    ] as [(String, String, String, [String: String])] {
      let unknown = String(repeating: "A", count: id.count)
      let given = try await client.ask("/\(path)/\(id)", fields, method: method)
      let missing = try await client.ask("/\(path)/\(unknown)", fields, method: method)
      #expect((given.status, given.fields) == (missing.status, missing.fields))
      #expect(given.text.replacing(id, with: unknown) == missing.text)
      #expect(given.status == 404)
    }
    #expect(try await server.importUploads([upload]).map(\.outcome) == ["added"])
  }

  @Test func `B-08: an import into an album that the client does not see fails as into a missing one`() async throws {
    let client = try await limited()
    let album = try addAlbum(of: assets[3])
    let upload = try await client.upload(bitmap(red: 9))
    let id = upload.field("Location")?.split(separator: "/").last ?? ""
    func answer(_ album: String) async throws -> TestServer.Answer {
      try await client.ask("/imports", method: "POST", json: #"{"uploads":["\#(id)"],"album":"\#(album)"}"#)
    }
    let unknown = UUID().uuidString
    let (given, missing) = (try await answer(album), try await answer(unknown))
    #expect((given.status, given.fields) == (missing.status, missing.fields))
    #expect(given.text.replacing(album, with: unknown) == missing.text)
    #expect(given.status == 403)
  }

  @Test func `B-08: a change of an asset outside of the selection is in no list of changes`() async throws {
    let client = try await limited()
    let since = try await revision(client)
    func changes() async throws -> String {
      try await client.ask("/changes?since=\(since)").text.replacing(/"revision":"[^"]*"/, with: "")
    }
    let before = try await changes()
    try server.library.performChangesAndWait { PHAssetChangeRequest(for: assets[3]).isFavorite = true }
    #expect(try await changes() == before)
    try server.library.performChangesAndWait { PHAssetChangeRequest(for: assets[0]).isFavorite = true }
    #expect(try await changes() != before)
  }

  private func revision(_ client: TestClient) async throws -> String {
    struct Library: Decodable { var revision: String }
    return try JSONDecoder().decode(Library.self, from: try await client.ask("/library").body).revision
  }

  private func setFavorite(_ value: Bool, _ asset: PHAsset, _ client: TestClient, key: String) async throws
    -> TestServer.Answer
  {
    try await client.ask(
      "/changes", ["Idempotency-Key": key], method: "POST",
      json: #"{"changes":[{"type":"setAssets","assets":["\#(asset.uuid)"],"isFavorite":\#(value)}]}"#)
  }

  @Test func `B-08: the owner's changes are not in the numbers of a limited client`() async throws {
    let client = try await limited()
    func changeAsOwner() throws {
      for value in [true, false, true, false] {
        try server.library.performChangesAndWait { [assets] in
          PHAssetChangeRequest(for: assets[3]).isFavorite = value
        }
      }
    }
    let answer = try await setFavorite(true, assets[0], client, key: "k1")
    let first = try JSONDecoder().decode(Changes.Answer.self, from: answer.body)
    let number = try #require(first.transaction)
    let history = first.revision.prefix(36)
    #expect(first.revision == "\(history)-\(number)")
    #expect(first.isUndoable)
    let days = try await client.ask("/collections/userLibrary/days").field("ETag")
    try changeAsOwner()
    #expect(try await revision(client) == first.revision)
    #expect(try await client.ask("/collections/userLibrary/days").field("ETag") == days)
    let second = try JSONDecoder().decode(
      Changes.Answer.self, from: try await setFavorite(false, assets[0], client, key: "k2").body)
    #expect((second.transaction, second.revision) == (number + 1, "\(history)-\(number + 1)"))
    try changeAsOwner()
    #expect(try await setFavorite(true, assets[0], client, key: "k1").text == answer.text)
    let undo = try await client.ask("/undo", method: "POST", json: #"{"transaction":\#(number + 1)}"#)
    let third = try JSONDecoder().decode(Changes.Answer.self, from: undo.body)
    #expect((third.transaction, third.revision) == (number + 2, "\(history)-\(number + 2)"))
    struct History: Decodable {
      struct Transaction: Decodable {
        var transaction: Int64
        var token: String
        var undoes: Int64?
      }
      var transactions: [Transaction]
    }
    let own = try JSONDecoder().decode(History.self, from: try await client.ask("/changes").body).transactions
    #expect(own.map(\.transaction) == [number + 2, number + 1, number])
    #expect(own.map(\.token) == [third, second, first].map(\.revision))
    #expect(own.map(\.undoes) == [number + 1, nil, nil])
    let since = try await client.ask("/changes?since=\(first.revision)").text
    #expect(since.contains(#""revision":"\#(third.revision)""#))
    #expect(since.contains(#""updated":["\#(assets[0].uuid)"]"#))
    let owners = server.library.currentChangeToken.stringValue
    #expect(try await client.ask("/changes?since=\(owners)").status == 410)
  }

  @Test(arguments: requests)
  func `B-03: an asset that was taken away is like one that never existed`(path: String) async throws {
    let client = try await limited()
    let (seen, _) = try await targets(path, assets[1], after: "2019-03-04T23:20:30%2B00:00")
    _ = try await client.ask(seen.path)
    #expect(try await select([assets[0]]).status == 200)
    try await expectLikeMissing(assets[1], after: "2019-03-04T23:20:30%2B00:00", path, client)
  }

  @Test(arguments: [[0], [0, 1, 2], [2]])
  func `B-03: changes since before a new selection have no details`(chosen: [Int]) async throws {
    let client = try await limited()
    func revision() async throws -> String {
      try #require(try await client.ask("/library").text.firstMatch(of: /"revision":"([^"]+)"/)).1.description
    }
    let before = try await revision()
    #expect(try await select(chosen.map { assets[$0] }).status == 200)
    let answer = try await client.ask("/changes?since=\(before)")
    #expect((answer.status, answer.problem?.phPhotosErrorCode) == (409, 3210))
    #expect(answer.problem?.type == "urn:calotype:problem:persistent-change-details-unavailable")
    for asset in assets { #expect(!answer.text.contains(asset.uuid)) }
    let present = try await revision()
    #expect(present != before)
    try server.library.performChangesAndWait { PHAssetChangeRequest(for: assets[3]).isFavorite = true }
    let nothing = #"{"deleted":[],"inserted":[],"updated":[]}"#
    #expect(
      try await client.ask("/changes?since=\(present)").text
        == #"{"assets":\#(nothing),"collections":\#(nothing),"revision":"\#(present)"}"#)
  }

  private struct Collections: Decodable {
    struct Collection: Decodable {
      var id: String
      var kind: String
      var count: Int
    }
    var collections: [Collection]
  }

  @Test func `A-04: a limited client finds smart albums of its photos, and no albums and folders`() async throws {
    let temporary = try TemporaryLibrary()
    let photos = try temporary.add([
      .photo(named: "P01"), .livePhoto(named: "L01", favorite: true), .video(named: "V01", favorite: true),
      .photo(named: "P02", favorite: true),
    ])
    try temporary.addAlbum("Norway", of: photos)
    try temporary.library.performChangesAndWait {
      PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Travels")
    }
    let server = try TestServer(library: temporary.library)
    let client = try await TestClient(server: server).answered("limited", assets: Array(photos[..<3]))
    let answer = try await client.ask("/collections")
    let collections = try JSONDecoder().decode(Collections.self, from: answer.body).collections
    #expect(Set(collections.map(\.kind)) == ["smartAlbum"])
    let counts = Dictionary(uniqueKeysWithValues: collections.map { ($0.id, $0.count) })
    for (id, count) in [("userLibrary", 3), ("favorites", 2), ("livePhotos", 1), ("videos", 1), ("allHidden", 0)] {
      #expect(counts[id] == count, "\(id)")
    }
    for text in ["Norway", "Travels", photos[3].uuid] { #expect(!answer.text.contains(text)) }
  }

  @Test(.enabled(if: Soak.isOn, Soak.reason))
  func `B-06: ten times as many photos take at most twenty times as long to select`() async throws {
    let temporary = try TemporaryLibrary()
    try temporary.add([SampleAsset].photos(5000).map(\.withoutFiles))
    let server = try TestServer(library: temporary.library)
    _ = try await TestClient(server: server).answered("limited", assets: [])
    let path = "/api/v1/access/clients/\(try await server.onlyClient())/selection"
    func time(_ count: Int) async throws -> Int {
      let revision = server.library.currentChangeToken.stringValue
      let range = #"{"collection":"userLibrary","revision":"\#(revision)","first":0,"end":\#(count)}"#
      let body = #"{"assets":{"range":\#(range)}}"#
      let start = Self.processorTime
      let answer = try await server.post(path, json: body, method: "PUT", isSignedIn: true)
      #expect(answer.text.hasSuffix(#""selectedCount":\#(count)}"#))
      return Self.processorTime - start
    }
    var (few, many) = (Int.max, Int.max)
    for _ in 0..<5 {
      for (count, isMany) in [(0, nil), (500, false), (0, nil), (5000, true)] as [(Int, Bool?)] {
        let time = try await time(count)
        if let isMany { if isMany { many = min(many, time) } else { few = min(few, time) } }
      }
    }
    #expect(many < few * 20)
  }

  /// The processor time in nanoseconds that the process has used.
  private static var processorTime: Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  @Test func `B-08: checking a file outside of the selection is like checking an unknown one`() async throws {
    let client = try await limited()
    func check(_ sha256: String) async throws -> TestServer.Answer {
      try await client.ask(
        "/uploads/check", method: "POST", json: #"{"files":[{"sha256":"\#(sha256)","bytes":1}]}"#)
    }
    let known = try await check(try assets[3].storedResources[0].sha256)
    let unknown = try await check(String(repeating: "0", count: 64))
    #expect(known.text == #"{"known":[null]}"#)
    #expect((known.status, known.fields, known.body) == (unknown.status, unknown.fields, unknown.body))
  }

  @Test func `an owner sees the library as a client sees it`() async throws {
    let client = try await limited()
    let number = try await server.onlyClient()
    for path in ["/library", "/assets/\(assets[0].uuid)", "/assets/\(assets[3].uuid)", "/access/status"] {
      let own = try await client.ask(path)
      let viewed = try await server.ask("/api/v1\(path)?as=\(number)")
      #expect(viewed.status == own.status)
      #expect(viewed.text == own.text)
    }
    #expect(try await server.ask("/api/v1/library?as=999").status == 404)
    #expect(try await server.ask("/api/v1/session?as=\(number)", method: "DELETE").status == 400)
  }
}
