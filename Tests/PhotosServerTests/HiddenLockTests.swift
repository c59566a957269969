import Foundation
import Glibc
import Photos
import PhotosTesting
import Testing

@testable import PhotosServer

/// Tests the lock of the Hidden album. The first photo is shown, the second one hidden, and the
/// third one hidden and in Recently Deleted.
@Suite struct HiddenLockTests {
  private static let password = "correct horse battery"
  private let server: TestServer
  private let photos: [PHAsset]

  init() throws {
    let server = try TestServer()
    self.server = server
    let photos = try (0..<3).map { try server.add(bitmap(red: UInt8($0)), named: "IMG_\($0).BMP", minute: $0) }
    self.photos = photos
    try server.library.performChangesAndWait {
      for photo in photos[1...] { PHAssetChangeRequest(for: photo).isHidden = true }
    }
    try server.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([photos[2]] as NSArray) }
    try server.setPassword(Self.password)
  }

  private func set(_ isSet: Bool) async throws -> TestServer.Answer {
    try await server.post("/api/v1/hidden-lock", json: #"{"isSet":\#(isSet)}"#, method: "PUT", isSignedIn: true)
  }

  private func open(_ password: String = password) async throws -> TestServer.Answer {
    try await server.post("/api/v1/hidden-lock/opening", json: #"{"password":"\#(password)"}"#, isSignedIn: true)
  }

  private struct Lock: Decodable, Equatable {
    var isSet: Bool
    var hasPassword: Bool
    var openSeconds: Int?
  }

  private func state() async throws -> Lock {
    try JSONDecoder().decode(Lock.self, from: try await server.ask("/api/v1/hidden-lock").body)
  }

  private func change(_ photo: PHAsset, _ values: String) async throws -> TestServer.Answer {
    try await server.post(
      "/api/v1/changes", json: #"{"changes":[{"type":"setAssets","assets":["\#(photo.uuid)"],\#(values)}]}"#,
      isSignedIn: true)
  }

  /// The hidden photos that a requester finds.
  private struct Sight: Equatable, CustomStringConvertible {
    var hidden: Int
    var deleted: Int
    /// The numbers that the list of collections says: of Hidden and of Recently Deleted.
    var counts: [Int]
    /// The statuses of everything that has a hidden photo's identifier in its address.
    var statuses: Set<Int>

    static let everything = Sight(hidden: 1, deleted: 1, counts: [1, 1], statuses: [200])
    static let nothing = Sight(hidden: 0, deleted: 0, counts: [0, 0], statuses: [404])
    var description: String { "\(hidden) \(deleted) \(counts) \(statuses.sorted())" }
  }

  private struct Total: Decodable { var total: Int }

  private struct Collections: Decodable {
    struct Collection: Decodable {
      var id: String
      var count: Int
      var isLocked: Bool?
    }
    var collections: [Collection]
  }

  private typealias Ask = (String) async throws -> TestServer.Answer

  private func sight(_ ask: Ask) async throws -> Sight {
    func total(_ collection: String) async throws -> Int {
      let answers = [
        try await ask("/collections/\(collection)/days"), try await ask("/collections/\(collection)/assets"),
      ]
      let totals = try answers.map { try JSONDecoder().decode(Total.self, from: $0.body).total }
      #expect(totals[0] == totals[1])
      return totals[0]
    }
    let list = try JSONDecoder().decode(Collections.self, from: try await ask("/collections").body)
    var statuses: Set<Int> = []
    for path in ["/assets/ID", "/renditions/ID/VERSION/grid", "/renditions/ID/VERSION/screen", "/resources/ID/0"] {
      let address = path.replacing("ID", with: photos[1].uuid).replacing("VERSION", with: photos[1].renditionVersion)
      statuses.insert(try await ask(address).status)
    }
    return Sight(
      hidden: try await total("allHidden"), deleted: try await total("recentlyDeleted"),
      counts: ["allHidden", "recentlyDeleted"].map { id in list.collections.first { $0.id == id }?.count ?? -1 },
      statuses: statuses)
  }

  private func ownersSight() async throws -> Sight { try await sight { try await server.ask("/api/v1\($0)") } }

  private func sight(of client: TestClient) async throws -> Sight { try await sight { try await client.ask($0) } }

  @Test func `a client's deletion of a hidden photo is confirmed by a session that sees the photo`() async throws {
    let client = try await TestClient(server: server).answered("full")
    let deletion = Task { [photos] in
      let list = TestServer.list([photos[1]])
      return try await client.ask(
        "/changes", method: "POST", json: #"{"changes":[{"type":"deleteAssets","assets":\#(list)}]}"#)
    }
    let question = try await server.waitingConfirmation()
    func confirm() async throws -> Int {
      try await server.post("/api/v1/confirmations/\(question.id)", json: #"{"answer":true}"#, isSignedIn: true).status
    }
    #expect(try await set(true).status == 200)
    let locked = try await server.ask("/api/v1/confirmations").body
    #expect(try JSONDecoder().decode(ConfirmationsAnswer.self, from: locked).confirmations.isEmpty)
    #expect(try await confirm() == 404)
    #expect(try await open().status == 200)
    #expect(try await server.waitingConfirmation().id == question.id)
    #expect(try await confirm() == 204)
    _ = try await result(of: deletion, "the deletion")
  }

  @Test func `reading and signing in don't wait with those who change the lock`() async throws {
    let commits = Glibc.open("\(server.library.url.path)/incoming/commit.lock", O_RDWR | O_CLOEXEC)
    defer { close(commits) }
    try #require(flock(commits, LOCK_EX) == 0)
    let answered = Counter()
    let server = server
    try await withThrowingTaskGroup(of: Void.self) { group in
      // More than there are threads for requests.
      for _ in 0..<32 {
        group.addTask {
          _ = try await server.post(
            "/api/v1/hidden-lock", json: #"{"isSet":true}"#, method: "PUT", isSignedIn: true)
          answered.add(1)
        }
      }
      for _ in 0..<200 { #expect(try await server.ask("/api/v1/library").status == 200) }
      let entry = try await server.post("/api/v1/session/password", json: #"{"password":"\#(Self.password)"}"#)
      #expect(entry.status == 204)
      #expect(answered.count == 0)
      flock(commits, LOCK_UN)
      try await group.waitForAll()
    }
  }

  @Test func `U-20: the lock hides hidden photos from the owner's session until the password`() async throws {
    #expect(try await ownersSight() == .everything)
    #expect(try await set(true).status == 200)
    #expect(try await ownersSight() == .nothing)
    #expect(try await open("wrong").status == 401)
    #expect(try await ownersSight() == .nothing)
    #expect(try await open().status == 200)
    #expect(try await ownersSight() == .everything)
  }

  @Test func `U-20: the list of collections says that Hidden is locked, and not what is in it`() async throws {
    func isLocked() async throws -> Bool? {
      let answer = try await server.ask("/api/v1/collections")
      return try JSONDecoder().decode(Collections.self, from: answer.body).collections.first { $0.id == "allHidden" }?
        .isLocked
    }
    #expect(try await isLocked() == nil)
    #expect(try await set(true).status == 200)
    #expect(try await isLocked() == true)
    #expect(try await open().status == 200)
    #expect(try await isLocked() == nil)
  }

  @Test func `U-20: after ten minutes it is locked again, and when it is left`() async throws {
    #expect(try await set(true).status == 200)
    #expect(try await open().status == 200)
    server.clock.advance(599)
    #expect(try await ownersSight() == .everything)
    server.clock.advance(1)
    #expect(try await ownersSight() == .nothing)
    #expect(try await open().status == 200)
    #expect(try await state().openSeconds == 600)
    #expect(try await server.ask("/api/v1/hidden-lock/opening", method: "DELETE").status == 204)
    #expect(try await ownersSight() == .nothing)
    #expect(try await state() == Lock(isSet: true, hasPassword: true, openSeconds: nil))
  }

  @Test func `U-20: another session opens the lock for itself`() async throws {
    #expect(try await set(true).status == 200)
    #expect(try await open().status == 200)
    let client = SignInClient(address: "127.0.0.1", device: "Another")
    let token = try server.signIn.sessions.begin(
      of: server.library.signIns.owner().id, .ownBrowser, in: client, replacing: nil
    ).token.text
    let cookie = ["Cookie": "\(server.signIn.site.cookie.name)=\(token)"]
    let seen = try await sight { try await server.ask("/api/v1\($0)", cookie, isSignedIn: false) }
    #expect(seen == .nothing)
  }

  @Test func `U-20: clients with full access see no hidden photos while the lock is set`() async throws {
    let client = try await TestClient(server: server).answered("full")
    // No client sees Recently Deleted.
    let everything = Sight(hidden: 1, deleted: 0, counts: [1, -1], statuses: [200])
    let nothing = Sight(hidden: 0, deleted: 0, counts: [0, -1], statuses: [404])
    #expect(try await sight(of: client) == everything)
    #expect(try await set(true).status == 200)
    #expect(try await sight(of: client) == nothing)
    #expect(try await open().status == 200)
    #expect(try await sight(of: client) == nothing)
    #expect(try await client.ask("/hidden-lock").status == 403)
  }

  @Test func `U-20: a client whose selection has no hidden photo does not notice the lock`() async throws {
    let client = try await TestClient(server: server).answered("limited", assets: [photos[0]])
    func answers() async throws -> [TestServer.Answer] {
      var answers: [TestServer.Answer] = []
      for path in ["/library", "/collections", "/collections/allHidden/days", "/assets?limit=9", "/search?q=IMG"] {
        answers.append(try await client.ask(path))
      }
      return answers
    }
    func facts(_ answers: [TestServer.Answer]) -> [String] {
      answers.map { "\($0.status) \($0.field("ETag") ?? "") \($0.text)" }
    }
    let before = facts(try await answers())
    #expect(try await set(true).status == 200)
    #expect(facts(try await answers()) == before)
  }

  @Test func `U-20: a kept answer is not confirmed after the lock has changed`() async throws {
    let kept = try #require(try await server.ask("/api/v1/collections/allHidden/days").field("ETag"))
    #expect(try await set(true).status == 200)
    let answer = try await server.ask("/api/v1/collections/allHidden/days", ["If-None-Match": kept])
    #expect(answer.status == 200)
    #expect(answer.text.contains(#""total":0"#))
  }

  @Test func `U-20: browsers keep no picture of a hidden photo`() async throws {
    for path in ["renditions/ID/VERSION/grid", "renditions/ID/VERSION/screen", "resources/ID/0"] {
      let address = path.replacing("ID", with: photos[1].uuid).replacing("VERSION", with: photos[1].renditionVersion)
      let answer = try await server.ask("/api/v1/\(address)")
      #expect(answer.status == 200)
      #expect(answer.field("Cache-Control") == "no-store")
    }
  }

  @Test func `U-20: a locked photo can't be changed, and undoing doesn't show it`() async throws {
    let hiding = try await change(photos[0], #""isHidden":true"#)
    #expect(hiding.status == 200)
    #expect(try await set(true).status == 200)
    #expect(try await change(photos[1], #""isHidden":false"#).status == 422)
    func undo() async throws -> TestServer.Answer {
      try await server.post("/api/v1/undo", json: "{}", isSignedIn: true)
    }
    let refused = try await undo()
    #expect(refused.status == 403)
    #expect(refused.problem?.type == "urn:calotype:problem:hidden-locked")
    #expect(try PHAsset.fetchAsset(withUUID: photos[0].uuid, in: server.library)?.isHidden == true)
    #expect(try await open().status == 200)
    #expect(try await undo().status == 200)
    #expect(try PHAsset.fetchAsset(withUUID: photos[0].uuid, in: server.library)?.isHidden == false)
  }

  @Test func `U-20: the history does not name locked photos`() async throws {
    #expect(try await change(photos[1], #""title":"Surprise""#).status == 200)
    #expect(try await server.ask("/api/v1/changes").text.contains("Surprise"))
    #expect(try await set(true).status == 200)
    let history = try await server.ask("/api/v1/changes")
    #expect(history.status == 200)
    #expect(!history.text.contains("Surprise"))
  }

  @Test func `U-20: the history does not count locked photos`() async throws {
    struct History: Decodable {
      struct Transaction: Decodable {
        var actions: [Action]
        var counts: Counts
      }
      struct Action: Decodable { var count: Int }
      struct Counts: Decodable { var assets: Changes }
      struct Changes: Decodable { var updated: Int }
      var transactions: [Transaction]
    }
    let changes =
      #"{"changes":[{"type":"setAssets","assets":\#(TestServer.list([photos[0], photos[1]])),"isFavorite":true}]}"#
    #expect(try await server.post("/api/v1/changes", json: changes, isSignedIn: true).status == 200)
    #expect(try await change(photos[1], #""isFavorite":false"#).status == 200)
    /// The number of assets of each transaction, and those of its actions.
    func counts() async throws -> [[Int]] {
      let answer = try await server.ask("/api/v1/changes?limit=2")
      let history = try JSONDecoder().decode(History.self, from: answer.body)
      return history.transactions.map { [$0.counts.assets.updated] + $0.actions.map(\.count) }
    }
    #expect(try await counts() == [[1, 1], [2, 2]])
    #expect(try await set(true).status == 200)
    #expect(try await counts() == [[0], [1, 1]])
    #expect(try await open().status == 200)
    #expect(try await counts() == [[1, 1], [2, 2]])
  }

  @Test func `U-20: an undo that conflicts does not name a locked photo`() async throws {
    struct Answer: Decodable { var transaction: Int }
    let first = try await change(photos[1], #""title":"Surprise""#)
    let number = try JSONDecoder().decode(Answer.self, from: first.body).transaction
    #expect(try await change(photos[1], #""title":"Another""#).status == 200)
    func undo() async throws -> TestServer.Answer {
      try await server.post("/api/v1/undo", json: #"{"transaction":\#(number)}"#, isSignedIn: true)
    }
    #expect(try await undo().text.contains("Another"))
    #expect(try await set(true).status == 200)
    let refused = try await undo()
    #expect(refused.status == 403)
    #expect(refused.problem?.type == "urn:calotype:problem:hidden-locked")
    #expect(!refused.text.contains("Another"))
  }

  private struct Since: Decodable {
    struct Changes: Decodable { var inserted, updated, deleted: [String] }
    var revision: String
    var assets: Changes
  }

  private func since(_ revision: String, _ ask: Ask) async throws -> Since {
    try JSONDecoder().decode(Since.self, from: try await ask("/changes?since=\(revision)").body)
  }

  @Test func `U-20: the changes since a token do not name locked photos`() async throws {
    let client = try await TestClient(server: server).answered("full")
    let start = server.library.currentChangeToken.stringValue
    #expect(try await change(photos[1], #""title":"Surprise""#).status == 200)
    #expect(try await change(photos[0], #""isFavorite":true"#).status == 200)
    let owner: Ask = { [server] in try await server.ask("/api/v1\($0)") }
    #expect(Set(try await since(start, owner).assets.updated) == [photos[0].uuid, photos[1].uuid])
    #expect(try await set(true).status == 200)
    for ask: Ask in [owner, { try await client.ask($0) }] {
      let found = try await since(start, ask)
      #expect(found.assets.updated == [photos[0].uuid])
      #expect(found.assets.inserted + found.assets.deleted == [])
      #expect(found.revision == server.library.currentChangeToken.stringValue)
    }
    #expect(try await open().status == 200)
    #expect(try await since(start, owner).assets.updated.count == 2)
  }

  @Test func `U-20: while the album is locked, hiding a photo is reported as its deletion`() async throws {
    #expect(try await set(true).status == 200)
    let start = server.library.currentChangeToken.stringValue
    #expect(try await change(photos[0], #""isHidden":true"#).status == 200)
    let found = try await since(start) { try await server.ask("/api/v1\($0)") }
    #expect(found.assets.deleted == [photos[0].uuid])
    #expect(found.assets.updated == [])
  }

  @Test func `U-20: a client's selection is listed without locked photos, and keeps them`() async throws {
    struct Listed: Decodable { var assets: [String] }
    _ = try await TestClient(server: server).answered("limited", assets: [photos[0], photos[1]])
    let path = "/api/v1/access/clients/\(try await server.onlyClient())/selection"
    func listed() async throws -> [String] {
      try JSONDecoder().decode(Listed.self, from: try await server.ask(path).body).assets.sorted()
    }
    func select(_ photos: [PHAsset]) async throws -> TestServer.Answer {
      try await server.post(
        path, json: #"{"assets":\#(TestServer.list(photos))}"#, method: "PUT", isSignedIn: true)
    }
    let both = [photos[0].uuid, photos[1].uuid].sorted()
    #expect(try await listed() == both)
    #expect(try await set(true).status == 200)
    #expect(try await listed() == [photos[0].uuid])
    #expect(try await server.access().clients.first?.selectedCount == 1)
    // A page may have read the selection before the lock was set.
    for selection in [[photos[0]], [photos[0], photos[1]]] {
      let answer = try await select(selection)
      #expect(answer.text == #"{"added":[],"selectedCount":1}"#)
    }
    #expect(try await select([photos[2]]).status == 422)
    #expect(try await open().status == 200)
    #expect(try await listed() == both)
    #expect(try await select([photos[0]]).status == 200)
    #expect(try await listed() == [photos[0].uuid])
  }

  @Test(arguments: [0, 1, 2])
  func `U-20: an import reveals no locked photo, and loses no file`(index: Int) async throws {
    let client = try await TestClient(server: server).answered("full")
    #expect(try await set(true).status == 200)
    let answer = try await client.add(bitmap(red: UInt8(index)), named: "IMG_\(index).BMP")
    let file = try #require(try JSONDecoder().decode(TestServer.ImportAnswer.self, from: answer.body).files.first)
    // Only the first photo is not hidden.
    #expect(file.outcome == (index == 0 ? "known" : "added"))
    #expect(file.reason == nil)
    let asset = try #require(file.asset)
    #expect((asset == photos[index].uuid) == (index == 0))
    #expect(try await client.ask("/assets/\(asset)").status == 200)
    let library = server.library
    #expect(try PHAsset.fetchAsset(withUUID: photos[1].uuid, in: library)?.isHidden == true)
    #expect(try PHAsset.fetchAsset(withUUID: photos[2].uuid, in: library)?.trashedDate != nil)
  }

  @Test func `U-20: the movie of a locked photo becomes an asset of its own`() async throws {
    let live = try SampleMedia.livePhoto()
    let still = try server.add(live.still, named: "IMG_9.HEIC")
    try server.library.performChangesAndWait { PHAssetChangeRequest(for: still).isHidden = true }
    let client = try await TestClient(server: server).answered("full")
    #expect(try await set(true).status == 200)
    let movie = try await client.add(live.video, named: "IMG_9.MOV")
    let file = try #require(try JSONDecoder().decode(TestServer.ImportAnswer.self, from: movie.body).files.first)
    #expect(file.outcome == "added")
    #expect(file.asset != nil)
    // The still is not taken out of the Hidden album either.
    let pair = try await client.add(live.still, named: "IMG_9.HEIC")
    #expect(pair.text.contains(#""outcome":"joined""#))
    let hidden = try #require(try PHAsset.fetchAsset(withUUID: still.uuid, in: server.library))
    #expect(hidden.isHidden && hidden.trashedDate == nil)
  }

  @Test func `U-20: a download that was prepared has no locked photo`() async throws {
    #expect(try await set(true).status == 200)
    #expect(try await open().status == 200)
    let prepared = try await server.post(
      "/api/v1/downloads", json: #"{"assets":["\#(photos[1].uuid)"],"kind":"originals"}"#, isSignedIn: true)
    let location = try #require(prepared.field("Location"))
    #expect(try await server.ask(location).status == 200)
    #expect(try await server.ask("/api/v1/hidden-lock/opening", method: "DELETE").status == 204)
    #expect(try await server.ask(location).status == 404)
  }

  @Test func `U-20: removing the lock needs an opening, and setting it closes every opening`() async throws {
    #expect(try await set(true).status == 200)
    #expect(try await set(false).status == 403)
    #expect(try await open().status == 200)
    #expect(try await set(true).status == 200)
    #expect(try await ownersSight() == .nothing)
    #expect(try await open().status == 200)
    #expect(try await set(false).status == 200)
    #expect(try await ownersSight() == .everything)
  }

  @Test func `U-20: without a password the lock can't be set, and is not closed`() async throws {
    let owner = try server.library.signIns.owner()
    #expect(try await set(true).status == 200)
    #expect(try server.library.signIns.setPasswordHash(nil, of: owner.id, replacing: owner.passwordHash))
    server.clock.advance(2)
    #expect(try await ownersSight() == .everything)
    #expect(try await set(true).status == 422)
    #expect(try await state() == Lock(isSet: false, hasPassword: false, openSeconds: nil))
  }
}
