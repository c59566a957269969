import Foundation
import Photos
import TestSupport
import Testing

@testable import PhotosServer

/// Tests deletions by clients, which wait for the owner.
@Suite struct ConfirmationTests {
  private func delete(_ photos: [PHAsset], _ client: TestClient) -> Task<TestServer.Answer, any Error> {
    Task {
      try await client.ask(
        "/changes", method: "POST",
        json: #"{"changes":[{"type":"deleteAssets","assets":\#(TestServer.list(photos))}]}"#)
    }
  }

  private func answer(_ id: String, _ isConfirmed: Bool, _ server: TestServer) async throws -> Int {
    try await server.post("/api/v1/confirmations/\(id)", json: #"{"answer":\#(isConfirmed)}"#, isSignedIn: true).status
  }

  @Test func `J-05: a deletion by a client waits until the owner confirms it`() async throws {
    let server = try TestServer()
    let photos = try (0..<3).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let client = try await TestClient(server: server).answered("full")
    let deletion = delete([photos[0], photos[2]], client)
    let question = try await server.waitingConfirmation()
    #expect(question.client == .init(name: "Slideshow", identifier: "https://slideshow.example"))
    #expect((question.count, question.isPermanent) == (2, false))
    #expect(Set(question.assets.map(\.id)) == [photos[0].uuid, photos[2].uuid])
    #expect(question.assets.allSatisfy { !$0.version.isEmpty })
    #expect(try await client.assetCount() == 3)
    #expect(try await answer(question.id, true, server) == 204)
    #expect(try await result(of: deletion, "the deletion").get().status == 200)
    #expect(try await client.assetCount() == 1)
    #expect(try await answer(question.id, true, server) == 409)
    #expect(try await answer("nothing", true, server) == 404)
  }

  @Test func `J-05: without the owner's consent nothing is done`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let client = try await TestClient(server: server).answered("full")
    let revision = server.library.currentChangeToken
    let deletion = delete([photo], client)
    #expect(try await answer(server.waitingConfirmation().id, false, server) == 204)
    let refused = try await result(of: deletion, "the deletion").get()
    #expect((refused.status, refused.problem?.phPhotosErrorCode) == (403, 3072))
    #expect(refused.problem?.type == "urn:calotype:problem:user-cancelled")
    #expect(server.library.currentChangeToken == revision)
  }

  @Test func `J-05: the question of a client is withdrawn when its token is revoked`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let client = try await TestClient(server: server).answered("full")
    let deletion = delete([photo], client)
    let question = try await server.waitingConfirmation()
    try await server.revokeOnlyToken()
    #expect(try await result(of: deletion, "the deletion").get().status == 401)
    #expect(try await answer(question.id, true, server) == 409)
    let kept = try #require(try PHAsset.fetchAsset(withUUID: photo.uuid, in: server.library))
    #expect(kept.daysLeftInTrash == nil)
  }

  @Test func `J-05: the question about a folder names everything that is deleted with it`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    let made = try await server.post(
      "/api/v1/changes",
      json: #"""
        {"changes":[{"type":"createFolder","as":"$1","title":"Trips"},
        {"type":"createFolder","as":"$2","title":"North","parent":"$1"},
        {"type":"createAlbum","as":"$3","title":"Norway","parent":"$2"},
        {"type":"createAlbum","as":"$4","title":"Spain","parent":"$1"}]}
        """#, isSignedIn: true)
    #expect(made.status == 200, "\(made.text)")
    struct Made: Decodable { var created: [String: String] }
    let created = try JSONDecoder().decode(Made.self, from: made.body).created
    let (folder, album) = (try #require(created["$1"]), try #require(created["$3"]))
    let deletion = Task {
      try await client.ask(
        "/changes", method: "POST",
        json: #"{"changes":[{"type":"deleteCollections","collections":["\#(folder)","\#(album)"]}]}"#)
    }
    let question = try await server.waitingConfirmation()
    #expect(question.collections.map(\.title).sorted() == ["North", "Norway", "Spain", "Trips"])
    #expect(question.count == 4)
    #expect(try await answer(question.id, false, server) == 204)
    #expect(try await result(of: deletion, "the deletion").get().status == 403)
  }

  @Test(arguments: [true, false])
  func `J-05: the undo of a client's album waits for the owner, who sees the album`(isConfirmed: Bool) async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    let made = try await client.ask(
      "/changes", method: "POST", json: #"{"changes":[{"type":"createAlbum","as":"$1","title":"Norway"}]}"#)
    #expect(made.status == 200)
    let undo = Task { try await client.ask("/undo", method: "POST", json: "{}") }
    let question = try await server.waitingConfirmation()
    #expect(question.collections.map(\.title) == ["Norway"])
    #expect(try await answer(question.id, isConfirmed, server) == 204)
    let undone = try await result(of: undo, "the undo").get()
    #expect(undone.status == (isConfirmed ? 200 : 403))
    #expect(undone.problem?.phPhotosErrorCode == (isConfirmed ? nil : 3072))
    #expect(try await server.ask("/api/v1/collections").text.contains("Norway") == !isConfirmed)
  }

  @Test func `J-05: the undo of a client is withdrawn when its token is revoked`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    let made = try await client.ask(
      "/changes", method: "POST", json: #"{"changes":[{"type":"createAlbum","as":"$1","title":"Norway"}]}"#)
    #expect(made.status == 200)
    let revision = server.library.currentChangeToken
    let undo = Task { try await client.ask("/undo", method: "POST", json: "{}") }
    let question = try await server.waitingConfirmation()
    try await server.revokeOnlyToken()
    let refused = try await result(of: undo, "the undo").get()
    #expect((refused.status, refused.field("WWW-Authenticate")) == (401, "Bearer"))
    #expect(try await answer(question.id, true, server) == 409)
    #expect(server.library.currentChangeToken == revision)
  }

  @Test func `J-05: the undo of a client's upload waits for the owner, and its redo for nobody`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    #expect(try await client.add(bitmap()).status == 200)
    let undo = Task { try await client.ask("/undo", method: "POST", json: "{}") }
    let question = try await server.waitingConfirmation()
    #expect((question.count, question.isPermanent) == (1, false))
    #expect(try await answer(question.id, true, server) == 204)
    #expect(try await result(of: undo, "the undo").get().status == 200)
    #expect(try await client.assetCount() == 0)
    #expect(try await client.ask("/redo", method: "POST", json: "{}").status == 200)
    #expect(try await client.assetCount() == 1)
  }

  @Test func `ten requests of a client may ask at once, also before they have asked`() async throws {
    let server = try TestServer()
    let confirmations = ChangeService(
      library: server.library, access: AccessService(library: server.library, random: .system, clock: { Date() }),
      signIn: server.signIn, times: EventStream.Times(), clock: { Date() }
    ).confirmations
    let client = LibraryClient(identifier: "A")
    let entered = Counter()
    let valid: @Sendable () async throws -> Void = {}
    let (open, gate) = AsyncStream.makeStream(of: Void.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask {
          try? await confirmations.asking(for: client, of: server.library, valid) { _ in
            entered.add(1)
            // The stream has no elements, and ends with the task.
            for await _ in open {}
          }
        }
      }
      try await wait(for: "ten requests that ask") { entered.count == 10 }
      await #expect(throws: Failure.self) {
        try await confirmations.asking(for: client, of: server.library, valid) { _ in }
      }
      try await confirmations.asking(for: LibraryClient(identifier: "B"), of: server.library, valid) { _ in }
      group.cancelAll()
    }
    withExtendedLifetime(gate) {}
    try await confirmations.asking(for: client, of: server.library, valid) { _ in }
  }

  @Test func `J-07: a client that leaves withdraws its deletion`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let client = try await TestClient(server: server).answered("full")
    let deletion = delete([photo], client)
    let question = try await server.waitingConfirmation()
    deletion.cancel()
    _ = try await result(of: deletion, "the end of the deletion")
    #expect(try await answer(question.id, true, server) == 409)
    #expect(try await client.assetCount() == 1)
  }

  @Test func `the owner's own deletions wait for nobody, and other changes of a client neither`() async throws {
    let server = try TestServer()
    let photos = try (0..<2).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let client = try await TestClient(server: server).answered("full")
    let deletion = delete([photos[0]], client)
    let question = try await server.waitingConfirmation()
    let favorite = try await client.ask(
      "/changes", method: "POST",
      json: #"{"changes":[{"type":"setAssets","assets":\#(TestServer.list([photos[1]])),"isFavorite":true}]}"#)
    #expect(favorite.status == 200)
    let own = try await server.post(
      "/api/v1/changes", json: #"{"changes":[{"type":"deleteAssets","assets":\#(TestServer.list([photos[1]]))}]}"#,
      isSignedIn: true)
    #expect(own.status == 200)
    #expect(try await answer(question.id, false, server) == 204)
    _ = try await result(of: deletion, "the deletion").get()
  }
}
