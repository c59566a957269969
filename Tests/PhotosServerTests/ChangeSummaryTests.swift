import Foundation
import Photos
import PhotosTesting
import Testing

@testable import PhotosServer

/// Tests `GET /api/v1/changes?since=`.
@Suite struct ChangeSummaryTests {
  private func since(_ token: String, _ server: TestServer) async throws -> TestServer.Answer {
    try await server.ask("/api/v1/changes?since=\(token)")
  }

  @Test func `O-07: each object that has changed is named once`() async throws {
    let server = try TestServer()
    let photos = try (0..<3).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let before = server.library.currentChangeToken.stringValue
    #expect(
      try await since(before, server).text
        == #"{"assets":{"deleted":[],"inserted":[],"updated":[]},"collections":{"deleted":[],"inserted":[],"updated":[]},"revision":"\#(before)"}"#
    )
    let new = try server.add(bitmap(red: 9), minute: 9)
    let gone = try server.add(bitmap(red: 10), minute: 10)
    try server.library.performChangesAndWait {
      PHAssetChangeRequest(for: photos[0]).isFavorite = true
      PHAssetChangeRequest(for: new).isFavorite = true
      PHAssetChangeRequest.deleteAssets([photos[1], gone])
    }
    let revision = server.library.currentChangeToken.stringValue
    #expect(
      try await since(before, server).text
        == #"{"assets":{"deleted":["\#(photos[1].uuid)"],"inserted":["\#(new.uuid)"],"updated":["\#(photos[0].uuid)"]},"collections":{"deleted":[],"inserted":[],"updated":[]},"revision":"\#(revision)"}"#
    )
  }

  @Test func `O-07: albums and folders that have changed are named apart from assets`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    func change(_ changes: String) async throws -> [String: String] {
      let answer = try await server.post("/api/v1/changes", json: #"{"changes":[\#(changes)]}"#, isSignedIn: true)
      #expect(answer.status == 200, "\(answer.text)")
      return try JSONDecoder().decode(Changes.Answer.self, from: answer.body).created
    }
    let folder = try await change(#"{"type":"createFolder","as":"$1","title":"Travels"}"#)["$1"] ?? ""
    func create(_ type: String, _ title: String) async throws -> String {
      let made = try await change(#"{"type":"\#(type)","as":"$1","title":"\#(title)","parent":"\#(folder)"}"#)
      return try #require(made["$1"])
    }
    let kept = try await create("createAlbum", "Norway")
    let gone = try await create("createFolder", "Europe")
    let before = server.library.currentChangeToken.stringValue
    let new = try await create("createAlbum", "Rome")
    _ = try await change(#"{"type":"addAssets","collection":"\#(kept)","assets":["\#(photo.uuid)"]}"#)
    _ = try await change(#"{"type":"deleteCollections","collections":["\#(gone)"]}"#)
    let summary = try JSONDecoder().decode(Summary.self, from: await since(before, server).body)
    #expect(summary.assets == Summary.Identifiers(inserted: [], updated: [], deleted: []))
    #expect((summary.collections.inserted, summary.collections.deleted) == ([new], [gone]))
    // The folder has other children now.
    #expect(summary.collections.updated.isSuperset(of: [kept, folder]))
    #expect(summary.collections.updated.isDisjoint(with: [new, gone, photo.uuid]))
  }

  private struct Summary: Decodable {
    struct Identifiers: Decodable, Equatable {
      var inserted: [String]
      var updated: Set<String>
      var deleted: [String]
    }
    var assets: Identifiers
    var collections: Identifiers
  }

  @Test func `O-07: an expired token is 410, and missing details are 409`() async throws {
    let temporary = try TemporaryLibrary()
    let server = try TestServer(library: temporary.library)
    let before = server.library.currentChangeToken.stringValue
    try server.add(bitmap())
    try temporary.thinHistory()
    let missing = try await since(before, server)
    #expect((missing.status, missing.problem?.phPhotosErrorCode) == (409, 3210))
    #expect(missing.problem?.type == "urn:calotype:problem:persistent-change-details-unavailable")
    try temporary.expireHistory()
    let expired = try await since(before, server)
    #expect((expired.status, expired.problem?.phPhotosErrorCode) == (410, 3105))
    #expect(expired.problem?.type == "urn:calotype:problem:persistent-change-token-expired")
    #expect(try await since("00000000-0000-4000-8000-000000000000-7", server).status == 410)
    let present = server.library.currentChangeToken
    let future = "\(present.stringValue.prefix(36))-\(present.number + 7)"
    #expect(try await since(future, server).problem?.type == "urn:calotype:problem:persistent-change-token-expired")
    let wrong = try await since("x", server)
    #expect((wrong.status, wrong.problem?.detail) == (400, "since: “x” is not a change token"))
  }

  @Test func `a limited client is told of its own assets alone`() async throws {
    let server = try TestServer()
    let photos = try (0..<2).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let client = try await TestClient(server: server).answered("limited", assets: [photos[0]])
    struct Library: Decodable { var revision: String }
    let before = try JSONDecoder().decode(Library.self, from: try await client.ask("/library").body).revision
    try server.library.performChangesAndWait { PHAssetChangeRequest(for: photos[1]).isFavorite = true }
    #expect(
      try await client.ask("/changes?since=\(before)").text
        == #"{"assets":{"deleted":[],"inserted":[],"updated":[]},"collections":{"deleted":[],"inserted":[],"updated":[]},"revision":"\#(before)"}"#
    )
    try server.library.performChangesAndWait { PHAssetChangeRequest(for: photos[0]).isFavorite = true }
    let text = try await client.ask("/changes?since=\(before)").text
    #expect(text.contains(#""updated":["\#(photos[0].uuid)"]"#))
    #expect(!text.contains(photos[1].uuid))
  }
}
