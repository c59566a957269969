import Foundation
import Hummingbird
import HummingbirdCore
import Photos
import TestSupport
import Testing

@testable import PhotosServer

/// The room that uploads take from each other, and when they give it back.
@Suite struct UploadSpaceTests {
  /// Announces a file of some bytes, and sends none of them. Returns the status.
  private func announce(_ byteCount: Int, by client: TestClient, to server: TestServer) async throws -> Int {
    try await server.ask(
      "/api/v1/uploads",
      [
        "Origin": try #require(client.origin), "Authorization": "Bearer \(try #require(client.token))",
        "Upload-Complete": "?0", "Upload-Length": "\(byteCount)", "Content-Length": "0",
      ], method: "POST", isSignedIn: false
    ).status
  }

  private func uploads(of server: TestServer, now: Date) -> Uploads {
    Uploads(library: server.library, limits: ServerLimits(connections: 1), clock: { now }, random: .system)
  }

  private func uploadedFiles(_ server: TestServer) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: server.library.url.appendingPathComponent("incoming/uploads").path)
  }

  @Test func `announced uploads take no space from the owner, and little from other clients`() async throws {
    var limits = ServerLimits(connections: 16)
    (limits.largestUpload, limits.unfinishedUploadBytes, limits.unfinishedUploadBytesOfClient) = (50, 150, 100)
    let server = try TestServer(limits: limits)
    let first = try await TestClient(server: server).answered("addOnly", level: "addOnly")
    let second = try await TestClient(server: server, origin: "https://other.example").answered("full")
    var statuses: [Int] = []
    for client in [first, first, first, second, second] {
      statuses.append(try await announce(50, by: client, to: server))
    }
    #expect(statuses == [201, 201, 507, 201, 507])
    for _ in 0..<3 { _ = try await server.createUpload(length: 50) }
    let owner = try await server.send(
      "POST", "/api/v1/uploads", ["Upload-Complete": "?0", "Upload-Length": "50"])
    #expect(owner.status == 507)
  }

  @Test func `above the limit, the oldest outcomes of the same sender are removed`() async throws {
    var limits = ServerLimits(connections: 16)
    limits.finishedUploadsOfAsker = 3
    let server = try TestServer(limits: limits)
    let client = try await TestClient(server: server).answered("addOnly", level: "addOnly")
    #expect(try await client.add(bitmap(red: 100)).status == 200)
    var ids: [String] = []
    for red in 1...5 as ClosedRange<UInt8> {
      ids.append(try await server.upload(bitmap(red: red), named: "A.bmp"))
      _ = try await server.importUploads([ids[ids.count - 1]])
      server.clock.advance(1)
    }
    #expect(try uploadedFiles(server).count == 4)
    let kept = try await server.importUploads(Array(ids[2...]))
    #expect(kept.map(\.outcome) == ["added", "added", "added"])
    let old = try await server.post("/api/v1/imports", json: #"{"uploads":["\#(ids[1])"]}"#, isSignedIn: true)
    #expect(old.status == 404)
  }

  @Test func `a server removes surplus outcomes that an earlier server left`() async throws {
    let server = try TestServer()
    for red in 1...4 as ClosedRange<UInt8> {
      _ = try await server.importUploads([try await server.upload(bitmap(red: red), named: "A.bmp")])
    }
    #expect(try uploadedFiles(server).count == 4)
    var limits = ServerLimits(connections: 1)
    limits.finishedUploadsOfAsker = 3
    let now = server.clock.now
    try Uploads(library: server.library, limits: limits, clock: { now }, random: .system).removeUseless()
    #expect(try uploadedFiles(server).count == 3)
  }

  @Test(arguments: ["DELETE", "PATCH"])
  func `the uploads of a client that was forgotten or refused are removed`(method: String) async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    #expect(try await client.upload(bitmap()).status == 201)
    let uploads = uploads(of: server, now: server.clock.now)
    try uploads.removeUseless()
    #expect(try uploadedFiles(server).count == 2)
    let number = try await server.onlyClient()
    _ = try await server.post(
      "/api/v1/access/clients/\(number)", json: #"{"readWrite":"denied","addOnly":"denied"}"#, method: method,
      isSignedIn: true)
    try uploads.removeUseless()
    #expect(try uploadedFiles(server) == [])
  }

  @Test func `a server removes old uploads when it starts`() async throws {
    let server = try TestServer()
    let old = uploads(of: server, now: Date() - 8 * 86_400)
    _ = try await old.create(
      try UploadFields([.uploadComplete: "?1"]), .of("person 1", Data("a".utf8)))
    #expect(try uploadedFiles(server).count == 2)
    try await serving(server) { _ in
      try await wait(for: "the removal of old uploads") { try uploadedFiles(server).isEmpty }
    }
  }

  @Test func `an upload that is being imported is not deleted`() async throws {
    let server = try TestServer()
    let uploads = uploads(of: server, now: server.clock.now)
    let id = try await uploads.create(
      try UploadFields([.uploadComplete: "?1"]), .of("person 1", Data("a".utf8))
    ).id
    try uploads.claim([id])
    let failure = await #expect(throws: Failure.self) { try await uploads.delete(id, by: "person 1") }
    #expect(failure?.status == .conflict)
    #expect(throws: Failure.self) { try uploads.claim([id]) }
    uploads.release([id])
    try await uploads.delete(id, by: "person 1")
    #expect(try uploadedFiles(server) == [])
  }
}
