import Foundation
@_spi(Testing) import Photos
import PhotosTesting
import TestSupport
import Testing

@testable import PhotosServer

/// Tests edits that are being rendered. The disk delivers the original when the test says so.
@Suite(.serialized) struct RunningEditTests {
  private let disk = SlowDisk()
  private let server: TestServer
  private let photo: PHAsset

  init() throws {
    let folder = TestFolder(in: FileManager.default.temporaryDirectory)
    let library = try PHPhotoLibrary(
      url: folder.url.appendingPathComponent("Summer.calotype"), clock: { Date() },
      originals: { [disk] in SlowOriginals(base: $0, disk: disk) })
    library.situations.keep(folder)
    server = try TestServer(library: library)
    photo = try server.add(bitmap())
  }

  private struct Edits: Decodable {
    struct Edit: Decodable {
      var id: String
      var assets: [String]
      var progress: Double
    }

    var edits: [Edit]
  }

  private func edits() async throws -> [Edits.Edit] {
    try JSONDecoder().decode(Edits.self, from: await server.ask("/api/v1/edits").body).edits
  }

  /// The body of an edit.
  private var json: String {
    #"{"changes":[{"type":"editAssets","assets":["\#(photo.uuid)"],"steps":{"filter":"mono"}}]}"#
  }

  /// Sends an edit, and calls `act` while it is being rendered. Returns the answer to the edit.
  private func edit(meanwhile act: (Edits.Edit) async throws -> Void) async throws -> TestServer.Answer {
    disk.hold()
    let editing = Task { try await server.post("/api/v1/changes", json: json, isSignedIn: true) }
    defer { disk.goOn() }
    try await wait(for: "an edit that is rendered") { disk.isReading }
    try await act(try #require(await edits().first))
    disk.goOn()
    return try await editing.value
  }

  @Test func `an edit that is being rendered is listed until it has ended`() async throws {
    let answer = try await edit { running in
      #expect(running.assets == [photo.uuid])
      #expect(running.progress == 0)
    }
    #expect(answer.status == 200)
    #expect(try await edits().isEmpty)
  }

  @Test func `a canceled edit changes nothing`() async throws {
    let before = try await server.ask("/api/v1/assets/\(photo.uuid)").text
    let revision = server.library.currentChangeToken
    let answer = try await edit { running in
      let canceled = try await server.ask("/api/v1/edits/\(running.id)", method: "DELETE")
      #expect(canceled.status == 204)
    }
    #expect(answer.status == 409)
    #expect(answer.problem?.type == "urn:calotype:problem:canceled")
    #expect(answer.problem?.detail == "the edit was canceled; nothing was changed")
    #expect(try await server.ask("/api/v1/assets/\(photo.uuid)").text == before)
    #expect(server.library.currentChangeToken == revision)
    #expect(try await edits().isEmpty)
  }

  @Test func `a ninth edit of a client is refused while eight wait or are rendered`() async throws {
    let client = try await TestClient(server: server).answered("full")
    disk.hold(.max)
    defer { disk.goOn() }
    let json = self.json
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0...PictureWork.limitOfAsker {
        group.addTask { try await client.ask("/changes", method: "POST", json: json).status }
      }
      // The others wait for the disk.
      let first = try await group.next()
      #expect(first == 429)
      disk.goOn()
      for try await status in group { #expect(status != 429) }
    }
  }

  @Test func `an edit of a client is canceled when the client leaves`() async throws {
    let client = try await TestClient(server: server).answered("full")
    let revision = server.library.currentChangeToken
    try await listening(server, limits: ServerLimits(connections: 16)) { [disk, json] url, _ in
      let port = url.port ?? 0
      disk.hold()
      defer { disk.goOn() }
      let connection = try RawConnection(port: port)
      connection.send(
        "POST /api/v1/changes HTTP/1.1\r\n\(client.head(url))Content-Type: application/json\r\n"
          + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
      try await wait(for: "an edit that is rendered") { disk.isReading }
      connection.hangUp()
      try await wait(for: "the end of the edit") {
        let list = "GET /api/v1/edits HTTP/1.1\r\n\(head(url))\r\n"
        let answer = try RawConnection(port: port).exchange([list], waitsForEnd: false)[0]
        return String(decoding: answer.body, as: UTF8.self) == #"{"edits":[]}"#
      }
    }
    #expect(server.library.currentChangeToken == revision)
  }

  @Test func `an unknown edit can't be canceled`() async throws {
    let answer = try await server.ask("/api/v1/edits/1", method: "DELETE")
    #expect(answer.status == 404)
    #expect(answer.problem?.detail == "there is no edit 1 that is being rendered")
  }

  @Test func `a session for which Hidden is locked does not notice the edit of a hidden photo`() async throws {
    try server.setPassword("correct horse battery")
    try server.library.performChangesAndWait { [photo] in PHAssetChangeRequest(for: photo).isHidden = true }
    _ = try await edit { running in
      let lock = try await server.post("/api/v1/hidden-lock", json: #"{"isSet":true}"#, method: "PUT", isSignedIn: true)
      #expect(lock.status == 200)
      #expect(try await edits().isEmpty)
      #expect(try await server.ask("/api/v1/edits/\(running.id)", method: "DELETE").status == 404)
    }
  }

  @Test func `a client does not notice the owner's edits`() async throws {
    let client = try await TestClient(server: server).answered("full")
    let answer = try await edit { running in
      let list = try await client.ask("/edits")
      #expect(list.text == #"{"edits":[]}"#)
      let answer = try await client.ask("/edits/\(running.id)", method: "DELETE")
      #expect(answer.status == 404)
    }
    #expect(answer.status == 200)
  }
}
