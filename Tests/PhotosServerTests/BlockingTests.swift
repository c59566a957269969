import Dispatch
import TestSupport
import Testing

@testable @_spi(Testing) import Photos
@testable import PhotosServer

@Suite struct BlockingTests {
  @Test func `reading does not wait for commits`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let (begun, ended) = (Counter(), Counter())
    let commits = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<32 {
          group.addTask {
            try await Blocking.commit {
              begun.add(1)
              gate.waits(for: "the readings")
              ended.add(1)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    try await wait(for: "two commits that wait") { begun.count >= 2 }
    for _ in 0..<8 { try await Blocking.run {} }
    #expect(ended.count == 0)
    for _ in 0..<32 { gate.signal() }
    try await commits.value
  }

  /// The requests of the document, with values for which the library is read, and some with a body
  /// that is carried out.
  private static func requests(_ asset: PHAsset) -> [(method: String, path: String, json: String)] {
    let requests = APIDocument.operations.filter { !$0.waits && $0.testDescription != signingOut }.map { operation in
      let path =
        operation.template
        .replacing("/collections/{id}", with: "/collections/userLibrary")
        .replacing(/\/(assets|renditions|resources)\/{id}/) { "/\($0.1)/\(asset.uuid)" }
        .replacing("{version}", with: asset.renditionVersion)
      return (operation.method, APIDocument.path(of: path), "{}")
    }
    let favorite = #"{"changes": [{"type": "setAssets", "assets": ["\#(asset.uuid)"], "isFavorite": true}]}"#
    return requests + [
      ("GET", "/api/v1/assets?sort=-creationDate", ""), ("GET", "/api/v1/changes?limit=10", ""),
      ("GET", "/api/v1/search?q=IMG", ""), ("GET", "/", ""), ("GET", "/sign-in", ""), ("GET", "/sessions", ""),
      ("POST", "/api/v1/changes", favorite),
      ("POST", "/api/v1/downloads", #"{"assets": ["\#(asset.uuid)"]}"#),
      ("POST", "/api/v1/images", #"{"asset": "\#(asset.uuid)", "width": 8, "height": 8}"#),
      ("POST", "/api/v1/access/requests", #"{"name": "Frame", "level": "readWrite", "usageDescription": "Shows."}"#),
      ("POST", "/api/v1/session/authentication", #"{"password": "a wrong password"}"#),
      ("POST", "/api/v1/session/password", #"{"password": "a wrong password"}"#),
      ("POST", "/api/v1/session/set-up", #"{"code": "A", "password": "a wrong password"}"#),
      ("DELETE", "/api/v1/session", ""),
    ]
  }

  private static let signingOut = "DELETE /api/v1/session"

  @Test func `no request waits for a database on a thread of Swift's pool`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    for (method, path, json) in Self.requests(asset) {
      let waits = Counter()
      let note: @Sendable () -> Void = { waits.add(1) }
      try await PHPhotoLibrary.reportingWaits(to: note) {
        _ = try await server.ask(
          path, json.isEmpty ? [:] : ["Content-Type": "application/json"], method: method, body: json)
      }
      #expect(waits.count == 0, "\(method) \(path)")
    }
  }

  @Test func `the stream of changes waits for a database on other threads`() async throws {
    let server = try TestServer()
    let waits = Counter()
    let note: @Sendable () -> Void = { waits.add(1) }
    let response = try await PHPhotoLibrary.reportingWaits(to: note) {
      try await server.response(to: "/api/v1/changes/stream").status
    }
    #expect(response == .ok)
    #expect(waits.count == 0)
  }
}
