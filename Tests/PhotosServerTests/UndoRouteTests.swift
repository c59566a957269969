import Foundation
import Hummingbird
import NIOCore
import Photos
import PhotosJSON
import Testing

@testable import PhotosServer

/// Tests `/api/v1/undo`, `/api/v1/redo` and the history.
@Suite struct UndoRouteTests {
  private func post(
    _ path: String, _ body: String, _ server: TestServer
  ) async throws -> (answer: Changes.Answer?, response: TestServer.Answer) {
    let response = try await server.post("/api/v1/\(path)", json: body, isSignedIn: true)
    return (try? JSONDecoder().decode(Changes.Answer.self, from: response.body), response)
  }

  private func favorite(_ photo: PHAsset, _ value: Bool = true) -> String {
    #"{"changes":[{"type":"setAssets","assets":["\#(photo.uuid)"],"isFavorite":\#(value)}]}"#
  }

  private func isFavorite(_ photo: PHAsset, _ server: TestServer) throws -> Bool {
    try PHAsset.withID(photo.uuid[...], in: server.library).isFavorite
  }

  @Test func `Y-01: a batch is undone, and redone`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let done = try #require(try await post("changes", favorite(photo), server).answer)
    #expect(done.isUndoable)
    let undone = try #require(try await post("undo", "{}", server).answer)
    #expect(try !isFavorite(photo, server))
    #expect(undone.transaction == done.transaction.map { $0 + 1 })
    #expect(undone.revision == server.library.currentChangeToken.stringValue)
    let redone = try #require(try await post("redo", "{}", server).answer)
    #expect(try isFavorite(photo, server))
    let number = try #require(redone.transaction)
    #expect(try await post("undo", #"{"transaction":\#(number)}"#, server).response.status == 200)
    #expect(try !isFavorite(photo, server))
  }

  @Test func `Y-02: a later change of the same photo is a conflict that is named`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap(), named: "P03.BMP")
    let first = try #require(try await post("changes", favorite(photo), server).answer?.transaction)
    _ = try await post("changes", favorite(photo, false), server)
    let refused = try await post("undo", #"{"transaction":\#(first)}"#, server).response
    #expect((refused.status, refused.problem?.type) == (409, "urn:calotype:problem:conflict"))
    #expect(refused.problem?.detail.contains("P03.BMP") == true)
    #expect(refused.text.contains(#""conflicts":[{"id":"\#(photo.uuid)","kind":"asset","name":"P03.BMP"}]"#))
    #expect(try !isFavorite(photo, server))
  }

  @Test func `a photo that was deleted for good is not in the way of the undo of an earlier change`() async throws {
    let server = try TestServer()
    let photos = try (0..<2).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let first = try #require(try await post("changes", favorite(photos[0]), server).answer?.transaction)
    _ = try await post("changes", favorite(photos[1]), server)
    let deleted = photos[1]
    try server.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([deleted] as NSArray) }
    try server.library.performChangesAndWait { PHAssetChangeRequest.expungeAssets([deleted] as NSArray) }
    let undone = try await post("undo", "{}", server)
    #expect(undone.response.status == 200, "\(undone.response.text)")
    #expect(try !isFavorite(photos[0], server))
    #expect(try server.library.transactions(limit: 1).first?.undoes == first)
  }

  private func repeatable(
    _ path: String, _ body: String, key: String, _ server: TestServer
  ) async throws -> TestServer.Answer {
    try await server.post("/api/v1/\(path)", json: body, ["Idempotency-Key": key], isSignedIn: true)
  }

  @Test func `a repeated undo is carried out once, also after a restart`() async throws {
    let server = try TestServer()
    let photos = try (0..<2).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    for photo in photos { _ = try await post("changes", favorite(photo), server) }
    let first = try await repeatable("undo", "{}", key: "k1", server)
    #expect(first.status == 200)
    let again = try await repeatable("undo", "{}", key: "k1", server)
    #expect(again.text == first.text)
    let restarted = try TestServer(library: try PHPhotoLibrary(url: server.library.url))
    let later = try await repeatable("undo", "{}", key: "k1", restarted)
    #expect(later.text == first.text)
    #expect(try isFavorite(photos[0], server))
    #expect(try !isFavorite(photos[1], server))
  }

  @Test func `a repeated redo of a transaction is carried out once`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let number = try #require(try await post("changes", favorite(photo), server).answer?.transaction)
    _ = try await post("undo", "{}", server)
    let body = #"{"transaction":\#(number)}"#
    let first = try await repeatable("redo", body, key: "k1", server)
    #expect(first.status == 200)
    let again = try await repeatable("redo", body, key: "k1", server)
    #expect((again.status, again.text) == (200, first.text))
    #expect(try isFavorite(photo, server))
  }

  @Test func `a key is for one request`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    _ = try await post("changes", favorite(photo), server)
    #expect(try await repeatable("undo", "{}", key: "k1", server).status == 200)
    for (path, body) in [("redo", "{}"), ("undo", #"{"transaction":1}"#), ("changes", "{}")] {
      let other = try await repeatable(path, body, key: "k1", server)
      #expect(other.status == 422)
      #expect(
        other.problem?.detail == "Idempotency-Key: another request had this key; use a new one for each request")
    }
    #expect(try await repeatable("undo", "{}", key: "a b", server).status == 400)
  }

  @Test func `a refused undo can be sent again with its key`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let first = try #require(try await post("changes", favorite(photo), server).answer?.transaction)
    let second = try #require(try await post("changes", favorite(photo, false), server).answer?.transaction)
    let body = #"{"transaction":\#(first)}"#
    #expect(try await repeatable("undo", body, key: "k1", server).status == 409)
    _ = try await post("undo", #"{"transaction":\#(second)}"#, server)
    #expect(try await repeatable("undo", body, key: "k1", server).status == 200)
    #expect(try !isFavorite(photo, server))
  }

  @Test(arguments: ["undo", "redo", "changes"])
  func `a request whose token ends while its body is read changes nothing`(path: String) async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let client = try await TestClient(server: server).answered("full")
    #expect(try await client.ask("/changes", method: "POST", json: favorite(photo)).status == 200)
    if path == "redo" { #expect(try await client.ask("/undo", method: "POST", json: "{}").status == 200) }
    let revision = server.library.currentChangeToken
    let bytes = ByteBuffer(string: path == "changes" ? favorite(photo, false) : "{}")
    let pieces = AsyncStream {
      $0.yield(bytes)
      $0.finish()
    }
    let body = pieces.map { piece in
      try await server.revokeOnlyToken()
      return piece
    }
    let response = try await server.response(
      to: "/api/v1/\(path)",
      [
        "Authorization": "Bearer \(client.token ?? "")", "Origin": client.origin ?? "",
        "Content-Type": "application/json",
      ], method: "POST", stream: RequestBody(asyncSequence: body), isSignedIn: false)
    #expect((response.status.code, response.headers[.wwwAuthenticate]) == (401, "Bearer"))
    #expect(server.library.currentChangeToken == revision)
    #expect(try isFavorite(photo, server) == (path != "redo"))
  }

  @Test(arguments: [
    ("{}", 409), (#"{"transaction":99}"#, 404), (#"{"transaction":0}"#, 422), (#"{"transaction":"1"}"#, 422),
    (#"{"number":1}"#, 422),
  ])
  func `an impossible undo is refused`(body: String, status: Int) async throws {
    let server = try TestServer()
    #expect(try await post("undo", body, server).response.status == status)
    #expect(try await post("redo", body, server).response.status == status)
  }

  @Test func `Y-03: the history tells what was done, how much of it and by whom`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap(), named: "P01.BMP")
    let client = try await TestClient(server: server).answered("full")
    _ = try await client.ask("/changes", method: "POST", json: favorite(photo))
    struct History: Decodable {
      var revision: String
      var transactions: [LibraryTransactionDescription]
    }
    let answer = try await server.ask("/api/v1/changes?limit=1")
    let history = try JSONDecoder().decode(History.self, from: answer.body)
    #expect(history.revision == server.library.currentChangeToken.stringValue)
    let latest = try #require(history.transactions.first)
    #expect(history.transactions.count == 1)
    #expect(latest.client?.identifier == "https://slideshow.example")
    #expect(latest.client?.name == "Slideshow")
    #expect(latest.names == ["P01.BMP"])
    #expect((latest.counts.assets.updated, latest.isUndoable, latest.isUndone) == (1, true, false))
    #expect(answer.text.contains(#""actions":[{"count":1,"kind":"favorited"}]"#))
    #expect(latest.isUndo == false)
    let older = try await server.ask("/api/v1/changes?limit=200&before=\(latest.transaction)")
    let rest = try JSONDecoder().decode(History.self, from: older.body).transactions
    #expect(rest.allSatisfy { $0.transaction < latest.transaction })
    #expect(rest.contains { $0.counts.assets.inserted == 1 })
    for query in ["limit=0", "limit=201", "before=x"] {
      #expect(try await server.ask("/api/v1/changes?\(query)").status == 400)
    }
  }
}
